"""Coordinates: power is the same on both sides, drift and rates agree with finite differences, on mimic chains and free bases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from models.reference import loaded_robot
from random_joint_kinds import joint_tree, random_state
from verification.kinds import Sine

import robosym
from robosym import models
from robosym.expr import Expr, evaluate, number, tangents, variable
from robosym.models.tree.coordinates import BASE_AXES, Coordinates, coordinates, free_base, joined
from robosym.program import ProgramError, jacobian, tangent
from robosym.program.json import dumps, loads
from robosym.robot import FIXED, REVOLUTE, Mimic, Robot, RobotError
from robosym.robot.joints import Ball, Free, JointKind, Planar, Screw, Universal


def with_joint(robot: Robot, j: int, **changes: object) -> Robot:
    frames = list(robot.frames)
    frames[j - 1] = replace(frames[j - 1], joint=replace(frames[j - 1].joint, **changes))
    return robot.replace(frames=tuple(frames))


def mimic_chain() -> Robot:
    """Joint 4 follows 2, joint 5 follows 4 and so 2, joint 6 follows 1; the ratios and offsets are parameters too."""
    robot = robosym.load("general-7r")
    for j, master, ratio, offset in ((4, 2, "2", "0.3"), (5, 4, "-K5", "O5"), (6, 1, "0.5", "0")):
        robot = with_joint(robot, j, mimic=Mimic(master, _parsed(ratio), _parsed(offset)))
    return robot


def _parsed(text: str) -> Expr:
    from robosym.expr import parse

    return parse(text)


def tree_with_everything(seed: int) -> Robot:
    return loaded_robot(np.random.default_rng(seed), 7, True)


def state(own: Coordinates, seed: int) -> dict[Any, float]:
    """Random numbers for the coordinates and their rates, and for the parameters of the mimic chain."""
    rng = np.random.default_rng(seed)
    symbols = [s for array in own.inputs(["q", "qd", "qdd", "tau"]) for s in array.entries]
    return {**dict(zip(symbols, rng.uniform(-1, 1, len(symbols)).tolist(), strict=True)), "K5": 0.7, "O5": -0.4}


def values(robot: Robot) -> dict[Any, float]:
    return {name: value.number for name, value in robot.values.items()}


def floats(entries: Any, known: Mapping[Any, float]) -> np.ndarray:
    return np.array([float(x) for x in evaluate([number(0) + e for e in entries], known)])


ROBOTS: dict[str, Callable[[], Robot]] = {
    "independent": lambda: robosym.load("rx90"),
    "mimic chain": mimic_chain,
    "free base": lambda: robosym.load("planar-2r", floating=True),
    "free base with mimic": lambda: replace(mimic_chain(), base=replace(robosym.load("rx90").base, floating=True)),
    **{f"random tree {seed}": partial(tree_with_everything, seed) for seed in range(6)},
}


@cache
def robot_of(name: str) -> Robot:
    return ROBOTS[name]()


@pytest.fixture(params=ROBOTS, name="robot")
def _robot(request: pytest.FixtureRequest) -> Robot:
    return robot_of(request.param)


def test_every_moving_joint_and_the_free_base_have_their_axes(robot: Robot) -> None:
    own = coordinates(robot)
    moving = {j for j in robot.order if robot.frame(j).sigma != FIXED}
    assert {axis for axis, _ in own.rows} == moving | (set(BASE_AXES) if robot.base.floating else set())
    assert (own.nq, own.nv) == (robot.nq, robot.nv)
    assert own.q == robot.coordinates
    assert len(own.names) == len(own.owners) == own.nv


def test_the_power_is_the_same_on_both_sides(robot: Robot) -> None:
    """Gamma . xd = tau . qd, whatever Gamma and qd are."""
    own = coordinates(robot)
    known = state(own, 1) | values(robot)
    axes = [axis for axis, _ in own.rows]
    gamma = np.random.default_rng(2).uniform(-1, 1, len(axes))
    tau = floats(own.torques(dict(zip(axes, gamma.tolist(), strict=True))), known)
    xd, qd = floats([own.speed(axis) for axis in axes], known), floats(own.qd, known)
    assert tau @ qd == pytest.approx(gamma @ xd, rel=1e-13)


def test_matrices_and_columns_are_projected_like_g(robot: Robot) -> None:
    """Against plain matrix products with G, which is read off unit speeds."""
    own = coordinates(robot)
    known = state(own, 3) | values(robot)
    axes = [axis for axis, _ in own.rows]
    G = np.zeros((len(axes), own.nv))
    for place, symbol in enumerate(own.inputs(["qd"])[0].entries):
        unit = known | dict.fromkeys(own.inputs(["qd"])[0].entries, 0.0) | {symbol: 1.0}
        still = known | dict.fromkeys(own.inputs(["qd"])[0].entries, 0.0)
        speeds = [own.speed(axis) for axis in axes]
        G[:, place] = floats(speeds, unit) - floats(speeds, still)
    set_by_description = [not qd.free for qd in map(_Free, own.qd)]
    rng = np.random.default_rng(4)
    X = rng.uniform(-1, 1, (len(axes), len(axes)))
    S = X + X.T
    pairs = {(a, b): X[i, j] for i, a in enumerate(axes) for j, b in enumerate(axes)}
    once = {(a, b): S[i, j] for i, a in enumerate(axes) for j, b in enumerate(axes) if i <= j}
    J = rng.uniform(-1, 1, (3, len(axes)))
    keep = [k for k, fixed in enumerate(set_by_description) if not fixed]
    matrix = np.array([floats(row, known) for row in own.matrix(pairs)])[np.ix_(keep, keep)]
    np.testing.assert_allclose(matrix, (G.T @ X @ G)[np.ix_(keep, keep)], atol=1e-13)
    full = np.array([floats(row, known) for row in own.full(once)])[np.ix_(keep, keep)]
    np.testing.assert_allclose(full, (G.T @ S @ G)[np.ix_(keep, keep)], atol=1e-13)
    columns = np.array([floats(c, known) for c in own.columns({a: J[:, i].tolist() for i, a in enumerate(axes)}, 3)]).T
    np.testing.assert_allclose(columns[:, keep], (J @ G)[:, keep], atol=1e-13)


def test_an_axis_may_follow_several_coordinates() -> None:
    """As the joints of a loop will: G with full rows, against plain matrix products."""
    rng = np.random.default_rng(8)
    G, X = rng.uniform(-1, 1, (4, 3)), rng.uniform(-1, 1, (4, 4))
    three = tuple(variable(f"x{k}") for k in range(3))
    own = Coordinates(q=three, qd=three, rows=tuple((j, tuple(enumerate(row.tolist()))) for j, row in enumerate(G, 1)))
    once = {(i + 1, j + 1): (X + X.T)[i, j] for i in range(4) for j in range(i, 4)}
    np.testing.assert_allclose(np.array(own.full(once), dtype=float), G.T @ (X + X.T) @ G, atol=1e-13)
    every = {(i + 1, j + 1): X[i, j] for i in range(4) for j in range(4)}
    np.testing.assert_allclose(np.array(own.matrix(every), dtype=float), G.T @ X @ G, atol=1e-13)
    np.testing.assert_allclose(np.array(own.torques(dict(enumerate(X[0], 1))), dtype=float), G.T @ X[0], atol=1e-13)


class _Free:
    """Whether an entry of qd is a symbol that a state can set."""

    def __init__(self, entry: Expr) -> None:
        self.free = entry.kind == "variable"


def test_speeds_accelerations_and_drift_agree_with_finite_differences(robot: Robot) -> None:
    """x(q(t)) along q(t) = q + qd t + qdd t^2 / 2, joint by joint; with qdd = 0 the acceleration is the drift."""
    own = coordinates(robot)
    known = state(own, 5) | values(robot)
    joints = [axis for axis, _ in own.rows if isinstance(axis, int)]
    entries = [entry for array in own.inputs(["q"]) for entry in array.entries][-len(robot.moving) :]
    qd, qdd = own.qd[-len(robot.moving) :], own.qdd[-len(robot.moving) :]
    q0, v, a = (floats(x, known) for x in (entries, qd, qdd))

    def positions(t: float, acceleration: np.ndarray) -> np.ndarray:
        moved = dict(zip(entries, (q0 + v * t + acceleration * t * t / 2).tolist(), strict=True))
        return floats([own.position(j) for j in joints], known | moved)

    h = 1e-3
    for acceleration, expected in (
        (a, [own.acceleration(j) for j in joints]),
        (0 * a, [own.drift(j) for j in joints]),
    ):
        before, here, after = (positions(t, acceleration) for t in (-h, 0, h))
        np.testing.assert_allclose((after - before) / (2 * h), floats([own.speed(j) for j in joints], known), atol=1e-9)
        np.testing.assert_allclose((after - 2 * here + before) / h**2, floats(expected, known), atol=1e-7)


def test_the_rates_of_a_free_base_are_those_of_a_small_step() -> None:
    """The pose moved by exp(qd dt) on its right: its velocity is given in its own axes."""
    robot = robosym.load("planar-2r", floating=True)
    own = coordinates(robot)
    rng = np.random.default_rng(1)
    q, qd, h = rng.uniform(-1, 1, robot.nq), rng.uniform(-1, 1, robot.nv), 1e-7
    q[3:7] /= np.linalg.norm(q[3:7])
    found = floats(own.rates, dict(zip((*own.q, *own.qd), (*q, *qd), strict=True)))
    x, y, z, w = q[3:7]
    left = np.array([[w, -z, y, x], [z, w, -x, y], [-y, x, w, z], [-x, -y, -z, w]])  # q * p for p = (x y z w)
    stepped = left @ [*(qd[3:6] * h / 2), 1]
    np.testing.assert_allclose(found[3:7], (stepped - q[3:7]) / h, atol=1e-7)
    v = np.array([x, y, z])
    turned = qd[:3] + 2 * np.cross(v, np.cross(v, qd[:3]) + w * qd[:3])
    np.testing.assert_allclose(found[:3], turned, atol=1e-14)
    np.testing.assert_allclose(found[7:], qd[6:])
    assert tangents([robot.coordinates[7]], dict(zip(own.q, own.rates, strict=True))) == [variable("qd1")]


def test_a_dependent_joint_moves_with_its_master() -> None:
    own = coordinates(mimic_chain())
    assert own.speed(4) == 2 * variable("qd2")
    assert own.speed(5) == -2 * _parsed("K5") * variable("qd2")
    assert own.places([5, 6]) == (0, 1)
    assert own.own_place(2) == 1
    assert own.own_place(2, [4]) is None
    assert own.own_place(4) is None
    assert not own.independent
    assert coordinates(robosym.load("rx90")).independent


def test_parts_are_joined_in_order() -> None:
    robot = robosym.load("planar-2r", floating=True)
    twice = joined([free_base(robot), free_base(robot)])
    assert twice.nq == 14
    assert [row for _, row in twice.rows] == [((k, 1),) for k in range(12)]


def test_a_loop_that_was_not_closed_has_no_coordinates() -> None:
    robot = robosym.load("general-7r").replace(loops=1)
    with pytest.raises(RobotError, match="closed loops"):
        coordinates(robot)


# --- a time derivative is right, or refused ---------------------------------------------------------------------------


@pytest.mark.parametrize("floating", [False, True])
def test_the_time_derivative_of_a_pose(floating: bool) -> None:
    """Against finite differences along a motion of q with the given qd; the free base's quaternion stays a unit one."""
    robot = robosym.load("rx90")
    robot = robot.replace(base=replace(robot.base, floating=floating))
    model = robosym.models.MODELS["geometric"](robot)
    program = model.program
    rate = tangent(program)
    own = coordinates(robot)
    rng = np.random.default_rng(7)
    q, qd, h = rng.uniform(-1, 1, own.nq), rng.uniform(-1, 1, own.nv), 1e-6
    if floating:
        q[3:7] /= np.linalg.norm(q[3:7])
    moved = floats(own.rates, dict(zip((*own.q, *own.qd), (*q, *qd), strict=True)))
    numbers = {name: value.number for name, value in robot.values.items()}
    up, down = (program.call(q=q + s * h * moved, parameters=numbers)["T"] for s in (1, -1))
    assert [array.name for array in rate.inputs] == ["q", "qd"]
    assert rate.inputs[1].shape == (robot.nv,)
    found = rate.call(q=q, qd=qd, parameters=numbers)["Td"]
    np.testing.assert_allclose(found, (up - down) / (2 * h), atol=1e-8)


