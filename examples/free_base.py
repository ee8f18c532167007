"""A robot that floats: it turns itself by moving its joints, and no force acts on it."""

import numpy as np

import robosym
from robosym.models.tree.joints import free_rates

robot = robosym.load("eel-3")
robot = robot.replace(values={**robot.values, "G3": robosym.robot.Value(0.0)})  # far from the earth
moved = robosym.models.base_acceleration(robot).compile()
momentum = robosym.models.centroidal_momentum(robot).compile()

# The joints go round a circle and come back to where they were: q = a (1 - cos t), a sin t.
steps = 4000
dt = 2 * np.pi / steps
a = 0.8
q = np.array([0, 0, 0, 0, 0, 0, 1, 0, 0], float)
qd = np.zeros(8)
qd[7] = a
# The base starts so that the whole robot has no momentum.
AG = momentum(q=q)
qd[:6] = np.linalg.solve(AG[:, :6], -AG[:, 6:] @ qd[6:])
for k in range(steps):
    t = (k + 0.5) * dt
    base = moved(q=q, qd=qd, qdd=[a * np.cos(t), -a * np.sin(t)])["qdd_base"]
    qd[:6] += dt * base
    qd[6:] = a * np.sin(t + dt / 2), a * np.cos(t + dt / 2)
    middle = qd.copy()
    q[:7] += dt * np.array(free_rates(q[:7], middle[:6]), float)
    q[3:7] /= np.linalg.norm(q[3:7])
    q[7:] = a * (1 - np.cos(t + dt / 2)), a * np.sin(t + dt / 2)

turned = 2 * np.degrees(np.arcsin(np.linalg.norm(q[3:6])))
left = np.abs(momentum(q=q) @ qd).max()
print(f"after one round of its joints the head of {robot.name} has turned by {turned:.1f} degrees")
print(f"momentum: {left:.0e} kg m/s (and kg m^2/s)")
