"""The arrays that many models have under the same names."""

from __future__ import annotations

from collections.abc import Mapping

from ...expr import VARIABLE, Expr, text
from ...program.documentation import Described, Entries, Entry
from .case import Case, Said
from .units import (
    ACCELERATION,
    FORCE,
    PLACE,
    POSITION,
    SPEED,
    TWIST,
    coordinates,
    has_base,
    moving,
    of_joints,
    six,
    wrench,
)

OWN_AXES = "in the axes of its own frame at its origin"
POSE = "homogeneous matrix: rotation, and position in m in its last column"
XYZ = tuple(Entry(axis, "m") for axis in "xyz")


def kind_of_joints(case: Case) -> str:
    """Which joints q is of."""
    return "driven joints" if case.robot.loops or case.robot.platforms else "joints"


def base_place(case: Case) -> str:
    """What the pose of a free base is given in."""
    where = "the world" if case.base_is_world else "the frame that Z places in the world"
    return f"frame {case.robot.base.name} in {where}"


def q(case: Case) -> Described:
    joints = f"positions of the {kind_of_joints(case)}"
    if has_base(case.robot, case.size, case.robot.nq - len(PLACE)):
        joints = f"pose of the free base, {base_place(case)} (x y z and a unit quaternion), then {joints}"
    return Described(joints, coordinates(case.robot, case.size))


def _moving(case: Case, joints: str, base: str, kind: str) -> Described:
    said = f"{joints} of the {kind_of_joints(case)}{axes_of_joints(case)}"
    if has_base(case.robot, case.size, case.robot.nv - len(TWIST)):
        said = f"{base} of the free base, linear then angular, {OWN_AXES}, then {said}"
    return Described(said, _with_fixed(case, moving(case.robot, kind, case.size), kind))


def axes_of_joints(case: Case) -> str:
    """The axes that the speeds of ball joints and the like are in, by joint."""
    joints: dict[str, list[str]] = {}
    for j in case.robot.moving:
        kind = case.robot.kind(j)
        if kind is not None and kind.speed_axes:
            joints.setdefault(kind.speed_axes, []).append(case.robot.frame(j).joint.name)
    parts = (f"{', '.join(names)} {axes}" for axes, names in joints.items())
    return f" ({'; '.join(parts)})" if joints else ""


FIELDS = {SPEED: "velocity", ACCELERATION: "acceleration", FORCE: "torque"}


def _with_fixed(case: Case, entries: Entries, kind: str) -> Entries:
    """The entries of an input; those that the description fixes say so: their places stay, unread."""
    if case.array not in case.inputs:
        return entries
    robot, found = case.robot, list(entries)
    for block in robot.blocks:
        value = getattr(robot.frame(block.frame).joint, FIELDS[kind]) if block.frame else None
        if value is not None and value.level < VARIABLE:
            place = block.qd.start + len(entries) - robot.nv  # without a free base, if the array is
            found[place] = _fixed(found[place], value)
    return tuple(found)


def _fixed(entry: Entry, value: Expr) -> Entry:
    return Entry(f"{entry.name} (not read: {text(value)} by the description)", entry.unit)


def qd(case: Case) -> Described:
    return _moving(case, "speeds", "velocity", SPEED)


def qdd(case: Case) -> Described:
    classical = case.option("kind") == "classical" and "axes" not in case.model.options
    base = "classical acceleration (of the origin itself)" if classical else "rates of the velocities"
    return _moving(case, "accelerations", base, ACCELERATION)


def torques(case: Case, whose: str = "of the") -> Described:
    """What the coordinates are moved by."""
    said = f"{torque_word(case)} {whose} {kind_of_joints(case)}{axes_of_joints(case)}"
    if has_base(case.robot, case.size, case.robot.nv - len(TWIST)):
        said = f"force and moment on the free base, {OWN_AXES}, then {said}"
    return Described(said, _with_fixed(case, moving(case.robot, FORCE, case.size), FORCE))


def torque_word(case: Case) -> str:
    """Torques where joints turn, forces where they slide."""
    units = {one.unit for one in of_joints(case.robot, FORCE)}
    return "forces" if units == {"N"} else "torques" if units <= {"N m"} else "torques and forces"


tau = torques


def wrenches(case: Case) -> Described:
    """On the environment, a row for each frame."""
    about = "forces and moments that the robot exerts on the environment, each at the origin of the frame of its row, in its axes"
    return Described(about, tuple(map(Entry, case.wrench_frames)), wrench())


