"""Programs from functions of arrays."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.expr import sin
from robosym.program.of_arrays import program_of, run_over
from robosym.program.routine import Repeat, Routine, Slot


def test_arrays_and_scalars_go_in_and_come_out():
    made = program_of(
        "p", {"A": (2, 3), "v": (3,), "s": ()}, lambda A, v, s: {"w": A @ v * s, "n": sin(s), "A_now": A, "one": 1}
    )
    A, v = np.arange(6.0).reshape(2, 3), np.array([1.0, -2.0, 0.5])
    found = made.call(A=A, v=v, s=0.5)
    np.testing.assert_allclose(found["w"], A @ v * 0.5)
    assert found["n"] == pytest.approx(np.sin(0.5))
    assert found["A_now"].tolist() == A.tolist()
    assert found["one"].shape == ()


def test_run_over_writes_in_place_of_what_was_read():
    step = program_of("step", {"x": (2,), "v": (2,)}, lambda x, v: {"x_now": x + v, "v_now": 2 * v})
    assert dict(run_over(step).names) == {"x_now": "x", "v_now": "v"}
    assert run_over(step, v_now="w").names["v_now"] == "w"
    slots = (Slot("x", (2,)), Slot("v", (2,)))
    found = Routine("r", slots, slots, (Repeat(3, (run_over(step),)),)).call(x=[0.0, 1.0], v=[1.0, 1.0])
    assert found["x"].tolist() == [7.0, 8.0]
    assert found["v"].tolist() == [8.0, 8.0]
