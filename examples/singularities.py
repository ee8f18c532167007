"""Where is a robot singular? ``python examples/singularities.py puma560`` prints the positions and what is lost there.

At a singular position some joint speeds leave the frame at rest, and in exchange it cannot move in some direction.
"""

from __future__ import annotations

import sys

import numpy as np

import robosym
from robosym.analysis import null_space
from robosym.expr import evaluate

robot = robosym.load(sys.argv[1] if len(sys.argv) > 1 else "rx90")
model = robosym.models.jacobian_determinant(robot)
if model.factors:
    print(f"{robot.name}: det J is the product of {', '.join(model.as_dict()['factors'])}")
else:
    print(f"{robot.name} is redundant: sqrt(det J J^T) has no factors, and nothing is solved")

rows = [("vx", "vy", "vz", "wx", "wy", "wz").index(row) for row in model.options["rows"]]
jacobian = robosym.models.jacobian(robot, axes=0).compile()
numbers = {symbol: value.number for symbol, value in robot.values.items()}
rng = np.random.default_rng(0)

for one in model.singularities:
    print()
    print("\n".join(one.lines(model.joints)))
    if one.solved is None:
        continue
    state = numbers | dict(zip(robot.coordinates, rng.uniform(-1, 1, robot.nq), strict=True))
    state[one.solved.joint] = evaluate([one.solved.values[0]], state)[0]
    q = [float(state[symbol]) for symbol in robot.coordinates]
    J = jacobian(q=q)[rows]
    lost, _, rank = null_space(J.T, tolerance=1e-9)
    print(f"  for example at q = {np.round(q, 3)}: rank {rank} of {len(rows)}")
    for twist in lost.T:
        print(f"    no motion along {' '.join(model.options['rows'])} = {np.round(twist, 3)}")
