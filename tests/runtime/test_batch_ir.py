"""Batches against single calls: every size, every kind of processor, threads, parameters, and no byte beside."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from real_robots import real_robot
from runtime.batches import VALUES, code, mixed, one_by_one, same, states, with_vectors
from runtime.hosts import can_guard, guarded
from runtime.written import executed, in_lanes
from sample_programs import every_function, programs, special_points, values_of, vector

from robosym import load
from robosym.expr import cos, parameter, sin, variable
from robosym.models import forward_dynamics, inertia_matrix, inverse_dynamics
from robosym.program.program import Program
from robosym.runtime import CallError, CompiledFunction, compile_program, emitter
from robosym.runtime.assembly import Lanes
from robosym.runtime.batch_ir import rows_of, spread, transposed
from robosym.runtime.emitter import Emitter
from robosym.runtime.host import host
from robosym.runtime.machine_code import FEW

# --- sizes -----------------------------------------------------------------------------------------------------------


def borders(f: CompiledFunction, lanes: int) -> list[int]:
    block = code(f)._block_size
    return sorted({0, 1, lanes - 1, lanes, lanes + 1, block - 1, block, block + 1, 3 * block - 1, 4 * block, 128})


def test_every_size_around_the_borders(f):
    for count in borders(f, host().lanes):
        given = states(count, count)
        same(f(**given), one_by_one(f, count, given))


@pytest.mark.mostly_slow(fast=7)
def test_every_size_on_other_processors(elsewhere):
    f = elsewhere(mixed(), values=VALUES)
    lanes = code(f)._block_size
    assert lanes % 2 == 0
    for count in borders(f, 4):
        given = states(count, count)
        same(f(**given), one_by_one(f, count, given))
        same(f(**given, layout="soa"), one_by_one(f, count, given))


def test_few_states_before_and_after_there_is_vector_code():
    f = compile_program(mixed(), values=VALUES)
    given = states(FEW - 1)
    first = f(**given)
    assert "_block" not in code(f).__dict__
    f(**states(FEW))
    assert "_block" in code(f).__dict__
    same(f(**given), first)
    same(f(**given), one_by_one(f, FEW - 1, given))


@pytest.mark.parametrize("count", [128, 1024, 4096])
def test_powers_of_two(g, count):
    x = np.random.default_rng(0).normal(size=(count, 6, 6))
    expected = g(x=x[:4])
    for layout in ("aos", "soa"):
        found = g(x=x, layout=layout)
        np.testing.assert_array_equal(found[:4], expected)
        turned = np.moveaxis(np.ascontiguousarray(np.moveaxis(x, 0, -1)), -1, 0)
        np.testing.assert_array_equal(g(x=turned, layout=layout), found)


# --- functions and programs ------------------------------------------------------------------------------------------


def close(found: dict[str, np.ndarray], expected: dict[str, np.ndarray], tolerance: float = 1e-13) -> None:
    for name, array in expected.items():
        np.testing.assert_allclose(found[name], array, rtol=tolerance, atol=0, err_msg=name)


def test_every_function_at_special_points(elsewhere):
    """nan and infinities in some lanes may not disturb the others."""
    f = elsewhere(every_function())
    points = special_points()
    close(f(x=points), one_by_one(f, len(points), {"x": points}))
    mingled = points[np.random.default_rng(0).permutation(len(points))]
    close(f(x=mingled), one_by_one(f, len(points), {"x": mingled}))


@given(program=programs())
@settings(max_examples=12, deadline=None)
def test_random_programs(program):
    values = values_of(program)
    f = with_vectors(program, values={symbol.name: values[symbol] for symbol in program.parameter_symbols})
    x = np.random.default_rng(0).uniform(0.3, 1.7, (19, *program.inputs[0].shape))
    close(f(x=x), one_by_one(f, 19, {"x": x}))


@pytest.mark.parametrize("model", [inverse_dynamics, inertia_matrix, forward_dynamics])
def test_models(model):
    f = model(load("rx90")).compile()
    rng = np.random.default_rng(1)
    given = {name: rng.uniform(-2, 2, (150, *shape)) for name, shape in f.inputs.items()}
    same(f(**given), one_by_one(f, 150, given))


def test_a_wide_model():
    f = inverse_dynamics(real_robot("humanoid30")).compile()
    rng = np.random.default_rng(2)
    given = {name: rng.uniform(-2, 2, (256, *shape)) for name, shape in f.inputs.items()}
    found = f(**given, threads=2, layout="soa")
    expected = one_by_one(f, 9, given)
    close({next(iter(expected)): found[:9]}, expected)


def test_programs_without_inputs_and_with_empty_outputs():
    x = variable("x")
    f = with_vectors(Program("p", (vector("x", [x]),), (), (), (), (vector("none", []), vector("y", [x + 1]))))
    found = f(x=np.ones((40, 1)))
    assert found["none"].shape == (40, 0)
    assert (found["y"] == 2).all()
    g = compile_program(Program("p", (), (parameter("a"),), (), (), (vector("y", [parameter("a") * 2]),)))
    assert g(parameters={"a": [1.0, 2.0, 3.0]}).tolist() == [[2], [4], [6]]
    assert compile_program(Program("p", (), (), (), (), (vector("y", [3]),)))().tolist() == [3]
    h = with_vectors(Program("p", (vector("x", [x]), vector("e", [])), (), (), (), ()))
    assert h(x=np.ones((40, 1))) == {}
    assert h(x=np.ones((40, 1)), e=np.empty((40, 0))) == {}


# --- memory ----------------------------------------------------------------------------------------------------------


@can_guard
@pytest.mark.parametrize("at_end", [True, False], ids=["end", "beginning"])
@pytest.mark.parametrize("turned", [False, True], ids=["aos", "soa"])
def test_no_byte_beside_the_arrays(elsewhere, at_end, turned):
    """Inputs and outputs lie against forbidden pages: one read or write beside them ends the process."""
    f = elsewhere(mixed(), values=VALUES)
    block = code(f)._block_size
    for count in (1, 3, block - 1, block, block + 1, 2 * block, 3 * block + 5):
        given = states(count)
        expected = f(**given)
        for name, array in given.items():
            with guarded(array.size, at_end) as room:
                near = room.reshape(array.shape[::-1]).T if turned else room.reshape(array.shape)
                near[...] = array
                same(f(**{**given, name: near}), expected)
        for name, array in expected.items():
            with guarded(array.size, at_end) as room:
                near = room.reshape(array.shape[::-1]).T if turned else room.reshape(array.shape)
                f(**given, out={**{n: np.empty_like(a) for n, a in expected.items()}, name: near})
                np.testing.assert_array_equal(near, expected[name])


@can_guard
@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 8, 9])
def test_no_byte_beside_one_state(size):
    entries = [variable(f"x{i}") for i in range(size)]
    f = with_vectors(
        Program("p", (vector("x", entries),), (), (), (), (vector("y", [sin(x) for x in entries]),)), speed_level=2
    )
    with guarded(size, True) as x, guarded(size, True) as y:
        x[...] = np.arange(size)
        np.testing.assert_allclose(f(x=x), np.sin(x), rtol=1e-15)
        np.testing.assert_allclose(f.bind(x=x, out=y)(), np.sin(x), rtol=1e-15)


DEEP = """
import threading
import numpy as np
from robosym.expr import sin, variable
from robosym.program.program import Array, Program
from robosym.runtime import compile_program

