"""Compiled routines do what the interpreter does: one state, batches, arrays that are filled, bound functions, parameters."""

from __future__ import annotations

import pickle
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from codegen.random_routines import (
    MIXING,
    PARAMETERS,
    empty_routine,
    matrices_routine,
    matrices_states,
    program,
    random_routine,
    random_states,
)
from runtime.hosts import OTHERS, running_on

from robosym.codegen.targets.c.routine import facts_of
from robosym.errors import RobosymError
from robosym.expr import parameter, sin
from robosym.program.kernels import KERNELS
from robosym.program.routine import Copy, Each, Fill, Kernel, Record, Repeat, Routine, Run, Slot
from robosym.runtime import CallError, compile_program, routine_code, routine_ir
from robosym.runtime.host import host

SEEDS = range(16)
OTHER = {"L": -0.8, "M": 0.4}


def compiled(routine, **options):
    return compile_program(routine, known=PARAMETERS, **options)


def same(found, expected, what=""):
    if isinstance(found, np.ndarray):
        found = {next(iter(expected)): found}
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        message = f"{what}: {name}"
        np.testing.assert_allclose(found[name], array, rtol=1e-12, atol=1e-12, equal_nan=True, err_msg=message)


def stacked(dicts):
    return {name: np.stack([one[name] for one in dicts]) for name, _ in dicts[0].items()}


def interpreted(routine, states, parameters=PARAMETERS):
    return [routine.call(**state, parameters=parameters) for state in states]


# --- random routines -------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=9)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_routines_with_numbers_in_the_code(seed):
    routine, states = random_routine(seed), random_states(seed, 8)
    f, expected = compiled(routine, values=PARAMETERS), interpreted(routine, states)
    for state, wanted in zip(states, expected, strict=True):
        same(f(**state), wanted, seed)
    same(f(**stacked(states)), stacked(expected), f"{seed}, batch")
    same(f(**stacked(states), layout="soa"), stacked(expected), f"{seed}, soa")


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("seed", range(100, 106))
def test_random_routines_with_parameters_given_late(seed, monkeypatch):
    monkeypatch.setattr(routine_code, "WORTHWHILE", 0)
    monkeypatch.setattr(routine_code, "FEW", 2)
    monkeypatch.setattr(routine_code, "LONG", 0)  # the passes for long code
    routine, states = random_routine(seed), random_states(seed, 8)
    f = compiled(routine)
    for parameters in (PARAMETERS, OTHER):
        expected = interpreted(routine, states, parameters)
        for state, wanted in zip(states, expected, strict=True):
            same(f(**state, parameters=parameters), wanted, seed)
        same(f(**stacked(states), parameters=parameters), stacked(expected), f"{seed}, batch")
    halves = [PARAMETERS if i % 2 else OTHER for i in range(len(states))]
    expected = [routine.call(**state, parameters=one) for state, one in zip(states, halves, strict=True)]
    same(f(**stacked(states), parameters=stacked(halves)), stacked(expected), f"{seed}, a set for each state")


@pytest.mark.parametrize("seed", range(200, 204))
def test_random_routines_fill_and_are_bound(seed):
    routine, states = random_routine(seed), random_states(seed, 4)
    f = compiled(routine, values=PARAMETERS)
    out = {slot.name: np.full(slot.shape, 7.0) for slot in routine.outputs}
    arrays = {name: array.copy() for name, array in states[0].items()}
    changed = {name: array for name, array in arrays.items() if name in out}  # state, where it is
    bound = f.bind(**arrays, out=out | changed)
    for state, wanted in zip(states, interpreted(routine, states), strict=True):
        assert f(**state, out=out) is not None
        same(out, wanted, seed)
        for name, array in state.items():
            arrays[name][...] = array
        same(bound(), wanted, f"{seed}, bound")
    many = {name: np.zeros((4, *array.shape)) for name, array in out.items()}
    f(**stacked(states), out=many)
    same(many, stacked(interpreted(routine, states)), f"{seed}, batch")


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("seed", [300, 301])
def test_batches_begin_in_vectors_and_go_on_state_by_state(seed, threads, monkeypatch):
    monkeypatch.setattr(routine_code, "WORTHWHILE", 0)
    monkeypatch.setattr(routine_code, "TOGETHER", 130)
    routine, states = random_routine(seed), random_states(seed, 300)
    f = compiled(routine, values=PARAMETERS)
    assert f._convention.code._first
    single = stacked([f(**state) for state in states])
    batch = stacked(states)
    same(f(**batch, threads=threads), single)
    same(f(**batch, threads=threads, parameters=PARAMETERS), single)
    shared = batch | {"table": batch["table"][0], "n": batch["n"][0]}
    alone = [f(**state | {"table": batch["table"][0], "n": batch["n"][0]}) for state in states]
    same(f(**shared, threads=threads, layout="soa"), stacked(alone))
    turned = {name: np.asfortranarray(array) for name, array in batch.items()}
    same(f(**turned, threads=threads), single)


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", OTHERS)
def test_as_on_other_processors(name, monkeypatch):
    monkeypatch.setattr(routine_code, "host", lambda: OTHERS[name])
    monkeypatch.setattr(routine_code, "WORTHWHILE", 0)
    with running_on(OTHERS[name]):
        routine, states = random_routine(400), random_states(400, 150)
        f = compiled(routine, values=PARAMETERS)
        expected = stacked(interpreted(routine, states))
        same(f(**stacked(states)), expected)
        same(f(**states[0]), {key: array[0] for key, array in expected.items()})


