"""Integrators whose steps adapt: beside the compiled ones, with events."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from simulation.plants import sliding_mass, without_friction

import robosym
from robosym import control
from robosym.simulation import simulate


@pytest.mark.parametrize("integrator", ["dop853", "radau"])
def test_the_same_motion_as_the_compiled_ones(integrator: str) -> None:
    robot = robosym.load("double-pendulum")
    given: dict[str, Any] = {"q": [1.0, 0.5], "torque": [0.3, -0.2], "duration": 0.2}
    tolerance = {"rtol": 1e-8, "atol": 1e-10} if integrator == "radau" else {}
    fine = simulate(robot, step=1e-3, **given)
    run = simulate(robot, step=0.01, integrator=integrator, **tolerance, **given)
    np.testing.assert_allclose(run.time, np.arange(21) * 0.01)
    np.testing.assert_allclose(run.q, fine.q[::10], atol=1e-6 if tolerance else 1e-9)
    np.testing.assert_allclose(run.tau, np.broadcast_to([0.3, -0.2], run.tau.shape))


def test_a_law_calls_in_the_same_instants() -> None:
    """With its state, limits, and a free base beside it."""
    robot = robosym.load("planar-2r")
    law = control.computed_torque(robot, bandwidth=15, integral=True)
    given: dict[str, Any] = {"q": [0.1, 0.2], "duration": 0.05, "friction": False, "parameters": {"MX2": 0.7}}
    run = simulate(robot, law, [0.5, -0.3], integrator="dop853", **given)
    same = simulate(robot, law, [0.5, -0.3], **given)
    np.testing.assert_allclose(run.q, same.q, atol=1e-9)
    np.testing.assert_allclose(run.tau, same.tau, atol=1e-5)
    eel = without_friction(robosym.load("eel-2"))
    given = {"q": np.full(len(eel.moving), 0.4), "qd": np.linspace(1, -1, eel.nv), "duration": 0.1}
    run, same = (simulate(eel, integrator=name, **given) for name in ("dop853", "rk4"))
    np.testing.assert_allclose(run.q, same.q, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(run.q[:, 3:7], axis=1), 1, atol=1e-14)


def test_events_are_found_and_end_the_run() -> None:
    """A mass on a spring: it passes the middle at a quarter of its period."""
    robot = sliding_mass(mass=2.0, spring=50.0)
    robot = robot.replace(frames=(_passive(robot.frames[0]),))
    quarter = math.pi / 2 / 5

    def middle(t: float, q: Any, qd: Any) -> float:
        return float(q[0])

    run = simulate(robot, q=[0.1], duration=2.0, integrator="dop853", events=middle, step=0.01, every=2)
    times = [one["time"] for one in run.settings["events"]]
    np.testing.assert_allclose(times, quarter * np.array([1, 3, 5]), atol=1e-9)
    assert len(run.time) == 101
    middle.direction, middle.terminal = 1, True  # type: ignore[attr-defined]
    run = simulate(robot, q=[0.1], duration=2.0, integrator="dop853", events=[middle], step=0.01)
    assert run.time[-1] == pytest.approx(3 * quarter, abs=1e-9)
    assert run.q[-1, 0] == pytest.approx(0, abs=1e-9)
    assert any("an event ended the run" in note for note in run.notes)


def _passive(frame: Any) -> Any:
    return replace(frame, joint=replace(frame.joint, active=False))


def test_an_event_between_two_calls_counts_once() -> None:
    robot = robosym.load("planar-2r")
    law = control.computed_torque(robot, bandwidth=15)
    run = simulate(
        robot,
        law,
        [0, 0],
        q=[0.1, 0],
        duration=0.01,
        integrator="dop853",
        friction=False,
        events=lambda t, q, qd: t - 0.005,
    )
    assert [round(one["time"], 9) for one in run.settings["events"]] == [0.005]


def test_a_short_push_is_not_passed_over() -> None:
    """Of a mass that moves by itself the steps would be long."""
    robot = sliding_mass(mass=2.0)
    push = lambda t: [100.0 if 0.5 <= t < 0.52 else 0.0]  # noqa: E731
    run = simulate(robot, qd=[1.0], disturbance=push, duration=1.0, integrator="dop853", step=0.01)
    assert run.qd[-1, 0] == pytest.approx(2.0, abs=1e-3)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"batch": {"q": [[0.0], [1.0]]}}, "batch"),
        ({"changes": {0.05: {}}}, "changes"),
    ],
)
def test_what_they_do_not_have_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(robosym.simulation.SimulationError, match=f"dop853 has no .*{said}"):
        simulate(sliding_mass(), duration=0.1, integrator="dop853", **given)
