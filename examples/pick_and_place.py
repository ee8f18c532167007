"""A PUMA picks up two kilograms and puts them down elsewhere, as fast as its motors allow.

The way there and back is scaled to the torques of the motors, with the load it will carry. The load is taken up on the way: a
parameter of the robot that changes while the simulation runs. The law is computed torque; once nobody tells it of the load, and once it
is told when the gripper closes. Law and motion are printed as C, for the controller on the robot.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import robosym
from robosym import codegen, control, trajectory

LOAD = 2.0  # kg, 10 cm before the flange
HOME, PICK, PLACE = [0, 0, 0, 0, 0, 0], [0.6, 0.4, -0.3, 0, 0.6, 0], [-0.7, 0.3, -0.1, 0, 0.5, 0]

puma = robosym.load("puma560").with_payload(6, centre=(0.0, 0.0, 0.1))
loaded = puma.replace(values={**puma.values, "load": robosym.robot.Value(LOAD, "kg")})


def quickest(robot: robosym.Robot, start: list[float], end: list[float]) -> trajectory.Trajectory:
    """A quintic from rest to rest that uses nine tenths of the torques."""
    slow = trajectory.point_to_point(start, end, "quintic", duration=2.0)
    most = {robot.frame(j).joint.name: 0.9 * float(robot.frame(j).joint.limits.effort or np.inf) for j in robot.moving}
    return trajectory.scaled_to_torque(robot, slow, torque=most, friction=True)


there, across = quickest(puma, HOME, PICK), quickest(loaded, PICK, PLACE)
print(
    f"to the load {there.duration:.3f} s, limited by {there.joint}; with it {across.duration:.3f} s, by {across.joint}"
)


def wanted(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One motion after the other; q, qd, qdd."""
    return there(t) if t < there.duration else across(min(t - there.duration, across.duration))


def errors(run: robosym.simulation.Run) -> str:
    most = 100 * np.max(run.peak_torque / run.bounds.effort)
    return f"largest error {1e3 * np.abs(run.error).max():.1f} mrad, at the end {1e3 * np.abs(run.error[-1]).max():.1f}, {most:.0f} % of a torque"


law = control.computed_torque(puma, bandwidth=25, friction=True)
lasting = there.duration + across.duration
untold = robosym.simulate(puma, law, wanted, duration=lasting, changes={there.duration: {"load": LOAD}})
print("a law that nobody tells of the load:", errors(untold))
alone = robosym.simulate(puma, law, there)
print("  without the load:", errors(alone))
law = control.computed_torque(loaded, bandwidth=25, friction=True)
told = robosym.simulate(loaded, law, across, q=alone.q[-1], qd=alone.qd[-1])
print("  with it, told when the gripper closes:", errors(told))

code = law.source("c") + codegen.source(trajectory.program(across), "c")
print(f"law and motion in C: {len(code.splitlines())} lines, {law.model.operations} each call")
if len(sys.argv) > 1:
    folder = Path(sys.argv[1])
    (folder / "law.c").write_text(law.source("c"), encoding="utf-8")
    (folder / "motion.c").write_text(codegen.source(trajectory.program(across), "c"), encoding="utf-8")
    untold.animate(folder / "pick_and_place.html")
