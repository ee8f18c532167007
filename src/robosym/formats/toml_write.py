"""A robot as TOML text: only what differs from the defaults of ``robot.table``, in the order a person would write it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import Field, fields
from typing import Any

from ..expr import Expr, parameter, variable
from ..robot import (
    FIXED,
    FREE,
    GEOMETRY,
    INERTIA,
    PRISMATIC,
    REVOLUTE,
    WRENCH,
    Base,
    Flexibility,
    Frame,
    Friction,
    Leg,
    Limits,
    Link,
    Mimic,
    Motor,
    MotorLimits,
    Robot,
    RobotError,
    Spring,
    Value,
)
from ..robot.entries import written
from ..robot.parts import IDENTITY16, ZERO, ZERO3
from ..robot.problems import Problem

SIGMA_NAMES = {REVOLUTE: "revolute", PRISMATIC: "prismatic", FIXED: "fixed", FREE: "free"}
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}

Line = tuple[str, Any]


def dumps(robot: Robot) -> str:
    """The TOML text of a robot; ``toml.loads`` gives the same robot back."""
    if robot.couplings and robot.regrouping is not None and robot.regrouping.referred:
        problem = (
            "in base parameters the rotors of coupled joints are in Ia and in what couples them: no file holds that"
        )
        raise RobotError([Problem("coupling", problem)], robot.name)
    head = [*_head(robot)]
    lines = [f"{key} = {toml_value(value)}" for key, value in head]
    base = list(_base(robot.base))
    if base or not robot.frames:
        lines += ["", "[base]", *(f"{key} = {toml_value(value)}" for key, value in base)]
    for j, frame in enumerate(robot.frames, 1):
        has_motor = j <= robot.n_links and frame.sigma != FREE  # by default
        lines += ["", "[[frame]]", *(f"{key} = {toml_value(value)}" for key, value in _frame(j, frame, has_motor))]
    for platform in robot.platforms:
        name = robot.frame(platform.frame).name
        lines += ["", "[[module]]", f"platform = {toml_value(name)}", "legs = ["]
        lines += [*(f"    {_inline(_leg(robot, leg))}," for leg in platform.legs), "]"]
    for coupling in robot.couplings:
        lines += [
            "",
            "[[coupling]]",
            f"frames = {toml_value(coupling.frames)}",
            f"matrix = {toml_value(coupling.matrix)}",
        ]
    if robot.values:
        lines += ["", "[values]", *(f"{toml_key(name)} = {toml_value(value)}" for name, value in robot.values.items())]
    return "\n".join(lines) + "\n"


def _head(robot: Robot) -> Iterator[Line]:
    yield "name", robot.name
    if robot.description:
        yield "description", robot.description
    if robot.source:
        yield "source", robot.source
    yield "gravity", robot.gravity
    if robot.loops:
        yield "loops", robot.loops
    if robot.par_type is not None:
        yield "par_type", robot.par_type


def _base(base: Base) -> Iterator[Line]:
    if base.name != Base().name:
        yield "name", base.name
    if base.location != IDENTITY16:
        yield "location", [base.location[i : i + 4] for i in range(0, 16, 4)]
    for key in ("angular_velocity", "angular_acceleration", "velocity", "acceleration"):
        if getattr(base, key) != ZERO3:
            yield key, getattr(base, key)
    for key in ("mobile", "floating"):
        if getattr(base, key):
            yield key, True
    yield from _body(base.link, "0")


def _frame(j: int, frame: Frame, has_motor: bool) -> Iterator[Line]:
    joint, own = frame.joint, frame.joint.variable
    if joint.kind is not None:
        own = joint.kind.stem(joint.variables)
    if frame.name != f"frame{j}":
        yield "name", frame.name
    yield "antecedent", frame.antecedent
    kind = joint.kind
    if kind is not None:
        yield "sigma", kind.name
        for item in fields(kind):
            yield item.name, getattr(kind, item.name)
    elif frame.sigma != REVOLUTE:
        yield "sigma", SIGMA_NAMES.get(frame.sigma, frame.sigma)
    moving = {REVOLUTE: "theta", PRISMATIC: "r"}.get(frame.sigma)
    for name, entry in zip(GEOMETRY, frame.geometry, strict=True):
        if entry is not (own if name == moving else ZERO):
            yield name, entry
    if own is not None and own.name != f"q{j}":
        yield "variable", own.name
    if joint.name != (f"fixed{j}" if own is None else own.name):
        yield "joint", joint.name
    if joint.active != has_motor:
        yield "active", joint.active
    if joint.limits != Limits():
        yield "limits", joint.limits
    for key in ("mimic", "spring", "position", "velocity", "acceleration", "torque"):
        if getattr(joint, key) is not None:
            yield key, getattr(joint, key)
    yield from _body(frame.link, str(j))
    actuator = frame.actuator
    yield from _group("actuator", ("Ia", "Fv", "Fs"), (actuator.Ia, actuator.Fv, actuator.Fs), str(j))
    if actuator.ratio is not None:
        yield "ratio", actuator.ratio
    if actuator.friction != Friction():
        yield "friction", actuator.friction
    if actuator.motor != Motor():
        yield "motor", actuator.motor
    if actuator.flexibility is not None:
        yield "flexibility", actuator.flexibility


def _leg(robot: Robot, leg: Leg) -> Iterator[Line]:
    yield "name", leg.name
    yield "end", robot.frame(leg.end).name
    yield "seat", robot.frame(leg.seat).name
    yield "joint", leg.joint


def _body(link: Link, suffix: str) -> Iterator[Line]:
    yield from _group("inertia", INERTIA, link.inertial, suffix)
    yield from _group("wrench", WRENCH, link.wrench, suffix)


def _group(group: str, names: Sequence[str], entries: Sequence[Expr], suffix: str) -> Iterator[Line]:
    """``group = "symbolic"`` when every entry is its default symbol, a list of names when some are, then the others."""
    kind = variable if group == "wrench" else parameter
    default = [name for name, entry in zip(names, entries, strict=True) if entry is kind(f"{name.upper()}{suffix}")]
    if default:
        yield group, "symbolic" if len(default) == len(names) else default
    for name, entry in zip(names, entries, strict=True):
        if name not in default and not entry.is_zero:
            yield name, entry


def toml_value(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int):
        return str(value) if -(2**63) <= value < 2**63 else _string(str(value))
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, Expr):
        plain = value.is_number and isinstance(value.value, (int, float))
        return toml_value(value.value) if plain else _string(written(value))
    if isinstance(value, (Limits, MotorLimits, Friction, Motor, Spring, Flexibility)):
        return _inline((item.name, getattr(value, item.name)) for item in fields(value) if _says_something(value, item))
    if isinstance(value, Mimic):
        offset = None if value.offset.is_zero else value.offset
        return _inline([("frame", value.frame), ("ratio", value.ratio), ("offset", offset)])
    if isinstance(value, Value):
        if not value.unit and not value.source:
            return toml_value(value.number)
        return _inline([("value", value.number), ("unit", value.unit or None), ("source", value.source or None)])
    return f"[{', '.join(toml_value(item) for item in value)}]"


def _says_something(value: Any, item: Field[Any]) -> bool:
    """Whether a field differs from its default."""
    return bool(getattr(value, item.name) != item.default)


def _inline(items: Iterable[Line]) -> str:
    return "{" + ", ".join(f"{key} = {toml_value(item)}" for key, item in items if item is not None) + "}"


def toml_key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else _string(name)


def _string(text: str) -> str:
    """A basic string: quotes, backslashes and control characters escaped."""
    return (
        '"'
        + "".join(_ESCAPES.get(c) or (f"\\u{ord(c):04x}" if ord(c) < 32 or ord(c) == 127 else c) for c in text)
        + '"'
    )