def by_velocity(case: Case, about: str, rows: tuple[Entry, ...], kind: str = SPEED) -> Described:
    """A matrix by speeds: a column for each entry of qd."""
    return Described(about, rows, moving(case.robot, kind))


def following(case: Case) -> Described:
    """The joints that an iteration finds."""
    tree = case.model.of_tree
    names = found_joints(case)
    about = "positions of the joints that the closed loops give, as found"
    if case.array == "start":
        about = "positions of the joints that the closed loops give, where their iteration begins: those found last, or near"
    if tree is None or not names:
        return Described(f"{about}; rad of those that turn, m of those that slide")
    return Described(about, names)


def found_joints(case: Case) -> tuple[Entry, ...]:
    """Those whose positions come with the state."""
    tree = case.model.of_tree
    closure = tree.robot.closure if tree is not None else None
    if closure is None or tree is None:
        return ()
    frames = {frame.joint.variable: j for j, frame in enumerate(tree.robot.frames, 1)}
    found = [frames[symbol] for symbol in closure.found if symbol in frames]
    return of_joints(tree.robot, POSITION, found) if len(found) == len(closure.found) == case.size else ()


def _motor(kind: str, what: str) -> Said:
    about = (
        f"{what} of the motors of flexible joints, on the side of their joints; of the joint where its drive is rigid"
    )
    return lambda case: Described(about, of_joints(case.robot, kind))


def flag(about: str) -> Said:
    return lambda case: Described(about)


def number(about: str, unit: str = "") -> Said:
    return lambda case: Described(about, unit=unit)


ASSEMBLED = "1 where the loops close and all rates are defined, else 0, and the other outputs mean nothing"
COMMON: Mapping[str, Said] = {
    "q": q,
    "qd": qd,
    "qdd": qdd,
    "tau": tau,
    "wrench": wrenches,
    "assembled": flag(ASSEMBLED),
    "start": following,
    "passive": following,
    "residual": flag("what is left of the closure of the loops, lengths over their size"),
    "q_motor": _motor(POSITION, "positions"),
    "qd_motor": _motor(SPEED, "speeds"),
    "qdd_motor": _motor(ACCELERATION, "accelerations"),
    "dt": number("time from one state to the next", "s"),
    "damping": number("weight of the speeds against the error of the velocity, zero unless it is given"),
    "weights": lambda case: Described(
        "weight of each speed, positive", tuple(Entry(x.name) for x in moving(case.robot, SPEED))
    ),
    "task_weights": lambda case: Described(
        "weight of each component, positive", tuple(Entry(x.name) for x in components(case))
    ),
}


def components(case: Case, kind: str = SPEED) -> tuple[Entry, ...]:
    """Those of a twist that are requested, in the order requested; all unless there is a choice."""
    every = {one.name: one for one in six(kind, TWIST)}
    return tuple(every[name] for name in case.option("rows") or TWIST)


def named_joints(case: Case, whose: str, kind: str) -> tuple[Entry, ...]:
    """The joints whose names an attribute of the model holds."""
    frames = {frame.joint.name: j for j, frame in enumerate(case.robot.frames, 1)}
    names = getattr(case.model, whose, ())
    return of_joints(case.robot, kind, [frames[name] for name in names if name in frames])


def twists(case: Case, kind: str, about: str) -> Described:
    """The motion of a frame, or a row for each of several frames."""
    if frames := case.option("frames"):
        return Described(about, tuple(Entry(case.frame_named(one)) for one in frames), six(kind, TWIST))
    return Described(about, six(kind, TWIST))


# --- dynamics -----------------------------------------------------------------------------------------------------------


def inertia(case: Case) -> Described:
    about = f"inertia matrix, tau = {case.array} qdd + ..."
    return by_velocity(case, about, moving(case.robot, FORCE), ACCELERATION)


def slopes(rows: str, kind: str) -> Said:
    """d(rows)/d(q, qd or tau); of a free base by small motions in its own axes."""

    def describe(case: Case) -> Described:
        about = f"derivatives of {rows}, of the row by the column"
        return Described(about, moving(case.robot, FORCE if rows == "tau" else ACCELERATION), moving(case.robot, kind))

    return describe


REFERENCE_MOTION: Mapping[str, Said] = {
    "v": lambda case: Described(f"reference speeds, as qd, of the {kind_of_joints(case)}", moving(case.robot, SPEED)),
    "a": lambda case: Described("rates of the reference speeds", moving(case.robot, ACCELERATION)),
}