def test_a_speed_that_the_input_does_not_have_is_refused() -> None:
    program = robosym.models.MODELS["geometric"](robosym.load("planar-2r", floating=True)).program
    with pytest.raises(ProgramError, match="'q' changes with 'qd', not with 'rate'"):
        tangent(program, {"q": "rate"})


def test_an_input_of_unknown_motion_is_refused_unless_constant() -> None:
    program = robosym.models.MODELS["inverse-dynamics"](robosym.load("planar-2r")).program
    with pytest.raises(ProgramError, match="how its input 'qdd' changes"):
        tangent(program, constant=("wrench",))
    rate = tangent(program, {"qdd": "jerk"}, constant=("wrench",))
    assert [array.name for array in rate.inputs] == ["q", "qd", "qdd", "wrench", "jerk"]
    with pytest.raises(ProgramError, match="no input 'w'"):
        tangent(program, constant=("w",))


def test_rates_survive_json_and_the_passes() -> None:
    for name in ("planar-2r", "rx90"):
        robot = robosym.load(name, floating=name == "planar-2r")
        kind = "geometric" if robot.base.floating else "forward-dynamics"  # its steps are called qdd1 ... too
        program = robosym.models.MODELS[kind](robot).program
        again = loads(dumps(program))
        assert again.inputs == program.inputs
        assert again.inputs[0].rate is not None
        assert jacobian(program).inputs == program.inputs


