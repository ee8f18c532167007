"""How the carriers of the joints move, against plain motion in the axes of frame 0."""

from __future__ import annotations

import numpy as np
import pytest
from models.derivatives.moving_frames import foot_frame, random_tree
from models.reference import _joint_rates, _motion, frame_poses, numbers
from models.small_matrices import skew
from sweeps import many

import robosym
from robosym.models.derivatives.carriers import Moving, carriers, places
from robosym.models.tree.bodies import tree
from robosym.program import Scope


def agree(found: Moving, R: np.ndarray, w: np.ndarray, wd: np.ndarray, vd: np.ndarray) -> None:
    """Against vectors in the axes of frame 0."""
    np.testing.assert_allclose(found.w, R.T @ w, atol=1e-12)
    np.testing.assert_allclose(found.twice, 2 * R.T @ w, atol=1e-12)
    np.testing.assert_allclose(found.wd, R.T @ wd, atol=1e-11)
    np.testing.assert_allclose(np.array(found.U).T, R.T @ (skew(wd) + skew(w) @ skew(w)) @ R, atol=1e-11)
    np.testing.assert_allclose(found.vd, R.T @ vd, atol=1e-11)


@pytest.mark.parametrize("seed", range(many(8)))
def test_carriers_and_links_move_as_the_robot_does(seed: int) -> None:
    robot, numeric, state = random_tree(seed)
    where = places(numeric)
    moving, links = carriers(numeric, where, Scope())
    bodies = _motion(robot, state["q"], *(_joint_rates(robot, state[name]) for name in ("qd", "qdd")))
    g = np.array(numbers(robot, robot.gravity))
    for body in numeric.bodies:
        i = bodies[body.parent]
        foot = foot_frame(robot, numeric, body, state["q"])
        U = skew(i.wd) + skew(i.w) @ skew(i.w)
        agree(moving[body.j], foot[:3, :3], i.w, i.wd, i.a + U @ (foot[:3, 3] - i.p) - g)
    for j, found in links.items():
        own, left = bodies[j], float(where[j].left) if j else 0.0
        c, s = np.cos(left), np.sin(left)
        agree(found, own.R @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]), own.w, own.wd, own.a - g)
    assert set(links) == {0, *(body.j for body in numeric.bodies if numeric.children(body.j))}


@pytest.mark.parametrize("seed", range(many(8)))
def test_a_place_leads_from_the_axes_of_the_carrier_to_those_of_the_link(seed: int) -> None:
    robot, numeric, state = random_tree(seed)
    where, poses = places(numeric), frame_poses(robot, state["q"])
    for body in numeric.bodies:
        own = where[body.j]
        turned = sum(float(turn.angle) for turn in own.turn) + float(own.left)
        before = float(where[body.parent].left) if body.parent else 0.0
        assert turned == pytest.approx(before + float(body.turn))
        foot = foot_frame(robot, numeric, body, state["q"])
        carrier = poses[body.parent].copy()
        c, s = np.cos(before), np.sin(before)
        carrier[:3, :3] = carrier[:3, :3] @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        np.testing.assert_allclose(carrier[:3, :3] @ own.arm + carrier[:3, 3], foot[:3, 3], atol=1e-12)


def test_a_link_whose_joints_are_all_parallel_is_never_turned() -> None:
    """Of a SCARA the link that slides is turned, by all angles before it; of a planar arm none is."""
    for name, expected in (("scara", [False, False, True, False]), ("planar-3r", [False] * 3)):
        where = places(tree(robosym.load(name)))
        assert [bool(own.turn) for own in where.values()] == expected
