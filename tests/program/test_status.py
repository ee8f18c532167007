"""Results with status: one shape with or without it, nan where a state is not possible."""

from __future__ import annotations

import copy
import json
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from robosym.expr import expr, parameter
from robosym.program import Program, ProgramError
from robosym.program.of_arrays import program_of
from robosym.program.outputs import Outputs
from robosym.program.routine import Copy, Routine, Run, Slot
from robosym.program.status import OutputArray, OutputsWithStatus, Status
from robosym.runtime import CallError, CompiledFunction, compile_program, python_call

BOTH = ("assembled", "residual")


def single() -> Program:
    """2 q, possible up to one."""
    return program_of("single", {"q": (2,)}, lambda q: {"y": [2 * x for x in q], **_status(q)})


def several() -> Program:
    return program_of(
        "several",
        {"q": (2,)},
        lambda q: {"y": [2 * x for x in q], "z": [[q[0]], [q[1]]], "s": q[0] + q[1], **_status(q)},
    )


def scalar() -> Program:
    return program_of("scalar", {"q": (2,)}, lambda q: {"s": q[0] * q[1], **_status(q)})


def _status(q: Any) -> dict[str, Any]:
    return {"residual": q[0] - q[1], "assembled": expr(q[0] <= 1)}


def compiled(program: Program | Routine) -> CompiledFunction:
    return compile_program(program, status=BOTH)


GOOD, BAD = np.array([0.5, 3.0]), np.array([1.5, 3.0])


@pytest.fixture(params=["direct", "in Python"])
def way(request, monkeypatch) -> str:
    if request.param == "in Python":
        monkeypatch.setattr(python_call, "available", lambda: False)
    return request.param


# --- one state -------------------------------------------------------------------------------------------------------------


def test_one_value_is_an_array(way):
    found = compiled(single())(q=GOOD)
    assert type(found) is OutputArray
    assert isinstance(found, np.ndarray)
    assert np.shape(found) == (2,)
    assert found.tolist() == [1, 6]
    assert found["y"].tolist() == [1, 6]
    assert type(found["y"]) is np.ndarray
    assert found.assembled == found["assembled"] == 1
    assert found.residual == found["residual"] == -2.5
    assert np.shape(found.assembled) == ()
    assert ("assembled" in found, "y" in found, "other" in found, 6.0 in found) == (True, True, False, True)
    a, b = found
    assert (a, b) == (1, 6)
    for wrong, error in (("other", KeyError), (7, IndexError)):
        with pytest.raises(error):
            found[wrong]
    with pytest.raises(AttributeError, match=r"no attribute or status 'other' \(status: residual, assembled\)"):
        _ = found.other
    assert "assembled" in dir(found)


def test_several_values_are_unpacked_as_a_named_tuple(way):
    found = compiled(several())(q=GOOD)
    assert isinstance(found, Outputs)
    y, z, s = found
    assert (len(found), found._fields) == (3, ("y", "z", "s"))
    assert found[0] is found["y"] is found.y is y
    assert found[-1] is found.s is s
    assert found[1] is z
    assert found.assembled == found["assembled"] == found.get("assembled") == 1
    assert found.get("other") is None
    assert found.get("y") is y
    assert "assembled" in found
    assert list(found.keys()) == list(dict(found)) == ["y", "z", "s"]
    with pytest.raises(IndexError):
        found[3]
    for wrong in ("other", None, 0.5):
        with pytest.raises(KeyError):
            found[wrong]
    with pytest.raises(AttributeError, match="no output 'other'"):
        _ = found.other


def test_a_scalar_is_a_number(way):
    found = compiled(scalar())(q=GOOD)
    assert np.shape(found) == ()
    assert float(found) == 1.5
    assert json.dumps(found.item()) == "1.5"
    assert json.dumps({"s": found.tolist(), "assembled": found.assembled.tolist()}) == '{"s": 1.5, "assembled": 1.0}'
    assert np.isnan(float(compiled(scalar())(q=BAD)))


def test_integers_are_numbers(way):
    assert compiled(single())(q=[1, 2]).tolist() == [2, 4]
    assert compiled(single())(q=[1, 2]).assembled == 1
    assert np.isnan(compiled(single())(q=[2, 2])).all()


@pytest.mark.parametrize("program", [single, several, scalar])
def test_nothing_but_status_where_a_state_is_not_possible(way, program):
    found = compiled(program())(q=BAD)
    assert found.assembled == 0
    assert found.residual == -1.5
    for value in found.values() if isinstance(found, Outputs) else [found]:
        assert np.isnan(value).all()


def test_every_state_is_possible_without_such_an_output(way):
    program = program_of("p", {"q": (2,)}, lambda q: {"y": [2 * x for x in q]})
    f = compile_program(program, status=("assembled",))
    assert f(q=GOOD).assembled == 1
    assert f(q=GOOD).tolist() == [1, 6]
    for lead in ((4,), (0,), (2, 3)):
        found = f(q=np.broadcast_to(GOOD, (*lead, 2)))
        assert (found.shape, found.assembled.shape) == ((*lead, 2), lead)
        assert (found.assembled == 1).all()
    out = np.empty(2)
    assert np.shares_memory(f(q=GOOD, out=out), out)
    assert out.tolist() == [1, 6]
    assert f.bind(q=GOOD)().assembled == 1


