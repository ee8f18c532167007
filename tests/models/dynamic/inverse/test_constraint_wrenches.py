"""The wrenches through cut joints: as Lagrange multipliers, as external wrenches on an open tree, and by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.optimize
from models.loops.closed_states import clear_states
from models.loops.cut_motion import relative_motion
from models.loops.iterated_linkages import sliding_ring, stephenson
from models.loops.linkage_states import MADE, kinematics_of, positions, robot_of, states
from models.loops.linkages import bennett, loaded, spherical
from models.loops.random_mechanisms import KINDS, random_mechanism
from models.pinocchio_states import Twin
from models.reference import dh_matrix, newton_euler, numbers
from sweeps import some

import robosym
from robosym.expr import number
from robosym.models import constraint_wrenches, inverse_dynamics, loop_geometry, loop_kinematics
from robosym.robot import PRISMATIC, Link, Robot

ROWS = ("FX", "FY", "FZ", "CX", "CY", "CZ")
MECHANISMS = ("four-bar", "five-bar", "sr400", "palletizer", *MADE)


def mechanism(name: str) -> Robot:
    return loaded(np.random.default_rng(8), robot_of(name))


def motion(name: str) -> Any:
    """States: q, qd, qdd of the driven joints and positions, speeds, accelerations of those of the tree and the cut ones."""
    rng = np.random.default_rng(2)
    f = kinematics_of(name).evaluate
    for q, qd in states(name):
        qdd = rng.uniform(-2, 2, len(qd))
        m = f(q=q, qd=qd)
        G = np.vstack([m["G"], m["G_c"]])
        drift = np.concatenate([m["drift"], m["drift_c"]])
        yield (q, qd, qdd), (positions(name, q), G @ qd, G @ qdd + drift)


def wrench_of(f: Any, state: Any) -> np.ndarray:
    q, qd, qdd = state
    return np.asarray(f(q=q, qd=qd, qdd=qdd))


def torques_of(f: Any, state: Any) -> np.ndarray:
    q, qd, qdd = state
    return np.asarray(f(q=q, qd=qd, qdd=qdd))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some(MECHANISMS, 2))
def test_open_tree_with_the_wrenches_moves_like_the_closed_one(name: str) -> None:
    """With w on the links that a cut joint connects no passive joint needs a motor, and the driven ones need the closed
    robot's torques; friction and rotors at every joint, at the cut one too."""
    robot = mechanism(name)
    model, inverse = constraint_wrenches(robot, friction=True), inverse_dynamics(robot, friction=True).evaluate
    f = model.evaluate
    for state, moved in motion(name):
        w = wrench_of(f, state)
        torques, size = torques_of_the_tree(robot, moved, w)
        tree = robot.equivalent_tree
        driven = [tree.moving.index(j) for j in robot.moving]
        assert np.abs(np.delete(torques, driven)).max() < 1e-9 * size
        assert np.abs(torques[driven] - torques_of(inverse, state)).max() < 1e-9 * size
        _, xd, xdd = moved
        for k, frame in enumerate(robot.frames[robot.n_links : robot.n_links + robot.loops]):
            own, i = frame.actuator, robot.loops - k
            Ia, Fv, Fs = numbers(robot, (own.Ia, own.Fv, own.Fs))
            axial = w[k, 2 if frame.sigma == PRISMATIC else 5]
            assert axial == pytest.approx(-(Ia * xdd[-i] + Fv * xd[-i] + Fs * np.sign(xd[-i])), rel=1e-9)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("kind", some(KINDS, 2))
def test_random_mechanisms(kind: str) -> None:
    """The same of mechanisms anywhere in space, with arms on their links."""
    robot = loaded(np.random.default_rng(3), random_mechanism(kind, 5))
    f, rates = constraint_wrenches(robot, friction=True).evaluate, loop_kinematics(robot, output="rates").evaluate
    for state in clear_states(robot, None, 2):
        m = rates(q=state.q, qd=state.qd)
        G, drift = np.vstack([m["G"], m["G_c"]]), np.concatenate([m["drift"], m["drift_c"]])
        w = wrench_of(f, (state.q, state.qd, state.qdd))
        torques, size = torques_of_the_tree(robot, (state.x, G @ state.qd, G @ state.qdd + drift), w)
        passive = [k for k, j in enumerate(robot.equivalent_tree.moving) if j not in robot.moving]
        assert np.abs(torques[passive]).max() < 1e-9 * size


