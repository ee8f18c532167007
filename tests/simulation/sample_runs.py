"""Runs whose motion is known in closed form: any robot, joints that swing, a reference beside them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import robosym
from robosym.robot import Robot
from robosym.simulation import Run, Runs

ROBOTS = ["planar-2r", "scara", "eel-3", "four-bar", "stanford"]


@cache
def loaded(name: str) -> Robot:
    """Once: it remembers its compiled models."""
    return robosym.load(name)


def swinging(robot: Robot | str, count: int = 81, duration: float = 2.0, **changes: Any) -> Run:
    """Joints that follow sines, some of them late; torques that are proportional to accelerations."""
    robot = loaded(robot) if isinstance(robot, str) else robot
    n = len(robot.joint_names)
    t = np.linspace(0.0, duration, count)
    phase = 0.3 * np.arange(n)
    q, qd = 0.3 * np.sin(2 * t[:, None] + phase), 0.6 * np.cos(2 * t[:, None] + phase)
    tau = -(1.2 + 0.1 * np.arange(n)) * np.sin(2 * t[:, None] + phase)
    wanted = {"q_d": 0.3 * np.sin(2 * t[:, None] + phase + 0.01), "qd_d": qd.copy(), "qdd_d": tau.copy()}
    if robot.base.floating:
        pose = np.column_stack([0.1 * t, 0 * t, 0 * t, 0 * t, 0 * t, np.sin(t / 4), np.cos(t / 4)])
        q, qd = np.hstack([pose, q]), np.hstack([np.full((count, 6), 0.1), qd])
        tau = np.hstack([np.zeros((count, 6)), tau])
    given: dict[str, Any] = {"q": q, "qd": qd, "tau": tau, "time": t, "reference": wanted}
    given |= {"settings": {"step": 1e-3, "integrator": "rk4", "law": "computed-torque", "period": 1e-3}}
    return Run(robot=robot, joints=robot.joint_names, **{**given, **changes})


def lost_at(run: Run, k: int) -> Run:
    """The same, lost at an instant."""
    gone = {
        name: np.where((np.arange(len(run.time)) < k)[:, None], getattr(run, name), np.nan)
        for name in ("q", "qd", "tau")
    }
    return replace(run, **gone, failed=float(run.time[k]), reason="elbow is no number any more")


def several(runs: list[Run], **varied: Any) -> Runs:
    """One behind the other."""
    first = runs[0]
    stacked = {name: np.stack([getattr(run, name) for run in runs]) for name in ("q", "qd", "tau")}
    groups = {
        group: {name: np.stack([getattr(run, group)[name] for run in runs]) for name in getattr(first, group)}
        for group in ("reference", "more")
    }
    return Runs(
        robot=first.robot,
        joints=first.joints,
        time=first.time,
        **stacked,
        **groups,
        settings=first.settings,
        notes=first.notes,
        failed=np.array([np.nan if run.failed is None else run.failed for run in runs]),
        reasons=tuple(run.reason for run in runs),
        varied={name: np.asarray(values, dtype=float) for name, values in varied.items()},
    )


def three() -> Runs:
    run = swinging("planar-2r")
    late = replace(run, q=run.q + 0.1)
    return several([run, lost_at(run, 40), late], bandwidth=[10, 20, 30], gains=[[1, 2], [3, 4], [5, 6]])