def test_without_status_nothing_changes(way):
    f = compile_program(single())
    found = f(q=BAD)
    assert type(found) is Outputs
    assert found._fields == ("y", "residual", "assembled")
    assert found.y.tolist() == [3, 6]
    assert f.status == ()


# --- many states -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lead", [(0,), (1,), (5,), (300,), (2, 3), (2, 0), (40, 10)])
@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"layout": "soa"}, {"threads": 3, "layout": "soa"}])
@pytest.mark.parametrize("program", [single, several, scalar])
def test_a_batch_is_what_single_states_are(way, program, lead, options):
    f = compiled(program())
    q = np.random.default_rng(3).uniform(0, 2, (*lead, 2))
    found = f(q=q, **options)
    assert found.assembled.shape == found.residual.shape == lead
    assert type(found) is type(f(q=GOOD))
    for where in np.ndindex(lead):
        alone = f(q=q[where])
        for name in (*f.by_name(alone), *BOTH):
            np.testing.assert_allclose(found[name][where], alone[name], rtol=1e-15)
    np.testing.assert_array_equal(found.assembled, q[..., 0] <= 1)
    if lead == (300,):
        assert {0.0, 1.0} == set(found.assembled.tolist())


@pytest.mark.parametrize("lead", [(), (5,), (200,), (2, 3)])
@pytest.mark.parametrize("options", [{}, {"threads": 2}])
def test_arrays_that_are_given_are_filled(way, lead, options):
    f, g = compiled(single()), compiled(several())
    q = np.random.default_rng(3).uniform(0, 2, (*lead, 2))
    expected = f(q=q)
    out = {name: np.zeros((*lead, *shape)) for name, shape in (("y", (2,)), ("residual", ()), ("assembled", ()))}
    earlier = f(q=0 * q)
    for given in (out, {"y": out["y"]}, out["y"], earlier):
        found = f(q=q, out=given, **options)
        assert type(found) is OutputArray
        place = given if isinstance(given, np.ndarray) else given["y"]
        assert np.shares_memory(found, place)
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(place, expected)
        np.testing.assert_array_equal(found.assembled, expected.assembled)
    np.testing.assert_array_equal(out["assembled"], expected.assembled)
    np.testing.assert_array_equal(earlier.assembled, expected.assembled)
    bundle = g(q=0 * q)
    again = g(q=q, out=bundle, **options)
    assert again.s is bundle.s
    np.testing.assert_array_equal(bundle.assembled, expected.assembled)
    np.testing.assert_array_equal(again.y, expected)
    with pytest.raises(CallError, match="out"):
        g(q=q, out=np.zeros((*lead, 2)))
    with pytest.raises(CallError, match="output 'y' is missing"):
        f(q=q, out={"assembled": out["assembled"]})


def test_sets_of_parameters(way):
    program = program_of(
        "p", {"q": (2,)}, lambda q: {"y": [parameter("a") * x for x in q], "assembled": expr(q[0] <= parameter("a"))}
    )
    f = compile_program(program, values={"a": 1.0}, status=("assembled",))
    a = np.array([0.5, 1.0, 2.0])
    found = f(q=GOOD * 2, parameters={"a": a})
    assert found.assembled.tolist() == [0, 1, 1]
    np.testing.assert_array_equal(found, [[np.nan] * 2, [1, 6], [2, 12]])
    np.testing.assert_array_equal(f(q=GOOD * 2, parameters={"a": 0.5}), [np.nan, np.nan])
    assert f(q=GOOD * 2, parameters={"a": 3}).tolist() == [3, 18]


def test_bound_calls_have_the_status_of_their_call(way):
    for program in (single, several):
        q, f = GOOD.copy(), compiled(program())
        own = np.full(2, 7.0)
        for step in (f.bind(q=q), f.bind(q=q, out={**_places(f), "y": own})):
            for state, possible in ((GOOD, 1), (BAD, 0), (GOOD, 1)):
                q[:] = state
                found = step()
                assert found is step()
                assert found.assembled == possible
                np.testing.assert_array_equal(found["y"], 2 * q if possible else [np.nan] * 2)
        np.testing.assert_array_equal(own, 2 * q)
    untouched = np.full(2, 7.0)
    compiled(single()).bind(q=BAD, out=untouched)
    assert untouched.tolist() == [7, 7]


def _places(f: CompiledFunction) -> dict[str, np.ndarray]:
    return {name: np.empty(shape) for name, shape in f.outputs.items()}


def test_the_state_of_a_routine_is_never_nan(way):
    body = program_of(
        "body", {"q": (2,), "x": ()}, lambda q, x: {"y": [2 * v for v in q], "x_next": x + 1, **_status(q)}
    )
    slots = [Slot("y", (2,)), Slot("x", ()), Slot("residual", ()), Slot("assembled", ())]
    stages = (Run(body), Copy("x_next", "x"))
    f = compiled(Routine("counted", (Slot("q", (2,)), Slot("x", ())), tuple(slots), stages))
    found = f(q=BAD, x=3.0)
    assert np.isnan(found.y).all()
    assert (found.x, found.assembled) == (4, 0)


