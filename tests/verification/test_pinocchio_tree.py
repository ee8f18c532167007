"""The tree of a robot in Pinocchio: joints, links and order of the rates."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from random_robots import random_robot
from verification.pendulums import LENGTH, G, M, pendulum

import robosym
from robosym.robot import Robot
from robosym.verification import pinocchio_tree
from robosym.verification.floats import FloatMoment
from robosym.verification.mechanism import Mechanism, State
from robosym.verification.pinocchio_tree import PinocchioTree, installed
from robosym.verification.reference import pose_of


@pytest.mark.skipif(not installed(), reason="Pinocchio is not installed")
@pytest.mark.parametrize("seed", range(6))
def test_floats_agree_with_pinocchio_on_random_trees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 7)
    if seed % 2:
        robot = robot.replace(base=replace(robot.base, floating=True))
    mechanism = Mechanism(robot)
    tree = PinocchioTree(mechanism)
    x = {j: float(rng.uniform(-1, 1)) for j in mechanism.joints}
    poses = {0: pose_of(rng.uniform(-1, 1, 7))} if seed % 2 else {}
    state, a = State(x, poses, rng.uniform(-1, 1, mechanism.n)), rng.uniform(-1, 1, mechanism.n)
    ours, theirs = FloatMoment(mechanism, state), tree.at(state)
    for j in range(len(robot.frames) + 1):
        for name in ("pose", "jacobian", "drift"):
            np.testing.assert_allclose(getattr(ours, name)(j), getattr(theirs, name)(j), atol=1e-11, err_msg=name)
    np.testing.assert_allclose(ours.torques(a), theirs.torques(a), atol=1e-10)
    np.testing.assert_allclose(ours.torques(a, gravity=False), theirs.torques(a, gravity=False), atol=1e-10)
    np.testing.assert_allclose(ours.momentum(), theirs.momentum(), atol=1e-10)
    np.testing.assert_allclose(ours.momentum_rate(a), theirs.momentum_rate(a), atol=1e-10)
    np.testing.assert_allclose(ours.centre(), theirs.centre(), atol=1e-11)
    np.testing.assert_allclose(ours.potential(), theirs.potential(), atol=1e-10)


# --- whether it is here ------------------------------------------------------------------------------------------------


def test_another_package_of_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def raises(name: str) -> Any:
        raise ImportError("a library is missing")

    monkeypatch.setattr(pinocchio_tree, "find_spec", lambda name: SimpleNamespace())
    for module, expected in ((SimpleNamespace(rnea=len), True), (SimpleNamespace(), False)):
        monkeypatch.setattr(pinocchio_tree, "import_module", lambda name, module=module: module)
        assert installed() is expected
    monkeypatch.setattr(pinocchio_tree, "import_module", raises)
    assert not installed()
    monkeypatch.setattr(pinocchio_tree, "find_spec", lambda name: None)
    assert not installed()


# --- the tree ----------------------------------------------------------------------------------------------------------

pinocchio = pytest.mark.skipif(not installed(), reason="Pinocchio is not installed")


@pinocchio
def test_a_pendulum_in_closed_form() -> None:
    mechanism = Mechanism(pendulum(spring=False))
    q, qd, qdd = 0.7, -1.3, 2.1
    at = PinocchioTree(mechanism).at(State({1: q}, {}, np.array([qd])))
    tip = LENGTH * np.array([np.cos(q), np.sin(q), 0])
    np.testing.assert_allclose(at.pose(2)[:3, 3], tip, atol=1e-14)
    np.testing.assert_allclose(at.jacobian(2)[:, 0], [-tip[1], tip[0], 0, 0, 0, 1], atol=1e-14)
    np.testing.assert_allclose(at.drift(2), [*(-(qd**2) * tip), 0, 0, 0], atol=1e-13)
    # The rotor is not in the tree: it is the armature of the mechanism.
    np.testing.assert_allclose(at.torques(np.array([qdd])), [M * LENGTH**2 * qdd + M * G * tip[0]], rtol=1e-13)
    np.testing.assert_allclose(at.torques(np.array([qdd]), gravity=False), [M * LENGTH**2 * qdd], rtol=1e-13)
    np.testing.assert_allclose(at.centre(), tip, atol=1e-14)
    assert at.potential() == pytest.approx(M * G * tip[1], rel=1e-13)
    np.testing.assert_allclose(at.momentum()[:3, 0], M * np.array([-tip[1], tip[0], 0]), atol=1e-13)
    np.testing.assert_allclose(at.momentum_rate(np.zeros(1))[:3], -M * qd**2 * tip, atol=1e-12)


def tree_of_two_branches() -> Robot:
    """Frames are numbered by turns: 1, 3 and 5 are one branch, 2 and 4 the other."""
    rows: list[dict[str, Any]] = [
        {"antecedent": 0, "M": 1.0, "MX": 0.2, "ZZ": 0.1},
        {"antecedent": 0, "sigma": "prismatic", "alpha": 0.3, "M": 2.0, "MY": 0.1},
        {"antecedent": 1, "d": 0.4, "M": 0.5, "ZZ": 0.3},
        {"antecedent": 2, "alpha": "pi/2", "r": 0.2, "M": 0.7, "MZ": 0.1, "XX": 0.2},
        {"antecedent": 3, "sigma": "fixed", "d": 0.3, "M": 0.4, "MX": 0.05},
    ]
    return Robot.from_table("two", rows, gravity=[0.5, 0, -9.81])


@pinocchio
@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
def test_branches_in_a_row_and_rates_in_our_order() -> None:
    mechanism = Mechanism(tree_of_two_branches())
    tree = PinocchioTree(mechanism)
    order = tree._branch_by_branch()
    assert sorted(order) == [1, 2, 3, 4, 5]
    assert order in ([2, 4, 1, 3, 5], [1, 3, 5, 2, 4])
    assert sorted(tree.order.tolist()) == list(range(mechanism.n))
    matrix = np.arange(24.0).reshape(6, 4)
    state = State({j: 0.1 * j for j in mechanism.joints}, {}, np.arange(1.0, 5.0))
    at = tree.at(state)
    np.testing.assert_array_equal(at._ours(matrix, 6)[:, tree.order], matrix)
    for j, joint in tree.joint.items():
        place = tree.model.joints[joint].idx_v
        assert at._v[place] == state.v[mechanism.columns[j][0]]
        assert at._q[tree.model.joints[joint].idx_q] == state.x[j]
    ours, a = FloatMoment(mechanism, state), np.array([0.3, -0.2, 0.7, 1.1])
    for j in range(6):
        np.testing.assert_allclose(at.pose(j), ours.pose(j), atol=1e-14)
    np.testing.assert_allclose(at.torques(a), ours.torques(a), atol=1e-12)


@pinocchio
def test_links_that_pinocchio_has_no_place_for() -> None:
    """First moments without a mass, as regrouped parameters have; an inertia without a mass is possible."""
    tree = PinocchioTree(Mechanism(Robot.from_table("wheel", [{"ZZ": 0.3}], gravity=[0, 0, -9.81])))
    state = State({1: 0.4}, {}, np.array([2.0]))
    np.testing.assert_allclose(tree.at(state).torques(np.array([5.0])), [1.5], rtol=1e-14)
    with pytest.warns(robosym.robot.RobotWarning):
        odd = Robot.from_table("odd", [{"ZZ": 0.3, "MX": 0.1}], gravity=[0, 0, -9.81])
    with pytest.raises(ArithmeticError, match="no first moments without a mass"):
        PinocchioTree(Mechanism(odd))


@pinocchio
def test_a_base_that_stands_and_one_that_floats() -> None:
    """Poses from the place of the base; six rates before those of the joints."""
    place = np.array([[0, -1, 0, 1.0], [1, 0, 0, 2.0], [0, 0, 1, 3.0], [0, 0, 0, 1]])
    robot = pendulum(spring=False, base={"location": place.ravel().tolist()})
    still = PinocchioTree(Mechanism(robot)).at(State({1: 0.7}, {}, np.array([1.0])))
    tip = np.array([LENGTH * np.cos(0.7), LENGTH * np.sin(0.7), 0, 1])
    np.testing.assert_allclose(still.pose(2)[:, 3], place @ tip, atol=1e-14)
    # Gravity is given in frame 0: the same torque, and heights count from its origin.
    np.testing.assert_allclose(still.torques(np.zeros(1)), [M * G * tip[0]], rtol=1e-12)
    assert still.potential() == pytest.approx(M * G * tip[1], rel=1e-12)
    free = PinocchioTree(Mechanism(robot.replace(base=replace(robot.base, floating=True))))
    own = pose_of(np.array([0.1, 0.2, 0.3, 0, 0, 0.6, 0.8]))
    v = np.array([1.0, 2, 3, 0.1, 0.2, 0.3, 0.5])
    at = free.at(State({1: 0.7}, {0: own}, v))
    np.testing.assert_allclose(at.pose(0), place @ own, atol=1e-14)
    np.testing.assert_allclose(at.jacobian(0)[:3, :3], (place @ own)[:3, :3], atol=1e-14)
    np.testing.assert_array_equal(at._v, v)
