"""Terms beyond the links: together what motors, springs and friction do, and each one by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.driven_robots import driven_robot, friction_of
from models.reference import loaded_robot, numbers
from robots_with import sprung

import robosym
from robosym.expr import evaluate, expr, number, parameter
from robosym.models.regressors.parameters import inertial_parameters
from robosym.models.regressors.terms import Term, coupled_pairs, terms
from robosym.models.tree.bodies import Tree, tree
from robosym.models.tree.joint_torques import actuator_torque
from robosym.robot import FIXED, Friction, Robot, RobotError


def made(robot: Robot, friction: Any, extra: Any = None, rotors: bool = True) -> tuple[Tree, list[Term]]:
    own = inertial_parameters(robot, "standard", rotors, False)
    bodies = tree(robot)
    return bodies, terms(robot, bodies, own, friction, rotors, extra or {}, bodies.coordinates.qd)


def at(robot: Robot, bodies: Tree, seed: int = 1) -> dict[Any, float]:
    rng = np.random.default_rng(seed)
    own = bodies.coordinates
    known: dict[Any, float] = {parameter(name): value.number for name, value in robot.values.items()}
    return known | {x: float(rng.uniform(-1, 1)) for x in (*own.q, *own.qd, *own.qdd)}


def on_axes(found: list[Term], known: dict[Any, float]) -> dict[Any, float]:
    total: dict[Any, float] = {}
    for one in found:
        value = evaluate([one.value], known)[0]
        for axis, factor in one.torques.items():
            total[axis] = total.get(axis, 0.0) + value * evaluate([expr(factor)], known)[0]
    return {axis: x for axis, x in total.items() if x}


ROBOTS = {
    "loaded": lambda: loaded_robot(np.random.default_rng(3), 5, True),
    "coupled": lambda: driven_robot(np.random.default_rng(11), 6, couplings=2),
    "sprung": lambda: sprung(robosym.load("planar-2r")),
}


@pytest.mark.parametrize("name", ROBOTS)
def test_all_terms_together_are_what_the_motors_spend(name: str) -> None:
    robot = ROBOTS[name]()
    bodies, found = made(robot, True)
    known = at(robot, bodies)
    expected = {body.j: evaluate([actuator_torque(bodies, body, True, True)], known)[0] for body in bodies.bodies}
    assert on_axes(found, known) == pytest.approx({j: x for j, x in expected.items() if x}, rel=1e-11)


@pytest.mark.parametrize("name", ROBOTS)
def test_what_stores_energy_has_its_momentum(name: str) -> None:
    """Energy by the speeds is the momentum, its rate by the accelerations the torque; springs have no momentum."""
    robot = ROBOTS[name]()
    bodies, found = made(robot, False)
    known, h = at(robot, bodies), 1e-6
    speed = {body.j: evaluate([expr(body.speed)], known)[0] for body in bodies.bodies}
    assert found
    for one in found:
        assert one.stores == (one.energy != 0)
        momenta = {j: evaluate([expr(x)], known)[0] for j, x in one.momenta.items()}
        twice = 2 * evaluate([expr(one.energy)], known)[0]
        if one.momenta:
            assert twice == pytest.approx(sum(x * speed[j] for j, x in momenta.items()), rel=1e-12)
            later = {
                **known,
                **{
                    v: known[v] + h * known[a]
                    for v, a in zip(bodies.coordinates.qd, bodies.coordinates.qdd, strict=True)
                },
            }
            for j, factor in one.torques.items():
                rate = (evaluate([expr(one.momenta[j])], later)[0] - momenta[j]) / h
                assert rate == pytest.approx(evaluate([expr(factor)], known)[0], abs=1e-7)


def test_the_energy_of_a_spring_has_its_torque_for_slope() -> None:
    robot = ROBOTS["sprung"]()
    bodies, found = made(robot, False, rotors=False)
    (spring,) = [one for one in found if one.stores]
    j = robot.moving[-1]
    known, q, h = at(robot, bodies), bodies.coordinates.position(j), 1e-5
    ahead, back = (evaluate([expr(spring.energy)], {**known, q: known[q] + x})[0] for x in (h, -h))
    torque = evaluate([expr(spring.torques[j])], known)[0]
    assert torque == pytest.approx(known[q] - 0.1)  # its rest position
    assert (ahead - back) / (2 * h) == pytest.approx(torque, rel=1e-8)


def one_joint(law: Friction, **more: Any) -> Robot:
    robot = robosym.load("planar-2r")
    first = robot.frames[0]
    actuator = replace(first.actuator, Fv=number(0.5), Fs=number(0.25), friction=law, **more)
    return robot.replace(frames=(replace(first, actuator=actuator), *robot.frames[1:]))


@pytest.mark.parametrize("words", [("viscous", "coulomb", "offset"), ("viscous", "coulomb", "asymmetric")])
@pytest.mark.parametrize("qd", [0.7, -0.7])
def test_friction_of_a_joint_by_words(words: tuple[str, ...], qd: float) -> None:
    """With the values of the description the terms are its friction, where they can say it."""
    law = (
        Friction(Fv_negative=number(0.75), Fs_negative=number(2))
        if "asymmetric" in words
        else Friction(offset=number(3))
    )
    robot = one_joint(law)
    bodies, found = made(robot, words, rotors=False)
    own = [one for one in found if 1 in one.torques]
    expected = ["Fv1", "Fv_negative1", "Fs1", "Fs_negative1"] if "asymmetric" in words else ["Fv1", "Fs1", "offset1"]
    assert [one.name for one in own] == expected
    known = at(robot, bodies) | {bodies.coordinates.qd[0]: qd}
    assert on_axes(own, known)[1] == pytest.approx(friction_of(0.5, 0.25, law, qd))


def test_words_are_those_asked_for() -> None:
    robot = one_joint(Friction(Fv_negative=number(0.75)))
    for words, names in (("viscous", ["Fv1", "Fv2"]), (("coulomb",), ["Fs1", "Fs2"]), ((), []), (False, [])):
        assert [one.name for one in made(robot, words, rotors=False)[1]] == names
    one_sided = made(robot, ("coulomb", "asymmetric"), rotors=False)[1]
    assert [float(one.value.value) for one in one_sided[:2]] == [0.25, 0.25]


def test_joints_that_follow_add_their_friction() -> None:
    """By the square of the ratio, its magnitude and the ratio."""
    robot = loaded_robot(np.random.default_rng(6), 5, symbolic=False, moving_base=False)
    offset = Friction(offset=number(2))
    robot = robot.replace(frames=tuple(replace(f, actuator=replace(f.actuator, friction=offset)) for f in robot.frames))
    expected: dict[str, float] = {}
    for j in (j for j in robot.links if robot.frame(j).sigma != FIXED):
        master, ratio = robot.master(j)
        c, actuator = numbers(robot, [ratio])[0], robot.frame(j).actuator
        for name, x in (("Fv", c * c * actuator.Fv), ("Fs", abs(c) * actuator.Fs), ("offset", c * number(2))):
            expected[f"{name}{master}"] = expected.get(f"{name}{master}", 0.0) + float(expr(x).value)
    _, found = made(robot, ("viscous", "coulomb", "offset"), rotors=False)
    assert {one.name: float(one.value.value) for one in found} == pytest.approx(expected)
    assert len(expected) == 3 * len(robot.moving) < 3 * len(robot.links)


def test_coupled_motors() -> None:
    robot = ROBOTS["coupled"]()
    pairs = coupled_pairs(robot)
    for coupling in robot.couplings:
        assert {pair for pair in pairs if set(pair) <= set(coupling.frames)}
    assert all(i < j for i, j in pairs)
    assert len(pairs) == len(set(pairs))
    bodies, found = made(robot, ("viscous", "coulomb", "coupled"))
    names = [one.name for one in found]
    assert {f"Fv{i}_{j}" for i, j in pairs} <= set(names)
    assert {f"IA{i}_{j}" for i, j in pairs} <= set(names)
    known = at(robot, bodies)
    for one in found:
        if one.name.startswith("Fsm"):  # a motor's Coulomb friction does not push: its power is its speed's magnitude
            speed = {j: evaluate([expr(bodies.body(j).speed)], known)[0] for j in one.torques}
            power = sum(evaluate([expr(x)], known)[0] * speed[j] for j, x in one.torques.items())
            assert power > 0
            unit = [abs(evaluate([expr(x)], known)[0]) for j, x in one.torques.items() if one.name == f"Fsm{j}"]
            assert unit in ([], [pytest.approx(1.0)])


def test_columns_of_ones_own() -> None:
    robot = robosym.load("planar-2r")
    joint = robot.joint_names[1]
    bodies, found = made(robot, False, {"own": {joint: "sin(q2)*qd1 + L1"}, "two": {joint: 2.0}}, rotors=False)
    q2, qd1 = bodies.coordinates.q[1], bodies.coordinates.qd[0]
    known = {q2: 0.5, qd1: 3.0, parameter("L1"): 4.0}
    own, two = found
    assert evaluate([expr(own.torques[2])], known)[0] == pytest.approx(3 * np.sin(0.5) + 4)
    assert dict(two.torques) == {2: number(2)}
    for given, word in (
        ({"x": {"nobody": 1.0}}, "got the joint 'nobody'"),
        ({"x": {joint: "q9"}}, "got the symbol 'q9'"),
        ({"x": {joint: "1 +"}}, "extra x"),
    ):
        with pytest.raises(RobotError, match=word):
            made(robot, False, given)


@pytest.mark.parametrize(
    ("words", "problem"),
    [("dry", "got 'dry'"), (("asymmetric", "offset"), "cannot be told apart"), (("coupled",), "the robot has none")],
)
def test_words_that_mean_nothing_here(words: Any, problem: str) -> None:
    with pytest.raises(RobotError, match=problem):
        made(robosym.load("planar-2r"), words)