@pytest.mark.parametrize("level", [0, 2, 3])
def test_all_levels_of_optimisation_agree(level):
    routine, states = random_routine(401), random_states(401, 4)
    f = compiled(routine, values=PARAMETERS, speed_level=level)
    same(f(**stacked(states)), stacked(interpreted(routine, states)))


def test_products_and_sums_may_be_rounded_once():
    routine, states = random_routine(402), random_states(402, 4)
    f = compiled(routine, values=PARAMETERS, fused=True)
    same(f(**stacked(states)), stacked(interpreted(routine, states)))


def test_threads_may_call_at_the_same_time():
    routine, states = random_routine(2), random_states(2, 40)
    f = compiled(routine, values=PARAMETERS)
    with ThreadPoolExecutor(4) as pool:
        for found, wanted in zip(pool.map(lambda state: f(**state), states), interpreted(routine, states), strict=True):
            same(found, wanted)


def test_another_process_gets_the_same_function():
    routine, states = random_routine(5), random_states(5, 2)
    f = pickle.loads(pickle.dumps(compiled(routine, values=PARAMETERS)))
    same(f(**states[0]), interpreted(routine, states)[0])


# --- stages and kernels ----------------------------------------------------------------------------------------------


def test_nothing_to_go_over():
    inputs = {"none": np.zeros((0, 2)), "nothing": np.zeros(0), "x": np.array([1.0, 2.0])}
    same(compile_program(empty_routine())(**inputs), empty_routine().call(**inputs))
    same(compile_program(empty_routine())(x=inputs["x"]), empty_routine().call(**inputs))


def test_kernels_on_matrices_that_are_singular_or_not_finite():
    routine = matrices_routine()
    f = compile_program(routine)
    for state in matrices_states():
        same(f(**state), routine.call(**state), state)


def roots_of(n):
    outputs = (Slot("roots", (n, 2)), Slot("v", (n,)))
    first = Each("roots", "root", (Copy("root", "chosen"),), "one")
    stages = (
        Kernel("eigenvalues", ("A",), ("roots",)),
        Fill("one", (), 1.0),
        Fill("chosen", (2,)),
        first,
        Kernel("eigenvector", ("A", "chosen"), ("v",)),
    )
    return compile_program(Routine("roots", (Slot("A", (n, n)),), outputs, stages))


@pytest.mark.parametrize("n", [1, 2, 3, 6, 16])
def test_eigenvalues_and_eigenvectors(n):
    f, rng = roots_of(n), np.random.default_rng(n)
    for _ in range(20):
        found = f(A=(A := rng.standard_normal((n, n))))
        left = list(np.linalg.eigvals(A))
        for real, imaginary in found["roots"]:
            nearest = int(np.argmin(np.abs(np.array(left) - complex(real, imaginary))))
            assert abs(left.pop(nearest) - complex(real, imaginary)) < 1e-11
        if found["roots"][0, 1] == 0.0:
            (v,) = KERNELS["eigenvector"].reference(A, found["roots"][0])
            np.testing.assert_allclose(found["v"], v, atol=1e-9)


SPECIAL = {
    "zero": np.zeros((4, 4)),
    "identity": np.eye(4),
    "cycle": np.roll(np.eye(4), 1, axis=0),  # ordinary shifts leave it as it is
    "triangle": np.triu(np.arange(16.0).reshape(4, 4)),
    "graded": np.diag([1e-12, 1.0, 1e6, 1e12]) + np.ones((4, 4)) * 1e-13,
}


