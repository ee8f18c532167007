"""Each model of a package as its user calls it: which arguments, of what shape, in what units, with what defaults.

The C functions take inputs, parameters and constants and fill outputs; what stands around them in C++ or Python takes the
inputs, leaves out what may be left out, keeps parameters and constants to itself, and returns the outputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..codegen.errors import CodegenError
from ..program.routine import Routine
from .c_check import facts_of_part
from .joints import BASE_POSITION, Joints
from .parts import Order, Part

SEED, SEEDED = "seed", "seeded"  # the second says whether the first is given, and is never asked for
_OF_JOINTS = {"q": 0, "qd": 1, "qdd": 2, "q_next": 0, "qd_next": 1, "v": 1, "a": 2, "seed": 0, "start": 0}
_TORQUES = ("tau", "Q", "H")


@dataclass(frozen=True)
class Given:
    """An array a call takes or gives; ``default`` stands for one that is left out."""

    name: str
    shape: tuple[int, ...]
    about: str
    default: tuple[float, ...] | None = None
    said_by: int | None = None  # the place of the input whose presence this one says

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=int))


@dataclass(frozen=True)
class Call:
    """A model. ``inputs`` stand in the order of the C function, ``parameters`` are those its functions take."""

    part: Part
    inputs: tuple[Given, ...]
    outputs: tuple[Given, ...]
    parameters: tuple[str, ...]
    constants: int
    reads_parameters: bool
    function: str
    precompute_function: str

    @property
    def name(self) -> str:
        """As it is called: ``inverse_dynamics``."""
        return self.part.name.replace("-", "_")

    @property
    def asked(self) -> list[Given]:
        """The inputs a user gives, those that may be left out last."""
        seen = [one for one in self.inputs if one.said_by is None]
        return sorted(seen, key=lambda one: one.default is not None)

    @property
    def keeps(self) -> bool:
        """Whether there are parameters to keep from call to call."""
        return bool(self.parameters) and (self.reads_parameters or self.constants > 0)

    @property
    def notes(self) -> list[str]:
        notes = self.part.printed.notes
        return list(notes[1:] if isinstance(self.part.printed, Routine) else notes)


def calls_of(order: Order, parts: Sequence[Part], joints: Joints) -> list[Call]:
    return [_call(order, part, joints) for part in parts]


def _call(order: Order, part: Part, joints: Joints) -> Call:
    facts = facts_of_part(part)
    names = [argument.array.name for argument in facts.inputs]
    inputs = []
    for argument in facts.inputs:
        name = argument.array.name
        default = part.defaults.get(name)
        inputs.append(
            Given(
                name,
                argument.array.shape,
                _about(part, name, argument.array.shape, joints),
                None if default is None else tuple(np.ravel(default).tolist()),
                names.index(SEED) if name == SEEDED and SEED in names and default is not None else None,
            )
        )
    outputs = tuple(
        Given(one.array.name, one.array.shape, _about(part, one.array.name, one.array.shape, joints))
        for one in facts.outputs
    )
    symbols = tuple(symbol.name for symbol in part.printed.parameter_symbols)
    return Call(
        part,
        tuple(inputs),
        outputs,
        symbols,
        facts.constants.size,
        facts.reads_parameters,
        facts.function,
        facts.precompute_function,
    )


def parameter_values(order: Order, calls: Sequence[Call]) -> dict[str, float | None]:
    """Every parameter that one of the models takes, and its value; None: it has none."""
    found: dict[str, float | None] = {}
    for call in calls:
        for name in call.parameters:
            value = call.part.values.get(name)
            number = None if value is None else float(value)
            if found.setdefault(name, number) != number:
                raise CodegenError(f"{order.robot.name}: two models have different values for '{name}'")
    return found


# --- what is in an array ---------------------------------------------------------------------------------------------


def _about(part: Part, name: str, shape: tuple[int, ...], joints: Joints) -> str:
    """What an array holds, for people."""
    said = _of_joints(name, shape, joints)
    if said:
        return said
    slots = (*part.printed.inputs, *part.printed.outputs)
    told = next((str(getattr(slot, "about", "")) for slot in slots if slot.name == name), "")
    rows = part.rows.get(name, ())
    if rows and name == "wrench":
        return f"forces, moments [N, N m] on the environment by {', '.join(rows)}; zero by default"
    return told or _WELL_KNOWN.get(name, "")


_WELL_KNOWN: Mapping[str, str] = {
    "T": "the pose, homogeneous, lengths in m",
    "J": "rows: linear, then angular velocity",
    "V": "linear [m/s], then angular velocity [rad/s]",
    "twist": "linear [m/s], then angular velocity [rad/s]",
    "dt": "s",
    "kinetic": "J",
    "potential": "J",
    "total": "J",
    "C": "m",
    "assembled": "1 where the closed loops can be assembled, else 0, and the other outputs mean nothing",
}


def _of_joints(name: str, shape: tuple[int, ...], joints: Joints) -> str:
    """Joint by joint with units, of an array that has an entry for each coordinate or speed."""
    rates = _OF_JOINTS.get(name)
    if rates is not None:
        base = (7 if rates == 0 else 6) if joints.floating else 0
        entries = [f"{joint.name} [{joint.unit(rates)}]" for joint in (joints.speeds if rates else joints.driven)]
    elif name in _TORQUES:
        base = 6 if joints.floating else 0
        entries = [f"{joint.name} [{joint.effort_unit}]" for joint in joints.speeds]
    else:
        return ""
    count = len(entries)
    if shape == (count,) and name in ("seed", "start"):
        base = 0
    if shape != (count + base,):
        return ""
    ahead = [*(BASE_POSITION if base == 7 else ()), *([_OF_BASE[rates]] if base == 6 else ())]
    return ", ".join([*ahead, *entries])


_OF_BASE: Mapping[int | None, str] = {
    1: "the base in its own axes: linear [m/s], angular [rad/s] (6)",
    2: "the base in its own axes: linear [m/s^2], angular [rad/s^2] (6)",
    None: "the base in its own axes: force [N], moment [N m] (6)",
}
