"""The platform as the base of what it carries: the wrench that moves it, against Newton and Euler in floats."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel.moving_platforms import Moving, moving
from models.reference import numbers

import robosym
from robosym.expr import evaluate, expr
from robosym.models.parallel.structure import module_of
from robosym.models.parallel.trees import lumped, platform_torques, platform_tree
from robosym.models.tree.state import wrench_symbols
from robosym.robot import INERTIA


def symmetric(six: object) -> np.ndarray:
    xx, xy, xz, yy, yz, zz = (float(x) for x in six)  # type: ignore[attr-defined]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def wrench_on(at: Moving, pushed: bool = False) -> tuple[list, dict]:
    """The wrench that moves the platform in the axes of frame 0, and the torques of joints on it, without rotors."""
    pushing = frozenset([at.motion.module.platform.frame]) if pushed else None
    bodies = platform_tree(at.motion, pushing).without_rotors()
    return at.motion.of_platform(platform_torques(at.motion, bodies, at.motion.scope)[1])


@pytest.mark.parametrize("kind", ["3-RPS", "6-UPS-wrist"])
def test_the_wrench_is_that_of_newton_and_euler(kind: str) -> None:
    """Every body that stands on the platform, moved as the states have it; joints on it have the moment about their axes."""
    at = moving(kind)
    robot, module = at.robot, at.motion.module
    gravity = np.array(numbers(robot, robot.gravity))
    frame = module.platform.frame
    expected = np.zeros((len(at.states), 6))
    moments: dict[int, np.ndarray] = {}
    for j in (frame, *module.carried):
        ten = dict(zip(INERTIA, numbers(robot, robot.frame(j).link.inertial), strict=True))
        J = symmetric([ten[k] for k in ("XX", "XY", "XZ", "YY", "YZ", "ZZ")])
        own = at.states.moving[j]
        R, a = own.T[:, :3, :3], own.a - gravity
        ms = R @ [ten["MX"], ten["MY"], ten["MZ"]]
        Jw = np.einsum("bij,jk,blk->bil", R, J, R)
        force = ten["M"] * a + np.cross(own.wd, ms) + np.cross(own.w, np.cross(own.w, ms))
        moment = np.einsum("bij,bj->bi", Jw, own.wd) + np.cross(own.w, np.einsum("bij,bj->bi", Jw, own.w))
        moment += np.cross(ms, a)
        for i in (frame, *module.carried_joints):
            if i == frame or i in robot.path(j):
                to = at.states.moving[i].T
                there = moment + np.cross(own.T[:, :3, 3] - to[:, :3, 3], force)
                if i == frame:
                    expected += np.hstack([force, there])
                else:
                    part = force if robot.frame(i).sigma == 1 else there
                    moments[i] = moments.get(i, 0) + np.einsum("bi,bi->b", to[:, :3, 2], part)
    wrench, torques = wrench_on(at)
    np.testing.assert_allclose(at.numbers(wrench), expected, rtol=1e-9, atol=1e-9)
    assert set(torques) == set(module.carried_joints)
    for j in module.carried_joints:
        np.testing.assert_allclose(at.numbers([torques[j]])[:, 0], moments[j], rtol=1e-8, atol=1e-8)


def test_the_wrench_on_the_environment_is_added() -> None:
    at = moving("3-RPS")
    plain, _ = wrench_on(at)
    pushed, _ = wrench_on(at, pushed=True)
    values = {name: value.number for name, value in at.robot.values.items()} | at.states.numbers()
    values |= dict(zip(wrench_symbols(at.motion.module.platform.frame), (1.0, 2.0, 3.0, 4.0, 5.0, 6.0), strict=True))
    more = np.array(
        [np.broadcast_to(x, 3) for x in evaluate([expr(a - b) for a, b in zip(pushed, plain, strict=True)], values)]
    )
    R = at.states.T[:, :3, :3]
    np.testing.assert_allclose(more.T, np.hstack([R @ [1, 2, 3], R @ [4, 5, 6]]), atol=1e-10)


def test_bodies_fixed_to_the_platform_are_added_to_it() -> None:
    robot = robosym.load("gough-stewart")
    body = lumped(module_of(robot).carrier)
    mass = float(numbers(robot, [body.mass])[0])
    module = module_of(robot)
    own = [numbers(robot, [robot.frame(j).link.M])[0] for j in (module.platform.frame, *module.carried)]
    assert mass == pytest.approx(sum(own))
