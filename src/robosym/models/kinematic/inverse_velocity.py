"""The inverse kinematic model (SYMORO+ 1997, section 4.6): joint velocities for a twist, joint accelerations for its rate.

The system J qd = v is solved for one right-hand side, in the intermediate frames where that is cheapest. The inverse matrix is never
formed.
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
from ..request import ALIGNED, AxesName
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
    """Joint velocities or accelerations that give a frame a desired motion.

    If the description prescribes the motion of the base, the joints compensate for it.

    Parameters
    ----------
    robot
        Robot.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame.
    axes
        Axes of the linear and angular components: "local-world-aligned", "local", "world" or a frame by name or number.
        "local-world-aligned" (or "mixed"): world axes, at the origin of the target frame. "local" (or "body"): axes of
        the target frame, at its origin. "world" (or "spatial"): world axes, at the point of the body that coincides
        with the world origin. A frame: axes of that frame, at the origin of the target frame; 0 is the base frame. If a
        frame has the name of a convention, pass its number.
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. The tool replaces the target frame. Its axes
        count with ``axes`` "local" only.
    rows
        Components of the twist to use: some of vx, vy, vz, wx, wy and wz. None uses all six. Components that no joint
        can produce are ignored.
    order
        Order of the solution: 1 (joint velocities) or 2 (joint accelerations). The acceleration of the frame is the
        classical one, of the point itself, in the same axes as the twist.
    method
        Inverse: "exact", "damped" (damped least squares) or "auto" (exact where possible and without weights). "exact"
        requires as many joint velocities as components of the twist, and is not finite at singularities. "damped"
        supports every robot and adds the input ``damping`` (1), zero by default.
    null_space
        Additional input: a joint motion that is projected onto the null space of the Jacobian matrix. The input
        ``motion`` (nv) adds ``(1 - J+ J) motion``, which does not move the frame.
    weighted
        Damped inverse: weights of the joints and of the components of the twist as additional inputs. ``weights`` (nv)
        and ``task_weights`` (one per component) are the diagonals of W and T, all positive. The exact inverse has no
        weights.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. This model treats a parallel robot as
        closed loops, whose assembly modes have names of their own.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration).
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "motors", the only choice for this model.

    Returns
    -------
    Model
        The inputs are ``q``, the desired motion (one entry per row), and the inputs of the selected options.

        - ``order=1``: input ``twist``, output ``qd`` (nv).
        - ``order=2``: inputs ``qd`` and ``acceleration``, output ``qdd`` (nv).

        With a floating base its six components come first: linear, then angular, in its own axes. Closed-loop and
        parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values are NaN. Loops
        closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    ``qd = J+ v + (1 - J+ J) motion``. With v the twist, the damped inverse minimises

        (J qd - v)^T T (J qd - v) + damping^2 qd^T W qd

    Without damping it is the pseudo-inverse where J has full rank. Elsewhere it divides by zero or by rounding errors:
    the entries are not finite or have no meaning. W and T are identity matrices without weights.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    wanted = asked(robot, frame, axes, tool)
    if robot.base.floating and given_motion(robot):
        raise RobotError([Problem("base", "is free and has a given motion too: expected one of the two")], robot.name)
    of = task(wanted.robot, wanted, rows)
    exact = is_exact(of, method, weighted)
    weights = None if exact else Weights.of(of, weighted)
    question = Question(of, order, null_space, weights)

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