@pytest.mark.slow
@pytest.mark.parametrize("make", [stephenson, sliding_ring])
def test_loops_that_are_closed_by_iteration(make: Callable[[], Robot]) -> None:
    robot = make()
    near = robosym.mobility(robot).position
    robot = loaded(np.random.default_rng(3), robot)
    f = constraint_wrenches(robot, friction=True, near=near).compile()
    rates, geometry = loop_kinematics(robot, near=near).compile(), loop_geometry(robot, near=near).compile()
    q, qd, qdd = np.array([near[name] for name in robot.joint_names]), np.array([0.7]), np.array([-0.4])
    m, x = rates(q=q, qd=qd), geometry(q=q)
    assert x["assembled"]
    assert np.allclose(m["W"], -np.linalg.solve(m["W_p"], m["W_a"]), atol=1e-10)
    G, drift = np.vstack([m["G"], m["G_c"]]), np.concatenate([m["drift"], m["drift_c"]])
    moved = (x["positions"], G @ qd, G @ qdd + drift)
    torques, size = torques_of_the_tree(robot, moved, wrench_of(f, (q, qd, qdd)))
    passive = [k for k, j in enumerate(robot.equivalent_tree.moving) if j not in robot.moving]
    assert np.abs(torques[passive]).max() < 1e-9 * size


def torques_of_the_tree(robot: Robot, moved: Any, w: np.ndarray) -> tuple[np.ndarray, float]:
    """What the joints of the open tree need with these wrenches over the cuts, and the largest torque without them."""
    tree = robot.equivalent_tree
    n = len(tree.moving)
    x = moved[0]
    assert w.shape == (robot.loops, 6)
    exerted: dict[int, np.ndarray] = {}
    for k in range(robot.loops):
        cut = robot.n_links + k + 1
        for frame, sign in ((cut, 1), (cut + robot.loops, -1)):
            for link, one in carried(robot, frame, x[n + k], sign * w[k]).items():
                exerted[link] = exerted.get(link, np.zeros(6)) + one
    state = [one[:n] for one in moved]
    found, free = (newton_euler(tree, *state, wrenches, friction=True).tau for wrenches in (exerted, {}))
    return found, float(np.abs(free).max())


def carried(robot: Robot, frame: int, x: float, w: np.ndarray) -> dict[int, np.ndarray]:
    """A wrench in a frame of the cut joint, as one of the link that carries it; none on the base."""
    link = robot.frame(frame).antecedent
    if not link:
        return {}
    moving = robot.replace(loops=0, closure=None)
    at = np.zeros(moving.nq)
    if frame in moving.moving:
        at[moving.moving.index(frame)] = x
    T = dh_matrix(*numbers(moving, robot.frame(frame).geometry, at))
    force = T[:3, :3] @ w[:3]
    return {link: np.concatenate([force, T[:3, :3] @ w[3:] + np.cross(T[:3, 3], force)])}


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["four-bar", "five-bar", "sr400", "spherical"])
def test_determined_components_are_lagrange_multipliers(name: str) -> None:
    """[M J^T; J 0] [a; w] = [S tau - h; -g] on Pinocchio's tree, by least squares: what is determined is the same in all
    solutions, and the accelerations are those of the closed robot."""
    robot = mechanism(name)
    tree = robot.equivalent_tree
    model = constraint_wrenches(robot)
    f, inverse = model.evaluate, inverse_dynamics(robot).evaluate
    n = len(tree.moving)
    twin = Twin.of_robot(tree)
    cut = robot.frame(robot.n_links + 1)
    (Ia,) = numbers(robot, [cut.actuator.Ia])
    assert model.undetermined
    sure = [c for c in range(5) if f"{cut.joint.name} {ROWS[c]}" not in model.undetermined]
    for state, (x, xd, xdd) in motion(name):
        J, g = relative_motion(robot, x[:n], xd[:n])
        M, h = twin.crba(x[:n]), twin.bias(x[:n], xd[:n])
        # The rotor of the cut joint turns with z . (w_twin - w_k).
        M = M + Ia * np.outer(J[5], J[5])
        h = h + Ia * J[5] * g[5]
        S = np.zeros(n)
        S[[tree.moving.index(j) for j in robot.moving]] = torques_of(inverse, state)
        J, g = J[:5], g[:5]
        A = np.block([[M, J.T], [J, np.zeros((5, 5))]])
        found = np.linalg.lstsq(A, np.concatenate([S - h, -g]), rcond=1e-12)[0]
        assert np.allclose(found[:n], xdd[:n], rtol=1e-9, atol=1e-9)
        size = 1 + np.abs(found[n:]).max()
        w = wrench_of(f, state)[0]
        assert np.abs(w[sure] - found[n:][sure]).max(initial=0.0) < 1e-9 * size
        # The others balance the robot as well as any.
        assert np.abs(J.T @ (w[:5] - found[n:])).max() < 1e-9 * size


