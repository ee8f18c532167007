"""From columns to joints: units, signs, ratios, couplings, offsets, gains and limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from identification.data.recipes import ONE_ROW, recipe_with

import robosym
from robosym.identification.data.joint_side import J_of, Linear, described_J, doubts, joint_side
from robosym.identification.data.recipe import Data, Recipe, RecipeError, Signal, Torque, Transmission
from robosym.identification.data.recording import Recording
from robosym.robot import Robot


def test_missing_columns_are_all_named() -> None:
    recipe = recipe_with({"q1": [1.0], "q2": [1.0], "tau": [1.0]})
    with pytest.raises(RecipeError) as raised:
        joint_side(recipe, recipe.recordings()[0])
    assert str(raised.value).count("there is no column") == 2
    assert "torque, columns: recording: there is no column 'tau1' (did you mean 'tau'?)" in str(raised.value)


def test_units_signs_ratios_and_offsets() -> None:
    recipe = recipe_with(
        ONE_ROW,
        position=Signal(
            ("q1", "q2"), side="motor", unit=("deg", "count"), scale=(1.0, 0.01), sign=(-1.0, 1.0), offset=(0.5, 0.25)
        ),
        torque=Torque(("tau1", "tau2"), side="motor", unit=("A", "mA"), gain=(0.1, 2.0)),
        transmission=Transmission(ratio=(10.0, -4.0)),
    )
    side = joint_side(recipe, recipe.recordings()[0])
    at = side(np.array([[90.0, 400.0, 2.0, 3.0]]))
    assert at.q[0] == pytest.approx([-np.pi / 2 / 10 + 0.5, 4.0 / -4 + 0.25])
    assert at.tau[0] == pytest.approx([10 * 0.2, -4 * 3e-3 * 2])


def test_power_is_the_same_on_both_sides_of_a_coupling() -> None:
    rng = np.random.default_rng(0)
    coupling = rng.normal(size=(2, 2))
    recipe = recipe_with(
        ONE_ROW,
        position=Signal(("q1", "q2"), side="motor"),
        torque=Torque(("tau1", "tau2"), side="motor"),
        transmission=Transmission(coupling=tuple(map(tuple, coupling.tolist()))),
    )
    side = joint_side(recipe, recipe.recordings()[0])
    speeds, torques = rng.normal(size=(5, 2)), rng.normal(size=(5, 2))
    at = side(np.concatenate((speeds, torques), axis=1))
    assert (at.q * at.tau).sum(axis=1) == pytest.approx((speeds * torques).sum(axis=1))
    assert at.q @ coupling.T == pytest.approx(speeds)


def test_the_transmission_of_the_description_agrees_with_the_model() -> None:
    rows = [{"d": 0, "ratio": 50}, {"d": 1}, {"d": 1}]
    robot = robosym.Robot.from_table("three", rows, coupling=[{"frames": [2, 3], "matrix": [[0.01, 0], [-0.01, 0.02]]}])
    names = ("a", "b", "c")
    recipe = recipe_with(
        {name: [0.0] for name in (*names, "x", "y", "z")},
        robot=robot,
        position=Signal(names, side="motor"),
        torque=Torque(("x", "y", "z"), side="motor"),
    )
    J = J_of(recipe)
    assert np.allclose(J, [[0.02, 0, 0], [0, 0.01, 0], [0, -0.01, 0.02]], rtol=1e-14)
    outputs = robosym.models.transmission(robot, given="motors").compile()(
        q_m=[1.0, 2.0, 3.0], qd_m=[0.0] * 3, tau_m=[4.0, 5.0, 6.0]
    )
    at = joint_side(recipe, recipe.recordings()[0])(np.array([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]))
    assert at.q[0] == pytest.approx(outputs["q"])
    assert at.tau[0] == pytest.approx(outputs["tau"])


def test_saturation_is_seen_at_every_joint_a_motor_moves() -> None:
    recipe = recipe_with(
        ONE_ROW,
        position=Signal(("q1", "q2"), side="motor"),
        torque=Torque(("tau1", "tau2"), side="motor", limit=(5.0,)),
        transmission=Transmission(coupling=((1.0, 0.0), (1.0, 1.0))),
    )
    at = joint_side(recipe, recipe.recordings()[0])(np.array([[0, 0, 5.0, 0], [0, 0, 0, -5.0], [0, 0, 1, 1.0]]))
    assert at.saturated.tolist() == [[True, False], [True, True], [False, False]]


def test_currents_need_a_gain() -> None:
    recipe = recipe_with(ONE_ROW, torque=Torque(("tau1", "tau2"), unit=("A",)))
    with pytest.raises(RecipeError, match="torque, gain: expected N m/A for each motor"):
        joint_side(recipe, recipe.recordings()[0])


# --- maps --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(2, 2), (2, 4), (3, 3)])
@pytest.mark.parametrize("diagonal", [True, False])
def test_a_linear_map_is_its_matrix(shape: tuple[int, int], diagonal: bool) -> None:
    """A diagonal one takes a shorter way."""
    rng = np.random.default_rng(0)
    matrix = np.eye(*shape) * rng.normal(size=shape) if diagonal else rng.normal(size=shape)
    offset, block = rng.normal(size=shape[1]), rng.normal(size=(5, shape[0]))
    expected = [
        [sum(row[i] * matrix[i, k] for i in range(shape[0])) + offset[k] for k in range(shape[1])] for row in block
    ]
    found = Linear(tuple("abc"[: shape[0]]), matrix, offset)(block)
    np.testing.assert_allclose(found, expected, atol=1e-14)


UNITS = {
    "position": {"rad": 1, "deg": np.pi / 180, "rev": 2 * np.pi, "m": 1, "mm": 1e-3, "count": 1},
    "velocity": {"rad/s": 1, "deg/s": np.pi / 180, "rpm": 2 * np.pi / 60, "mm/s": 1e-3, "rev/s": 2 * np.pi},
    "acceleration": {"rad/s^2": 1, "deg/s^2": np.pi / 180, "mm/s^2": 1e-3},
    "torque": {"N m": 1, "mN m": 1e-3, "kN m": 1e3, "N": 1},
}


@pytest.mark.parametrize("name", UNITS)
def test_units_become_si(name: str) -> None:
    """Each unit on the first joint, another on the second."""
    for unit, factor in UNITS[name].items():
        second, other = next(iter(UNITS[name].items()))
        columns = {one: [0.0] for one in ("q1", "q2", "v1", "v2", "tau1", "tau2")}
        signal: Signal | Torque = Signal(("v1", "v2"), unit=(unit, second))
        if name == "torque":
            signal = Torque(("v1", "v2"), unit=(unit, second))
        beside = {"velocity": Signal(("v1", "v2"), unit=("rad/s",))} if name == "acceleration" else {}
        recipe = recipe_with(columns, **beside, **{name: signal})
        side = joint_side(recipe, recipe.recordings()[0])
        part = getattr(side, name)
        assert part.columns == ("v1", "v2")
        np.testing.assert_allclose(part(np.array([[3.0, 5.0]])), [[3 * factor, 5 * other]], rtol=1e-15)


def test_velocities_and_accelerations_have_no_offset_and_may_be_missing() -> None:
    columns = {name: [0.0] for name in ("q1", "q2", "v1", "v2", "tau1", "tau2")}
    recipe = recipe_with(
        columns,
        position=Signal(("q1", "q2"), offset=(1.0, 2.0)),
        velocity=Signal(("v1", "v2"), unit=("rad/s",), sign=(1.0, -1.0)),
    )
    side = joint_side(recipe, recipe.recordings()[0])
    assert side.columns == ("q1", "q2", "v1", "v2", "tau1", "tau2")
    at = side(np.array([[0.5, 0.5, 3.0, 4.0, 5.0, 6.0]]))
    assert at.q.tolist() == [[1.5, 2.5]]
    assert at.qd is not None
    assert at.qd.tolist() == [[3.0, -4.0]]
    assert at.qdd is None
    assert at.tau.tolist() == [[5.0, 6.0]]
    assert not at.saturated.any()


def test_each_signal_has_its_own_side() -> None:
    """Positions of motors, torques of joints."""
    recipe = recipe_with(
        ONE_ROW, position=Signal(("q1", "q2"), side="motor"), transmission=Transmission(ratio=(10.0, -4.0))
    )
    at = joint_side(recipe, recipe.recordings()[0])(np.array([[20.0, 8.0, 3.0, 5.0]]))
    np.testing.assert_allclose(at.q, [[2.0, -2.0]])
    np.testing.assert_allclose(at.tau, [[3.0, 5.0]])


# --- where J comes from ------------------------------------------------------------------------------------------------


def geared(ratio: object = 50.0, **settings: object) -> Robot:
    rows = [{"d": 0, "ratio": ratio}, {"d": 1, "ratio": 20.0}]
    return Robot.from_table("geared", rows, **settings)


def test_the_recipe_goes_before_the_description() -> None:
    motors = {"position": Signal(("q1", "q2"), side="motor"), "robot": geared()}
    np.testing.assert_allclose(J_of(recipe_with(ONE_ROW, **motors)), np.diag([1 / 50, 1 / 20]))
    given = recipe_with(ONE_ROW, **motors, transmission=Transmission(ratio=(2.0,)))
    np.testing.assert_allclose(J_of(given), np.diag([0.5, 0.5]))
    coupling = ((1.0, 2.0), (0.0, 4.0))
    given = recipe_with(ONE_ROW, **motors, transmission=Transmission(coupling=coupling))
    np.testing.assert_allclose(J_of(given) @ coupling, np.eye(2), atol=1e-15)
    np.testing.assert_array_equal(J_of(recipe_with(ONE_ROW, robot=geared())), np.eye(2))  # all columns are of joints


def test_a_ratio_without_a_number_is_named() -> None:
    recipe = recipe_with(ONE_ROW, robot=geared("N1"), position=Signal(("q1", "q2"), side="motor"))
    with pytest.raises(RecipeError, match=r"transmission: the robot's description has no number for it.*N1"):
        joint_side(recipe, recipe.recordings()[0])
    np.testing.assert_allclose(described_J(geared("N1", values={"N1": 8.0})), np.diag([1 / 8, 1 / 20]))


def test_doubts_about_the_transmission() -> None:
    motors = {"position": Signal(("q1", "q2"), side="motor")}
    (text,) = doubts(recipe_with(ONE_ROW, **motors))
    assert "no ratio of shoulder, elbow: taken as 1" in text
    for recipe in (
        recipe_with(ONE_ROW),  # joints: no transmission is needed
        recipe_with(ONE_ROW, robot=geared(), **motors),
        recipe_with(ONE_ROW, robot=geared(), **motors, transmission=Transmission(ratio=(50.0, 20.0))),
        recipe_with(ONE_ROW, **motors, transmission=Transmission(ratio=(50.0, 20.0))),
        recipe_with(ONE_ROW, robot=geared("N1"), **motors, transmission=Transmission(ratio=(50.0, 20.0))),
    ):
        assert list(doubts(recipe)) == []
    (text,) = doubts(recipe_with(ONE_ROW, robot=geared(), **motors, transmission=Transmission(ratio=(50.0, -20.0))))
    assert "is not that of the robot's description" in text


# --- gains -------------------------------------------------------------------------------------------------------------


def test_currents_by_the_constants_of_the_motors() -> None:
    """tau = N KT i, with KT of the description; a gain in the recipe goes before it."""
    rows = [{"d": 0, "ratio": 50, "motor": {"KT": "K"}}, {"d": 1, "ratio": -20, "motor": {"KT": 0.3}}]
    robot = Robot.from_table("motors", rows, values={"K": 0.2})
    currents = Torque(("tau1", "tau2"), side="motor", unit=("A", "mA"))
    recipe = recipe_with(ONE_ROW, robot=robot, torque=currents)
    row = np.array([[0.0, 0.0, 3.0, 4.0]])
    np.testing.assert_allclose(
        joint_side(recipe, recipe.recordings()[0])(row).tau, [[50 * 0.2 * 3, -20 * 0.3 * 4e-3]], rtol=1e-14
    )
    given = replace(recipe, torque=replace(currents, gain=(1.0, 2.0)))
    np.testing.assert_allclose(joint_side(given, given.recordings()[0])(row).tau, [[150.0, -0.16]], rtol=1e-14)


# --- a free base -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measured", [True, False])
def test_columns_of_a_free_base_are_taken_as_they_are(measured: bool) -> None:
    """Seven of its pose, six of its wrench or none: then it is zero. Limits are of the joints."""
    robot = robosym.load("eel-2")
    n = len(robot.moving)
    q = [f"q{k}" for k in range(7 + n)]
    tau = [f"tau{k}" for k in range(n + (6 if measured else 0))]
    recipe = Recipe(
        robot,
        Data((Recording.from_arrays({name: [0.0] for name in (*q, *tau)}),), rate=100.0),
        Signal(tuple(q), side="motor", sign=(-1.0,), offset=(0.5,)),
        Torque(tuple(tau), side="motor", limit=(2.0,)),
        transmission=Transmission(ratio=(4.0,)),
    )
    row = np.arange(1.0, 1.0 + len(q) + len(tau))[None]
    row[0, -1] = 2.0
    side = joint_side(recipe, recipe.recordings()[0])
    at = side(row)
    assert side.base == 6
    np.testing.assert_allclose(at.q[0], [*row[0, :7], *(0.5 - row[0, 7 : 7 + n] / 4)])
    wrench = row[0, len(q) : len(q) + 6] if measured else np.zeros(6)
    np.testing.assert_allclose(at.tau[0], [*wrench, *(4 * row[0, -n:])])
    expected = np.abs(row[0, -n:]) >= 2.0
    assert at.saturated.tolist() == [[False] * 6 + expected.tolist()]


def test_arrays_with_another_number_of_columns() -> None:
    """How many they are is known by the recording only."""
    recipe = recipe_with(
        {"q": np.zeros((1, 3)), "tau": np.zeros((1, 2))}, position=Signal(("q",)), torque=Torque(("tau",))
    )
    with pytest.raises(RecipeError, match=r"^position, columns: expected 2 columns, got 3$"):
        joint_side(recipe, recipe.recordings()[0])
    right = replace(
        recipe, data=Data((Recording.from_arrays({"q": np.ones((1, 2)), "tau": np.ones((1, 2))}),), rate=1.0)
    )
    assert joint_side(right, right.recordings()[0]).columns == ("q.0", "q.1", "tau.0", "tau.1")
