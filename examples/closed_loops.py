"""A four-bar linkage falls and swings: its loop is solved inside the model, and its energy stays what it was."""

from __future__ import annotations

import numpy as np

import robosym

robot = robosym.load("four-bar")
print(f"{robot.name}: q is {', '.join(robot.joint_names)}")

loops = robosym.models.loop_geometry(robot)
positions = loops.compile()
print(f"modes: {', '.join(loops.modes)}; here {loops.mode}")
for name, x in loops.by_name(positions(q=[0.5])).items():
    print(f"   {name:8} {float(x):9.5f} rad")

forward = robosym.models.forward_dynamics(robot).compile()
energy = robosym.models.energy(robot).compile()


def rates(state: np.ndarray) -> np.ndarray:
    q, qd = state[:1], state[1:]
    qdd = forward(q=q, qd=qd, tau=[0.0])
    assert qdd.assembled
    return np.concatenate([qd, qdd])


h, path = 0.001, [np.array([0.5, 0.0])]
for _ in range(5000):  # Runge and Kutta's fourth order
    x = path[-1]
    a = rates(x)
    b = rates(x + h / 2 * a)
    c = rates(x + h / 2 * b)
    path.append(x + h / 6 * (a + 2 * b + 2 * c + rates(x + h * c)))
q, qd = np.array(path)[:, :1], np.array(path)[:, 1:]
found = energy(q=q, qd=qd)
drift = np.ptp(found["total"]) / np.max(found["kinetic"])
print(
    f"five seconds: crank from {q.min():.2f} to {q.max():.2f} rad, energy within {drift:.0e} of the largest kinetic energy"
)
