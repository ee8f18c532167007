"""How loops are solved: which in closed form, which together, and what cannot be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.loops.iterated_linkages import any_rows, chained, rccc, ring, seven_revolutes, stephenson
from sweeps import many, some

import robosym
from robosym import models
from robosym.models.loops.constraints import Group
from robosym.models.loops.plan import plan_of
from robosym.models.loops.solutions import SolvedLoop
from robosym.robot import Robot, RobotError

X = [0.4, -0.7, 0.9, 0.5, -1.1, 0.8, 0.3, 0.2, -0.3]


def names(robot: Robot, frames: tuple[int, ...]) -> list[str]:
    return [robot.frame(j).joint.name for j in frames]


@pytest.mark.parametrize("name", ["four-bar", "five-bar", "five-bar-general", "slider-crank", "bennett", "sr400"])
def test_what_has_a_closed_form_is_not_iterated(name: str) -> None:
    plan = plan_of(robosym.load(name))
    assert not plan.groups
    assert not plan.reasons
    assert plan.closed is None


def test_cylindrical_joints_make_six_unknown_joints_solvable() -> None:
    (one,) = plan_of(rccc()).steps
    assert isinstance(one, SolvedLoop)
    assert len(one.frames) == 6


@pytest.mark.slow
def test_four_values_that_exchange_their_places_are_no_modes() -> None:
    """A wrist gives an equation of the fourth degree; the order of its roots is not that of a motion."""
    rows = [*any_rows(5, 0), {"alpha": 1.1}, {"alpha": -0.9}]
    rows[3] = {"alpha": 0.8, "d": 0.3, "sigma": "prismatic"}
    robot = ring("wrist", rows, X[:7])
    made = models.loop_geometry(robot)
    assert made.reasons == {"j7": "j2 has up to four values, which exchange their places as the driven joints move"}
    q = np.linspace(X[0] - 1.5, X[0] + 1.5, 301)[:, None]
    moved = 0
    for mode in some(made.modes, every=2):
        found = models.loop_geometry(robot, mode=mode).compile()(q=q)
        there = (found["assembled"][1:] == 1) & (found["assembled"][:-1] == 1)
        steps = np.remainder(np.diff(found["positions"], axis=0) + np.pi, 2 * np.pi) - np.pi
        assert np.abs(steps[there]).max(initial=0.0) < 0.5
        moved += there.sum()
    assert moved > (300 if many(1) > 1 else 100)


def test_any_six_unknown_joints_are_iterated_and_the_reason_is_said() -> None:
    robot = seven_revolutes()
    plan = plan_of(robot)
    (group,) = plan.groups
    assert group.frames == (2, 3, 4, 5, 6, 7)
    assert plan.reasons == {7: "no equation gives any of the joints j2, j3, j4, j5, j6, j7 in closed form"}


def test_a_six_bar_is_coupled_or_not_by_where_it_is_driven() -> None:
    assert len(plan_of(stephenson("crank_pivot")).solved) == 2
    robot = stephenson()
    plan = plan_of(robot)
    (group,) = plan.groups
    assert len(group.loops) == 2
    assert len(group.frames) == 6
    message = "rocker_pivot, pin_b, coupler_pivot, crank_pivot are unknown, of which a loop like this determines 3"
    assert plan.reasons[6] == message


def test_closed_forms_before_and_after_an_iteration() -> None:
    robot = chained()
    first, middle, last = plan_of(robot).steps
    assert isinstance(first, SolvedLoop)
    assert "far_pivot" in names(robot, first.frames)
    assert isinstance(middle, Group)
    assert "rocker_pivot" in names(robot, middle.frames)
    assert isinstance(last, SolvedLoop)
    assert "last_pivot" in names(robot, last.frames)


def test_too_many_motors_of_a_loop_in_closed_form() -> None:
    """It does not close with them anywhere, and the lengths are not why."""
    robot = robosym.load("four-bar")
    coupler = robot.frame(2)
    frames = (robot.frame(1), replace(coupler, joint=replace(coupler.joint, active=True)), *robot.frames[2:])
    message = "over-actuated by 1: the loops leave 1 degree of freedom, and 2 of their joints are driven"
    with pytest.raises(RobotError, match=message):
        robosym.models.loop_geometry(robot.replace(frames=frames))


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    ("count", "driven", "message"),
    [
        (7, (0, 3), "over-actuated by 1: the loops leave 1 degree of freedom, and 2 of their joints are driven"),
        (6, (0,), "over-actuated by 1: the loops leave 0 degrees of freedom, and 1 of their joints is driven"),
        (8, (0,), "under-actuated by 1: with all motors held, j2, j3, j4, j5, j6, j7, j8 can still move"),
        (9, (4,), "under-actuated by 2"),
    ],
)
def test_too_many_and_too_few_motors(count: int, driven: tuple[int, ...], message: str) -> None:
    with pytest.raises(RobotError, match=message):
        plan_of(ring("ring", any_rows(count, 3), X[:count], driven))


def test_links_that_do_not_meet() -> None:
    with pytest.raises(RobotError, match="cannot be assembled: no position was found at which they close"):
        plan_of(stephenson(A=0.05, B=0.05, C=0.05))
