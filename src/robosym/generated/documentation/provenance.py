"""The robot, base, gravity and options that a model is made with, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from ...expr import parameter, substitute, text
from ...robot import Robot
from ...robot.keys import MOTION_KEYS
from ...robot.origin import origin_of
from ...robot.parts import FIXED
from .case import Case
from .words import Words

# Options that the sentences on the model and its arrays say already, or that change nothing but how it is computed.
STATED = frozenset(
    [
        "frame",
        "frames",
        "axes",
        "tool",
        "reference",
        "rows",
        "kind",
        "intermediate",
        "origin",
        "names",
        "outputs",
        "of",
        "by",
        "mode",
        "order",
        "given",
        "free",
        "integrator",
        "substeps",
        "form",
        "model",
        "part",
        "law",
        "columns",
        "mounted_on",
        "friction",
        "rotor_inertia",
    ]
)
FRICTION = {False: "left out", True: "that of the description", "smooth": "that of the description, made smooth"}
ROTORS = {False: "left out", True: "in it, each turning with its joint", "gyroscopic": "in it, with gyroscopic torques"}
MODE = "Closed loops assembled in mode"


def provenance(case: Case, name: str, words: Words) -> Iterator[str]:
    """Sentences, without a full stop; ``name`` is that of the model, without what it was differentiated by."""
    yield f"Robot: {case.robot.name} ({origin_of(case.robot)}); {_base(case)}"
    if case.robot.compound:
        yield f"Joints of several axes: {', '.join(_compound(case.robot, j) for j in case.robot.compound)}"
    if words.gravity:
        yield f"Gravity: {_gravity(case)}"
    if "friction" in case.model.options:
        yield f"Friction: {_meaning(FRICTION, case.option('friction'))}"
    yield from _rotors(case, words)
    if words.inertia and name != "gravity":
        yield from _flexible(case)
    if case.robot.loops and case.option("mode") and not any(note.startswith(MODE) for note in case.model.code.notes):
        yield f"{MODE}: {case.option('mode')}"
    if words.inertia:
        yield f"Inertial parameters: {case.model.parameter_set}"
    if more := [f"{name}={_value(value)}" for name, value in case.model.options.items() if name not in STATED]:
        yield f"Options: {', '.join(more)}"
    if _named_by_variables(case):
        yield "The joints have no names of their own: they are called as the entries of q"


def _base(case: Case) -> str:
    base = case.robot.base
    if base.floating:
        return "free base"
    if not all(entry.is_zero for key in MOTION_KEYS for entry in getattr(base, key)):
        return f"base frame {base.name}, moved as the description says"
    placed = "which is the world" if case.base_is_world else "placed in the world by Z of the description"
    return f"fixed base, frame {base.name}, {placed}"


def _compound(robot: Robot, j: int) -> str:
    """A joint with its kind and what the description says of it."""
    kind = robot.kind(j)
    assert kind is not None
    more = "".join(f", {one.name} {text(getattr(kind, one.name))}" for one in fields(kind))
    return f"{robot.frame(j).joint.name} ({kind.name}{more})"


def _gravity(case: Case) -> str:
    known = {parameter(name): value for name, value in case.numbers.items()}
    entries = [text(x) for x in substitute(case.robot.gravity, known)]
    if all(x.is_zero for x in case.robot.gravity):
        return "none"
    where = "the frame that the base moves in" if case.robot.base.floating else f"frame {case.robot.base.name}"
    return f"({', '.join(entries)}) m/s2 in the axes of {where}"


def _rotors(case: Case, words: Words) -> Iterator[str]:
    """Whether the inertias of rotors count."""
    with_motors = any("_motor" in array for array in case.inputs)
    if "rotor_inertia" in case.model.options and not (with_motors and case.option("rotor_inertia") is True):
        yield f"Rotor inertias: {_meaning(ROTORS, case.option('rotor_inertia'))}"
    elif with_motors or words.rotors:
        yield "Rotor inertias: in it, each turning with its joint or, of a flexible joint, with its motor"


def _meaning(meanings: Mapping[Any, str], value: Any) -> str:
    """The words for a value of an option, or the value."""
    return meanings[value] if isinstance(value, bool | str) and value in meanings else _value(value)


def _flexible(case: Case) -> Iterator[str]:
    """Whether the motors of flexible joints have positions of their own, or move with their links."""
    if case.robot.flexible:
        joints = ", ".join(case.robot.frame(j).joint.name for j in case.robot.flexible)
        two = any("_motor" in array for array in case.inputs)
        words = "motor and link have a position each" if two else "rigid in this model, motor and link move together"
        yield f"Flexible joints: {joints}; {words}"


def _named_by_variables(case: Case) -> bool:
    joints = [frame.joint for frame in case.robot.frames if frame.sigma != FIXED]
    stems = [(one.name, one.variable if one.kind is None else one.kind.stem(one.variables)) for one in joints]
    known = [(name, stem.name) for name, stem in stems if stem is not None]
    return bool(known) and all(name == stem for name, stem in known)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_value(one)}" for key, one in value.items())
    return str(value)
