"""Numbers as people give them: what an array holds besides its numbers is never lost without a word."""

from __future__ import annotations

import numpy as np
import pytest

from robosym import load, models
from robosym.analysis import manipulability_of, pseudo_inverse, workspace
from robosym.errors import RobosymError
from robosym.expr import expr
from robosym.reals import finite_array, overlaps_itself, plain_array, real_array
from robosym.robot import Value
from robosym.simulation import simulate

POSE = np.array([[1.0, 0, 0, 0.4], [0, 1, 0, 0.2], [0, 0, 1, 0.3], [0, 0, 0, 1]])


class WithUnit(np.ndarray):
    unit = "deg"


def masked(x: np.ndarray) -> np.ma.MaskedArray:
    return np.ma.masked_array(x, mask=np.arange(x.size).reshape(x.shape) == x.size - 1)


ODD = {
    "masked": masked,
    "complex": lambda x: x + 0j,
    "text": lambda x: x.astype(str),
    "objects": lambda x: x.astype(object),
    "times": lambda x: x.astype("m8[s]"),
    "unit": lambda x: x.view(WithUnit),
    "list of masked rows": lambda x: [masked(row) for row in np.atleast_2d(x)] if x.ndim > 1 else list(masked(x)),
}


@pytest.fixture(scope="module")
def solver():
    return models.inverse_geometric(load("rx90"))


@pytest.fixture(scope="module")
def dynamics():
    return models.inverse_dynamics(load("rx90"))


@pytest.fixture(scope="module")
def torques(dynamics):
    return dynamics.compile()


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.filterwarnings("ignore:Warning. converting a masked element")
@pytest.mark.parametrize("how", list(ODD))
def test_wherever_an_array_enters(solver, dynamics, torques, how):
    """Compiled, interpreted, inverse geometry (poses, seeds, parameters), analysis, rows by name."""
    odd, rx90 = ODD[how], load("rx90")
    q = np.full(6, 0.3)
    state = {"q": q, "qd": q, "qdd": q}
    wrong = [
        lambda: torques(**{**state, "q": odd(q)}),
        lambda: torques(**state, wrench={"link6": odd(q)}),
        lambda: torques(**state, wrench=odd(q)),
        lambda: torques(**state, parameters={"D3": odd(q[:2])}),
        lambda: dynamics.evaluate(**{**state, "q": odd(q)}),
        lambda: dynamics.evaluate(**state, wrench={"link6": odd(q)}),
        lambda: solver(odd(POSE)),
        lambda: solver.batch(odd(POSE[None])),
        lambda: solver(POSE, seed=odd(q)),
        lambda: solver.nearest(POSE, odd(q)),
        lambda: solver.batch(POSE[None], parameters={"D3": odd(q[:1])}),
        lambda: manipulability_of(rx90, odd(q)),
        lambda: pseudo_inverse(odd(np.eye(3))),
        lambda: workspace(rx90, samples=10, limits={rx90.joint_names[0]: odd(np.array([0.0, 1.0]))}),
    ]
    for call in wrong:
        with pytest.raises(RobosymError, match=r"expected (real|plain|finite) numbers|expected \(lower, upper\)"):
            call()


def test_what_is_only_its_numbers_is_taken():
    x = np.arange(6.0).reshape(2, 3)
    for same in (x.tolist(), x.astype(np.float32), x.astype(">f8"), np.ma.masked_array(x), x.astype(np.uint8)):
        np.testing.assert_array_equal(real_array("x", same), x)
    assert real_array("x", x) is x


@pytest.mark.parametrize("value", [True, np.bool_(False), [1.0, True], [[0, 1], [2, False]], np.array([True, False])])
def test_truth_values_are_no_numbers(value):
    for array in (plain_array, finite_array):
        with pytest.raises(RobosymError, match=r"x: expected real numbers, got (True|False|truth values)"):
            array("x", value)
    assert real_array("x", value).dtype == float  # measured flags are numbers where a model takes them as an input


