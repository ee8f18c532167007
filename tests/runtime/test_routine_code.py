"""Compiled routines do what the interpreter does: one state, batches, arrays that are filled, bound functions, parameters."""

from __future__ import annotations

import math
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from codegen.random_routines import (
    PARAMETERS,
    empty_routine,
    program,
    random_routine,
    random_states,
)
from runtime.batches import nearly_same as same
from runtime.hosts import OTHERS, running_on

from robosym.errors import RobosymError
from robosym.expr import parameter, sin
from robosym.program.routine import Copy, Each, Fill, Newton, Repeat, Routine, Run, Slot, When
from robosym.runtime import CallError, compile_program, routine_code
from robosym.runtime.routine_code import PATIENCE, _finished, _in_threads, _some, turns

SEEDS = range(16)
OTHER = {"L": -0.8, "M": 0.4}


def compiled(routine, **options):
    return compile_program(routine, known=PARAMETERS, **options)


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


# --- parts of it -------------------------------------------------------------------------------------------------------------


def test_turns_that_loops_may_make():
    routine = Routine("r", (Slot("t", (4, 2)), Slot("n", ()), Slot("none", (0, 2))), (), ())
    body = (Fill("o"),)

    def of(*stages):
        return turns(routine, stages)

    assert of(*body) == 0
    assert of(Repeat(5, body)) == 5
    assert of(Repeat(0, (Repeat("n", body),))) == 0
    assert of(Repeat("n", body)) == math.inf
    assert of(Repeat(5, (Each("t", "r", body), Repeat(2, body)))) == 5 * (1 + 4 + 2)
    assert of(Each("none", "r", (Repeat("n", body),))) == 0
    assert of(When("n", (Repeat(3, body),), (Repeat(7, body),)), Repeat(1, body)) == 8
    assert of(Newton((Repeat(3, body),), 6)) == 6 * 4
    long = Routine("long", (Slot("x", ()),), (Slot("x", ()),), (Repeat(PATIENCE + 1, (Fill("x"),)),))
    short = Routine("short", (Slot("x", ()),), (Slot("x", ()),), (Repeat(PATIENCE, (Fill("x"),)),))
    assert [compile_program(one)._convention.code.long for one in (long, short)] == [True, False]


def test_some_states_of_an_array():
    array = np.asfortranarray(np.arange(12.0).reshape(4, 3))
    part, batched = _some(array, True, 1, 3)
    assert part.flags.c_contiguous
    assert (part.tolist(), batched) == (array[1:3].tolist(), True)
    assert _some(array, False, 1, 3)[0].shape == (4, 3)


def test_results_computed_elsewhere():
    first, second = np.zeros(3), np.zeros(3)
    other = np.ones(3)
    _finished([first, second], [first, other])
    assert (first.tolist(), second.tolist()) == ([0.0] * 3, [1.0] * 3)


@pytest.mark.parametrize("broken", [None, 0, 2])
def test_tasks_in_threads(broken):
    done = []

    def work(k):
        if k == broken:
            raise ValueError(f"task {k}")
        done.append(k)

    if broken is None:
        _in_threads(work, [(0,), (1,), (2,)])
    else:
        with pytest.raises(ValueError, match=f"task {broken}"):
            _in_threads(work, [(0,), (1,), (2,)])
    assert sorted(done) == [k for k in range(3) if k != broken]
