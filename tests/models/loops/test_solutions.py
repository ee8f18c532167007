"""Loops in closed form: every branch closes its loop at random positions of what is known."""

from __future__ import annotations

import numpy as np
import pytest
from models.loops.described_places import frame_matrix, values_at
from models.loops.iterated_linkages import stephenson
from models.loops.linkages import six_bar
from models.loops.random_mechanisms import KINDS, random_mechanism
from sweeps import some

from robosym.expr import evaluate
from robosym.models.inverse_geometry.closed_form.plan import NoClosedFormError
from robosym.models.loops.plan import plan_of
from robosym.models.loops.solutions import solved_loop
from robosym.models.loops.structure import Loop, loops_of, variable_of
from robosym.robot import Robot


def opening(robot: Robot, loop: Loop, values: dict) -> float:
    T = np.eye(4)
    for one in loop.around:
        own = frame_matrix(robot, one.frame, values)
        T = T @ (np.linalg.inv(own) if one.back else own)
    return float(np.abs(T - np.eye(4)).max())


@pytest.mark.parametrize("kind", some(KINDS, 3))
def test_every_branch_closes_the_loop(kind: str) -> None:
    robot = random_mechanism(kind, 15, named=None)
    described = values_at(robot)
    known = set(robot.moving)
    rng = np.random.default_rng(0)
    tried = 0
    for one in plan_of(robot).solved:
        assert set(one.frames) == set(one.loop.joints(robot)) - known
        assert len(set(one.branches)) == len(one.branches)
        rows, valid = one.rows(robot)
        assert len(rows) == len(valid) == len(one.branches)
        for k in range(4):
            own = {variable_of(robot, j): described[variable_of(robot, j)] + rng.uniform(-0.2, 0.2) * k for j in known}
            values = described | {s: float(x) for s, x in own.items()}
            for row, there in zip(rows, valid, strict=True):
                if not evaluate([there], values)[0]:
                    continue
                numbers = [float(x) for x in evaluate(row, values)]
                at = values | {variable_of(robot, j): x for j, x in zip(one.frames, numbers, strict=True)}
                assert opening(robot, one.loop, at) < 1e-9
                tried += 1
        here = [
            evaluate(row, described) for row, there in zip(rows, valid, strict=True) if evaluate([there], described)[0]
        ]
        wanted = [described[variable_of(robot, j)] for j in one.frames]
        turns = np.array([[np.sin((float(a) - b) / 2) for a, b in zip(row, wanted, strict=True)] for row in here])
        assert np.abs(turns).max(axis=1).min() < 1e-7  # the described position is one of them
        known |= set(one.frames)
    assert tried > 1


def test_branches_are_named_by_the_joint_whose_equation_forks() -> None:
    robot = six_bar()
    first, second = plan_of(robot).solved
    assert [robot.frame(one.loop.cut).joint.name for one in (first, second)] == ["cut", "cut_2"]
    for one in (first, second):
        forks = [one.way.chain.joints[int(m.joint) - 1].name for m in one.form.plan.moves if m.branches > 1]
        assert len(forks) == 1
        assert one.branches == (f"{forks[0]}+", f"{forks[0]}-")


def test_loops_without_a_closed_form() -> None:
    assert not plan_of(stephenson()).solved
    robot = six_bar()
    loop = loops_of(robot)[1]
    with pytest.raises(NoClosedFormError):  # five unknown joints in a plane
        solved_loop(robot, loop, set())
