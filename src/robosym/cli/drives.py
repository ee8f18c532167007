"""Friction, motors, transmissions and flexible joints of a robot, for people and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from ..expr import Expr, text
from ..robot import FIXED, Actuator, Coupling, Flexibility, Friction, Motor, Robot, Spring
from .tables import short, table

PLAIN = ("Ia", "Fv", "Fs", "ratio")


def actuator_as_dict(actuator: Actuator) -> dict[str, Any]:
    """What the description says of it."""
    found = {name: _plain(getattr(actuator, name)) for name in PLAIN if _is_given(getattr(actuator, name))}
    parts = (("friction", actuator.friction), ("motor", actuator.motor), ("flexibility", actuator.flexibility))
    return found | {name: entries for name, part in parts if part is not None and (entries := part_as_dict(part))}


def couplings_as_list(robot: Robot) -> list[dict[str, Any]]:
    return [{"frames": list(one.frames), "matrix": _plain(one.matrix)} for one in robot.couplings]


def part_as_dict(part: Friction | Motor | Flexibility | Spring) -> dict[str, Any]:
    values = {item.name: getattr(part, item.name) for item in fields(part)}
    found = {name: _plain(value) for name, value in values.items() if name != "limits" and _is_given(value)}
    if isinstance(part, Motor):
        limits = {item.name: getattr(part.limits, item.name) for item in fields(part.limits)}
        known = {name: value for name, value in limits.items() if value is not None}
        return found | ({"limits": known} if known else {})
    return found


def _is_given(value: Any) -> bool:
    return not (value is None or value == () or (isinstance(value, Expr) and value.is_zero))


def _plain(value: Any) -> Any:
    if isinstance(value, int):
        return value
    return text(value) if isinstance(value, Expr) else [_plain(one) for one in value]


# --- tables ------------------------------------------------------------------------------------------------------------


def show_drives(robot: Robot) -> None:
    """A row for each joint that has something to show, then the couplings."""
    rows = []
    for j, frame in enumerate(robot.frames, 1):
        facts = actuator_as_dict(frame.actuator)
        if facts and frame.sigma != FIXED:
            rows.append([str(j), *(short(facts.get(name, "")) for name in PLAIN), *_words(facts)])
    if rows:
        used = [k for k in range(len(HEAD)) if k == 0 or any(row[k] for row in rows)]
        table([HEAD[k] for k in used], [[row[k] for k in used] for row in rows], "actuators and friction")
    for coupling in robot.couplings:
        table(*_coupling_table(robot, coupling), "coupled joints: q = J q_m")


HEAD = (
    "j",
    *PLAIN,
    "Jm",
    "KT",
    "Ka",
    "motor Fv",
    "motor Fs",
    "rotor axis",
    "on frame",
    "motor limits",
    "friction",
    "flexibility",
)


def _words(facts: dict[str, Any]) -> Iterator[str]:
    motor, friction = facts.get("motor", {}), facts.get("friction", {})
    for name in ("Jm", "KT", "Ka", "Fv", "Fs"):
        yield short(motor.get(name, ""))
    yield ", ".join(map(short, motor.get("axis", ())))
    yield str(motor.get("link", ""))
    yield ", ".join(f"{name} {value:g}" for name, value in motor.get("limits", {}).items())
    for part in (friction, facts.get("flexibility", {})):
        yield ", ".join(f"{name} {_joined(value)}" for name, value in part.items())


def _joined(value: Any) -> str:
    return short(value) if isinstance(value, str) else " ".join(f"({_joined(v)}; {_joined(f)})" for v, f in value)


def _coupling_table(robot: Robot, coupling: Coupling) -> tuple[list[str], list[list[str]]]:
    names = [robot.frame(j).joint.name for j in coupling.frames]
    rows = [[name, *(short(text(x)) for x in row)] for name, row in zip(names, coupling.matrix, strict=True)]
    return ["", *(f"motor of {name}" for name in names)], rows