def test_truth_values_among_parameters_are_refused():
    robot = load("rx90")
    dynamics = models.gravity(robot)
    q = np.zeros(6)
    calls = [
        lambda: dynamics.compile()(q=q, parameters={"G3": True}),
        lambda: dynamics.evaluate(q=q, parameters={"G3": True}),
        lambda: dynamics.compile()(q=q, parameters={"G3": [True, False]}),
        lambda: simulate(robot, q=q, duration=0.01, parameters={"G3": True}),
        lambda: simulate(robot, q=q, duration=0.01, changes={0.005: {"G3": np.bool_(True)}}),
        lambda: simulate(robot, duration=0.01, batch={"G3": [True, False]}),
        lambda: simulate(robot, q=q, duration=0.01, torque=[True] * 6),
    ]
    for call in calls:
        with pytest.raises(
            RobosymError, match=r"expected (real|plain) numbers, got|got (True|np.True_), expected a number"
        ):
            call()


def test_numbers_that_must_be_finite():
    with pytest.raises(RobosymError, match="x: holds numbers that are not finite"):
        finite_array("x", [1.0, np.nan])


def test_arrays_that_overlap_themselves():
    x = np.zeros((4, 5, 6))
    views = [x, x.T, x[::2, ::-1], x[..., 3], x[:, :1], np.moveaxis(x, 0, 1)[::-1], x.diagonal(), x[:0]]
    assert not any(map(overlaps_itself, views))
    assert all(map(overlaps_itself, [np.broadcast_to(x[:1], x.shape), np.broadcast_to(0.0, (2,))]))
    assert overlaps_itself(np.lib.stride_tricks.sliding_window_view(x[0, 0], 2))


# --- rows by name ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def every_wrench():
    return models.inverse_dynamics(load("rx90"), wrench="all")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"link6": 5.0}, r"the row 'link6' has shape \(\), expected \(6,\) or \(batch, 6\)"),
        ({"link6": [5.0]}, r"the row 'link6' has shape \(1,\)"),
        ({"link6": np.ones((6, 1))}, r"the row 'link6' has shape \(6, 1\)"),
        ({"link6": np.ones((2, 6)), "link5": np.ones((3, 6))}, "the batch sizes of its rows differ: link6 2, link5 3"),
        ({"link9": np.ones(6)}, "has no row 'link9'"),
    ],
)
def test_a_row_has_its_own_shape(every_wrench, rows, message):
    q = np.full(6, 0.3)
    for call in (every_wrench.compile(), every_wrench.evaluate):
        with pytest.raises(RobosymError, match=message):
            call(q=q, qd=q, qdd=q, wrench=rows)


def test_rows_alone_and_in_batches(every_wrench):
    f = every_wrench.compile()
    draw = np.random.default_rng(0)
    names = every_wrench.optional["wrench"]
    q, one, many = draw.normal(size=(200, 6)), draw.normal(size=6), draw.normal(size=(200, 6))
    whole = np.zeros((200, len(names), 6))
    whole[:, names.index("link6")], whole[:, names.index("link2")] = many, one
    found = f(q=q, qd=q, qdd=q, wrench={"link6": np.asfortranarray(many), "link2": one, "link3": None})
    np.testing.assert_array_equal(found, f(q=q, qd=q, qdd=q, wrench=whole))


def test_a_wrench_of_equal_columns_in_a_batch(every_wrench):
    f = every_wrench.compile()
    q = np.random.default_rng(0).normal(size=(200, 6))
    wrench = np.broadcast_to(np.arange(1.0, 7.0)[:, None], f.inputs["wrench"])
    np.testing.assert_array_equal(
        f(q=q, qd=q, qdd=q, wrench=wrench), f(q=q, qd=q, qdd=q, wrench=np.ascontiguousarray(wrench))
    )


# --- numbers of a robot ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1j, np.complex128(1 + 2j), np.ma.masked, "1", None, True, [1.0]])
def test_a_value_is_a_real_number(number):
    with pytest.raises(RobosymError, match=r"values: got .*, expected a number"):
        Value(number)


@pytest.mark.parametrize("kind", [np.complex64, np.complex128])
def test_an_expression_takes_no_complex_number(kind):
    for number in (kind(1 + 2j), np.array(kind(1 + 2j))):
        with pytest.raises(RobosymError, match="expected a number or an expression"):
            expr(number)
