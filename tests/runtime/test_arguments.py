"""What a caller gives, checked: names, numbers, shapes, options and arrays to be filled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runtime.batches import mixed

from robosym.codegen.targets.c import facts_of
from robosym.runtime.arguments import (
    MOST_LISTED,
    MOST_THREADS,
    as_floats,
    check_inputs,
    check_options,
    given_outputs,
    is_plain,
    numeric,
    unknown,
)
from robosym.runtime.errors import CallError

FACTS = facts_of(mixed())  # q (3,), m (2, 3), s () -> y (5,), t (2, 2), z ()


def test_numbers_become_doubles():
    found = numeric("input", "q", [1, 2])
    assert found.dtype == float
    assert found.tolist() == [1.0, 2.0]
    array = np.arange(3.0)
    assert numeric("input", "q", array) is array
    for wrong in ("abc", [1j], None, {"a": 1}, [[1], [2, 3]]):
        with pytest.raises(CallError, match="input 'q'"):
            numeric("input", "q", wrong)
    q = FACTS.inputs[0]
    assert as_floats(q, {"q": [1, 2, 3]}).tolist() == [1, 2, 3]
    assert as_floats(q, {}).shape == (3,)


def test_names_of_inputs():
    check_inputs({"q": 1, "m": 2, "s": 3}, FACTS.inputs)
    with pytest.raises(CallError) as caught:
        check_inputs({"q": 1, "mm": 2}, FACTS.inputs)
    text = str(caught.value)
    assert text.count(";") == 2
    assert "input 'm' of shape (2, 3) is not given" in text
    assert "input 's' of shape () is not given" in text
    assert "unknown input 'mm' (did you mean 'm'?)" in text


def test_unknown_names_suggest_the_nearest():
    assert unknown("output", "L3", ["L1", "zz"]) == "unknown output 'L3' (did you mean 'L1'?)"
    assert unknown("output", "abc", []) == "unknown output 'abc' (known: none)"
    many = [f"x{k}" for k in range(MOST_LISTED + 1)]
    assert unknown("input", "QQQ", many[:-1]) == f"unknown input 'QQQ' (known: {', '.join(many[:-1])})"
    assert unknown("input", "QQQ", many).endswith(f"{many[-2]}, …)")


def test_options():
    assert [check_options(n, "aos") for n in (1, 3, np.int64(2), 10**9)] == [1, min(3, MOST_THREADS), 2, MOST_THREADS]
    assert check_options(1, "soa") == 1
    for threads in (0, -1, True, 1.0, "2", None):
        with pytest.raises(CallError, match="threads: got"):
            check_options(threads, "aos")
    with pytest.raises(CallError, match="layout: got 'rows'"):
        check_options(1, "rows")


def arrays(front: tuple[int, ...] = ()) -> dict[str, Any]:
    return {one.array.name: np.zeros((*front, *one.array.shape)) for one in FACTS.outputs}


@pytest.mark.parametrize("front", [(), (4,), (2, 3)])
def test_arrays_to_be_filled(front):
    out = arrays(front)
    found = given_outputs(FACTS.outputs, out, front)
    assert [a is b for a, b in zip(found, out.values(), strict=True)] == [True] * 3
    backwards = dict(reversed(out.items()))
    assert [a is b for a, b in zip(given_outputs(FACTS.outputs, backwards, front), out.values(), strict=True)] == [
        True
    ] * 3
    assert given_outputs(FACTS.outputs[:1], out["y"], front)[0] is out["y"]


def changed(name: str, array: Any) -> dict[str, Any]:
    return arrays() | {name: array}


@pytest.mark.parametrize(
    ("out", "words"),
    [
        (np.zeros(5), "expected a dict with the outputs y, t, z"),
        ({"y": np.zeros(5), "t": np.zeros((2, 2))}, "output 'z' is missing"),
        (changed("zz", np.zeros(2)), "unknown output 'zz'"),
        (changed("y", np.zeros(4)), r"'y' must be an array of float64 of shape \(5,\), got float64 of shape \(4,\)"),
        (changed("y", np.zeros(5, dtype=np.float32)), "got float32"),
        (changed("y", [0.0] * 5), "got list"),
        (changed("y", np.ma.zeros(5)), "got MaskedArray"),
        (changed("y", np.broadcast_to(np.zeros(1), (5,))), "cannot be written"),
        (changed("y", np.lib.stride_tricks.as_strided(np.zeros(5), (5,), (0,))), "share their place in memory"),
    ],
)
def test_what_cannot_be_filled(out, words):
    with pytest.raises(CallError, match=words):
        given_outputs(FACTS.outputs, out, ())


def test_arrays_that_share_memory():
    room = np.zeros(9)
    out = arrays() | {"y": room[:5], "t": room[5:].reshape(2, 2)}
    given_outputs(FACTS.outputs, out, ())
    with pytest.raises(CallError, match="the arrays for 'y' and 't' share memory"):
        given_outputs(FACTS.outputs, out | {"t": room[4:8].reshape(2, 2)}, ())
    with pytest.raises(CallError, match="'t' and 'z' share memory"):
        given_outputs(FACTS.outputs, out | {"z": room[8:].reshape(())}, ())


def test_plain_arrays():
    assert is_plain(np.zeros(2))
    assert not is_plain(np.ma.zeros(2))
    assert not is_plain([0.0])
