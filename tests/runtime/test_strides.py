"""Every way NumPy can lay out an array, for every array of a call: the numbers of a plain copy, or an error."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view
from runtime.batches import code, mixed, packed, same, shifted, square, with_vectors
from sample_programs import vector

from robosym.expr import parameter, variable
from robosym.program.program import Array, Program
from robosym.runtime import CallError, CompiledFunction, compile_program
from robosym.runtime.machine_code import distances, is_even

VALUES = {"a": 0.7, "b": -1.3}
COUNT = 137  # enough for vector code


def zero_strides(shape: tuple[int, ...], draw: np.random.Generator) -> list[np.ndarray]:
    """Arrays of this shape in which any of the axes are broadcast."""
    found = []
    for chosen in range(2 ** len(shape)):
        own = tuple(1 if chosen >> k & 1 else n for k, n in enumerate(shape))
        found.append(np.broadcast_to(draw.normal(size=own), shape))
    return found


def views(shape: tuple[int, ...], draw: np.random.Generator) -> list[np.ndarray]:
    """Sliced, reversed, turned, spread, sliding, swapped and misaligned arrays of this shape, alone and broadcast."""
    found = zero_strides(shape, draw)
    order = draw.permutation(len(shape))
    room = draw.normal(size=[3 * shape[k] + 2 for k in order]).transpose(np.argsort(order))
    for step in (1, 2, 3, -1, -2, -3):
        cut = tuple(slice(None, None, step if draw.random() < 0.7 else -step) for _ in shape)
        found.append(room[cut][tuple(slice(0, n) for n in shape)])
    plain = draw.normal(size=shape)
    found += [plain.astype(kind) for kind in (">f8", np.float32, ">f4", np.float16, np.longdouble, np.int32, bool)]
    found += [shifted(plain), np.asfortranarray(plain), plain.view(np.recarray), np.ma.masked_array(plain)]
    found += [packed(plain)] if shape else []
    frozen = plain.copy()
    frozen.flags.writeable = False
    found.append(frozen)
    if len(shape) > 1:
        found.append(sliding_window_view(draw.normal(size=shape[0] + 8), 9)[: shape[0], : shape[1]])
        found[-1] = (
            np.broadcast_to(found[-1][(..., *[None] * (len(shape) - 2))], shape) if len(shape) > 2 else found[-1]
        )
    return [one for one in found if one.shape == shape]


@pytest.fixture(scope="module")
def f() -> CompiledFunction:
    return with_vectors(mixed(), values=VALUES)


@pytest.mark.parametrize("batch", [(), (1,), (5,), (COUNT,)], ids=str)
def test_inputs(f, batch):
    draw = np.random.default_rng(len(batch) + sum(batch))
    plain = {name: draw.normal(size=(*batch, *shape)) for name, shape in f.inputs.items()}
    for name, shape in f.inputs.items():
        for front in {(), batch}:
            for view in views((*front, *shape), draw):
                numbers = np.array(view.tolist(), dtype=float).reshape(view.shape)
                same(f(**{**plain, name: view}), f(**{**plain, name: numbers}))


def test_zero_steps_on_other_processors(elsewhere):
    g = elsewhere(square())
    draw = np.random.default_rng(0)
    for view in [*zero_strides((COUNT, 6, 6), draw), *zero_strides((6, 6), draw)]:
        x = view if view.ndim == 3 else np.broadcast_to(view, (COUNT, 6, 6))
        np.testing.assert_array_equal(g(x=x), g(x=x.copy()))


def test_a_shared_input_of_equal_columns():
    """Its inner step is zero, its outer one is not: they are not the entries of one line."""
    entries = [variable(f"x{i}") for i in range(36)]
    q = variable("q")
    inputs = (vector("q", [q]), Array("w", (6, 6), tuple(entries)))
    outputs = (vector("y", [entry * q for entry in entries]),)
    g = compile_program(Program("wrenches", inputs, (), (), (), outputs))
    w = np.broadcast_to(np.arange(6.0)[:, None], (6, 6))
    np.testing.assert_array_equal(g(q=np.ones((200, 1)), w=w), np.tile(w.ravel(), (200, 1)))


def test_what_is_not_one_line_is_not_even(f):
    g = with_vectors(square())
    argument = code(g).facts.inputs[0]
    row = np.arange(6.0)
    assert distances(argument, np.broadcast_to(row[:, None], (6, 6)), False) is None
    assert distances(argument, np.broadcast_to(row[0], (6, 6)), False) == (0, 0)
    assert distances(argument, np.broadcast_to(row, (6, 6)), False) is None
    one = as_strided(np.zeros(100), (1, 6, 6), (7, 48, 8))  # the first distance is never walked
    assert distances(argument, one, True) == (0, 1)
    assert is_even(argument, np.zeros((1, 6, 6)), True)


@pytest.mark.parametrize("batch", [(1,), (5,), (COUNT,)], ids=str)
def test_parameters_by_name_and_in_order(f, batch):
    draw = np.random.default_rng(1)
    given = {name: draw.normal(size=shape) for name, shape in f.inputs.items()}
    for view in (one for one in views((*batch, 2), draw) if one.dtype.kind != "b"):
        numbers = np.array(view.tolist(), dtype=float)
        expected = f(**given, parameters=numbers)
        same(f(**given, parameters=view), expected)
        same(f(**given, parameters={"a": view[:, 0], "b": view[:, 1]}), expected)
    for view in (one for one in views((2,), draw) if one.dtype.kind != "b"):
        numbers = np.array(view.tolist(), dtype=float)
        same(f(**given, parameters=view), f(**given, parameters=numbers))


# --- outputs ---------------------------------------------------------------------------------------------------------


def overlapping(shape: tuple[int, ...]) -> dict[str, np.ndarray]:
    room = np.zeros(sum(shape) + int(np.prod(shape)))
    return {
        "one place for all": as_strided(room, shape, (0,) * len(shape)),
        "states over each other": as_strided(room, shape, (0, 48, 8)),
        "sliding": as_strided(room, shape, (8, 48, 8)),
    }


@pytest.mark.parametrize("batch", [1, 5, COUNT])
def test_results_that_would_lie_over_each_other_are_refused(batch):
    g = with_vectors(square())
    x = np.zeros((batch, 6, 6))
    for name, out in overlapping((batch, 6, 6)).items():
        if batch == 1 and name != "one place for all":
            g(x=x, out=out)  # a single state is not over another
            continue
        with pytest.raises(CallError, match="share their place in memory"):
            g(x=x, out=out)


def test_two_results_in_one_place_are_refused(f):
    given = {name: np.ones((5, *shape)) for name, shape in f.inputs.items()}
    room = np.zeros((5, 9))
    y, t = room[:, :5], room[:, 5:].reshape(5, 2, 2)
    same(f(**given, out={"y": y, "t": t, "z": np.zeros(5)}), f(**given))  # beside each other
    with pytest.raises(CallError, match="the arrays for 'y' and 't' share memory"):
        f(**given, out={"y": y, "t": room[:, 1:5].reshape(5, 2, 2), "z": np.zeros(5)})
    with pytest.raises(CallError, match="share memory"):
        f(
            **{name: one[0] for name, one in given.items()},
            out={"y": room[0, :5], "t": room[0, 1:5].reshape(2, 2), "z": np.zeros(())},
        )


def test_a_masked_array_is_not_filled():
    g = with_vectors(square())
    for call in (lambda out: g(x=np.zeros((6, 6)), out=out), lambda out: g.bind(x=np.zeros((6, 6)), out=out)):
        with pytest.raises(CallError, match=r"must be an array of float64 .*got MaskedArray"):
            call(np.ma.masked_array(np.zeros((6, 6))))
    with pytest.raises(CallError, match="got MaskedArray"):
        g.bind(x=np.ma.masked_array(np.zeros((6, 6))))


# --- what is more, or less, than real numbers -------------------------------------------------------------------------


class WithUnit(np.ndarray):
    unit = "deg"


def masked(x: np.ndarray) -> np.ma.MaskedArray:
    return np.ma.masked_array(x, mask=np.arange(x.size).reshape(x.shape) == 0)


NOT_REAL: dict[str, Callable[[np.ndarray], object]] = {
    "masked": masked,
    "a list of masked": lambda x: [masked(x[0]), *x[1:]],
    "complex": lambda x: x.astype(complex),
    "a list of complex": lambda x: (x + 1j).tolist(),
    "objects": lambda x: x.astype(object),
    "text": lambda x: x.astype(str),
    "bytes": lambda x: x.astype(bytes),
    "times": lambda x: x.astype("m8[s]"),
    "dates": lambda x: x.astype("M8[s]"),
    "records": lambda x: x.astype([("x", float)]),
    "a unit": lambda x: x.view(WithUnit),
    "too large": lambda x: np.full(x.shape, np.finfo(np.longdouble).max),
    "nothing": lambda x: [None] * len(x),
}


@pytest.mark.filterwarnings("ignore:Warning. converting a masked element")
@pytest.mark.parametrize("how", list(NOT_REAL))
@pytest.mark.parametrize("shape", [(6, 6), (9, 6, 6)], ids=str)
def test_what_is_no_array_of_real_numbers_is_refused(how, shape):
    if how == "too large" and np.finfo(np.longdouble).max == np.finfo(float).max:
        pytest.skip("long doubles are doubles here")
    g = with_vectors(square())
    with pytest.raises(
        CallError, match=r"^input 'x': (expected (real|plain) numbers|holds a number that is too large)"
    ):
        g(x=NOT_REAL[how](np.ones(shape)))


@pytest.mark.parametrize("how", ["masked", "complex", "text", "a unit"])
def test_parameters_are_real_numbers_too(how):
    a, x = parameter("a"), variable("x")
    f = compile_program(Program("p", (vector("x", [x]),), (a,), (), (), (vector("y", [a * x]),)), values={"a": 1.0})
    for given in (NOT_REAL[how](np.ones((3, 1))), {"a": NOT_REAL[how](np.ones(3))}):
        with pytest.raises(CallError, match=r"expected (real|plain) numbers"):
            f(x=[1.0], parameters=given)