def test_rod_without_mass_pulls_along_itself() -> None:
    """A four-bar at rest whose coupler has no mass: the moment of the rocker's weight is that of a force along the coupler."""
    robot = robosym.load("four-bar")
    frames = list(robot.frames)
    frames[1] = replace(frames[1], link=Link())
    robot = robot.replace(frames=tuple(frames))
    value = {key: one.number for key, one in robot.values.items()}
    f, g = constraint_wrenches(robot).compile(), loop_geometry(robot).compile()
    for q in (0.3, 1.2, -2.0):
        w = f(q=[q], qd=[0.0], qdd=[0.0])["w"][0]
        _, coupler, rocker, _ = g(q=[q])["positions"]
        weight = value["G2"] * (value["MX3"] * np.cos(rocker) - value["MY3"] * np.sin(rocker))  # moment about its pivot
        assert w[1] == pytest.approx(-weight / value["D5"])
        direction = q + coupler - rocker  # of the coupler, in the axes of the rocker
        assert w[0] * np.sin(direction) == pytest.approx(w[1] * np.cos(direction))
        assert np.array_equal(w[2:], np.zeros(4))


def test_wrench_on_the_environment_goes_through_the_loop() -> None:
    """A moment on the rocker of a four-bar at rest without gravity: power goes in at the crank and out at the rocker."""
    robot = robosym.load("four-bar").replace(gravity=(number(0),) * 3)
    f = constraint_wrenches(robot, wrench="all").compile()
    G = loop_kinematics(robot, output="rates").compile()(q=[0.8], qd=[0.0])["G"]
    load = np.zeros((3, 6))
    load[2, 5] = 2.0
    w = f(q=[0.8], qd=[0.0], qdd=[0.0], wrench=load)["w"][0]
    assert w[1] == pytest.approx(2.0 / robot.values["D5"].number)
    tau = inverse_dynamics(robot, wrench="all").compile()(q=[0.8], qd=[0.0], qdd=[0.0], wrench=load)["tau"]
    assert tau[0] == pytest.approx(2.0 * G[2, 0])


def test_what_rigid_bodies_do_not_determine_is_named() -> None:
    planar = constraint_wrenches(robosym.load("four-bar"))
    assert planar.joint_names == ("cut",)
    assert planar.undetermined == planar.released == ("cut FZ", "cut CX", "cut CY")
    twisted = constraint_wrenches(bennett())
    assert len(twisted.released) == 3
    assert set(twisted.released) < set(twisted.undetermined)
    assert len(constraint_wrenches(spherical()).released) == 3


def test_what_is_refused() -> None:
    with pytest.raises(robosym.RobosymError, match="there is none"):
        constraint_wrenches(robosym.load("rx90"))


def test_what_is_not_released_may_not_hold_a_loop_in_space() -> None:
    """Bennett's linkage: no pair of the components that are kept balances it everywhere."""
    robot = robosym.load("bennett")
    force = constraint_wrenches(robot).compile()
    torque = inverse_dynamics(robot).compile()
    kinematics = loop_kinematics(robot).compile()

    def determinant(q: float) -> float:
        return float(np.linalg.det(kinematics(q=[q], qd=[1.0])["W_p"]))

    angles = np.linspace(-np.pi, np.pi, 60)
    a, b = next((a, b) for a, b in pairwise(angles) if determinant(a) * determinant(b) < 0)
    singular = float(scipy.optimize.brentq(determinant, a, b, xtol=1e-15))
    for q, holds in ((singular, 0), (singular + 1e-10, 0), (singular + 1e-3, 1), (0.0, 1), (np.pi, 1), (0.7, 1)):
        assert force(q=[q], qd=[1.0], qdd=[0.0])["assembled"] == holds
        assert torque(q=[q], qd=[1.0], qdd=[0.0])["assembled"] == 1