# --- results as arrays -------------------------------------------------------------------------------------------------------


OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda a: a + 1,
    "reversed": lambda a: 1 - a,
    "both": lambda a: a * a,
    "minus": lambda a: -a,
    "compared": lambda a: a > 0,
    "function": np.sin,
    "matrix": lambda a: np.eye(2) @ a,
    "slice": lambda a: a[:1],
    "all of it": lambda a: a[...],
    "mask": lambda a: a[a > 2],
    "where": lambda a: np.where(a > 2, a, 0),
    "joined": lambda a: np.concatenate([a, a]),
    "joined with others": lambda a: np.concatenate([np.zeros(2), a]),
    "stacked": lambda a: np.stack([a, a]),
    "parts": lambda a: np.split(a, 2)[0],
    "repeated": lambda a: np.tile(a, 2),
    "reshaped": lambda a: a.reshape(2, 1),
    "turned": lambda a: a.T,
    "real": lambda a: a.real,
    "type": lambda a: a.astype(int),
    "sorted": np.sort,
    "flat": lambda a: a.ravel(),
    "array": np.array,
    "plain": np.asarray,
    "copied by NumPy": np.copy,
    "like": np.zeros_like,
    "product": lambda a: np.dot(a, np.eye(2)),
    "einsum": lambda a: np.einsum("i,j->ij", a, a),
    "inverse": lambda a: np.linalg.inv(np.diag(a)),
    "broadcast": lambda a: np.broadcast_to(a, (3, 2)),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_what_is_made_of_a_result_has_no_status(name):
    found = compiled(single())(q=GOOD)
    made = OPERATIONS[name](found)
    assert type(made) is np.ndarray
    np.testing.assert_array_equal(made, OPERATIONS[name](np.asarray(found)))


def test_numbers_of_a_result_are_plain():
    found = compiled(single())(q=GOOD)
    for number in (
        found[0],
        found.sum(),
        np.sum(found),
        found @ found,
        found.max(),
        np.linalg.norm(found),
        found.dot(found),
    ):
        assert type(number) is np.float64
    assert found.tolist() == list(found) == [1, 6]
    assert type(compiled(scalar())(q=GOOD) * 2) is np.float64
    assert type(found.view(OutputArray)) is OutputArray
    with pytest.raises(AttributeError):
        _ = found.view(OutputArray).assembled


def test_a_result_may_be_changed_in_place():
    found = compiled(single())(q=GOOD)
    same = found
    found += 1
    np.multiply(found, 2, out=found)
    found[0] = 0
    assert found is same
    assert found.tolist() == [0, 14]
    assert found.assembled == 1


@pytest.mark.parametrize("q", [GOOD, BAD, np.stack([GOOD, BAD])])
@pytest.mark.parametrize("program", [single, several, scalar])
def test_copies_keep_the_status(program, q):
    f = compiled(program())
    found = f(q=q)
    kinds = [pickle.loads(pickle.dumps(found, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    kinds += [copy.copy(found), copy.deepcopy(found), found.copy()]
    for other in kinds:
        assert type(other) is type(found)
        for name in (*f.by_name(found), *BOTH):
            np.testing.assert_array_equal(other[name], found[name])
        np.testing.assert_array_equal(other.assembled, found.assembled)
        assert repr(other) == repr(found)
    again = pickle.loads(pickle.dumps(f))
    assert again.status == f.status
    np.testing.assert_array_equal(again(q=q).assembled, found.assembled)


def test_the_representation_has_values_and_status():
    assert repr(compiled(single())(q=GOOD)) == (
        "OutputArray(\n    y=array([1., 6.]),\n    residual=array(-2.5),\n    assembled=array(1.),\n)"
    )
    assert repr(compiled(several())(q=GOOD)).endswith(
        "    s=array(3.5),\n    residual=array(-2.5),\n    assembled=array(1.),\n)"
    )
    assert str(compiled(single())(q=GOOD)) == "[1. 6.]"


def test_nothing_is_lost_or_kept(way):
    f = compiled(single())
    f(q=GOOD)
    before = sys.getrefcount(OutputArray)
    results = [f(q=GOOD) for _ in range(100)]
    assert all(sys.getrefcount(one.assembled) == 2 for one in results)
    assert sys.getrefcount(OutputArray) == before + 100
    del results
    assert sys.getrefcount(OutputArray) == before


# --- the names of status -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [("y", "residual", "assembled"), ("other",), ("assembled", "residue")])
def test_names_that_are_not_of_status(names):
    with pytest.raises(ProgramError, match="status: expected the names of some outputs, got"):
        Status(single(), names)


def test_status_that_is_no_flag():
    found = Status(single(), ("residual",)).result(
        {"y": np.ones(2), "residual": np.zeros(()), "assembled": np.zeros(())}
    )
    assert isinstance(found, OutputsWithStatus)
    assert found._fields == ("y", "assembled")
    assert found.y.tolist() == [1, 1]
    assert found.residual == 0
