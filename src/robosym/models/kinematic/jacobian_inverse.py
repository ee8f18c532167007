"""The inverse of the Jacobian matrix (SYMORO+ 1997, section 4.6) and its damped pseudo-inverse.

The exact inverse is the inverse of the inner matrix, block by block, times the inverses of the two outer factors, which cost nothing:
J^-1 = iJ^-1 [1 L^; 0 1] diag(R^T, R^T). The damped inverse minimises |J qd - v|^2 + damping^2 |qd|^2, in the norms of the weights
(Wampler 1986; Nakamura and Hanafusa 1986).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ...expr import Expr, expr, variable
from ...generated import Model
from ...generated.checks import Check
from ...generated.declaration import Parallel, declare
from ...generated.documentation import platforms
from ...generated.documentation.arrays import components
from ...generated.documentation.units import SPEED, moving
from ...program import Array, Graph, Program, Scope
from ...program.documentation import Described
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.scalar import Scalar
from ..common import graph_of, model
from ..linear_systems.by_blocks import Rows, dot, solved, symmetric_solved
from ..request import ALIGNED, AxesName
from ..resolve import PLATFORM, Near, OfPlatform, Structure, resolve
from ..tool import Tool
from ..tree.paths import FrameName
from ..tree.state import state_inputs
from .jacobian import asked
from .search import SystemForm, Writer, best_axes, best_blocks
from .systems import Pattern, Systems, Task, known, task
from .task import ROWS, Row

Method = Literal["auto", "exact", "damped"]


@declare(
    title="Inverse of the Jacobian matrix",
    family="kinematic",
    rank=30,
    inputs="q, damping?",
    outputs="JI",
    about=lambda case: f"Inverse of the Jacobian matrix of {case.frame} {case.axes}: the speeds are qd = JI V",
    arrays={"JI": lambda case: Described("qd = JI V", moving(case.robot, SPEED), components(case))},
    parallel=Parallel("Inverse Jacobian matrix of a platform on legs", {"J_inv": platforms.jacobian_inverse}),
    section="SYMORO+ 1997, section 4.6",
    checks=[
        Check(
            lambda task: task.jacobian,
            frame=True,
            value=lambda o, task: task.jacobian @ o["JI"] @ task.jacobian,
            note="J JI J = J",
            tolerance=1e-6,
        )
    ],
)
def jacobian_inverse(
    robot: Robot,
    *,
    frame: FrameName | None = None,
    axes: AxesName = ALIGNED,
    tool: Tool | None = None,
    rows: Iterable[Row] | None = None,
    method: Method = "auto",
    weighted: bool = False,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Inverse of the Jacobian matrix, exact or damped.

    For a parallel robot the matrix gives the actuator velocities from the twist of the platform.

    Parameters
    ----------
    robot
        Robot.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame. Not available for parallel robots, where the target is the moving
        platform.
    axes
        Axes of the linear and angular components: "local-world-aligned", "local", "world" or a frame by name or number.
        "local-world-aligned" (or "mixed"): world axes, at the origin of the target frame. "local" (or "body"): axes of
        the target frame, at its origin. "world" (or "spatial"): world axes, at the point of the body that coincides
        with the world origin. A frame: axes of that frame, at the origin of the target frame; 0 is the base frame. If a
        frame has the name of a convention, pass its number. Not available for parallel robots.
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. The tool replaces the target frame. For a
        parallel robot the target frame is the moving platform. Its axes count with ``axes`` "local" only.
    rows
        Components of the twist to use: some of vx, vy, vz, wx, wy and wz. None uses all six. Components that no joint
        can produce are ignored. Not available for parallel robots.
    method
        Inverse: "exact", "damped" (damped least squares) or "auto" (exact where possible and without weights). "exact"
        requires as many joint velocities as components of the twist, and is not finite at singularities. "damped"
        supports every robot and adds the input ``damping`` (1), zero by default. Not available for parallel robots.
    weighted
        Damped inverse: weights of the joints and of the components of the twist as additional inputs. ``weights`` (nv)
        and ``task_weights`` (one per component) are the diagonals of W and T, all positive. The exact inverse has no
        weights. Not available for parallel robots.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. Parallel robots: one name for all legs
        ("elbow-"), or names by leg ("leg1 elbow-, leg2 elbow+"). Legs that are not named keep the mode of the
        description.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration). Parallel robots:
        positions of leg joints; the others keep the position of the description, or zero.
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``. Parallel robots support "closed" only.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "platform", the only choice for this model.

    Returns
    -------
    Model
        Input ``q``, with the inputs of the damped inverse; or ``pose`` of a parallel robot. Outputs:

        - ``JI`` (nv, rows): ``qd = JI twist``, zero in the rows of joints that do not move the frame.
        - ``J_inv`` (actuators, 6) for a parallel robot: twist in the axes of frame 0, zero columns for components that
          are never free.

        With a floating base its six components come first: linear, then angular, in its own axes. Closed-loop and
        parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values are NaN. Loops
        closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    With v the twist, the damped inverse minimises

        (J qd - v)^T T (J qd - v) + damping^2 qd^T W qd

    Without damping it is the pseudo-inverse where J has full rank. Elsewhere it divides by zero or by rounding errors:
    the entries are not finite or have no meaning. W and T are identity matrices without weights.
    """
    resolved = resolve(robot, mode, near, structure, coordinates, tool, PLATFORM)
    if resolved.parallel:
        from . import of_platform

        resolved.only_of_trees(
            "jacobian-inverse",
            frame=(frame, None),
            axes=(axes, ALIGNED),
            rows=(rows, None),
            method=(method, "auto"),
            weighted=(weighted, False),
        )
        return of_platform.inverse_jacobian(resolved)
    robot = resolved.tree
    wanted = asked(robot, frame, axes, tool)
    of = task(wanted.robot, wanted, rows)
    exact = is_exact(of, method, weighted)
    program = _exact(of) if exact else _damped(of, Weights.of(of, weighted))
    options = task_options(of, exact, weighted)
    optional = optional_inputs(exact)
    return resolved.finished(model(robot, "jacobian-inverse", program, options, optional=optional, more=wanted.symbols))


