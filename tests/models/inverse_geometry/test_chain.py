"""The chain of an inverse problem: its product is the direct model's, whatever is turned over or given."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np
import pytest
from models.inverse_geometry.robots import (
    Floats,
    gantry,
    inner_spherical,
    pieper,
    spherical_shoulder,
    three_parallel,
    with_slides,
)

import robosym
from robosym import models
from robosym.expr import Expr, evaluate, number
from robosym.models.inverse_geometry.chain import (
    Chain,
    Known,
    constants,
    group_matrix,
    inverse_matrix,
    inverse_rows,
    multiplied,
)
from robosym.models.inverse_geometry.derive import chain_for
from robosym.models.inverse_geometry.samples import samples, symbol_of
from robosym.robot import Robot, RobotError


def zigzag() -> Robot:
    """Antiparallel axes, one of them a slide's; offsets in the joints."""
    rows: list[Mapping[str, Any]] = [
        {"theta": "q1 + pi/2"},
        {"alpha": "pi", "d": 0.5, "r": 0.1, "theta": "q2 - 0.3"},
        {"alpha": "-pi", "d": 0.4, "r": 0.2},
        {"alpha": "pi", "d": 0.3, "sigma": "prismatic", "theta": 0.4, "r": "q4 + 0.25"},
        {"alpha": "pi/3", "d": 0.2, "theta": "q5 + 1"},
    ]
    return Robot.from_table("zigzag", rows)


ARMS = {
    "puma560": lambda: robosym.load("puma560"),
    "ur5": lambda: robosym.load("ur5"),
    "stanford": lambda: robosym.load("stanford"),
    "scara": lambda: robosym.load("scara"),
    "planar-3r": lambda: robosym.load("planar-3r"),
    "panda": lambda: robosym.load("panda"),
    "pieper": lambda: pieper(1),
    "three-parallel": lambda: three_parallel(1),
    "shoulder": lambda: spherical_shoulder(1),
    "inner": lambda: inner_spherical(1),
    "gantry": gantry,
    "slides": lambda: with_slides(1, (1, 3)),
    "zigzag": zigzag,
}


def direct(robot: Robot, chain: Chain, numbers: Any, q: tuple[float, ...], **frames: Any) -> Floats:
    """The direct model at the position of a sample, the joints given included."""
    state = np.zeros(robot.nq)
    positions = {joint.frame: x for joint, x in zip(chain.joints, q, strict=True)}
    positions |= {j: next(x for s, x in numbers.items() if s.name == f"given{j}") for j in chain.given}
    for j, x in positions.items():
        own = robot.frame(j).joint.variable
        state[next(k for k, s in enumerate(robot.coordinates) if s is own)] = x
    return np.asarray(models.transform(robot, **frames).compile()(q=state))


@pytest.mark.parametrize("name", ARMS)
def test_the_chain_makes_the_pose_of_the_direct_model(name: str) -> None:
    robot = ARMS[name]()
    chain = chain_for(robot)
    for sample in samples(chain, 5, seed=2):
        np.testing.assert_allclose(sample.T, direct(robot, chain, sample.numbers, sample.q), atol=1e-13)


@pytest.mark.parametrize("name", ARMS)
def test_the_product_of_the_groups_is_the_pose(name: str) -> None:
    """start G1 K1 ... Gm end as polynomials of known atoms."""
    chain = chain_for(ARMS[name]())
    atoms = [a + str(j.number) for j in chain.joints for a in (("r",) if j.prismatic else ("S", "C"))]
    known = Known({a: symbol_of(a) for a in atoms})
    pieces = [constants(chain.start)]
    for k, group in enumerate(chain.groups):
        pieces += [constants(chain.between[k - 1])] if k else []
        pieces.append(group_matrix(group, known))
    rows = multiplied(*pieces, constants(chain.end))
    entries: list[Expr] = [p.get((), number(0)) for row in rows for p in row]
    for sample in samples(chain, 3, seed=3):
        found = np.array(evaluate(entries, sample.numbers), dtype=float).reshape(3, 4)
        np.testing.assert_allclose(found, sample.T[:3], atol=1e-13)


def test_parallel_axes_are_one_group_also_antiparallel_ones() -> None:
    assert [len(g.joints) for g in chain_for(robosym.load("ur5")).groups] == [1, 3, 1, 1]
    assert [len(g.joints) for g in chain_for(robosym.load("scara")).groups] == [4]
    turned = chain_for(zigzag())
    assert [len(g.joints) for g in turned.groups] == [4, 1]
    assert [joint.sign for joint in turned.joints] == [1, -1, 1, -1, 1]


@pytest.mark.parametrize("given", [(7,), (1,), (3, 5)])
def test_given_joints_are_no_unknowns(given: tuple[int, ...]) -> None:
    robot = robosym.load("panda")
    chain = chain_for(robot, given=given)
    assert not {joint.frame for joint in chain.joints} & set(given)
    assert len(chain.joints) == 7 - len(given)
    for sample in samples(chain, 3, seed=4):
        np.testing.assert_allclose(sample.T, direct(robot, chain, sample.numbers, sample.q), atol=1e-13)


def test_the_world_and_inner_frames() -> None:
    location = [[0, -1, 0, 0.3], [1, 0, 0, -0.2], [0, 0, 1, 0.9], [0, 0, 0, 1]]
    rows: list[Mapping[str, Any]] = [{"r": 0.2}, {"alpha": "pi/2", "d": 0.1}, {"d": 0.4}]
    robot = Robot.from_table("placed", rows, base={"location": location})
    for base, frame in (("world", 3), ("world", 2), (0, 3)):
        chain = chain_for(robot, frame=frame, base=base)
        sample = samples(chain, 1)[0]
        expected = direct(robot, chain, sample.numbers, sample.q, frame=frame, reference=base)
        np.testing.assert_allclose(sample.T, expected, atol=1e-13)


def test_inverses() -> None:
    chain = chain_for(robosym.load("puma560"))
    numbers = samples(chain, 1)[0].numbers
    unit = np.eye(4)[:3]
    for rows in chain.between:
        both = multiplied(constants(rows), constants(inverse_rows(rows)))
        flat = evaluate([p.get((), number(0)) for row in both for p in row], numbers)
        np.testing.assert_allclose(np.array(flat, dtype=float).reshape(3, 4), unit, atol=1e-14)
    group = group_matrix(chain.groups[1], Known({a: symbol_of(a) for a in ("S2", "C2", "S3", "C3")}))
    both = reduce(lambda a, b: multiplied(a, b), [group, inverse_matrix(group)])
    flat = evaluate([p.get((), number(0)) for row in both for p in row], numbers)
    np.testing.assert_allclose(np.array(flat, dtype=float).reshape(3, 4), unit, atol=1e-14)


def test_what_cannot_be_solved_is_named() -> None:
    robot = robosym.load("puma560")
    with pytest.raises(RobotError, match="no joint 'elbow9'"):
        chain_for(robot, given=["elbow9"])
    with pytest.raises(RobotError, match="expected 0"):
        chain_for(robot, base=2)
    with pytest.raises(RobotError, match="nothing to solve"):
        chain_for(Robot.from_table("stiff", [{"sigma": "fixed", "d": 1}, {"d": 1}]), frame=1)