def test_blocks_are_the_entries_of_each_joint() -> None:
    robot = joint_tree([REVOLUTE, Ball(), Free()], np.random.default_rng(1), floating=True, serial=True)
    own = coordinates(robot)
    assert [(len(b.q), b.start, b.nv, b.quaternion) for b in own.blocks] == [
        (7, 0, 6, 3),
        (1, 6, 1, None),
        (4, 7, 3, 0),
        (7, 10, 6, 3),
    ]
    assert [x for block in own.blocks for x in block.q] == list(own.q) == list(robot.coordinates)
    assert own.placed
    assert own.curved
    assert not coordinates(joint_tree([REVOLUTE, Planar()], np.random.default_rng(1))).placed


def test_along_is_what_one_speed_does_to_the_positions() -> None:
    robot = joint_tree([REVOLUTE, Ball(), Universal()], np.random.default_rng(1), serial=True)
    own = coordinates(robot)
    q = dict(zip(own.q, np.random.default_rng(2).normal(size=own.nq), strict=True))
    speeds = [x for x, _, _ in own.symbols]
    for place in range(own.nv):
        unit = {x: float(k == place) for k, x in enumerate(speeds)}
        along = own.along(place)
        expected = evaluate(list(own.rates), {**q, **unit})
        assert set(along) <= set(own.q)
        np.testing.assert_allclose([evaluate([along.get(x, number(0))], q)[0] for x in own.q], expected, atol=1e-15)