x = variable("x")
y = x
for _ in range(2500):
    y = sin(y) + x
f = compile_program(Program("deep", (Array("x", (), (x,)),), (), (), (), (Array("y", (), (y,)),)))
found = []

def work():
    found.extend([f(x=0.3), *f(x=np.full(130, 0.3))])

threading.stack_size(256 * 1024)
worker = threading.Thread(target=work)
worker.start()
worker.join()
assert len(found) == 131 and len(set(map(float, found))) == 1
print("done")
"""


def test_thousands_of_angles_need_little_of_the_stack():
    done = subprocess.run([sys.executable, "-c", DEEP], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "done\n", done.stderr


@pytest.mark.parametrize("most", [1, 2, 3])
def test_angles_that_share_their_place_on_the_stack(monkeypatch, most):
    monkeypatch.setattr(emitter, "MOST_PAIRS", most)
    x = [variable(f"x{i}") for i in range(13)]
    entries = [sin(s) + cos(s) * sin(x[0] + s) for s in x]
    f = with_vectors(Program("p", (vector("x", x),), (), (), (), (vector("y", [*entries, *map(cos, x)]),)))
    states = np.random.default_rng(0).uniform(-3, 3, (20, 13))
    expected = np.sin(states) + np.cos(states) * np.sin(states[:, :1] + states)
    for found in (f(x=states), np.array([f(x=state) for state in states])):
        np.testing.assert_allclose(found, np.hstack([expected, np.cos(states)]), rtol=1e-13, atol=1e-15)


def test_a_state_does_not_hang_on_its_neighbours():
    """Angles that are far, infinite or nan go to the library; the states beside them do not."""
    f = compile_program(mixed(), values=VALUES)
    batched = states(5 * FEW)
    expected = f(**batched)
    odd = np.arange(7, 5 * FEW, 8)
    others = np.setdiff1d(np.arange(5 * FEW), odd)
    for bad in (np.nan, np.inf, 1e7):
        changed = {name: array.copy() for name, array in batched.items()}
        changed["q"][odd, 0] = bad
        changed["m"][odd, 0, 1] = bad
        for name, array in f(**changed).items():
            np.testing.assert_array_equal(array[others], expected[name][others])


@pytest.mark.parametrize("threads", [True, 1.5, "2", None, -1, 0])
def test_threads_are_a_whole_number(threads):
    with pytest.raises(CallError, match=r"threads: got .*, expected a whole number"):
        compile_program(mixed(), values=VALUES)(**states(3), threads=threads)


def test_any_whole_number_of_threads():
    f = compile_program(mixed(), values=VALUES)
    batched = states(20 * FEW)
    expected = f(**batched)
    for threads in (np.int64(2), 10**9):
        for name, array in f(**batched, threads=threads).items():
            np.testing.assert_array_equal(array, expected[name])


# --- parts of it ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [2, 4, 8])
def test_squares_are_transposed_in_registers(width):
    square, made = np.random.default_rng(0).normal(size=(width, width)), np.zeros((width, width))

    def write(c):
        rows = [c.load_at("%a0", k * width) for k in range(width)]
        for k, column in enumerate(transposed(c, rows)):
            c.store_at(column, "%a1", k * width)

    in_lanes(write, width, square, made)
    np.testing.assert_array_equal(made, square.T)


def test_rows_are_whole_squares():
    assert [rows_of(n, 4) for n in (0, 1, 3, 4, 5, 8, 9)] == [0, 4, 4, 4, 8, 8, 12]


@pytest.mark.parametrize("width", [2, 4])
def test_a_number_that_all_states_share(width):
    e, made = Emitter(Lanes(width)), np.zeros(width)
    e.store_at(spread(e, "%a0", 2), "%a1", 0)
    executed(e, [np.array([1.0, 2.0, 3.0, 4.0]), made])
    assert (made == 3.0).all()
