"""A robot that floats far from the earth: its arm swings, a law catches it, and the arm turns the body back.

No force acts from outside. So all that the joints do turns the body the other way, and momentum stays zero; once the joints rest, the body
rests, but it has turned. A round trip of the joints turns it again, by an angle that depends on the way: the robot looks for the round trip
that brings the body back, and ends as it began.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

import robosym
from robosym import control
from robosym.expr import number
from robosym.robot import Link, Value

# An arm of two joints on a body of 8 kg, all in one plane.
arm = robosym.load("planar-2r", floating=True)
body = Link(M=number(8), XX=number(0.3), YY=number(0.3), ZZ=number(0.3))
flat = {name: Value(0.0) for name in arm.values if name[:2] in ("XZ", "YZ", "MZ")}
robot = arm.replace(
    name="free-flyer",
    base=replace(arm.base, link=body),
    gravity=(number(0),) * 3,
    values={name: value for name, value in (arm.values | flat).items() if name != "G2"},
)
momentum = robosym.models.centroidal_momentum(robot).compile()
law = control.computed_torque(robot, bandwidth=8.0, friction=True, period=2e-3)


def turned(q: np.ndarray) -> float:
    """The angle of the body in degrees."""
    return math.degrees(2 * math.atan2(q[5], q[6]))


def largest_momentum(run: robosym.simulation.Run) -> float:
    """Of the whole robot on the way, in kg m/s and kg m^2/s."""
    return max(np.abs(momentum(q=q) @ qd).max() for q, qd in zip(run.q[::50], run.qd[::50], strict=True))


# The arm swings: its joints have speeds, and the body such that there is no momentum.
q, qd = np.array([0, 0, 0, 0, 0, 0, 1, 0.2, -0.3]), np.zeros(8)
qd[6:] = 2.5, -1.5
AG = momentum(q=q)
qd[:6] = np.linalg.solve(AG[:, :6], -AG[:, 6:] @ qd[6:])

caught = robosym.simulate(robot, law, [0.0, 0.0], q=q, qd=qd, duration=2.0)
print(
    f"caught: joint speeds {np.abs(qd[6:]).max():.1f} -> {np.abs(caught.qd[-1, 6:]).max():.0e} rad/s, torques up to {caught.peak_torque.max():.2f} N m"
)
print(
    f"  the body rests too, {np.abs(caught.qd[-1, :6]).max():.0e}, but it has turned by {turned(caught.q[-1]):.2f} degrees; momentum {largest_momentum(caught):.0e}"
)


def round_trip(a: float, lasting: float = 3.0) -> robosym.simulation.Run:
    """q = a sin s, |a| (1 - cos s): a circle from rest to rest, the other way round if a is negative."""

    def wanted(t: float) -> tuple[list[float], list[float], list[float]]:
        r, b = min(t / lasting, 1.0), abs(a)
        s = 2 * math.pi * r**3 * (10 - 15 * r + 6 * r * r)
        sd = 2 * math.pi * 30 * r**2 * (1 - r) ** 2 / lasting
        sdd = 2 * math.pi * 60 * r * (1 - r) * (1 - 2 * r) / lasting**2
        q = [a * math.sin(s), b * (1 - math.cos(s))]
        qd = [a * math.cos(s) * sd, b * math.sin(s) * sd]
        qdd = [a * (math.cos(s) * sdd - math.sin(s) * sd**2), b * (math.cos(s) * sd**2 + math.sin(s) * sdd)]
        return q, qd, qdd

    return robosym.simulate(robot, law, wanted, q=caught.q[-1], qd=caught.qd[-1], duration=lasting + 1.0)


# How far the body turns grows with the circle, and which way depends on the way round: by halves to the one that brings it back.
low, high = -1.5, 1.5
rising = turned(round_trip(high).q[-1]) > turned(round_trip(low).q[-1])
for _ in range(18):
    a = (low + high) / 2
    back = round_trip(a)
    low, high = (low, a) if (turned(back.q[-1]) > 0) == rising else (a, high)
print(
    f"a round trip of the joints on a circle of {abs(a):.4f} rad brings the body back: {turned(back.q[-1]):.0e} degrees are left"
)
print(
    f"  on the way it turned by up to {max(abs(turned(q)) for q in back.q):.1f} degrees; momentum {largest_momentum(back):.0e}"
)
