"""Where is the tool? The fast geometric model of a URDF-like robot, for one state and for a batch of states."""

from __future__ import annotations

import numpy as np

import robosym

robot = robosym.load("panda")
model = robosym.models.transform(robot, frame="flange")
print(f"pose of the flange of the {robot.name}: {model.operations}")

pose = model.compile()
one = pose(q=np.zeros(7))
many = pose(q=np.random.default_rng(1).uniform(-1, 1, (1000, 7)))
print(f"at zero the flange stands at {one[:3, 3].round(4)}; {len(many)} poses in one call have shape {many.shape}")
