"""A robot as the text of a ``.par`` file.

The format has no place for names, limits, mimic, springs, flexible joints and transmission: they are left out, with a warning when
that changes the model. The numbers of the symbols, with their units and sources, and the positions in which the robot is
described are kept in comments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..expr import Expr
from ..notices import warn
from ..robot import (
    FIXED,
    GEOMETRY,
    INERTIA,
    PRISMATIC,
    REVOLUTE,
    WRENCH,
    Frame,
    Friction,
    Link,
    Problem,
    Robot,
    RobotError,
    RobotWarning,
)
from ..robot.entries import written
from ..robot.platforms import without_platforms
from .par_text import ACTUATOR, MOTION, STATE, variable_in

TYPES = ("serial", "tree", "closed")


def dumps(robot: Robot) -> str:
    """The text of a ``.par`` file."""
    if robot.platforms:
        raise RobotError([Problem("module", without_platforms("a .par file"))], robot.name)
    kinds = {f"frame {j}": f.joint.kind for j, f in enumerate(robot.frames, 1) if f.joint.kind is not None}
    if kinds:
        expected = "write it as revolute and prismatic joints, or the robot as .toml"
        problems = [
            Problem(f"{at}, sigma", f"a .par file has no {k.name} joint: {expected}") for at, k in kinds.items()
        ]
        raise RobotError(problems, robot.name)
    if not robot.frames:
        raise RobotError(
            [Problem("frames", "a .par file has at least one frame, and this robot is its base alone")], robot.name
        )
    for loss in _losses(robot):
        warn(RobotWarning(f"{robot.name}: a .par file cannot hold {loss}"))
    name = robot.name.replace("*)", "* )")
    n_joints = robot.n_links + robot.loops
    par_type = TYPES.index(robot.structure) if robot.par_type is None else robot.par_type
    frames = robot.frames
    lines = [
        f"(* Robotname = '{name}' *)",
        f"NL = {robot.n_links}",
        f"NJ = {n_joints}",
        f"NF = {len(frames)}",
        f"Type = {par_type}",
        f"is_mobile = {int(robot.base.mobile)}",
        "\n(* Geometric parameters *)",
        _list("ant", (str(frame.antecedent) for frame in frames)),
        _list("sigma", (str(frame.sigma) for frame in frames)),
        *(_list(key, (written(getattr(frame, key)) for frame in frames)) for key in GEOMETRY),
        _list("mu", (str(int(frame.joint.active)) for frame in frames)),
        "\n(* Dynamic parameters and external forces *)",
        *(_shortened(key, [getattr(f.link, key) for f in frames], robot.n_links) for key in INERTIA),
        *(
            _shortened(key, [getattr(f.actuator, ours) for f in frames], robot.n_links)
            for key, ours in ACTUATOR.items()
        ),
        *(_shortened(key, [f.link.wrench[i] for f in frames], robot.n_links) for i, key in enumerate(WRENCH)),
        "\n(* Joint parameters *)",
        *(_list(key, (_state(key, j, frames[j - 1]) for j in range(1, n_joints + 1))) for key in STATE),
        "\n(* Speed and acceleration of the base *)",
        *(_list(key, map(written, getattr(robot.base, ours))) for key, ours in MOTION.items()),
        "\n(* Acceleration of gravity *)",
        _list("G", map(written, robot.gravity)),
        "\n(* Transformation of 0 frame position fT0 *)",
        _list("Z", map(written, robot.base.location)),
        *_comments(robot),
        "\n(* End of definition *)",
    ]
    return "\n".join(lines) + "\n"


def _list(name: str, entries: Iterable[str]) -> str:
    return f"{name} = {{{','.join(entries)}}}"


def _shortened(name: str, entries: list[Expr], n_links: int) -> str:
    """One entry for each link; the frames of cut joints only when one of them has something to say."""
    rest = entries[n_links:]
    return _list(name, map(written, entries[:n_links] if all(e.is_zero for e in rest) else entries))


def _state(key: str, j: int, frame: Frame) -> str:
    entry: Expr | None = getattr(frame.joint, STATE[key])
    if entry is not None:
        return written(entry)
    return "0" if frame.sigma == FIXED else f"{key}{j}"


def _comments(robot: Robot) -> Iterator[str]:
    """What only Robosym reads back: variables that are not obvious, positions, and the numbers of the symbols."""
    names = []
    obvious = True
    for frame in robot.frames:
        own = frame.joint.variable
        entry = {REVOLUTE: frame.theta, PRISMATIC: frame.r}.get(frame.sigma)
        names.append("0" if own is None else own.name)
        if own is not None and entry is not None:
            obvious = obvious and variable_in(written(entry), frame.sigma) == own.name
    if not obvious:
        yield f"\n(* Variables = {{{','.join(names)}}} *)"
    placed = [(j, frame.joint.position) for j, frame in enumerate(robot.frames, 1) if frame.joint.position is not None]
    if placed:
        yield ""
        yield from (f"(* Position {j} = {position!r} *)" for j, position in placed)
    if robot.values:
        yield ""
        for name, value in robot.values.items():
            about = f" '{_quotable(value.unit)}' '{_quotable(value.source)}'" if value.unit or value.source else ""
            yield f"(* Value {name} = {value.number!r}{about} *)"


def _quotable(text: str) -> str:
    """Text that can stand between quotes in a comment."""
    return text.replace("'", "’").replace("*)", "* )")


def _losses(robot: Robot) -> Iterator[str]:
    """What changes the model when it is left out."""
    if robot.base.floating:
        yield "a floating base"
    if robot.base.link != Link():
        yield "the inertia of the base"
    dependent = [frame.joint.name for frame in robot.frames if frame.joint.mimic is not None]
    if dependent:
        yield f"dependent joints: {', '.join(dependent[:8])} become free"
    if any(frame.joint.spring is not None for frame in robot.frames):
        yield "springs"
    if any(frame.actuator.flexibility is not None for frame in robot.frames):
        yield "flexible joints"
    if any(frame.actuator.friction != Friction() for frame in robot.frames):
        yield "friction other than Fv and Fs"
    if any(not frame.actuator.motor.Jm.is_zero for frame in robot.frames):
        yield "the rotor inertias Jm of motors (refer them to the joints as Ia)"
    if any(not (frame.actuator.motor.Fv.is_zero and frame.actuator.motor.Fs.is_zero) for frame in robot.frames):
        yield "the friction of motors"
    if robot.couplings:
        yield "couplings of motors"
