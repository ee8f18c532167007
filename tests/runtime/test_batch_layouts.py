"""Batches in any layout: inputs and outputs lie in memory however they like."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from runtime.batches import SHAPES, code, one_by_one, packed, same, shifted, square, states
from sample_programs import vector

from robosym.expr import parameter, variable
from robosym.program.program import Program
from robosym.runtime import CallError, compile_program
from robosym.runtime.arguments import numeric
from robosym.runtime.machine_code import is_even

# --- how inputs lie in memory ----------------------------------------------------------------------------------------

COUNT = 77  # a full block, a full vector and a rest, whatever the lanes


def fortran(x: np.ndarray) -> np.ndarray:
    return np.asfortranarray(x)


def backwards(x: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(x[::-1])[::-1]


def backwards_inside(x: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(x[..., ::-1])[..., ::-1]


def all_backwards(x: np.ndarray) -> np.ndarray:
    turned = tuple(slice(None, None, -1) for _ in x.shape)
    return np.ascontiguousarray(x[turned])[turned]


def thinned(x: np.ndarray) -> np.ndarray:
    room = np.full((3 * len(x), *x.shape[1:]), np.nan)
    room[1::3] = x
    return room[1::3]


def thinned_inside(x: np.ndarray) -> np.ndarray:
    room = np.full((*x.shape, 2), np.nan)
    room[..., 1] = x
    return room[..., 1]


def odd_axes(x: np.ndarray) -> np.ndarray:
    """The batch between the other axes in memory, and those in the other order."""
    order = (*range(x.ndim - 1, 1, -1), 0, *([1] if x.ndim > 1 else []))
    return np.ascontiguousarray(x.transpose(order)).transpose(np.argsort(order))


def swapped(x: np.ndarray) -> np.ndarray:
    return x.astype(">f8")


def entries_last(x: np.ndarray) -> np.ndarray:
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(x, 0, -1)), -1, 0)


LAYOUTS = [
    np.ascontiguousarray,
    fortran,
    backwards,
    backwards_inside,
    all_backwards,
    thinned,
    thinned_inside,
    shifted,
    packed,
    odd_axes,
    swapped,
    entries_last,
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_inputs_in_any_layout(f, g, layout):
    plain = states(COUNT)
    turned = {name: layout(array) for name, array in plain.items()}
    for name, array in plain.items():
        np.testing.assert_array_equal(turned[name], array)
    same(f(**turned), f(**plain))
    x = np.random.default_rng(0).normal(size=(COUNT, 6, 6))
    np.testing.assert_array_equal(g(x=layout(x)), one_by_one(g, COUNT, {"x": x})["y"])


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_matrices_in_every_order_of_axes_in_and_out(g, order):
    x = np.random.default_rng(0).normal(size=(COUNT, 6, 6))
    turned = np.ascontiguousarray(x.transpose(order)).transpose(np.argsort(order))
    out = np.full(x.transpose(order).shape, np.nan).transpose(np.argsort(order))
    expected = g(x=x)
    assert g(x=turned, out=out) is out
    np.testing.assert_array_equal(out, expected)


def test_layouts_on_other_processors(elsewhere):
    f = elsewhere(square())
    x = np.random.default_rng(0).normal(size=(COUNT, 6, 6))
    expected = one_by_one(f, COUNT, {"x": x})["y"]
    for layout in LAYOUTS:
        np.testing.assert_array_equal(f(x=layout(x)), expected, err_msg=layout.__name__)
        out = layout(np.full_like(x, np.nan))
        if layout is not swapped:
            f(x=x, out=out)
            np.testing.assert_array_equal(out, expected, err_msg=layout.__name__)


@pytest.mark.parametrize("kind", [np.float32, np.int16, np.int64, bool, np.float16, np.longdouble])
def test_other_types_are_converted(f, kind):
    given = {name: array.astype(kind) for name, array in states(COUNT).items()}
    same(f(**given), f(**{name: array.astype(float) for name, array in given.items()}))


def test_inputs_without_a_batch_axis_and_broadcast_ones_are_shared(f):
    given = states(COUNT)
    for kept in product([False, True], repeat=3):
        if not any(kept):
            continue
        chosen = {
            name: array if keep else array[:1].copy()[0]
            for keep, (name, array) in zip(kept, given.items(), strict=True)
        }
        whole = {name: np.broadcast_to(array, (COUNT, *SHAPES[name])) for name, array in chosen.items()}
        expected = one_by_one(f, COUNT, whole)
        same(f(**chosen), expected)
        same(f(**whole), expected)


def test_broadcast_inside_a_state(g):
    row = np.random.default_rng(0).normal(size=(COUNT, 1, 6))
    x = np.broadcast_to(row, (COUNT, 6, 6))
    np.testing.assert_array_equal(g(x=x), g(x=x.copy()))


# --- outputs ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", [one for one in LAYOUTS if one is not swapped], ids=lambda layout: layout.__name__)
def test_results_into_any_layout(f, layout):
    given = states(COUNT)
    expected = f(**given)
    out = {name: layout(np.full((COUNT, *shape), np.nan)) for name, shape in f.outputs.items()}
    returned = f(**given, out=out)
    for name, array in out.items():
        assert returned[name] is array
    same(out, expected)


def test_strided_results_leave_what_lies_between(g):
    x = np.random.default_rng(0).normal(size=(COUNT, 6, 6))
    room = np.full((2 * COUNT, 6, 8), 7.0)
    g(x=x, out=room[::2, :, 1:7])
    np.testing.assert_array_equal(room[::2, :, 1:7], g(x=x))
    assert (room[1::2] == 7).all()
    assert (room[:, :, [0, 7]] == 7).all()


def test_layout_soa(f):
    given = states(COUNT)
    found = f(**given, layout="soa")
    same(found, f(**given))
    for array in found.values():
        assert array.strides[0] == 8
    assert f(**given)["t"].flags.c_contiguous


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("shift", [0, 1, 5, -1])
def test_results_over_an_input(g, shift, threads):
    """States that are written may not be read afterwards."""
    count = 2000
    room = np.random.default_rng(0).normal(size=(count + 10, 6, 6))
    x, out = room[5 : 5 + count], room[5 + shift : 5 + shift + count]
    expected = g(x=x.copy())
    g(x=x, out=out, threads=threads)
    np.testing.assert_array_equal(out, expected)


def test_results_over_the_parameters():
    a, b, x = parameter("a"), parameter("b"), variable("x")
    f = compile_program(Program("p", (vector("x", [x]),), (a, b), (), (), (vector("y", [a * x + b, b - a]),)))
    room = np.random.default_rng(0).normal(size=(41, 2))
    x = np.random.default_rng(1).normal(size=(40, 1))
    expected = f(x=x, parameters=room[:40].copy())
    f(x=x, parameters=room[:40], out=room[1:])
    np.testing.assert_array_equal(room[1:], expected)


def test_results_of_one_state(f):
    given = {name: array[0] for name, array in states(1).items()}
    out = {name: np.full(shape, np.nan) for name, shape in f.outputs.items()}
    assert f(**given, out=out)["y"] is out["y"]
    same(out, f(**given))


def test_arrays_from_a_pickle_can_be_filled(g):
    """Their type of doubles equals NumPy's own but is another object."""
    double = np.dtype(float, metadata={"from": "elsewhere"})
    assert double is not np.dtype(float)
    x, out = np.ones((50, 6, 6), dtype=double), np.empty((50, 6, 6), dtype=double)
    np.testing.assert_array_equal(g(x=x, out=out), g(x=np.ones((50, 6, 6))))


