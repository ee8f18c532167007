"""Laws in joint space out of their parts, beside plain Python: limits, integral, filtered velocities, settings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import robosym
from robosym.control import Law, pid
from robosym.control.assembly import Period, assembled_law
from robosym.control.integral import integral_of
from robosym.control.joints import joints_of
from robosym.control.velocity import POLE, speeds
from robosym.expr import parameter
from robosym.options.kinds import fits
from robosym.program.of_arrays import program_of
from robosym.program.routine import Run

T = 0.01


def springs(limits: Any, with_integral: bool) -> Law:
    """tau = K (q_d - q) + KI integral, K the square of the setting ``stiffness``."""
    joints = joints_of(robosym.load("planar-2r"))
    integral = integral_of(joints, T, None, None) if with_integral else None

    def body(q: Any, q_d: Any, **state: Any) -> dict[str, Any]:
        error = [b - a for a, b in zip(q, q_d, strict=True)]
        tau = [parameter(f"K{k}") * e for k, e in zip((1, 2), error, strict=True)]
        if with_integral:
            tau = [t + parameter(f"KI{k}") * i for t, k, i in zip(tau, (1, 2), state["integral"], strict=True)]
        return {"tau_wanted": tau, "error": error} if with_integral else {"tau_wanted": tau}

    shapes = {"q": (2,), "q_d": (2,), **({"integral": (2,)} if with_integral else {})}
    run = Run(program_of("springs", shapes, body))

    def make(stiffness: Any) -> dict[str, Any]:
        K = np.asarray(stiffness) ** 2
        return {"K": K, "KI": 10 * K} if with_integral else {"K": K}

    return assembled_law(
        "springs",
        joints,
        speeds(joints, "measured", T),
        ("q_d",),
        (run,),
        {"stiffness": np.array([3.0, 2.0])},
        make,
        period=T,
        limits=np.array(limits, float),
        integral=integral,
        notes=("first",),
    )


def test_torques_are_cut_and_errors_summed() -> None:
    """Where a motor is at its limit its integral stands still."""
    law = springs([5.0, np.inf], True)
    q, q_d, integral = np.array([0.1, 0.2]), np.array([0.5, 0.7]), np.array([0.2, 0.3])
    given = {"q": q, "q_d": q_d, "integral": integral}
    names = {slot.name for slot in law.routine.inputs}
    given |= {name: np.zeros(2) for name in names - given.keys()}
    found = law.model.evaluate(**given)
    wanted = np.array([9.0, 4.0]) * (q_d - q) + np.array([90.0, 40.0]) * integral
    np.testing.assert_allclose(found["tau"], [5.0, wanted[1]], rtol=1e-12)
    np.testing.assert_allclose(found["integral"], integral + np.array([0, T * 0.5]), rtol=1e-12)
    assert law.notes == ("first", f"No limit of torque: {law.robot.joint_names[1]}, and their integrals may wind up")


def test_settings_and_gains() -> None:
    law = springs([5.0, np.inf], False)
    assert law.period == T
    assert dict(law.settings).keys() == {"stiffness", "tau_max"}
    assert law.parameters() == {"K1": 9.0, "K2": 4.0, "tau_max1": 5.0}
    assert law.parameters(stiffness=1.0, tau_max=7.0) == {"K1": 1.0, "K2": 1.0, "tau_max1": 7.0}
    free = springs([np.inf, np.inf], False)
    assert "tau_max" not in free.settings
    assert free.notes[1] == f"No limit of torque: {', '.join(free.robot.joint_names)}"
    assert springs([5.0, 6.0], False).notes == ("first",)


def test_the_cut_off_of_filtered_velocities_is_a_setting() -> None:
    """Its pole is exp(-w T), one for all joints."""
    law = pid(robosym.load("planar-2r"), bandwidth=10, velocity=200.0, period=2e-3)
    assert law.settings["velocity"] == 200.0
    assert law.parameters()[POLE] == pytest.approx(np.exp(-0.4), rel=1e-14)
    assert law.parameters(velocity=50.0)[POLE] == pytest.approx(np.exp(-0.1), rel=1e-14)


def test_periods() -> None:
    for period in (1e-3, 10, np.float64(0.1), np.int64(1)):
        assert fits(period, Period)
    for wrong in (0, -1e-3, 10.1, [1e-3, 2e-3], float("nan"), True):
        assert not fits(wrong, Period)
