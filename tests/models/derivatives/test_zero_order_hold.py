"""The zero-order hold of a linearised model is SciPy's, at every step and for any size of the matrices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from c_calls import call_c
from models.derivatives.manifold import free_robot, state_of
from models.loops.iterated_linkages import stephenson
from robots_with import flexible
from scipy.linalg import expm
from scipy.signal import cont2discrete

import robosym
from robosym import models
from robosym.models.derivatives.zero_order_hold import held
from robosym.program.interpreter import interpreted
from robosym.program.routine import Routine, Slot, verified_routine
from robosym.robot import Robot
from robosym.runtime import compile_program

ROBOTS = {
    "planar-2r": lambda: robosym.load("planar-2r"),
    "stanford-3": lambda: robosym.load("stanford-3"),
    "free": free_robot,
    "four-bar": lambda: robosym.load("four-bar"),
    "iterated": stephenson,
    "flexible": lambda: flexible(robosym.load("planar-2r")),
}


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ROBOTS)
def test_as_scipy(name: str) -> None:
    robot: Robot = ROBOTS[name]()
    linear, discrete = models.linearised(robot, wrench="none"), models.discrete(robot, wrench="none")
    f, g = linear.compile(), discrete.compile()
    state = state_of(linear, 1, 0.3)
    made = f(**state)
    A, B = made["A"], made["B"]
    for dt in (1e-4, 1e-3, 0.02, 0.3):
        found = g(**state, dt=dt)
        Ad, Bd, *_ = cont2discrete((A, B, np.eye(len(A)), np.zeros_like(B)), dt)
        assert np.abs(found["Ad"] - Ad).max() <= 1e-12 * max(1.0, np.abs(Ad).max())
        assert np.abs(found["Bd"] - Bd).max() <= 1e-12 * max(1.0, np.abs(Bd).max())
        drift = expm(np.block([[A, made["xd"][:, None]], [np.zeros((1, len(A) + 1))]]) * dt)[:-1, -1]
        assert np.abs(found["dx"] - drift).max() <= 1e-12 * max(1.0, np.abs(drift).max())


def test_of_any_matrices() -> None:
    """Large and small, stiff, nilpotent and zero."""
    draw = np.random.default_rng(2)
    for n, m, size in ((1, 1, 1.0), (3, 2, 100.0), (5, 1, 1e-6), (4, 3, 0.0), (6, 2, 8.0)):
        slots = (Slot("A", (n, n)), Slot("B", (n, m)), Slot("xd", (n,)), Slot("dt", ()))
        outputs = (Slot("Ad", (n, n)), Slot("Bd", (n, m)), Slot("dx", (n,)))
        routine = verified_routine(Routine("held", slots, outputs, held(n, m)))
        A, B, f = size * draw.normal(size=(n, n)), draw.normal(size=(n, m)), draw.normal(size=n)
        A = np.triu(A, 1) if n == 5 else A
        given = {"A": A, "B": B, "xd": f, "dt": 0.1}
        whole = expm(np.block([[A, B, f[:, None]], [np.zeros((m + 1, n + m + 1))]]) * 0.1)[:n]
        for found in (compile_program(routine)(**given), interpreted(routine, {}, given)):
            made = np.hstack([found["Ad"], found["Bd"], found["dx"][:, None]])
            assert np.abs(made - whole).max() <= 1e-11 * max(1.0, np.abs(whole).max())


def test_nothing_that_is_no_number_is_hidden() -> None:
    discrete = models.discrete(robosym.load("planar-2r"), wrench="none").compile()
    made = discrete(q=[0.1, np.nan], qd=[0, 0], tau=[0, 0], dt=0.01)
    assert np.isnan(made["Ad"]).any()


def test_as_compiled_c(compiled: Callable) -> None:
    model = models.discrete(robosym.load("planar-2r"), outputs=["pose"], wrench="none")
    library = compiled(model.source("c"))
    state = state_of(model, 3)
    parameters = [model.values[symbol.name] for symbol in model.routine.parameter_symbols]
    made = call_c(library, model.routine, state, parameters)
    expected = model.compile()(**state)
    for name in ("Ad", "Bd", "C", "D"):
        np.testing.assert_allclose(made[name], expected[name], atol=1e-12)
