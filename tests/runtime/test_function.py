"""The calling convention: shapes, batches, parameters, errors, threads."""

from __future__ import annotations

import ctypes
import gc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sample_programs import arm, one_output, vector

from robosym import load, models
from robosym.errors import RobosymError
from robosym.expr import parameter, sin, variable
from robosym.program.program import Array, Program
from robosym.runtime import CallError, compile_program

VALUES = {"L1": 0.5, "L2": 0.4}


@pytest.fixture(scope="module")
def f():
    return compile_program(arm(), values=VALUES)


def wrench_program() -> Program:
    """Two inputs, one a matrix, one output."""
    q = [variable(f"q{i}") for i in range(3)]
    w = [variable(f"w{i}") for i in range(6)]
    entries = tuple(q[i % 3] * w[i] + i for i in range(6))
    return Program("p", (vector("q", q), Array("wrench", (2, 3), tuple(w))), (), (), (), (Array("y", (3, 2), entries),))


def test_one_output_is_an_array_and_several_a_mapping(f):
    result = f(q=[0.1, 0.2])
    assert list(result.keys()) == ["rotation", "tip"]
    assert result["rotation"].shape == (2, 2)
    assert compile_program(one_output(variable("x") + 1, [variable("x")]))(x=[1]).tolist() == [2.0]


def test_facts_about_the_function(f):
    assert f.inputs == {"q": (2,)}
    assert f.outputs == {"rotation": (2, 2), "tip": (3,)}
    assert f.program == arm()
    assert f.signature == "void planar_arm(const double *q, double *rotation, double *tip)"
    assert compile_program(arm(), values=VALUES, numeric=False).signature == (
        "void planar_arm(const double *q, const double *parameters, const double *constants, "
        "double *rotation, double *tip)"
    )
    assert repr(f) == "<compiled 'planar-arm': q (2,) -> rotation (2, 2), tip (3,)>"


def test_the_address_is_that_of_a_c_function():
    program = one_output(3 * variable("x"), [variable("x")])
    f = compile_program(program)
    assert f.signature == "void program(const double *x, double *y)"
    x, y = ctypes.c_double(2.0), ctypes.c_double()
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(f.address)(ctypes.byref(x), ctypes.byref(y))
    assert y.value == 6.0


@pytest.mark.parametrize(
    "q",
    [[1, 2], (1, 2), np.array([1, 2]), np.array([1, 2], dtype=np.float32), np.array([1.0, 0.0, 2.0])[::2], [True, 2]],
)
def test_integers_and_any_layout_are_converted(f, q):
    np.testing.assert_array_equal(f(q=q)["tip"], f(q=np.array([1.0, 2.0]))["tip"])


def test_results_are_new_arrays(f):
    first = f(q=[0.1, 0.2])["tip"]
    kept = first.copy()
    f(q=[1.0, 2.0])
    np.testing.assert_array_equal(first, kept)


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_a_batch_is_a_loop_over_states(f, count):
    states = np.random.default_rng(0).uniform(-3, 3, (count, 2))
    many = f(q=states)
    assert many["rotation"].shape == (count, 2, 2)
    for i, state in enumerate(states):
        for name, value in f(q=state).items():
            np.testing.assert_array_equal(many[name][i], value)


def test_inputs_without_a_batch_axis_are_shared():
    f = compile_program(wrench_program())
    rng = np.random.default_rng(1)
    q, wrench = rng.uniform(size=(4, 3)), rng.uniform(size=(4, 2, 3))
    both, shared_q, shared_w = f(q=q, wrench=wrench), f(q=q[0], wrench=wrench), f(q=q, wrench=wrench[0])
    for i in range(4):
        np.testing.assert_array_equal(both[i], f(q=q[i], wrench=wrench[i]))
        np.testing.assert_array_equal(shared_q[i], f(q=q[0], wrench=wrench[i]))
        np.testing.assert_array_equal(shared_w[i], f(q=q[i], wrench=wrench[0]))


