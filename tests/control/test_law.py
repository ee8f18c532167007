"""Laws as they are generated: ten thousand calls of the C code beside the function compiled in process, with every part that has a state."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from c_calls import pointer
from codegen.calling import shared
from control.test_feed_forward import with_springs

import robosym
from robosym.codegen.targets.c.routine import facts_of
from robosym.control import ControlError, Law, Tuning, computed_torque, feed_forward, pid
from robosym.control.law import setting

CALLS = 10_000


class InC:
    """The C function on arrays that are made once, its state going round in them."""

    def __init__(self, library: ctypes.CDLL, law: Law) -> None:
        routine, facts = law.routine, facts_of(law.routine, None)
        numbers = np.array([law.model.values[s.name] for s in routine.parameter_symbols])
        constants = np.empty(facts.constants.size)
        if facts.has_precompute:
            library[facts.precompute_function](pointer(numbers), pointer(constants))
        self.inputs = {slot.name: np.zeros(slot.shape) for slot in routine.inputs}
        state = {slot.name for slot in routine.state}
        self.outputs = {s.name: self.inputs[s.name] if s.name in state else np.zeros(s.shape) for s in routine.outputs}
        arrays = [*self.inputs.values(), *shared(facts, numbers, constants)]
        self.kept = arrays
        self.pointers = [pointer(x) for x in (*arrays, *self.outputs.values())]
        self.function = library[facts.function]

    def __call__(self, **given: np.ndarray) -> dict[str, np.ndarray]:
        for name, value in given.items():
            self.inputs[name][...] = value
        self.function(*self.pointers)
        return self.outputs


def laws() -> list[Law]:
    rx90 = robosym.load("rx90")
    more: dict[str, Any] = {"dead_zone": 2e-3, "window": 0.015, "velocity": 300.0, "limits": [120, 200, 30, 6, 3, 1.5]}
    return [
        pid(rx90, bandwidth=12, **more),
        computed_torque(rx90, bandwidth=15, integral=True, **more),
        feed_forward(with_springs(rx90), feedback=9, integral=True, **more),
    ]


@pytest.mark.slow
@pytest.mark.runs("c")
def test_c_code_call_after_call(compiled: Callable[[str], ctypes.CDLL]) -> None:
    for law in laws():
        library = compiled(law.source("c"))
        in_c, here = InC(library, law), law.compile()
        state = {slot.name: np.zeros(slot.shape) for slot in law.state}
        q = "q_motor" if "q_motor" in in_c.inputs else "q"
        rng = np.random.default_rng(0)
        t = 1e-3 * np.arange(CALLS)[:, None]
        a, w, shift = rng.uniform(0.2, 0.6, 6), rng.uniform(1, 4, 6), rng.uniform(0, 6, 6)
        wanted = {"q_d": a * np.sin(w * t), "qd_d": a * w * np.cos(w * t), "qdd_d": -a * w**2 * np.sin(w * t)}
        measured = wanted["q_d"] + 0.02 * np.sin(0.7 * w * t + shift) + 1e-5 * rng.normal(size=(CALLS, 6))
        worst, full = 0.0, np.zeros(6)
        for k in range(CALLS):
            given = {name: x[k] for name, x in wanted.items() if name in in_c.inputs} | {q: measured[k]}
            there, made = in_c(**given), here(**given, **state)
            state = {name: made[name] for name in state}
            worst = max(worst, np.abs(there["tau"] - made["tau"]).max())
            full += np.abs(made["tau"]) == law.gains["tau_max"]
        assert worst <= 1e-12 * np.abs(law.gains["tau_max"]).max(), law.name
        for name, value in state.items():
            np.testing.assert_allclose(in_c.outputs[name], value, rtol=0, atol=1e-12, err_msg=f"{law.name} {name}")
        assert (full < CALLS).all()
        assert full.max() > 100
        interpreted = law.model.evaluate(**given, **state)
        np.testing.assert_allclose(interpreted["tau"], here(**given, **state)["tau"], rtol=1e-12, atol=1e-12)
        before = {slot.name: np.zeros(slot.shape) for slot in law.state}
        first = law.model.evaluate(**given)  # zeros before the first call need not be given
        np.testing.assert_array_equal(first["tau"], law.model.evaluate(**given, **before)["tau"])


def test_no_memory_is_allocated() -> None:
    source = computed_torque(robosym.load("puma560"), bandwidth=20).source("c")
    assert "alloc" not in source
    assert "puma560_controller(" in source


def test_law_says_what_it_is() -> None:
    law = computed_torque(robosym.load("rx90"), bandwidth=20)
    assert repr(law).startswith("<computed-torque of 'rx90', every 0.001 s: ")
    assert law.model.options["law"] == "computed-torque"
    assert law.reference == "joints"
    assert law.model.name == "controller"
    assert law.state == ()
    assert law.routine.notes[0] == "computed-torque control of rx90, called every 0.001 s"


def test_generated_code_tells_the_gains() -> None:
    """They are parameters of it: else nobody would know them."""
    law = computed_torque(robosym.load("rx90"), bandwidth=20, limits=[1, 2, 3, 4, 5, 6])
    for one, Kp in ((law, 400.0), (law.tuned(bandwidth=5), 25.0)):
        text = " ".join(one.source("c").replace("*", " ").split())
        assert f"Gains: Kp1 to Kp6 = {Kp}; Kd1 to Kd6 = {2 * Kp**0.5}; tau_max1 = 1.0, tau_max2 = 2.0," in text
    assert "Kp1" not in law.source("c", numeric=True).partition("*/")[2]


def test_settings() -> None:
    np.testing.assert_array_equal(setting("x", 3, 2), [3, 3])
    np.testing.assert_array_equal(setting("x", [1, 2], None), [[1], [2]])
    for value, message in (
        ([1, 2, 3], "x: expected one number, or 2"),
        (np.inf, "x: expected finite"),
        (-1, "at least 0"),
    ):
        with pytest.raises(ControlError, match=message):
            setting("x", value, 2, least=0.0)


def test_batches_of_settings() -> None:
    """A bandwidth for each of a batch, or one for each joint of each."""
    tuning = Tuning({"w": np.ones(3)}, lambda w: {"Kp": w**2}, {"Kp": ("1", "2", "3")})
    assert tuning.parameters() == {"Kp1": 1, "Kp2": 1, "Kp3": 1}
    made = tuning.parameters(w=[2, 3])
    np.testing.assert_array_equal(made["Kp2"], [4, 9])
    made = tuning.parameters(w=[[1, 2, 3], [4, 5, 6]])
    np.testing.assert_array_equal(made["Kp2"], [4, 25])
    assert tuning.parameters(w=5)["Kp3"] == 25
    with pytest.raises(ControlError, match="there is no setting 'v'"):
        tuning.gains(v=3)
