"""The entries of the vectors that models have, with their units: of joints by their kind, of a free base, of twists and wrenches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...program.documentation import Entries, Entry
from ...robot import Robot
from ...robot.blocks import entries_of
from ...robot.joints.kind import Entry as JointEntry

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
SMALL = tuple(f"{way} {axis}" for way in ("along", "about") for axis in "xyz")
QUATERNION = "unit quaternion"
DIRECTIONS = {POSITION: SMALL, FORCE: WRENCH}  # of small motions and of forces; the others have those of a twist


def unit(kind: str, slides: bool) -> str:
    return UNITS[kind][slides]


def of_joint(robot: Robot, j: int, kind: str, small: bool = False) -> Entries:
    """The joint of a frame: its entries of q, of qd, qdd or tau; ``small`` are small motions in the directions of qd."""
    positions, speeds = entries_of(robot, j)
    entries = positions if kind == POSITION and not small else speeds
    return tuple(_entry(robot.frame(j).joint.name, one, kind) for one in entries)


def of_joints(robot: Robot, kind: str, frames: Iterable[int] | None = None, small: bool = False) -> Entries:
    """Joints in the order of q, or those of other frames."""
    found = (of_joint(robot, j, kind, small) for j in (robot.moving if frames is None else frames))
    return tuple(entry for entries in found for entry in entries)


def _entry(joint: str, entry: JointEntry, kind: str) -> Entry:
    """An entry of a joint: ``hip wx`` in rad/s, ``hip about x`` of small motions, ``hip CX`` of torques."""
    suffix = entry.suffix
    if suffix in TWIST:
        suffix = DIRECTIONS.get(kind, TWIST)[TWIST.index(suffix)]
    own = QUATERNION if entry.unit == "quaternion" else unit(kind, entry.unit == "length")
    return Entry(f"{joint} {suffix}".strip(), own)


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
    return (*place("base "), *own) if has_base(robot, size, robot.nq - len(PLACE)) else own


def moving(robot: Robot, kind: str, size: int | None = None) -> Entries:
    """qd, qdd or tau; of kind position small motions in the directions of qd."""
    own = of_joints(robot, kind, small=True)
    if not has_base(robot, size, robot.nv - len(TWIST)):
        return own
    return (*six(kind, DIRECTIONS.get(kind, TWIST), "base "), *own)


def has_base(robot: Robot, size: int | None, of_joints: int) -> bool:
    """Whether an array has the entries of a free base before those of the joints, ``of_joints`` of them."""
    return robot.base.floating and size != of_joints
