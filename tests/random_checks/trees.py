"""Random trees against Pinocchio: every model that Pinocchio has too, derivatives and regressors included."""

from __future__ import annotations

import numpy as np
from models import conformance
from models.derivatives.pinocchio_derivatives import of_forward_dynamics, of_inverse_dynamics, random_state, values_of
from models.pinocchio_states import Twin
from models.regressors.test_regressor import columns_agree
from models.test_conformance_random import random_twin
from models.test_sweep import examined
from random_checks.checks import Checks

from robosym import models

FIRST_SPECIAL = 11_000


def check_pinocchio(seed: int) -> Checks:
    """Compare kinematics, dynamics, their derivatives and the regressor of the random tree of a seed; every second base floats."""
    twin = random_twin(seed, free=seed % 2 == 1)
    checks = Checks(f"tree-{seed}")
    frame = 1 + seed % len(twin.robot.frames)
    for name, case in conformance.CASES.items():
        if conformance.applies(case, name, twin.robot):
            _asserted(checks, name, lambda case=case: conformance.check(case, twin, frame, seed))
    _asserted(checks, "regressor", lambda: columns_agree(twin.robot))
    _derivatives(checks, twin, np.random.default_rng(seed))
    return checks


def check_special(seed: int) -> Checks:
    """Compare every model of a robot with right angles, zeros, equal lengths and noise with models in floats."""
    outcome = examined(FIRST_SPECIAL + seed)
    return Checks(f"special-{seed}", outcome.compared, failures=outcome.wrong, skipped=outcome.refused)


def _asserted(checks: Checks, what: str, check: object) -> None:
    """A check that raises an AssertionError."""
    try:
        check()  # type: ignore[operator]
        checks.require(what, True)
    except AssertionError as error:
        checks.require(f"{what}: {str(error).strip().splitlines()[0]}", False)


def _derivatives(checks: Checks, twin: Twin, rng: np.random.Generator) -> None:
    """Derivatives of inverse and forward dynamics; Pinocchio has the latter without dependent joints only."""
    robot = twin.robot
    state = random_state(robot, rng)
    derived = values_of(models.inverse_dynamics_derivatives(robot, wrench="none"), state)
    for name, expected in of_inverse_dynamics(twin, state).items():
        checks.compare(name, derived[name], expected, tolerance=1e-9)
    if any(frame.joint.mimic is not None for frame in robot.frames):
        checks.skip("forward-dynamics derivatives of dependent joints")
        return
    state = random_state(robot, rng, "tau")
    derived = values_of(models.forward_dynamics_derivatives(robot, wrench="none"), state)
    digits = 1e-9 + 1e-14 * float(np.linalg.cond(twin.crba(state["q"])))
    for name, expected in of_forward_dynamics(twin, state).items():
        checks.compare(name, derived[name], expected, tolerance=digits)
