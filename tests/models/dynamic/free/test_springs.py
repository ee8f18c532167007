"""Joints with springs beside MuJoCo's springs, in files, and in a free flight of ten seconds."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import robosym
from robosym import models
from robosym.robot import Robot, RobotError

LINK = {"M": 2.0, "MX": 0.5, "XX": 0.05, "YY": 0.2, "ZZ": 0.2}


def arm() -> Robot:
    """Three joints in a plane and one across, two of them with springs."""
    rows = [
        {"joint": "a", **LINK},
        {"joint": "b", "d": 0.4, "spring": {"stiffness": 30.0, "damping": 0.8, "rest": 0.3}, **LINK},
        {"joint": "c", "d": 0.4, "alpha": "pi/2", **LINK},
        {"joint": "d", "d": 0.3, "spring": {"stiffness": 12.0}, **LINK},
    ]
    return Robot.from_table("arm", rows, gravity=[0, -9.81, 0])


def test_accelerations_are_those_of_mujoco() -> None:
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: its springs are not compared")
    world = mujoco.MjModel.from_xml_string(mjcf(arm()))
    data, rng = mujoco.MjData(world), np.random.default_rng(0)
    f = models.forward_dynamics(arm(), wrench="none").compile()
    for _ in range(5):
        q, qd, tau = rng.uniform(-1, 1, (3, 4))
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, qd, tau
        mujoco.mj_forward(world, data)
        np.testing.assert_allclose(f(q=q, qd=qd, tau=tau), data.qacc, rtol=1e-8, atol=1e-8)


def mjcf(robot: Robot) -> str:
    """The chain, body in body."""
    bodies = ""
    for frame in reversed(robot.frames):
        joint, d = frame.joint, float(frame.d.value) if frame.d.is_number else 0.0
        alpha = math.pi / 2 if not frame.alpha.is_zero else 0.0
        spring = ""
        if joint.spring is not None:
            own = joint.spring
            k, rest, damping = (float(x.value) for x in (own.stiffness, own.rest, own.damping))
            spring = f'stiffness="{k}" springref="{rest}" damping="{damping}"'
        M, MX = LINK["M"], LINK["MX"]
        c = MX / M
        inertia = f"{LINK['XX']} {LINK['YY'] - M * c * c} {LINK['ZZ'] - M * c * c}"
        bodies = (
            f'<body pos="{d} 0 0" quat="{math.cos(alpha / 2)!r} {math.sin(alpha / 2)!r} 0 0">'
            f'<inertial mass="{M}" pos="{c} 0 0" diaginertia="{inertia}"/>'
            f'<joint type="hinge" axis="0 0 1" {spring}/>{bodies}</body>'
        )
    return (
        '<mujoco><compiler angle="radian"/><option gravity="0 -9.81 0" timestep="1e-4"/>'
        f"<worldbody>{bodies}</worldbody></mujoco>"
    )


def test_energy_of_springs_is_kept() -> None:
    """Ten seconds without dampers and torques."""
    integrate = pytest.importorskip("scipy.integrate")
    rows = [
        {"joint": "a", "spring": {"stiffness": 5.0, "rest": 0.2}, **LINK},
        {"joint": "b", "d": 0.4, "spring": {"stiffness": 3.0}, **LINK},
    ]
    robot = Robot.from_table("swing", rows, gravity=[0, -9.81, 0])
    forward, energy = models.forward_dynamics(robot, wrench="none").compile(), models.energy(robot).compile()

    def rates(_: float, x: np.ndarray) -> np.ndarray:
        return np.concatenate([x[2:], forward(q=x[:2], qd=x[2:], tau=np.zeros(2))])

    found = integrate.solve_ivp(rates, (0, 10), [0.5, -0.3, 0.0, 1.0], method="DOP853", rtol=1e-12, atol=1e-12)
    levels = energy(q=found.y[:2].T, qd=found.y[2:].T)
    total = levels["total"].ravel()
    assert np.abs(total - total[0]).max() < 1e-8 * levels["kinetic"].max()


# --- files -----------------------------------------------------------------------------------------------------------


def test_springs_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    robosym.save(arm(), path)
    again = robosym.load(path)
    assert [f.joint for f in again.frames] == [f.joint for f in arm().frames]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"stiffness": 1.0},
            r"expected spring = \{stiffness, damping, rest\}.* or flexibility = \{stiffness, damping\}",
        ),
        ({"damping": 1.0}, r"expected spring = \{stiffness, damping, rest\}.* or flexibility = \{stiffness, damping\}"),
        ({"spring": {"damping": 1.0}}, "frame 1, spring stiffness: expected a number or a symbol"),
        ({"spring": 3.0}, "frame 1, spring: expected a table, got 3.0$"),
        ({"spring": {"stiffness": -1.0}}, "frame 1, spring stiffness: expected a number that is not negative"),
        (
            {"spring": {"stiffness": 1.0, "damping": -2}},
            "frame 1, spring damping: expected a number that is not negative",
        ),
        ({"spring": {"stiffness": "2*K"}}, "frame 1, spring stiffness: expected a number that is not negative, got -6"),
        ({"spring": {"stiffness": "2*q1"}}, "frame 1, spring stiffness: expected a constant"),
        ({"sigma": "fixed", "spring": {"stiffness": 1.0}}, "frame 1, spring: a fixed frame has no spring"),
        ({"flexibility": {"stiffness": 0}}, "frame 1, flexibility stiffness: expected a positive number"),
        ({"flexibility": {"stiffness": "K"}}, "frame 1, flexibility stiffness: expected a positive number.*got -3"),
        ({"flexibility": {"stiffness": 1, "rest": 1}}, "frame 1, flexibility, rest: unknown key"),
        ({"flexibility": {"stiffness": 1}, "active": False}, "frame 1, flexibility: the joint has no motor"),
        ({"flexibility": {"stiffness": 1}, "sigma": "fixed"}, "frame 1, flexibility: a fixed frame has no drive"),
        ({"flexible": True}, "flexible links are out of scope"),
        ({"beam": 3}, "flexible links are out of scope"),
        ({"rolling": True}, "rolling wheels are out of scope"),
    ],
)
def test_what_is_refused(row: dict, message: str) -> None:
    with pytest.raises(RobotError, match=message):
        Robot.from_table("bad", [{"M": 1, **row}], values={"K": -3})
