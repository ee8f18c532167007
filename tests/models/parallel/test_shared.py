"""Legs as one function for all alike, legs given beside the pose, and what stands on a leg beside the way to its end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from models.parallel import reference
from models.parallel.platform_cases import built_in, random_case
from models.reference import relative_error

from robosym import models
from robosym.expr import number
from robosym.models.parallel.structure import module_of
from robosym.program.routine import Each, routine_violations, walk
from robosym.robot import FIXED, Frame, Joint, Link, Robot, RobotError

WRENCH = np.array([[1.0, -2.0, 3.0, 0.4, -0.5, 0.6]])


def value(found: Any, name: str) -> np.ndarray:
    """An output, alone or beside others."""
    return np.asarray(found[name])


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["gough-stewart", "planar-3rrr", "delta"])
def test_one_function_for_all_legs_gives_the_same_forces(name: str) -> None:
    robot, states = built_in(name)
    unrolled, shared = (models.inverse_dynamics(robot, legs=legs) for legs in ("unrolled", "shared"))
    assert routine_violations(shared.routine) == []
    loops = [stage for stage in walk(shared.routine.stages) if isinstance(stage, Each)]
    assert [shared.routine.shape(one.array)[0] for one in loops] == [len(module_of(robot).legs)]  # one kind of leg
    for s in states:
        state = {"pose": s.pose, "twist": s.twist, "twist_rate": s.twist_rate, "wrench": WRENCH}
        found = shared.evaluate(**state)
        assert found["assembled"] == 1
        assert relative_error(found["tau"], value(unrolled.evaluate(**state), "tau")) < 1e-11


def test_the_shared_function_compiled_says_when_legs_do_not_reach() -> None:
    robot, (s, *_) = built_in("planar-3rrr")
    f = models.inverse_dynamics(robot, legs="shared").compile()
    state = {"twist": s.twist, "twist_rate": s.twist_rate}
    assert f(pose=s.pose, **state)["assembled"] == 1
    away = np.array(s.pose)
    away[0] += 3
    assert f(pose=away, **state)["assembled"] == 0


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("name", "word"), [("3-RPS", "change with the pose"), ("6-UPS-wrist", "carries joints")])
def test_what_cannot_be_shared_is_refused(name: str, word: str) -> None:
    with pytest.raises(RobotError, match=word):
        models.inverse_dynamics(random_case(name)[0], legs="shared")


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["gough-stewart", "delta", "planar-3rrr"])
def test_positions_of_the_legs_may_be_given(name: str) -> None:
    robot, states = built_in(name)
    model = models.inverse_dynamics(robot, legs="given")
    order = [reference.joints_of(robot).index(j) for j in module_of(robot).joints]
    for s in states:
        found = model.evaluate(
            pose=s.pose, twist=s.twist, twist_rate=s.twist_rate, legs=np.asarray(s.legs)[order], wrench=0 * WRENCH
        )
        assert relative_error(value(found, "tau"), s.tau) < 1e-10
    assert model.operations.total < models.inverse_dynamics(robot).operations.total


def with_mass_beside(robot: Robot, on: int) -> Robot:
    """With a fixed frame with mass on a link of a leg, which is not on the way to its end."""
    link = Link(M=number(5), MX=number(0.7), MY=number(-0.2), XX=number(0.5), YY=number(0.5), ZZ=number(0.6))
    further = Frame("further", on, Joint("further"), FIXED, gamma=number(0.3), d=number(0.2), r=number(0.1), link=link)
    return robot.replace(frames=(*robot.frames, further))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["planar-3rrr", "gough-stewart"])
def test_a_mass_beside_the_way_to_the_end_of_a_leg_counts(name: str) -> None:
    robot, (s, *_) = built_in(name)
    heavy = with_mass_beside(robot, module_of(robot).legs[1].joints[1])
    tau = reference.inverse_dynamics(heavy, s.pose, s.legs, s.twist, s.twist_rate)
    found = models.inverse_dynamics(heavy).evaluate(pose=s.pose, twist=s.twist, twist_rate=s.twist_rate)
    assert relative_error(value(found, "tau"), tau) < 1e-10
    A = value(models.inertia_matrix(heavy, of="motors").evaluate(pose=s.pose), "A")
    assert relative_error(A, reference.motor_inertia(heavy, s.pose, s.legs)) < 1e-10
    assert len(module_of(heavy).alike) == 2  # that leg is not like the others
    with pytest.raises(RobotError, match="carries further frames"):
        models.inverse_dynamics(heavy, legs="shared")
