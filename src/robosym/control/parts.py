"""A law out of parts: models and small programs one after the other, then the limits of the motors; its gains by
groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..expr import minimum
from ..generated import Model
from ..models.common import ASSEMBLED, PASSIVE
from ..program.of_arrays import program_of
from ..program.routine import Copy, Run, Slot, Stage, relabelled
from ..reals import Floats
from .assembly import WANTED
from .dynamics import FOUND_ONCE, Inside, inside
from .joints import Joints
from .law import ControlError, Gains, Law, Reference, Tuning, law
from .saturation import TAU_MAX, limited, saturation
from .velocity import POLE, Speeds


def every_joint_driven(joints: Joints, name: str) -> Joints:
    """The joints, for a law that moves each of them as it likes."""
    if joints.free:
        raise ControlError(
            f"{joints.robot.name}: {name} needs a motor for every coordinate, and {', '.join(joints.free)} "
            f"{'moves by itself' if len(joints.free) == 1 else 'move by themselves'}: expected a fixed base and driven joints"
        )
    return joints


def not_negative(**settings: Any) -> None:
    """Gains below zero would drive errors on; a change of settings passes here too."""
    for name, values in settings.items():
        if not (np.asarray(values) >= 0).all():
            raise ControlError(f"{name}: got {np.min(values):g}, expected at least 0")


class Parts:
    """What is done at a call, in order. Models of closed loops that are solved by iteration have a state each."""

    def __init__(self) -> None:
        self.models: list[Model] = []
        self.stages: list[Stage] = []
        self.inputs: dict[str, Slot] = {}
        self.state: list[Slot] = []
        self.outputs: dict[str, Slot] = {}
        self.flags: list[str] = []

    def model(self, made: Model, label: str, names: Mapping[str, str]) -> None:
        """A model, with the arrays of the law that its inputs and outputs are."""
        self.add(inside(made, names, label), label)

    def add(self, one: Inside, label: str) -> None:
        own = {ASSEMBLED, PASSIVE, FOUND_ONCE} & {slot.name for slot in (*one.state, *one.outputs)}

        def place(name: str) -> str:
            return f"{label}_{name}" if name in own else name

        self.models.append(one.model)
        self.stages += relabelled(one.stages, place)
        self.inputs |= {slot.name: slot for slot in one.inputs}
        self.state += [Slot(place(slot.name), slot.shape, slot.about) for slot in one.state]
        for slot in one.outputs:
            if slot.name == ASSEMBLED:
                self.flags.append(place(ASSEMBLED))
                self.outputs[ASSEMBLED] = slot
            else:
                self.outputs[place(slot.name)] = Slot(place(slot.name), slot.shape, slot.about)

    def run(self, name: str, inputs: Mapping[str, tuple[int, ...]], body: Callable[..., Any], **names: str) -> None:
        """A small program on arrays of the law."""
        self.stages.append(Run(program_of(name, inputs, body), names))

    def finished(self) -> tuple[Stage, ...]:
        """With the one flag that says whether all loops could be assembled."""
        if not self.flags:
            return tuple(self.stages)

        def all_of(**flags: Any) -> dict[str, Any]:
            first, *others = flags.values()
            for one in others:
                first = minimum(first, one)
            return {ASSEMBLED: first}

        return (*self.stages, Run(program_of("assembled", dict.fromkeys(self.flags, ()), all_of)))


def law_of_parts(
    name: str,
    joints: Joints,
    speeds: Speeds,
    inputs: Sequence[Slot],
    parts: Parts,
    tuning: Tuning,
    *,
    period: float,
    limits: Floats,
    state: Sequence[Slot] = (),
    outputs: Sequence[Slot] = (),
    after: tuple[Stage, ...] = (),
    reference: Reference = "task",
    notes: tuple[str, ...] = (),
    options: Mapping[str, Any] | None = None,
) -> Law:
    """``parts`` make ``tau_wanted``; ``after`` is done once ``tau`` is known. Torques are cut off at the ``limits``."""
    cut: tuple[Stage, ...] = (saturation(joints, limits),) if limited(joints, limits) else (Copy(WANTED, "tau"),)
    kept = (*speeds.state, *parts.state, *state)
    without = [joints.names[k] for k, most in zip(joints.driven, limits, strict=True) if np.isinf(most)]
    said = (f"No limit of torque: {', '.join(without)}",) if without else ()
    return law(
        name,
        joints.robot,
        (*speeds.inputs, *inputs, *parts.inputs.values(), *kept),
        (joints.torques(), *outputs, *parts.outputs.values(), *kept),
        (*speeds.stages, *parts.finished(), *cut, *after),
        tuning,
        period,
        tuple(parts.models),
        reference=reference,
        notes=(*notes, *said),
        options=options,
    )


def tuning_of(
    settings: Mapping[str, Floats],
    make: Callable[..., Gains],
    groups: Mapping[str, tuple[str, ...]],
    joints: Joints,
    speeds: Speeds,
    limits: Floats,
    period: float,
) -> Tuning:
    """``make`` gives the ``groups`` of gains of the ``settings``; limits of torque and the pole of a filter are
    added."""
    own, given, names = tuple(settings), dict(settings), dict(groups)
    finite = np.isfinite(limits)
    if finite.any():
        given[TAU_MAX] = limits[finite]
        names[TAU_MAX] = tuple(s for s, there in zip(joints.suffixes, finite, strict=True) if there)
    if speeds.cut_off is not None:
        given["velocity"], names[POLE] = np.array([speeds.cut_off]), ("",)

    def gains(**values: Any) -> Gains:
        found = dict(make(**{key: values[key] for key in own}))
        if finite.any():
            found[TAU_MAX] = values[TAU_MAX]
        if speeds.cut_off is not None:
            found[POLE] = np.exp(-np.asarray(values["velocity"]) * period)
        return found

    return Tuning(given, gains, names)
