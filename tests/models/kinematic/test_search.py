"""The cheapest way of writing an inverse: every form is the same function, and the best found is the best of those."""

from __future__ import annotations

import numpy as np
import pytest

import robosym
from robosym.models import limits
from robosym.models.kinematic.inverse_velocity import inverse_kinematics_velocity
from robosym.models.kinematic.jacobian import asked, jacobian
from robosym.models.kinematic.jacobian_inverse import jacobian_inverse
from robosym.models.kinematic.search import CHOICES, SystemForm, Writer, best_axes, best_blocks, effort
from robosym.models.kinematic.static import static_torques
from robosym.models.kinematic.systems import Pattern, Systems, Task, direct, task
from robosym.models.tree.state import state_inputs
from robosym.program import Array, Graph
from robosym.robot import Robot


def task_of(name: str) -> Task:
    robot = robosym.load(name)
    return task(robot, asked(robot, None, "local-world-aligned"), None)


def build(pattern: Pattern, form: SystemForm, systems: Systems) -> Graph:
    """The inner matrix alone."""
    matrix = systems.matrix(pattern)
    output = Array("J", (len(matrix), len(matrix[0])), tuple(x for row in matrix for x in row))
    return Graph("matrix", state_inputs(systems.task.robot, ("q",)), (output,), systems.joints.scope.names)


def test_blocks_of_a_wrist_and_of_a_shoulder() -> None:
    sizes = sorted(len(block.rows) for block in best_blocks(task_of("rx90"))[0].blocks)
    assert sizes[-1] <= 2
    assert len(best_blocks(task_of("rx90"))) == effort(task_of("rx90")).written
    assert len(best_blocks(task_of("rx90"), 1)) == 1


def test_axes_are_those_asked_for_unless_turned() -> None:
    of = task_of("panda")
    assert [one.split for one in best_axes(of, 1, turned=False)] == [direct(of)]
    assert {one.split.origin for one in best_axes(of, 7)} == {of.wanted.point}


def test_the_best_form_is_taken_and_idle_choices_are_not_made() -> None:
    of = task_of("rx90")
    pattern = best_axes(of, 1, turned=False)[0]
    writer = Writer(of, build)
    program = writer.program([pattern], ("lever", "add_angles", "carry"))
    tried = {form for _, form in writer.made}
    assert {form.lever for form in tried} == set(CHOICES["lever"])
    assert {form.carry for form in tried} == {True}  # nothing is turned in the axes asked for
    assert program.operations.total <= min(graph.operations.total for _, graph in writer.made.values())
    assert writer.has_parallel_axes
    assert not Writer(task_of("panda"), build).has_parallel_axes


# Operations and divisions: what the search must go on finding.
COSTS = {
    ("rx90", jacobian_inverse): (77, 3),
    ("puma560", jacobian_inverse): (87, 3),
    ("ur5", jacobian_inverse): (171, 3),
    ("panda", jacobian_inverse): (851, 6),
    ("rx90", inverse_kinematics_velocity): (52, 4),
    ("stanford", inverse_kinematics_velocity): (50, 4),
    ("panda", inverse_kinematics_velocity): (461, 6),
    ("rx90", static_torques): (51, 0),
    ("panda", static_torques): (120, 0),
}


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(("name", "function"), COSTS)
def test_no_model_becomes_dearer(name: str, function: object) -> None:
    counted = function(robosym.load(name)).operations  # type: ignore[operator]
    total, divisions = COSTS[name, function]  # type: ignore[index]
    assert counted.total + 4 * counted.div <= total + 4 * divisions


def test_a_long_way_takes_less_effort() -> None:
    rows = [{"alpha": ("pi/2", 0, "-pi/2")[j % 3], "d": 0.1 + 0.01 * j} for j in range(limits.LONG_WAY + 2)]
    robot = Robot.from_table("long", rows)
    of = task(robot, asked(robot, None, "local-world-aligned"), None)
    assert effort(of).written < effort(task_of("rx90")).written
    q = np.linspace(-1, 1, robot.nq)
    J = jacobian(robot).compile()(q=q)
    np.testing.assert_allclose(jacobian_inverse(robot).compile()(q=q), np.linalg.pinv(J), atol=1e-10)
