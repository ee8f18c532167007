"""An arm with flexible joints, whose motors move them through springs: feedback alone, and feedback about what the model says.

Both laws measure the motors and have the same gains. The second one adds the torques of the wanted motion and knows how far the springs
stretch, so that the joints, and not the motors, come to where they should be.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import robosym
from robosym import control, trajectory
from robosym.expr import number
from robosym.robot import Flexibility

STIFFNESS, DAMPING, ROTOR = 3000.0, 2.0, 0.4  # N m/rad, N m s/rad, kg m^2 on the joint's side

rigid = robosym.load("planar-2r")
frames = list(rigid.frames)
for j in rigid.moving:
    frame = frames[j - 1]
    flexibility = Flexibility(number(STIFFNESS), number(DAMPING))
    frames[j - 1] = replace(frame, actuator=replace(frame.actuator, Ia=number(ROTOR), flexibility=flexibility))
arm = rigid.replace(name="flexible-2r", frames=tuple(frames))

start, end = [0.3, -0.6], [1.2, 0.5]
move = trajectory.point_to_point(start, end, "quintic", duration=0.8)
tip = robosym.models.transform(arm, part="position").compile()
gains = {"Kp": 200.0, "Kd": 30.0}
laws = {
    "feedback alone": control.pid(arm, **gains, KI=0.0),
    "with feed-forward": control.feed_forward(arm, **gains, friction=True),
}
for name, law in laws.items():
    run = robosym.simulate(arm, law, move, duration=1.6)
    wanted = tip(q=run.reference["q_d"])
    away = 1e3 * np.linalg.norm(run.tip() - wanted, axis=1)
    after = run.time > move.duration
    rest = away[-1]
    shaking = np.ptp(run.tip()[run.time > move.duration + 0.2], axis=0).max() * 1e3
    print(f"{name}: the tip is {away[~after].max():.1f} mm off on the way, {rest:.2f} mm at the end;")
    print(f"  0.2 s after the motion it still shakes by {shaking:.2f} mm")
stretched = np.abs(run.more["q_motor"] - run.q).max()
print(f"the springs stretch by up to {1e3 * stretched:.0f} mrad")
print(f"slowest vibration of the locked arm: {law.check(end).resonance:.0f} rad/s")
