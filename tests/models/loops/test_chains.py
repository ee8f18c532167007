"""A loop opened where its unknown joints begin: the chain ends where the rest of the loop has its end."""

from __future__ import annotations

import numpy as np
import pytest
from models.loops.described_places import motions_matrix, values_at
from models.loops.random_mechanisms import KINDS, random_mechanism
from models.reference import dh_matrix

from robosym.expr import Expr, evaluate
from robosym.models.inverse_geometry.chain.chain import Chain, ConstantRows, given_symbol
from robosym.models.loops.chains import opened, target_rows
from robosym.models.loops.structure import loops_of
from robosym.robot import FIXED, Robot


def numeric(rows: ConstantRows, values: dict[Expr, float]) -> np.ndarray:
    T = np.eye(4)
    T[:3] = np.array([float(x) for x in evaluate([x for row in rows for x in row], values)]).reshape(3, 4)
    return T


def end_of(chain: Chain, values: dict[Expr, float], positions: dict[int, float]) -> np.ndarray:
    """The pose of a chain's end: pieces and joints about or along z, one after the other."""
    pieces = [numeric(rows, values) for rows in chain.pieces]
    T = pieces[0]
    for joint, after in zip(chain.joints, pieces[1:], strict=True):
        z = joint.sign * positions[joint.frame] / (chain.unit if joint.prismatic else 1.0)
        z += float(evaluate([joint.offset], values)[0])
        T = T @ (dh_matrix(0, 0, 0, 0, 0, z) if joint.prismatic else dh_matrix(0, 0, 0, 0, z, 0)) @ after
    T[:3, 3] *= chain.unit
    return T


def around(robot: Robot, known: set[int], loop: object) -> list[bool]:
    """Which passages of a loop have an unknown joint."""
    return [robot.frame(p.frame).sigma != FIXED and p.frame not in known for p in loop.around]  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", KINDS)
def test_the_chain_ends_where_the_known_joints_put_it(kind: str) -> None:
    """At the described position, which is closed: with the driven joints known, and with any others."""
    robot = random_mechanism(kind, 7, named=None)
    values = values_at(robot)
    positions = {j: values[v] for j, f in enumerate(robot.frames, 1) if (v := f.joint.variable) is not None}
    rng = np.random.default_rng(0)
    for loop in loops_of(robot):
        joints = loop.joints(robot)
        for _ in range(3):
            known = set(rng.choice(joints, len(joints) - 2, replace=False).tolist()) | set(robot.moving)
            if not any(around(robot, known, loop)):
                continue
            way = opened(robot, loop, known)
            own = values | {given_symbol(j): positions[j] for j in way.chain.given}
            T = numeric(target_rows(way), values)
            np.testing.assert_allclose(T, motions_matrix(way.target, values), atol=1e-12)
            np.testing.assert_allclose(end_of(way.chain, own, positions), T, atol=1e-11)
            assert {joint.frame for joint in way.chain.joints} == set(joints) - known


@pytest.mark.parametrize("kind", KINDS)
def test_the_longest_way_without_unknown_joints_is_left_out(kind: str) -> None:
    """What is known and stands between unknown joints is given: nothing of the longest run of known passages."""
    robot = random_mechanism(kind, 8)
    rng = np.random.default_rng(1)
    for loop in loops_of(robot):
        joints = loop.joints(robot)
        for count in range(1, len(joints)):
            known = set(joints) - set(rng.choice(joints, count, replace=False).tolist())
            unknown, n = around(robot, known, loop), len(loop.around)
            gaps = []
            for k in (k for k in range(n) if unknown[k]):  # the passages after it, up to the next unknown one
                length = next(i for i in range(1, n + 1) if unknown[(k + i) % n]) - 1
                gaps.append([loop.around[(k + i) % n].frame for i in range(1, length + 1)])
            longest = max(map(len, gaps))
            given = set(opened(robot, loop, known).chain.given)
            assert given in [known & set(joints) - set(gap) for gap in gaps if len(gap) == longest]