@pytest.mark.parametrize("name", SPECIAL)
def test_eigenvalues_of_special_matrices(name):
    A = SPECIAL[name]
    found, expected = roots_of(4)(A=A)["roots"], np.linalg.eigvals(A)
    scale = np.abs(A).max() or 1.0
    expected = sorted(expected / scale, key=lambda x: (round(x.real, 9), x.imag))
    roots = sorted((found[:, 0] + 1j * found[:, 1]) / scale, key=lambda x: (round(x.real, 9), x.imag))
    np.testing.assert_allclose(roots, expected, atol=1e-12)


def test_rows_in_the_order_of_their_keys():
    stages = (Kernel("sort", ("values", "keys", "count"), ("made",)),)
    inputs = (Slot("values", (5, 2)), Slot("keys", (5,)), Slot("count", ()))
    f = compile_program(Routine("sort", inputs, (Slot("made", (5, 2)),), stages))
    rng = np.random.default_rng(0)
    for _ in range(300):
        values, keys = rng.standard_normal((5, 2)), rng.choice([1.0, 2.0, np.nan, -1.0, np.inf, -np.inf], 5)
        count = np.array(rng.choice([0, 1, 2, 3, 4, 5, 9, np.nan, -2, 2.7, np.inf, -np.inf]))
        (expected,) = KERNELS["sort"].reference(values, keys, count)
        np.testing.assert_array_equal(f(values=values, keys=keys, count=count), expected)


def test_arrays_of_many_rows():
    """Large outputs are worked on in place, large arrays of the workspace do not lie on the stack."""
    x, rows = Slot("x", (2,)), 200_000
    stages = (
        Fill("log", (rows, 2), 1.0),
        Fill("first", (rows, 2), -1.0),
        Repeat("n", (Run(MIXING[0], {"u": "x", "v": "x"}), Record("x", "first", "turn")), "turn"),
        Copy("first", "log"),
        Each("first", "row", (Record("row", "seen", "zero"),)),
        Record("x", "big", "n"),
    )
    big = Slot("big", (600, 2))
    stages = (Fill("zero"), Fill("seen", (1, 2)), *stages)
    outputs = (x, Slot("log", (rows, 2)), Slot("seen", (1, 2)), big)
    routine = Routine("many", (Slot("n", ()), x, big), outputs, stages)
    f = compile_program(routine)
    state = {"n": np.array(5.0), "x": np.array([0.3, -0.2]), "big": np.arange(1200.0).reshape(600, 2)}
    found = f(**state)
    assert (found["log"][5:] == -1.0).all()
    assert (found["log"][:5] != -1.0).all()
    np.testing.assert_array_equal(found["log"][4], found["x"])
    np.testing.assert_array_equal(found["seen"], [[-1.0, -1.0]])
    changed = {name: state[name].copy() for name in ("x", "big")}
    out = {slot.name: np.zeros(slot.shape) for slot in outputs} | changed
    same(f.bind(n=state["n"], **changed, out=out)(), found)
    for slot in outputs:
        assert found[slot.name].shape == slot.shape


def test_many_arrays_together_do_not_fill_the_stack():
    """Some of them, outputs among them, then lie elsewhere; outputs may still lie where inputs do."""
    names = [f"a{i}" for i in range(90)]
    fills = [Fill(name, (500,), float(i)) for i, name in enumerate(names)]
    last = [Record("x", "z", "n"), Copy("a89", "a0"), Record("x", "a89", "n"), Copy("a88", "a1")]
    outputs = (Slot("z", (500,)), Slot("a0", (500,)), Slot("a1", (500,)), Slot("a89", (500,)))
    routine = Routine("r", (Slot("z", (500,)), Slot("x", ()), Slot("n", ())), outputs, (*fills, *last))
    text = routine_ir.routine_module(facts_of(routine), host())
    assert sum(int(size) for size in re.findall(r"alloca \[(\d+) x double\]", text)) <= routine_ir.ROOM
    function, z = compile_program(routine), np.arange(500.0)
    expected = routine.call(z=z, x=7.0, n=3.0)
    same(function(z=z, x=7.0, n=3.0), expected)
    places = {name: np.empty(500) for name in ("a0", "a1", "a89")}
    same(function(z=z, x=7.0, n=3.0, out={"z": z, **places}), expected)


