"""A Gough-Stewart platform circles: the forces of its legs, where else it could be with the same lengths, and its code."""

from __future__ import annotations

import numpy as np

import robosym

robot = robosym.load("gough-stewart")  # Tsai's platform
print(f"{robot.name}: q is {', '.join(robot.joint_names)}")

# A circle of 10 cm in one second, the platform level: pose, twist and its rate of a hundred instants at once.
w, r = 2 * np.pi, 0.1
t = np.linspace(0.0, 1.0, 100, endpoint=False)
zero, one = np.zeros_like(t), np.ones_like(t)
x, y = -1.5 + r * np.cos(w * t), r * np.sin(w * t)
pose = np.stack([x, y, one, zero, zero, zero, one], axis=1)
twist = np.stack([-r * w * np.sin(w * t), r * w * np.cos(w * t), zero, zero, zero, zero], axis=1)
rate = np.stack([-r * w**2 * np.cos(w * t), -r * w**2 * np.sin(w * t), zero, zero, zero, zero], axis=1)

dynamics = robosym.models.inverse_dynamics(robot, wrench="none")
forces = dynamics.compile()(pose=pose, twist=twist, twist_rate=rate)
resting = robosym.models.gravity(robot).compile()(pose=pose)
print(f"inverse dynamics: {dynamics.operations}")
for k, name in enumerate(robot.joint_names):
    print(f"   {name}: {forces[:, k].min():7.2f} to {forces[:, k].max():6.2f} N, at rest {resting[:, k].mean():5.2f} N")

# The energy that the motors put in over the circle is none: it ends as it began.
speeds = robosym.models.velocities(robot).compile()(pose=pose, twist=twist)
print(f"work of the motors over the circle: {np.sum(forces * speeds) / len(t):.1e} J")

# The lengths at the first instant, and every pose that has them.
lengths = robosym.models.inverse_geometric(robot)(pose[0]).solutions[0]
direct = robosym.models.direct_geometric(robot)
poses = direct(lengths)
print(f"with the lengths {', '.join(f'{x:.4f}' for x in lengths)} m: {poses.message}")
for T in poses:
    place, axis = (", ".join(f"{x:7.4f}" for x in np.round(T[:3, k], 4) + 0.0) for k in (3, 2))
    print(f"   at ({place}) m, its z axis along ({axis})")
near, apart = poses.near(direct(lengths, near=[-1.45, 0.02, 1.02, 0, 0, 0, 1]))
print(
    f"Newton's iteration from a pose nearby ends at the one at ({', '.join(f'{x:.4f}' for x in near[:3, 3])}), {apart:.0e} from it"
)

# In the coordinates of the motors the iteration is part of the model; its start is the pose found last.
motors = robosym.models.forward_dynamics(robot, coordinates="motors", wrench="none")
qdd = motors.compile()(q=lengths, qd=speeds[0], tau=forces[0], start=pose[0])
print(f"forward dynamics from the motors, assembled: {qdd.assembled:.0f}, qdd {', '.join(f'{x:.3f}' for x in qdd)}")
for name, model in (("inverse dynamics", dynamics), ("forward dynamics from the motors", motors)):
    print(f"{name} in C: {len(model.source('c').splitlines())} lines")
