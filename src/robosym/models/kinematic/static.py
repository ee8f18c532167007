"""Torques that balance a wrench: Gamma = J^T F, the dual of the kinematic model (Khalil and Dombre 2002, section 5.9).

A wrench is the same all along the chain: written in the frame of a joint, one of its components is the torque. It enters
at any frame on the way and is carried from there, inwards and outwards; or it is multiplied by the columns of the inner
Jacobian matrix, in the intermediate frame where they are shortest. The model uses the cheapest way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...expr import Expr, expr, variable
from ...generated import Model
from ...generated.checks import Check
from ...generated.declaration import Parallel, declare
from ...generated.documentation.arrays import torques
from ...generated.documentation.units import wrench
from ...program import Array, Graph, Scope, optimised
from ...program.documentation import Described
from ...robot import FIXED, PRISMATIC, WRENCH, Robot
from ...spatial.rotations import Turn, back
from ...spatial.scalar import Scalar, is_zero
from ...spatial.screws import Rigid
from ...spatial.vectors import apply, dot, plus, times
from ...spatial.wrenches import shifted
from .. import limits
from ..common import graph_of, model
from ..request import ALIGNED, AxesName
from ..resolve import BOTH, Near, OfPlatform, Structure, resolve
from ..tool import Tool
from ..tree.bodies import root
from ..tree.chains import Wrench
from ..tree.coordinates import BASE_AXES, Axis
from ..tree.deferred import at_once
from ..tree.paths import FrameName, Way
from ..tree.state import state_inputs
from .columns import Joints, Point
from .jacobian import Wanted, asked
from .search import SystemForm, Writer, effort
from .systems import Pattern, Systems, patterns, splits, task
from .task import moved_by

NAME = "static-torques"


@declare(
    title="Static torques",
    family="kinematic",
    rank=90,
    inputs="q, wrench",
    outputs="tau",
    about=lambda case: (
        f"Torques of the joints with which {case.frame}, at rest, exerts a wrench on the environment: the transpose of J times it"
    ),
    arrays={
        "wrench": lambda case: Described(f"force and moment of the frame on the environment, {case.axes}", wrench()),
        "tau": torques,
    },
    parallel=Parallel(
        "Torques (forces where they slide) of the motors with which the platform, at rest, exerts a wrench on the environment",
        motors=True,
    ),
    checks=[Check(lambda task: task.jacobian.T @ task.state["wrench"], ("q", "wrench"), frame=True)],
)
def static_torques(
    robot: Robot,
    *,
    frame: FrameName | None = None,
    axes: AxesName = ALIGNED,
    tool: Tool | None = None,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Joint torques with which a frame exerts a wrench on its environment.

    The wrench is what the robot does to the environment; the reaction on the robot has the opposite sign. Weight and
    inertia are not included; ``gravity`` gives the torques that hold the weight.

    Parameters
    ----------
    robot
        Robot.
    frame
        Frame that exerts the wrench on the environment, by name or number; by default the tip frame. The tip frame is
        the end of the kinematic chain. Robots with several ends require a frame. Not available for parallel robots,
        whose platform exerts the wrench.
    axes
        Axes of the wrench: "local-world-aligned", "local", "world" or a frame by name or number. "local-world-aligned"
        (or "mixed"): world axes, moment about the origin of the frame. "local" (or "body"): axes of the frame, moment
        about its origin. "world" (or "spatial"): world axes, moment about the world origin. A frame: axes of that
        frame, moment about the origin of the frame that exerts the wrench. If a frame has the name of a convention,
        pass its number. Not available for parallel robots, whose wrench is in the axes of the platform at its origin.
    tool
        Pose of a tool that exerts the wrench [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. The pose is given in the frame, or in the
        platform of a parallel robot.
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
        "platform": the model takes the pose of the platform. With "motors" the pose follows from the actuator
        positions, by iteration from the input ``start``.

    Returns
    -------
    Model
        Inputs ``q`` (or ``pose`` of a parallel robot) and ``wrench`` (6): force [N], then moment [N m]. Output ``tau``:
        one entry per joint or actuator [N m, N]. With a floating base it starts with the wrench that must hold the
        base, force, then moment. Closed-loop and parallel robots: status ``assembled`` is 1 where the state is
        possible, else 0 and the values are NaN. Loops closed by iteration add the input ``start`` and the status
        ``passive`` and ``residual``.

    Notes
    -----
    ``tau = J^T wrench``, with the Jacobian matrix of the same options, so that ``wrench . twist = tau . qd``. Khalil
    and Dombre 2002, section 5.9.
    """
    resolved = resolve(robot, mode, near, structure, coordinates, tool, BOTH)
    if resolved.parallel:
        from . import of_platform

        resolved.only_of_trees(NAME, frame=(frame, None), axes=(axes, ALIGNED))
        return of_platform.static_torques(resolved)
    robot = resolved.tree
    wanted = asked(robot, frame, axes, tool)
    arm = wanted.robot
    wrench = Array("wrench", (6,), tuple(variable(f"wrench_{name}") for name in WRENCH))
    graphs = [_graph(arm, wrench, *one) for one in _carried(arm, wanted, wrench.entries)]
    # A wrench about the origin of the frame whose axes it is in is carried at less cost than multiplied by columns.
    if wanted.point.frame != wanted.axes and len(moved_by(arm, wanted.frame)) <= limits.MOST_COLUMNS:
        graphs += _by_columns(arm, wanted, wrench)
    return resolved.finished(model(robot, NAME, optimised(*graphs, wide=True), wanted.options, more=wanted.symbols))


