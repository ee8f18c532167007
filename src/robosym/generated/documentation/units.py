"""The entries of the vectors that models have, with their units: of joints by their kind, of a free base, of twists and wrenches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...program.documentation import Entries, Entry
from ...robot import Robot
from ...robot.parts import PRISMATIC

POSITION, SPEED, ACCELERATION, FORCE = "position", "speed", "acceleration", "force"
# Of what turns, and of what slides.
UNITS = {
    POSITION: ("rad", "m"),
    SPEED: ("rad/s", "m/s"),
    ACCELERATION: ("rad/s2", "m/s2"),
    FORCE: ("N m", "N"),
}
TWIST = ("vx", "vy", "vz", "wx", "wy", "wz")
WRENCH = ("FX", "FY", "FZ", "CX", "CY", "CZ")
PLACE = ("x", "y", "z", "qx", "qy", "qz", "qw")


def unit(kind: str, slides: bool) -> str:
    return UNITS[kind][slides]


def of_joint(robot: Robot, j: int, kind: str) -> Entry:
    """The joint of a frame."""
    frame = robot.frame(j)
    return Entry(frame.joint.name, unit(kind, frame.sigma == PRISMATIC))


def of_joints(robot: Robot, kind: str, frames: Iterable[int] | None = None) -> Entries:
    """Joints in the order of q, or those of other frames."""
    return tuple(of_joint(robot, j, kind) for j in (robot.moving if frames is None else frames))


def six(kind: str, names: Sequence[str] = TWIST, before: str = "") -> Entries:
    """Three that slide along axes, three that turn about them: a twist, its rate, a wrench."""
    return tuple(Entry(f"{before}{name}", unit(kind, k < 3)) for k, name in enumerate(names))


def wrench(before: str = "") -> Entries:
    return six(FORCE, WRENCH, before)


def place(before: str = "") -> Entries:
    """x y z and a unit quaternion."""
    return tuple(Entry(f"{before}{name}", "m" if k < 3 else "1") for k, name in enumerate(PLACE))


def coordinates(robot: Robot, size: int | None = None) -> Entries:
    """q: a free base, if it is in an array of this size, and the joints."""
    own = of_joints(robot, POSITION)
    return (*place("base "), *own) if _with_base(robot, size) else own


def moving(robot: Robot, kind: str, size: int | None = None) -> Entries:
    """qd, qdd or tau; of kind position small motions in the directions of qd."""
    own = of_joints(robot, kind)
    if not _with_base(robot, size):
        return own
    if kind == FORCE:
        return (*wrench("base "), *own)
    if kind == POSITION:
        small = tuple(f"{way} {axis}" for way in ("along", "about") for axis in "xyz")
        return (*six(kind, small, "base "), *own)
    return (*six(kind, TWIST, "base "), *own)


def _with_base(robot: Robot, size: int | None) -> bool:
    return robot.base.floating and size != len(robot.moving)
