"""The SR400, an arm with a parallelogram, moves its flange along a straight line; its law does not know what it carries.

The line becomes a motion of the six motors through the inverse geometric model; the law computes torques with the whole closed
structure, every millisecond; the simulation has another load than the law believes. How far is the flange from the line? What is left
without a load is friction: the law adds it where joints move, and those at rest stick until the error lets them go.
"""

from __future__ import annotations

import sys

import numpy as np

import robosym
from robosym import control
from robosym.trajectory import straight, timed, to_joints

known = robosym.load("sr400")
robot = known.with_payload("link6", centre=(0.0, 0.0, 0.2))
q0 = [0.2, -0.3, 0.1, 0.5, 0.2, 0.4]

A = robosym.models.transform(known).compile()(q=q0)
B = A.copy()
B[:3, 3] += [-0.2, 0.5, 0.1]
line = timed(straight(A, B), linear=(1.0, 4.0), angular=(1.0, 4.0), profile="quintic")
move = to_joints(known, line, 250, seed=q0)
length = np.linalg.norm(B[:3, 3] - A[:3, 3])
print(
    f"{length:.3f} m in {move.duration:.3f} s; between its samples the motion of the joints is {1e6 * move.deviation:.3f} micrometres off the line"
)

along = (B[:3, 3] - A[:3, 3]) / length
law = control.computed_torque(known, bandwidth=20, friction=True)
loads = np.array([0.0, 2.0, 5.0, 10.0])
runs = robosym.simulate(robot, law, move, batch={"load": loads})
away = runs.tip() - A[:3, 3]
beside = np.linalg.norm(away - (away @ along)[..., None] * along, axis=-1).max(axis=-1)
for load, off, peak in zip(loads, beside, runs.peak_torque.max(axis=-1), strict=True):
    print(f"load {load:4.0f} kg: at most {1e3 * off:7.4f} mm beside the line, torques up to {peak:.0f} N m")
if len(sys.argv) > 1:
    runs[-1].animate(sys.argv[1])