def test_strided_batches(f):
    states = np.random.default_rng(0).uniform(size=(2, 10)).T[::3]
    np.testing.assert_array_equal(f(q=states)["tip"], f(q=states.copy())["tip"])


def test_scalars_and_empty_inputs():
    x = variable("x")
    inputs = (Array("x", (), (x,)), vector("nothing", []))
    f = compile_program(Program("p", inputs, (), (), (), (Array("y", (), (x + 1,)),)))
    assert f(x=1.5).shape == ()
    assert float(f(x=1.5)) == 2.5
    assert f(x=2, nothing=[]) == 3.0
    assert f(x=[1.0, 2.0]).tolist() == [2.0, 3.0]
    assert f(x=[1.0, 2.0], nothing=np.empty((2, 0))).tolist() == [2.0, 3.0]


def test_programs_without_inputs_or_outputs():
    assert compile_program(Program("p", (), (), (), (), (vector("y", [1, 2]),)))().tolist() == [1.0, 2.0]
    assert compile_program(Program("p", (), (), (), (), ()))() == {}


# --- parameters ------------------------------------------------------------------------------------------------------


def test_parameters_by_default_by_name_and_in_order(f):
    q = [0.3, 0.4]
    tip = arm().call(q=q, parameters={"L1": 0.5, "L2": 0.9})["tip"]
    np.testing.assert_allclose(f(q=q, parameters={"L2": 0.9})["tip"], tip, rtol=1e-15)
    np.testing.assert_allclose(f(q=q, parameters=[0.5, 0.9])["tip"], tip, rtol=1e-15)
    np.testing.assert_allclose(f(q=q)["tip"], arm().call(q=q, parameters=VALUES)["tip"], rtol=1e-15)


def test_parameters_in_batches(f):
    rng = np.random.default_rng(2)
    states, lengths = rng.uniform(size=(5, 2)), rng.uniform(1, 2, 5)
    table = np.column_stack([np.full(5, 0.5), lengths])
    for many in (f(q=states, parameters={"L2": lengths}), f(q=states, parameters=table)):
        for i in range(5):
            np.testing.assert_array_equal(many["tip"][i], f(q=states[i], parameters={"L2": lengths[i]})["tip"])
    one_state = f(q=states[0], parameters={"L2": lengths})["tip"]
    np.testing.assert_array_equal(one_state[3], f(q=states[0], parameters={"L2": lengths[3]})["tip"])
    assert f(q=states[:0], parameters=table[:0])["tip"].shape == (0, 3)


def test_precompute_runs_once_per_set_of_parameters(f, monkeypatch):
    calls = []
    sets = f._convention.sets
    original = sets._precompute
    monkeypatch.setattr(sets, "_precompute", lambda *args: (calls.append(1), original(*args)))
    for _ in range(3):
        f(q=[0, 0], parameters={"L2": 0.123})
        f(q=[0, 0], parameters={"L2": 0.456})
    assert len(calls) == 2


def test_a_default_value_the_program_does_not_use_is_no_mistake():
    f = compile_program(arm(), values={**VALUES, "MASS": 3.0})
    np.testing.assert_array_equal(f(q=[0, 0], parameters={"MASS": 4.0})["tip"], f(q=[0, 0])["tip"])


