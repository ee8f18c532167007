"""Planar joint: x, y and the angle about z in the axes before the joint."""

from __future__ import annotations

import numpy as np
from robot.joints.chain_motion import Numbers, check_kind, state, turn

from robosym.expr import evaluate, expr
from robosym.program import Unmarked
from robosym.robot.joints import Planar
from robosym.robot.joints.planar import shifts
from robosym.spatial.screws import from_left


def test_motion() -> None:
    check_kind(Planar())


def test_pose() -> None:
    q, qd, _ = state(Planar())
    pose = Numbers(Planar(), q, qd, {}).pose(np.zeros(3))
    np.testing.assert_allclose(pose[:3, 3], [q[0], q[1], 0], atol=1e-15)
    np.testing.assert_allclose(pose[:3, :3], turn("z", q[2])[:3, :3], atol=1e-15)


def test_shifts() -> None:
    columns, position = from_left(shifts(1.0, 2.0, 3.0), Unmarked())
    np.testing.assert_allclose(evaluate(list(map(expr, position)), {}), [1, 2, 3], atol=1e-15)
    np.testing.assert_allclose([evaluate(list(map(expr, column)), {}) for column in columns], np.eye(3), atol=1e-15)
