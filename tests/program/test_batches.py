"""Axes in front of an array's own: as NumPy broadcasts them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from robosym.errors import RobosymError
from robosym.program import ProgramError
from robosym.program.batches import common, expected, in_a_row, leading, state_by_state


def test_what_an_array_may_look_like() -> None:
    assert expected(()) == "a number or (batch,)"
    assert expected((3,)) == "(3,) or (batch, 3)"
    assert expected((4, 4)) == "(4, 4) or (batch, 4, 4)"


@pytest.mark.parametrize("shape", [(), (3,), (4, 2)])
@pytest.mark.parametrize("lead", [(), (5,), (2, 6)])
def test_the_axes_in_front(shape: tuple[int, ...], lead: tuple[int, ...]) -> None:
    assert leading("q", np.empty((*lead, *shape)), shape, ProgramError) == lead


@pytest.mark.parametrize(("given", "shape"), [((2,), (3,)), ((3, 2), (3,)), ((3,), (4, 3)), ((), (1,))])
def test_an_array_of_another_shape_is_named(given: tuple[int, ...], shape: tuple[int, ...]) -> None:
    with pytest.raises(ProgramError, match=r"q has shape .* expected .*batch"):
        leading("q", np.empty(given), shape)


def test_one_arrangement_of_all_states() -> None:
    assert common({"q": (), "qd": ()}) == ()
    assert common({"q": (5,), "qd": ()}) == (5,)
    assert common({"q": (4, 1), "qd": (6,), "tau": (1, 1)}) == (4, 6)
    with pytest.raises(ProgramError, match="the batch sizes differ: q 3, qd 4"):
        common({"q": (3,), "qd": (4,), "tau": ()})
    with pytest.raises(RobosymError, match=r"the sets do not broadcast: q \(3, 2\), qd \(4,\)"):
        common({"q": (3, 2), "qd": (4,), "tau": ()}, RobosymError, "the sets")


@pytest.mark.parametrize(
    ("lead", "whole"),
    [((), (4,)), ((4,), (4,)), ((1,), (4,)), ((3,), (2, 3)), ((2, 1), (2, 3)), ((), ()), ((5,), (2, 1, 5))],
)
@pytest.mark.parametrize("own", [(), (3,), (2, 2)])
def test_all_states_in_a_row(lead: tuple[int, ...], whole: tuple[int, ...], own: tuple[int, ...]) -> None:
    array = np.random.default_rng(0).normal(size=(*lead, *own))
    found = in_a_row(array, lead, whole)
    assert found.shape == (int(np.prod(whole)), *own)
    for k, state in enumerate(np.ndindex(*whole)):
        at = tuple(0 if n == 1 else i for n, i in zip(lead, state[len(whole) - len(lead) :], strict=True))
        np.testing.assert_array_equal(found[k], array[at])


def test_state_by_state() -> None:
    calls: list[dict[str, Any]] = []

    def call(arrays: dict[str, Any]) -> dict[str, Any]:
        calls.append(arrays)
        return {"y": np.outer(arrays["a"], arrays["b"]), "s": np.sum(arrays["a"]) + arrays["k"]}

    rng = np.random.default_rng(1)
    shapes, outputs = {"a": (2,), "b": (3,), "k": ()}, [("y", (2, 3)), ("s", ())]
    a, b = rng.normal(size=(4, 1, 2)), rng.normal(size=(5, 3))
    found = state_by_state(call, {"a": a, "b": b, "k": 2.0}, shapes, outputs)
    assert len(calls) == 20
    np.testing.assert_allclose(found["y"], a[..., :, None] * b[..., None, :])
    np.testing.assert_allclose(found["s"], np.broadcast_to(a.sum(-1) + 2, (4, 5)))
    calls.clear()
    single = state_by_state(call, {"a": a[0, 0], "b": b[0], "k": 1.0}, shapes, outputs)
    assert len(calls) == 1  # as it is given
    assert calls[0]["k"] == 1.0
    np.testing.assert_allclose(single["y"], np.outer(a[0, 0], b[0]))
    with pytest.raises(ProgramError, match=r"input 'a' has shape \(3,\)"):
        state_by_state(call, {"a": np.ones(3), "b": b, "k": 0.0}, shapes, outputs)
