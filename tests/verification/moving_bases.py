"""Verification of random robots whose base moves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from random_robots import random_robot

import robosym
from robosym.expr import parameter
from robosym.verification import verify
from robosym.verification.pinocchio_tree import installed
from robosym.verification.reference import pose_of


def moving_base(seed: int) -> dict[str, str]:
    """The verdicts on a random tree, or a four-bar, whose base is somewhere and moves as described."""
    rng = np.random.default_rng(seed)
    robot = robosym.load("four-bar") if seed % 4 == 0 else random_robot(rng, 5, symbolic=seed % 2 == 1)
    motion = {name: rng.uniform(-2, 2, 3) for name in ("velocity", "angular_velocity", "acceleration")}
    pose = pose_of(rng.uniform(-1, 1, 7)).ravel()
    base = replace(robot.base, location=pose, angular_acceleration=(parameter("WDX"), 0, 0.5), **motion)
    rows = verify(robot.replace(base=base), states=2, pinocchio=installed() and seed % 3 == 0)
    assert not [row for row in rows if row.differs], [row for row in rows if row.differs]
    return {row.model: row.verdict for row in rows}
