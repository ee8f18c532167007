"""What the motion of the joints adds to the acceleration of the target: dJ/dt qd, in the axes and at the point of a system.

With all twists in fixed axes about a fixed point, the acceleration twist of link k is that of the link before it plus
S_k qdd_k + V x S_k qd_k, where V is the twist of the link before (derived here; equations 8 to 10 of SYMORO+ 1997 give the
same in the frames of the links). The columns S_k of the inner matrix (5) are known already, and have many zeros.
"""

from __future__ import annotations

from ...robot import FIXED, PRISMATIC
from ...spatial.scalar import Scalar, is_zero
from ...spatial.vectors import ZERO, Vector, cross, plus, times
from ..tree.bodies import root
from ..tree.coordinates import BASE_AXES
from ..tree.paths import FrameName
from .columns import Column, Point
from .systems import Split, Systems


def base_twist(systems: Systems, split: Split) -> list[Scalar]:
    """What a base whose motion the description gives adds to the twist."""
    base = systems.task.robot.base
    given = Column(base.velocity, base.angular_velocity)
    return _halves(*(_of_base(systems, axes, split.origin, given) for axes in (split.linear, split.angular)))


def drift(systems: Systems, split: Split) -> list[Scalar]:
    """The classical acceleration of the target's point with qdd = 0, moved to the point of the split like a twist."""
    linear = _drift(systems, split.linear, split.origin)
    angular = Column(ZERO, systems.turned(linear.angular, split.angular, split.linear, "WP"))
    return _halves(linear, angular)


def _halves(linear: Column, angular: Column) -> list[Scalar]:
    return [*linear.linear, *angular.angular]


def _drift(systems: Systems, axes: FrameName, origin: Point) -> Column:
    robot, scope = systems.task.robot, systems.joints.scope
    V, A = _base(systems, axes, origin)
    for k in robot.path(systems.task.wanted.frame):
        if robot.frame(k).sigma == FIXED:
            continue
        axis, own = _axis(systems, k, axes, origin), systems.joints.coordinates
        step = axis.scaled(own.speed(k))
        v, w = V.linear, V.angular
        A = A + Column(plus(cross(w, step.linear), cross(v, step.angular)), cross(w, step.angular))  # V x S_k qd_k
        if not is_zero(own.drift(k)):  # in closed loops joints accelerate though qdd = 0
            A = A + axis.scaled(own.drift(k))
        A = Column(scope.vector("VP", k, A.linear), scope.vector("WP", k, A.angular))
        V = V + step  # (3), one column after the other
        V = Column(scope.vector("V", k, V.linear), scope.vector("W", k, V.angular))
    # The field of accelerations becomes that of the target's own point: w x v of that point.
    v = V.linear
    if origin != systems.task.wanted.point:
        v = plus(v, cross(V.angular, systems.lever(origin, axes)))
    return Column(plus(A.linear, cross(V.angular, v)), A.angular)


def _base(systems: Systems, axes: FrameName, origin: Point) -> tuple[Column, Column]:
    """The twist of the base and its rate without qdd."""
    own = systems.joints.coordinates
    base = root(systems.task.robot, own).at_constant_speed()
    if base.kind.axes:
        columns = systems.columns(axes, origin)
        twist = Column()
        for axis in BASE_AXES:
            for place, coefficient in own.row(axis):
                twist = twist + columns[place].scaled(coefficient * own.qd[place])
        return twist, Column()
    moving = base.moving.of_kind("spatial")
    twists = (Column(moving.v, moving.w), Column(moving.a, moving.wd))
    given, rate = (_of_base(systems, axes, origin, one) for one in twists)
    return given, rate


def _of_base(systems: Systems, axes: FrameName, origin: Point, given: Column) -> Column:
    """A twist of the base, given in frame 0 at its origin."""
    if all(is_zero(x) for x in given.entries):
        return Column()
    joints = systems.joints
    path = joints.path(axes, 0)
    v, w = (joints.turned(x, path, stem, True) for stem, x in (("VB", given.linear), ("WB", given.angular)))
    arm = plus(joints.position(origin, axes), times(-1, joints.position(Point(0), axes)))
    return Column(plus(v, cross(w, arm)), w)


def _axis(systems: Systems, k: int, axes: FrameName, origin: Point) -> Column:
    """The column of joint k alone; where several joints share one, it is made anew."""
    robot, joints = systems.task.robot, systems.joints
    moving = [j for j in robot.path(systems.task.wanted.frame) if robot.frame(j).sigma != FIXED]
    place = joints.coordinates.own_place(k, moving)
    if place is not None:
        return systems.columns(axes, origin)[place]
    axis: Vector = joints.orientation(axes, k)[2]
    if robot.frame(k).sigma == PRISMATIC:
        return Column(axis, ZERO)
    arm = plus(joints.position(origin, axes), times(-1, joints.position(Point(k), axes)))
    return Column(cross(axis, arm), axis)
