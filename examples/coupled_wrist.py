"""Two motors drive a wrist whose pitch turns the roll along: what they have to give along a motion, and whether they can."""

from __future__ import annotations

import numpy as np

import robosym
from robosym.formats import toml

DESCRIPTION = """
name = "coupled wrist"
gravity = [0, -9.81, 0]

[[frame]]
name = "pitch"
XX = 0.002
YY = 0.03
ZZ = 0.03
MX = 0.15
M = 1.1
Fv = 0.05
Fs = 0.2
friction = {Fst = 0.35, B = 6, Fs_negative = 0.25, width = 0.02}
motor = {Jm = 3e-5, KT = 0.06, Ka = 2, limits = {torque = 0.1, speed = 300, current = 2}}

[[frame]]
name = "roll"
alpha = "pi/2"
XX = 0.002
YY = 0.001
ZZ = 0.002
MY = 0.02
M = 0.4
friction = {points = [[0, 0.1], [0.2, 0.06], [2, 0.12]], width = 0.02}
motor = {Jm = 3e-5, KT = 0.06, Ka = 2, limits = {torque = 0.1, speed = 300, current = 2}}

[[coupling]]
frames = ["pitch", "roll"]
matrix = [["1/80", 0], ["-1/100", "1/60"]]
"""

robot = toml.loads(DESCRIPTION)
transmission = robosym.models.transmission(robot).compile()
drive = robosym.models.motor_torques(robot, friction=True).compile()
torques = robosym.models.inverse_dynamics(robot, friction=True).compile()

# A turn of both joints in two seconds, from rest to rest.
t = np.linspace(0, 2, 401)
s, sd, sdd = (
    (t / 2) ** 3 * (10 - 15 * t / 2 + 6 * (t / 2) ** 2),
    15 * (t / 2) ** 2 * (1 - t / 2) ** 2,
    15 * (t / 2) * (1 - t / 2) * (1 - t),
)
turn = np.array([1.2, -2.0])
q, qd, qdd = (np.outer(x, turn) for x in (s, sd, sdd))

found = drive(q=q, qd=qd, qdd=qdd)
tau = torques(q=q, qd=qd, qdd=qdd)
motors = transmission(q=q, qd=qd, tau=tau)
limits = robosym.models.motor_limits(robot)
for name, values, most in (
    ("torque", found["tau_m"], limits.torque),
    ("speed", motors["qd_m"], limits.speed),
    ("current", found["i"], limits.current),
):
    used = np.abs(values).max(axis=0) / most
    print(f"{name:8} at most " + ", ".join(f"{100 * x:3.0f} %" for x in used) + " of what the motors can give")

lost = np.abs(np.sum(tau * qd, axis=-1) - np.sum(found["tau_m"] * motors["qd_m"], axis=-1)).max()
print(f"power of the joints and of the motors: equal within {lost:.0e} W")

A = robosym.models.inertia_matrix(robot).compile()
bare = robosym.models.inertia_matrix(robot, rotor_inertia=False).compile()
print("the rotors seen from the joints, kg m^2:")
print(np.round(A(q=[0, 0]) - bare(q=[0, 0]), 4))

# The same motion from its torques: forward dynamics with smooth friction, which a fixed step can follow.
smooth = robosym.models.inverse_dynamics(robot, friction="smooth").compile()
forward = robosym.models.forward_dynamics(robot, friction="smooth").compile()
tau = smooth(q=q, qd=qd, qdd=qdd)
error = np.abs(forward(q=q, qd=qd, tau=tau) - qdd).max()
print(f"forward dynamics gives the accelerations back within {error:.0e} rad/s^2")
