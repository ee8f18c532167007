"""The main job on one robot: derive the inverse dynamic model of the RX-90, count it, write C, compile it, call it."""

from __future__ import annotations

from pathlib import Path

import robosym
from robosym.published import cells

robot = robosym.load("rx90")
model = robosym.models.inverse_dynamics(robot, parameters="base")
print(f"inverse dynamic model of the {robot.name}, base parameters: {model.operations}")

published = next(c for c in cells() if (c.robot, c.model, c.parameters) == ("rx90", "inverse-dynamics", "base"))
print(f"published: {published.mul} mul + {published.add} add = {published.total} ({published.source})")

folder = Path("out")
folder.mkdir(exist_ok=True)
(folder / "rx90_inverse_dynamics.c").write_text(model.source("c"), encoding="utf-8")
print(f"wrote {folder / 'rx90_inverse_dynamics.c'}")

torques = model.compile()
q, qd, qdd = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [1, -1, 1, -1, 1, -1], [0, 1, 0, 1, 0, 1]
print(f"torques at q = {q}, qd = {qd}, qdd = {qdd}:")
print(torques(q=q, qd=qd, qdd=qdd).round(6))
print("the same, seen and moved: make web opens the page (with pip: robosym web)")