def test_axes_with_other_speeds_are_not_independent() -> None:
    assert coordinates(joint_tree([REVOLUTE, Ball()], np.random.default_rng(1))).independent
    assert not coordinates(joint_tree([REVOLUTE, Sine()], np.random.default_rng(1))).independent
    robot = joint_tree([REVOLUTE, Sine()], np.random.default_rng(1), serial=True)
    state = random_state(robot, np.random.default_rng(2))
    tau = models.inverse_dynamics(robot, wrench="none").evaluate(q=state["q"], qd=state["qd"], qdd=state["qdd"])
    qdd = models.forward_dynamics(robot, wrench="none").evaluate(q=state["q"], qd=state["qd"], tau=tau)
    np.testing.assert_allclose(qdd, state["qdd"], atol=1e-10)


def test_a_joint_follows_a_screw_and_no_joint_of_several_speeds() -> None:
    def followed(kind: JointKind) -> Robot:
        robot = joint_tree([kind, REVOLUTE], np.random.default_rng(1), serial=True)
        frame = robot.frame(2)
        mimic = Mimic(1, number(0.5), number(0.2))
        return robot.replace(frames=(robot.frame(1), replace(frame, joint=replace(frame.joint, mimic=mimic))))

    robot = followed(Screw(number(0.3)))
    free = joint_tree([Screw(number(0.3)), REVOLUTE], np.random.default_rng(1), serial=True)
    q, qd, qdd = 0.4, 1.1, -0.7
    tau = models.inverse_dynamics(free, wrench="none").evaluate(q=[q, q / 2 + 0.2], qd=[qd, qd / 2], qdd=[qdd, qdd / 2])
    found = models.inverse_dynamics(robot, wrench="none").evaluate(q=[q], qd=[qd], qdd=[qdd])
    np.testing.assert_allclose(found, [tau[0] + tau[1] / 2], rtol=1e-12)
    with pytest.raises(RobotError, match="no joint can follow it"):
        models.inverse_dynamics(followed(Ball()), wrench="none")
