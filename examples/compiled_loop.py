"""A loop of your own, compiled whole: an arm falls under gravity for two seconds, 2000 steps in one call, and is printed as C.

A ``Routine`` puts stages around programs: here the forward dynamics of the arm and one step of integration, repeated, with the
positions recorded. What goes in and comes out again, q and qd, is its state.
"""

from __future__ import annotations

import numpy as np

import robosym
from robosym import codegen
from robosym.program.of_arrays import program_of, run_over
from robosym.program.routine import Fill, Record, Repeat, Routine, Run, Slot
from robosym.runtime import compile_program

robot = robosym.load("planar-2r")
dynamics = robosym.models.forward_dynamics(robot)
h = 0.001

step = program_of(
    "step",
    {"q": (2,), "qd": (2,), "qdd": (2,)},
    lambda q, qd, qdd: {"qd_now": qd + h * qdd, "q_now": q + h * (qd + h * qdd)},
)
needed = {array.name: array.shape for array in dynamics.program.inputs if array.name not in ("q", "qd", "tau")}
fall = Routine(
    "fall",
    inputs=(Slot("q", (2,), "positions in rad"), Slot("qd", (2,), "speeds"), Slot("tau", (2,), "torques, held")),
    outputs=(Slot("q", (2,)), Slot("qd", (2,)), Slot("path", (21, 2), "positions every 0.1 s")),
    stages=(
        *(Fill(name, shape) for name, shape in needed.items()),
        Fill("path", (21, 2)),
        Repeat(2001, (Record("q", "path", "turn", every=100), Run(dynamics.program), run_over(step)), turn="turn"),
    ),
    notes=(f"{robot.name} falls for two seconds",),
)

run = compile_program(fall, values=dynamics.values)
made = run(q=[0.0, 0.0], qd=[0.0, 0.0], tau=[0.0, 0.0])
print("seconds   shoulder      elbow")
for k in range(0, 21, 4):
    print(f"{k / 10:7.1f} {made['path'][k][0]:10.5f} {made['path'][k][1]:10.5f}")

many = run(q=np.random.default_rng(1).uniform(-1, 1, (100, 2)), qd=np.zeros((100, 2)), tau=np.zeros((100, 2)))
print(f"a hundred arms at once end at positions of shape {many['q'].shape}")
print(codegen.source(fall, "c").splitlines()[1])