def is_exact(of: Task, method: str, weighted: bool) -> bool:
    """Which of the two methods; an exact one must exist."""
    robot = of.robot
    if method == "damped" or (method == "auto" and weighted):
        return False
    regular = of.is_regular
    if method == "auto" or regular:
        if weighted and method == "exact":
            problem = "the exact inverse has no weights: expected method 'damped' with them, or weighted=False"
            raise RobotError([Problem("weighted", problem)], robot.name)
        return regular
    if len(of.rows) != len(of.columns):
        problem = (
            f"{len(of.columns)} velocities move the frame, and {len(of.rows)} components of its twist are requested: "
            "an exact inverse takes as many of both (name the rows, or use method 'damped')"
        )
    else:
        problem = (
            "the Jacobian matrix is singular at every position: no exact inverse exists "
            "(name rows that are independent, or use method 'damped' with a damping above zero)"
        )
    raise RobotError([Problem("method", problem)], robot.name)


def task_options(of: Task, exact: bool, weighted: bool) -> dict[str, object]:
    return {
        **of.wanted.options,
        **({"rows": [ROWS[i] for i in of.asked]} if len(of.asked) < len(ROWS) else {}),
        "method": "exact" if exact else "damped",
        **({"weighted": True} if weighted else {}),
    }


def optional_inputs(exact: bool) -> dict[str, tuple[str, ...]]:
    return {} if exact else {"damping": ("damping",)}


# --- exact -----------------------------------------------------------------------------------------------------------


def _exact(of: Task) -> Program:
    """Either way round: the inner matrix inverted, then multiplied; or the outer factors as right-hand sides."""

    def build(pattern: Pattern, form: SystemForm, systems: Systems) -> Graph:
        matrix, names = systems.matrix(pattern), Scope()
        if form.multiplied:
            found = _through_outer(systems, pattern, solved(matrix, pattern.blocks, unit(len(matrix)), names))
        else:
            found = solved(matrix, pattern.blocks, outer_columns(systems, pattern), names)
        return _graph(of, systems, state_inputs(of.robot, ("q",)), found, names)

    choices = ("lever", "add_angles", "multiplied", "carry")
    return Writer(of, build).program(best_blocks(of), choices)


def unit(n: int) -> list[list[int]]:
    return [[int(i == j) for j in range(n)] for i in range(n)]


def outer_columns(systems: Systems, pattern: Pattern) -> Rows:
    """The outer factors' inverse: each requested unit twist, in the split."""
    asked = systems.task.asked
    columns = [systems.entering(pattern.split, [int(i == k) for i in range(6)], k + 1) for k in asked]
    return [[column[i] for column in columns] for i in pattern.rows]


def _through_outer(systems: Systems, pattern: Pattern, inner: Rows) -> Rows:
    """The rows of an inner inverse times the outer factors' inverse, in the requested components."""
    found = []
    for number, row in enumerate(inner, 1):
        six = systems.leaving(pattern.split, known(row, pattern.rows), number)
        found.append([six[i] for i in systems.task.asked])
    return found


def _graph(of: Task, systems: Systems, inputs: tuple[Array, ...], found: Rows, names: Scope) -> Graph:
    """JI from the rows of the velocities that move the frame."""
    width = len(of.asked)
    able = [i in of.rows for i in of.asked]
    rows = dict(zip(of.columns, found, strict=True))
    entries = [
        expr(x if usable else 0)
        for k in range(of.robot.nv)
        for x, usable in zip(rows.get(k, [0] * width), able, strict=True)
    ]
    output = Array("JI", (of.robot.nv, width), tuple(entries))
    return graph_of(of.robot, "jacobian-inverse", inputs, (output,), systems.names(names))