def _graph(robot: Robot, wrench: Array, tau: Sequence[Scalar], names: dict[Expr, str]) -> Graph:
    output = Array("tau", (robot.nv,), tuple(map(expr, tau)))
    return graph_of(robot, NAME, (*state_inputs(robot, ("q",)), wrench), (output,), names)


# --- by the columns of the Jacobian matrix ---------------------------------------------------------------------------


def _by_columns(robot: Robot, wanted: Wanted, wrench: Array) -> list[Graph]:
    of = task(robot, wanted, None)

    def build(pattern: Pattern, form: SystemForm, systems: Systems) -> Graph:
        names = Scope()
        here = systems.wrench(pattern.split, wrench.entries)
        F = [names.step(f"{name}R", x) for name, x in zip(WRENCH, here, strict=True)]
        tau: list[Scalar] = [0] * robot.nv
        for row, i in zip(systems.matrix(pattern), pattern.rows, strict=True):
            for k, entry in zip(of.columns, row, strict=True):
                tau[k] = tau[k] + entry * F[i]
        return _graph(robot, wrench, tau, systems.names(names))

    found = patterns(of, [split for split in splits(of) if split.linear == split.angular])
    found.sort(key=lambda pattern: -len(pattern.zeros))
    return Writer(of, build).graphs(found[: effort(of).written], ("lever", "add_angles"))


# --- carried along the chain -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Carried(Wrench):
    """A wrench on its way along the chain, about the origin of the frame it has reached."""

    def through(self, way: Way, scope: Scope, links: tuple[int, int], add_angles: bool) -> Carried:
        """In the frame at the beginning of a way, from that at its end. ``links`` are where it entered, and the outer one."""
        found = self
        for motion in reversed(way):
            if isinstance(motion, Rigid):
                found = found._turned_by(motion, scope, links)
            elif motion.axis == "z":
                found = found._about_z(motion.angle, motion.shift)
            else:
                x_turns = not is_zero(motion.angle) or not add_angles
                found = found._about_x(motion.angle, scope, links) if x_turns else found
                found = found.shifted((motion.shift, 0, 0))
        return found

    def _about_z(self, angle: Scalar, shift: Scalar) -> Carried:
        f, m = self.force.turned(angle), self.moment.turned(angle)
        return Carried(f, m if is_zero(shift) else m + f.quarter.each(lambda v: times(shift, v)))

    def _about_x(self, angle: Scalar, scope: Scope, links: tuple[int, int]) -> Carried:
        turn = (Turn("x", angle),)
        f, m = back(turn, self.force.vector), back(turn, self.moment.vector)
        return Carried(at_once(scope.vector("F", links, f)), at_once(scope.vector("N", links, m)))

    def _turned_by(self, motion: Rigid, scope: Scope, links: tuple[int, int]) -> Carried:
        f, m = apply(motion.columns, self.force.vector), apply(motion.columns, self.moment.vector)
        turned = Carried(at_once(scope.vector("F", links, f)), at_once(scope.vector("N", links, m)))
        return turned.shifted(motion.position)


def _carried(robot: Robot, wanted: Wanted, wrench: Sequence[Scalar]) -> Iterator[tuple[list[Scalar], dict[Expr, str]]]:
    """The torques with the wrench entering at any frame on the way."""
    path = [0, *robot.path(wanted.frame)]
    step = max(1, -(-len(path) // limits.MOST_ENTRIES))
    for add_angles in (True, False):
        joints = Joints(robot, wanted.frame, Scope(), add_angles)
        for start in sorted({*path[::step], path[-1]}, key=path.index):
            entered = _entered(joints, wanted, wrench, start)
            yield _torques(joints, entered, start), joints.scope.names


def _entered(joints: Joints, wanted: Wanted, wrench: Sequence[Scalar], start: int) -> Carried:
    """The wrench in frame ``start``, about its origin."""
    f, m = (wrench[0], wrench[1], wrench[2]), (wrench[3], wrench[4], wrench[5])
    if wanted.axes != start:
        path = joints.path(start, wanted.axes)
        f, m = (joints.turned(x, path, stem, True, start) for stem, x in (("FP", f), ("NP", m)))
    if wanted.point != Point(start):
        arm = plus(joints.position(wanted.point, start), times(-1, joints.position(Point(start), start)))
        f, m = shifted((f, m), joints.scope.vector("L", start, arm))
    return Carried(at_once(joints.scope.vector("FE", start, f)), at_once(joints.scope.vector("NE", start, m)))


def _torques(joints: Joints, entered: Carried, start: int) -> list[Scalar]:
    """Inwards to the base, and outwards to the target."""
    robot, scope = joints.robot, joints.scope
    way = [0, *robot.path(joints.n)]
    at = way.index(start)
    here = {start: entered}
    for j, k in [*((way[i + 1], way[i]) for i in reversed(range(at))), *zip(way[at:], way[at + 1 :], strict=False)]:
        here[k] = here[j].through(joints.path(k, j), scope, (start, max(j, k)), joints.add_angles)
    found: dict[Axis, Scalar] = {}
    for k in way[1:]:
        if robot.frame(k).sigma != FIXED:
            found[k] = here[k].force.z if robot.frame(k).sigma == PRISMATIC else here[k].moment.z
    base = root(robot, joints.coordinates).kind.axes
    if base:
        f, m = here[0].force.vector, here[0].moment.vector
        found.update({axis: dot(v, f) + dot(w, m) for axis, (v, w) in zip(BASE_AXES, base, strict=True)})
    return joints.coordinates.torques(found)