# --- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"q": [1, 2, 3]}, r"input 'q' has shape (3,), expected (2,) or (batch, 2)"),
        ({"q": 1.0}, r"input 'q' has shape (), expected (2,) or (batch, 2)"),
        ({"q": np.zeros((2, 2, 3))}, r"input 'q' has shape (2, 2, 3), expected (2,) or (batch, 2)"),
        ({}, "input 'q' of shape (2,) is not given"),
        ({"Q": [1, 2]}, "input 'q' of shape (2,) is not given; unknown input 'Q'"),
        ({"q": [1, 2], "qdd": [1, 2]}, "unknown input 'qdd' (did you mean 'q'?)"),
        ({"q": [1, 2], "torque": 3}, "unknown input 'torque' (known: q)"),
        ({"q": ["a", "b"]}, "input 'q': expected real numbers, got ['a', 'b']"),
        ({"q": [1j, 2]}, "input 'q': expected real numbers"),
        ({"q": [None, 2]}, "input 'q': expected real numbers"),
        ({"q": [[1, 2], [3]]}, "input 'q': expected real numbers"),
        ({"q": [0, 0], "parameters": {"L3": 1}}, "unknown parameter 'L3' (did you mean"),
        ({"q": [0, 0], "parameters": {"L1": "long"}}, "parameter 'L1': expected real numbers, got 'long'"),
        ({"q": [0, 0], "parameters": [1, 2, 3]}, "parameters has shape (3,), expected (2,) or (batch, 2)"),
        ({"q": [0, 0], "parameters": {"L1": [1, 2], "L2": [1, 2, 3]}}, "the batch sizes differ: L1 2, L2 3"),
        ({"q": np.zeros((3, 2)), "parameters": {"L1": [1, 2]}}, "the batch sizes differ: q 3, parameters 2"),
    ],
)
def test_a_wrong_call_is_explained(f, given, message):
    with pytest.raises(CallError) as caught:
        f(**given)
    assert message in str(caught.value)
    assert isinstance(caught.value, RobosymError)


def test_missing_parameter_values_are_named():
    f = compile_program(arm(), values={"L1": 0.5})
    with pytest.raises(CallError, match="parameters without a value: L2"):
        f(q=[0, 0])
    with pytest.raises(CallError, match="parameters without a value: L1, L2"):
        compile_program(arm())(q=[0, 0])
    assert f(q=[0, 0], parameters={"L2": 0.4})["tip"][0] == pytest.approx(0.9)


def test_batch_sizes_must_agree():
    f = compile_program(wrench_program())
    with pytest.raises(CallError, match="the batch sizes differ: q 4, wrench 3"):
        f(q=np.zeros((4, 3)), wrench=np.zeros((3, 2, 3)))


def test_nan_passes_through(f):
    assert np.isnan(f(q=[np.nan, 0.0])["rotation"]).all()
    many = f(q=[[np.nan, 0.0], [0.0, 0.0]])["rotation"]
    assert np.isnan(many[0]).all()
    assert np.isfinite(many[1]).all()


# --- lifetime and threads --------------------------------------------------------------------------------------------


def test_the_function_keeps_its_code_alive():
    functions = [compile_program(one_output(variable("x") * k, [variable("x")])) for k in range(2, 12)]
    gc.collect()
    assert [f(x=[1.0])[0] for f in functions] == list(range(2, 12))


def test_threads_do_not_disturb_each_other():
    x = [variable(f"x{i}") for i in range(6)]
    program = Program(
        "p", (vector("x", x),), (parameter("a"),), (), (), (vector("y", [sin(s) * parameter("a") for s in x]),)
    )
    f = compile_program(program, values={"a": 1.0})

    def work(k: int) -> bool:
        state = np.full(6, 0.1 * k)
        expected = np.sin(state)
        for _ in range(500):
            if not np.allclose(f(x=state), expected, rtol=1e-14):
                return False
            if not np.allclose(f(x=state, parameters={"a": float(k)}), k * expected, rtol=1e-14):
                return False
        return bool(np.allclose(f(x=np.tile(state, (50, 1))), expected, rtol=1e-14))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(16)))


def test_compiling_in_threads():
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda k: compile_program(one_output(variable("x") + k, [variable("x")])), range(12)))
    assert [f(x=[0.0])[0] for f in made] == list(range(12))


WAYS = {
    "model": lambda fused: models.gravity(load("rx90")).compile(fused=fused),
    "program": lambda fused: compile_program(arm(), values=VALUES, fused=fused),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_names_of_rounding(way):
    """``reordered`` is the old name of ``fastmath``."""
    make = WAYS[way]
    flags = {name: make(name)._convention._flags for name in (False, True, "fastmath", "reordered")}
    assert flags == {False: "", True: "contract", **dict.fromkeys(("fastmath", "reordered"), "contract reassoc nsz")}
    for wrong in ("fast", None, [], 2):
        with pytest.raises(RobosymError, match="fused: "):
            make(wrong)