# --- damped ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Weights:
    """The inputs of a damped inverse: the damping, and the weights of velocities and of components, if requested."""

    damping: Expr
    joints: tuple[Expr, ...] = ()
    components: tuple[Expr, ...] = ()

    @classmethod
    def of(cls, of: Task, weighted: bool) -> Weights:
        if not weighted:
            return cls(variable("damping"))
        joints = tuple(variable(f"weight_{k}") for k in range(1, of.robot.nv + 1))
        return cls(variable("damping"), joints, tuple(variable(f"task_weight_{ROWS[i]}") for i in of.asked))

    @property
    def inputs(self) -> tuple[Array, ...]:
        found = [Array("damping", (1,), (self.damping,))]
        if self.joints:
            found.append(Array("weights", (len(self.joints),), self.joints))
            found.append(Array("task_weights", (len(self.components),), self.components))
        return tuple(found)


@dataclass(frozen=True)
class Damped:
    """J and its weights over the rows and columns in use, and the smaller of the two symmetric systems."""

    J: Sequence[Sequence[Scalar]]
    square: Scalar  # damping^2
    joint_weights: Sequence[Scalar]
    task_weights: Sequence[Scalar]
    names: Scope

    @property
    def by_rows(self) -> bool:
        """J W^-1 J^T + damping^2 T^-1, with as many rows as J, unless J has fewer columns."""
        return len(self.J) < len(self.J[0]) or (len(self.J) == len(self.J[0]) and self.task_weights[0] == 1)

    def velocities(self, right: Rows) -> Rows:
        """The damped solution of J X = right."""
        if self.by_rows:
            return self._from_rows(symmetric_solved(self._row_matrix(), right, self.names))
        weighted = [[t * x for x in row] for t, row in zip(self.task_weights, right, strict=True)]
        return symmetric_solved(self._column_matrix(), _times(_transposed(self.J), weighted), self.names)

    def inverse(self) -> Rows:
        """The damped inverse itself: by rows it is the transpose of the solution for the columns of J."""
        if not self.by_rows:
            return self.velocities(unit(len(self.J)))
        found = _transposed(symmetric_solved(self._row_matrix(), self.J, self.names))
        return [[x / w for x in row] for row, w in zip(found, self.joint_weights, strict=True)]

    def _from_rows(self, y: Rows) -> Rows:
        found = _times(_transposed(self.J), y)
        return [[x / w for x in row] for row, w in zip(found, self.joint_weights, strict=True)]

    def _row_matrix(self) -> Rows:
        scaled = [[x / w for x, w in zip(row, self.joint_weights, strict=True)] for row in self.J]
        damped = [self.square / t for t in self.task_weights]
        return _gram(self.J, scaled, damped, self.names)

    def _column_matrix(self) -> Rows:
        scaled = [[x * t for x, t in zip(column, self.task_weights, strict=True)] for column in _transposed(self.J)]
        return _gram(_transposed(self.J), scaled, [self.square * w for w in self.joint_weights], self.names)


def _transposed(rows: Sequence[Sequence[Scalar]]) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]


def _times(A: Sequence[Sequence[Scalar]], B: Sequence[Sequence[Scalar]]) -> Rows:
    return [[dot(row, column) for column in zip(*B, strict=True)] for row in A]


def _gram(
    A: Sequence[Sequence[Scalar]], B: Sequence[Sequence[Scalar]], diagonal: Sequence[Scalar], names: Scope
) -> Rows:
    """A B^T, known to be symmetric, plus a diagonal."""
    n = len(A)
    found: Rows = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            entry = dot(A[i], B[j])
            entry = entry + diagonal[i] if i == j else entry
            found[i][j] = found[j][i] = names.scalar("G", (i + 1, j + 1), entry)
    return found


def damped_system(systems: Systems, pattern: Pattern, weights: Weights, names: Scope) -> Damped:
    of = systems.task
    square = names.step("DD", weights.damping * weights.damping)
    joints = [weights.joints[k] if weights.joints else 1 for k in of.columns]
    components = dict(zip(of.asked, weights.components, strict=False))
    return Damped(systems.matrix(pattern), square, joints, [components.get(i, 1) for i in pattern.rows], names)


def _damped(of: Task, weights: Weights) -> Program:
    inputs = (*state_inputs(of.robot, ("q",)), *weights.inputs)

    def build(pattern: Pattern, form: SystemForm, systems: Systems) -> Graph:
        if not of.rows:  # nothing moves
            return _graph(of, systems, inputs, [[0] * len(of.asked) for _ in of.columns], Scope())
        names = Scope()
        inner = damped_system(systems, pattern, weights, names).inverse()
        return _graph(of, systems, inputs, _through_outer(systems, pattern, inner), names)

    return Writer(of, build).program(
        best_axes(of, len(of.columns), turned=not weights.joints), ("lever", "add_angles", "carry")
    )