# --- the calling convention ------------------------------------------------------------------------------------------


def scaled():
    L = parameter("L")
    double = program(
        "double", {"x": (2,), "y": (2,)}, lambda x, y: {"z": ((2,), [L * x[0] + y[0], sin(x[1]) * y[1]])}, (L,)
    )
    return Routine("scaled", (Slot("x", (2,)), Slot("y", (2,))), (Slot("z", (2,)),), (Run(double),))


def test_defaults_stand_for_what_is_left_out():
    f = compile_program(scaled(), values={"L": 2.0}, defaults={"y": [1.0, 3.0]})
    x = np.array([1.0, 0.5])
    expected = [3.0, 3 * np.sin(0.5)]
    np.testing.assert_allclose(f(x=x), expected, rtol=1e-15)  # the direct call
    np.testing.assert_allclose(f(x=[1.0, 0.5]), expected, rtol=1e-15)
    np.testing.assert_allclose(f(x=x, y=None), expected, rtol=1e-15)
    np.testing.assert_allclose(f(x=np.stack([x, x])), [expected, expected], rtol=1e-15)
    np.testing.assert_allclose(f.bind(x=x)(), expected, rtol=1e-15)
    np.testing.assert_allclose(f(x=x, y=np.zeros(2)), [2.0, 0.0])
    again = pickle.loads(pickle.dumps(f))
    np.testing.assert_allclose(again(x=x), expected, rtol=1e-15)


@pytest.mark.parametrize("defaults", [{"w": [1, 2]}, {"y": [1, 2, 3]}, {"y": "ab"}])
def test_wrong_defaults_are_named(defaults):
    with pytest.raises(RobosymError, match=next(iter(defaults))):
        compile_program(scaled(), defaults=defaults)


def test_parameters_of_a_routine_are_asked_for():
    with pytest.raises(CallError, match="L"):
        compile_program(scaled())(x=[1, 2], y=[1, 2])
    with pytest.raises(CallError, match="L"):
        compile_program(scaled(), numeric=True)
    np.testing.assert_allclose(compile_program(scaled())(x=[1, 0], y=[1, 2], parameters=[4.0]), [5, 0])


def test_bound_outputs_must_not_lie_where_inputs_do():
    f = compile_program(scaled(), values={"L": 2.0})
    x, y = np.zeros(2), np.zeros(2)
    with pytest.raises(CallError, match="output 'z' and input 'y'"):
        f.bind(x=x, y=y, out=y)


def test_a_routine_that_is_not_sound_is_not_compiled():
    with pytest.raises(RobosymError, match="uses 'b' before it is defined"):
        compile_program(Routine("r", (Slot("a", ()),), (Slot("c", ()),), (Copy("b", "c"),)))


def test_names_may_be_any_text():
    stages = (Copy("an odd name", "for"),)
    f = compile_program(Routine("a b", (Slot("an odd name", (2,)),), (Slot("for", (2,)),), stages))
    assert f(**{"an odd name": [1, 2]}).tolist() == [1.0, 2.0]
    assert "const double" in f.signature


def test_kernels_on_large_matrices():
    n = 300
    stages = (Kernel("solve", ("A", "b"), ("x",)),)
    f = compile_program(Routine("large", (Slot("A", (n, n)), Slot("b", (n,))), (Slot("x", (n,)),), stages))
    rng = np.random.default_rng(1)
    A, b = rng.standard_normal((n, n)) + 30 * np.eye(n), rng.standard_normal(n)
    np.testing.assert_allclose(f(A=A, b=b), np.linalg.solve(A, b), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("shift", [0, 1])
def test_large_outputs_that_are_filled_may_lie_where_inputs_do(shift):
    """They are worked on in place while the input is still read: a call sees to it that it is not overwritten."""
    stages = (Fill("y", (1000, 2), 5.0), Fill("z", (2,)), Each("x", "row", (Copy("row", "z"),)))
    f = compile_program(Routine("r", (Slot("x", (1000, 2)),), (Slot("y", (1000, 2)), Slot("z", (2,))), stages))
    room = np.zeros((1001, 2))
    for _ in range(2):
        room[:1000] = x = np.arange(2000.0).reshape(1000, 2)
        out = {"y": room[shift : 1000 + shift], "z": np.zeros(2)}
        f(x=room[:1000], out=out)
        np.testing.assert_array_equal(out["z"], x[-1])
        assert (out["y"] == 5.0).all()
