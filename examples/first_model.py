"""The main job on one robot: derive a model of the RX-90, count it, write it as C, compile it and call it."""

from __future__ import annotations

from pathlib import Path

import robosym

robot = robosym.load("rx90")
model = robosym.models.geometric(robot)
print(f"fast geometric model of the {robot.name}: {model.operations}")

# No count of this model is published; multiplying the six matrices as they stand is the yardstick.
products = robot.nq - 1
print(f"{products} products of homogeneous matrices: {36 * products} mul + {27 * products} add = {63 * products}")

folder = Path("out")
folder.mkdir(exist_ok=True)
(folder / "rx90_geometric.c").write_text(model.source("c"), encoding="utf-8")
print(f"wrote {folder / 'rx90_geometric.c'}")

q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
pose = model.compile()(q=q)
print(f"pose of the terminal frame at q = {q}:")
print(pose.round(6))