def readonly() -> np.ndarray:
    array = np.zeros((9, 6, 6))
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (np.zeros((9, 6)), r"of shape \(9, 6, 6\), got float64 of shape \(9, 6\)"),
        (np.zeros((8, 6, 6)), "got float64 of shape"),
        (np.zeros((9, 6, 6), dtype=np.float32), "got float32"),
        (np.zeros((9, 6, 6), dtype=">f8"), "got >f8"),
        (readonly(), "the array for 'y' cannot be written"),
        ([0.0], "got list"),
        ({"z": np.zeros((9, 6, 6))}, "output 'y' is missing; unknown output 'z'"),
        ({}, "output 'y' is missing"),
    ],
)
def test_what_cannot_be_filled_is_refused(g, out, message):
    with pytest.raises(CallError, match=message):
        g(x=np.zeros((9, 6, 6)), out=out)


def test_several_outputs_need_names(f):
    with pytest.raises(CallError, match="expected a dict with the outputs y, t, z"):
        f(**states(3), out=np.zeros((3, 5)))


@pytest.mark.parametrize("options", [{"threads": 0}, {"threads": 1.5}, {"threads": True}, {"layout": "rows"}])
def test_wrong_options_are_refused(g, options):
    with pytest.raises(CallError, match=r"^(threads|layout): got"):
        g(x=np.zeros((9, 6, 6)), **options)


def test_what_is_not_aligned_is_not_even(g):
    """Machines other than this one may refuse it."""
    argument = code(g).facts.inputs[0]
    x = np.zeros((5, 6, 6))
    assert is_even(argument, x, True)
    assert not is_even(argument, shifted(x), True)
    assert not is_even(argument, packed(x), True)
    assert numeric("input", "x", shifted(x)).flags.aligned
