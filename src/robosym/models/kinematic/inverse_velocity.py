"""The inverse kinematic model (SYMORO+ 1997, section 4.6): joint velocities for a twist, accelerations for its rate.

The system J qd = v is solved for the one right-hand side, in the intermediate frames where that is cheapest: the inverse
matrix is never formed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from ...expr import Expr, expr, variable
from ...generated import Model
from ...generated.checks import Check
from ...generated.declaration import declare
from ...generated.documentation.arrays import components
from ...generated.documentation.case import Case
from ...generated.documentation.units import ACCELERATION, SPEED, moving
from ...program import Array, Graph, Scope
from ...program.documentation import Described
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.scalar import Scalar, is_zero
from ..common import graph_of, model
from ..linear_systems.by_blocks import solved
from ..request import ALIGNED, AxesName, truth
from ..resolve import Near, OfPlatform, Structure, resolve
from ..tool import Tool
from ..tree.paths import FrameName
from ..tree.state import state_inputs
from .centre_of_mass import given_motion
from .drift import base_twist, drift
from .jacobian import asked
from .jacobian_inverse import Method, Weights, damped_system, is_exact, optional_inputs, task_options
from .search import SystemForm, Writer, best_axes, best_blocks
from .systems import Pattern, Systems, Task, task
from .task import ROWS, Row

NAME = "inverse-kinematics-velocity"


def _second_order(case: Case) -> bool:
    return bool(case.option("order") == 2)


def _about(case: Case) -> str:
    whose, what = ("Accelerations", "acceleration") if _second_order(case) else ("Speeds", "velocity")
    return f"{whose} of the joints for a given {what} of {case.frame} {case.axes}"


def _desired(case: Case) -> Described:
    kind = ACCELERATION if case.array == "acceleration" else SPEED
    what = "classical acceleration" if kind == ACCELERATION else "velocity"
    return Described(f"{what} that the frame shall have: linear, then angular", components(case, kind))


def _motion(case: Case) -> Described:
    kind, word = (ACCELERATION, "qdd") if _second_order(case) else (SPEED, "qd")
    return Described(
        f"a wish for {word}, of which the part that does not move the frame is added", moving(case.robot, kind)
    )


@declare(
    title="Inverse kinematic model",
    family="kinematic",
    rank=50,
    inputs="q, twist, damping?",
    outputs="qd",
    about=_about,
    arrays={"twist": _desired, "acceleration": _desired, "motion": _motion},
    section="SYMORO+ 1997, section 4.6",
    checks=[
        Check(
            lambda task: task.twist,
            ("q", "twist"),
            frame=True,
            value=lambda o, task: task.twist + task.jacobian @ (o["qd"] - task.state["qd"]),
            note="J qd = twist",
            tolerance=1e-6,
        )
    ],
)
def inverse_kinematics_velocity(
    robot: Robot,
    *,
    frame: FrameName | None = None,
    axes: AxesName = ALIGNED,
    tool: Tool | None = None,
    rows: Iterable[Row] | None = None,
    order: Literal[1, 2] = 1,
    method: Method = "auto",
    null_space: bool = False,
    weighted: bool = False,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """qd for a given ``twist``, as ``velocities`` gives it; with ``order`` 2, qdd for a given ``acceleration`` and qd.

    The acceleration is the classical one (that of the point itself) in the same axes. A base whose motion the
    description gives moves the frame along: the joints make up for it. ``null_space`` adds the input ``motion`` (nv)
    with its part that does not move the frame: qd = J+ v + (1 - J+ J) motion. The other options are those of
    ``jacobian_inverse``; what it says of singularities and damping holds here too.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    wanted = asked(robot, frame, axes, tool)
    if type(order) is not int or order not in (1, 2):  # True and 1.0 are equal to 1
        raise RobotError([Problem("order", f"got {order!r}, expected 1 (velocities) or 2 (accelerations)")], robot.name)
    if robot.base.floating and given_motion(robot):
        raise RobotError([Problem("base", "is free and has a given motion too: expected one of the two")], robot.name)
    of = task(wanted.robot, wanted, rows)
    exact = is_exact(of, method, truth(robot, "weighted", weighted))
    weights = None if exact else Weights.of(of, weighted)
    question = Question(of, order, truth(robot, "null_space", null_space), weights)

    def build(pattern: Pattern, form: SystemForm, systems: Systems) -> Graph:
        return question.graph(pattern, form, systems)

    patterns = best_blocks(of) if weights is None else best_axes(of, 1, turned=not weights.joints)
    program = Writer(of, build).program(patterns, ("lever", "add_angles"))
    options = task_options(of, exact, weighted) | {"order": order, "null_space": null_space}
    return resolved.finished(model(robot, NAME, program, options, optional=optional_inputs(exact), more=wanted.symbols))


class Question:
    """What is given and what is requested."""

    def __init__(self, of: Task, order: int, null_space: bool, weights: Weights | None) -> None:
        self.task, self.order, self.weights = of, order, weights
        name = "twist" if order == 1 else "acceleration"
        given = tuple(variable(f"{name}_{ROWS[i]}") for i in of.asked)
        self.given = Array(name, (len(given),), given)
        free = tuple(variable(f"motion_{k}") for k in range(1, of.robot.nv + 1)) if null_space else ()
        self.motion = Array("motion", (len(free),), free)

    @property
    def inputs(self) -> tuple[Array, ...]:
        state = state_inputs(self.task.robot, ("q", "qd")[: self.order])
        weights = self.weights.inputs if self.weights is not None else ()
        return (*state, self.given, *((self.motion,) if self.motion.entries else ()), *weights)

    def graph(self, pattern: Pattern, form: SystemForm, systems: Systems) -> Graph:
        robot = self.task.robot
        found: list[Scalar] = list(self.motion.entries) or [0] * robot.nv
        names = Scope()
        for k, x in zip(self.task.columns, self._solution(pattern, systems, names), strict=True):
            found[k] = found[k] + x
        output = Array("qd" if self.order == 1 else "qdd", (robot.nv,), tuple(map(expr, found)))
        return graph_of(robot, NAME, self.inputs, (output,), systems.names(names))

    def _solution(self, pattern: Pattern, systems: Systems, names: Scope) -> list[Scalar]:
        """The velocities that move the frame, over those of the free motion."""
        if not self.task.rows:
            return [0] * len(self.task.columns)
        matrix = systems.matrix(pattern)
        right = [[x] for x in self._right(pattern, systems, matrix)]
        if self.weights is None:
            found = solved(matrix, pattern.blocks, right, names)
        else:
            found = damped_system(systems, pattern, self.weights, names).velocities(right)
        return [row[0] for row in found]

    def _right(self, pattern: Pattern, systems: Systems, matrix: Sequence[Sequence[Expr]]) -> list[Scalar]:
        """What the joints have to make beside the base's motion, their own drift and the free motion."""
        rest = base_twist if self.order == 1 else drift
        six = systems.residual(pattern.split, self.given.entries, lambda split: rest(systems, split))
        right = [six[i] for i in pattern.rows]
        if not self.motion.entries:
            return right
        free = [self.motion.entries[k] for k in self.task.columns]
        return [
            x - sum(a * z for a, z in zip(row, free, strict=True) if not is_zero(a))
            for x, row in zip(right, matrix, strict=True)
        ]
