"""The torques that hold a wrench: Gamma = J^T F, the dual of the kinematic model (Khalil and Dombre 2002, section 5.9).

A wrench is the same all along the chain: written in the frame of a joint, one of its components is the torque. It enters
at any frame on the way and is carried from there, inwards and outwards; or it is multiplied by the columns of the inner
Jacobian matrix, in the intermediate frame where they are shortest. The cheapest of these is taken.
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
    """tau (nv): the joint torques with which the frame exerts ``wrench`` on the environment, tau = J^T wrench.

    The wrench (force, then moment about the point) is in the axes and about the point of ``jacobian`` with the same
    options, so that wrench . V = tau . qd. It is what the robot does to its environment; what the environment does to the
    robot has the other sign. Weights and inertias do not count. A free base has the wrench that must hold it.
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
