"""The robot of an identification: its description with the numbers that were found, and where they come from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import nnls

from ..expr import Expr, evaluate, number, parameter
from ..models.inertial_parameters.base_parameters import base_parameters
from ..models.regressors.parameters import geometry_names, in_symbols
from ..models.tree.drives import inverse_of
from ..robot import INERTIA, Actuator, Friction, Robot, RobotError, Value
from ..robot.problems import Problem

if TYPE_CHECKING:
    from .result import Identification

ZERO = number(0)
SAME = 1e-9  # relative: what several motors add between joints is exactly that of single motors


@dataclass
class Found:
    """Numbers by the names of columns or standard parameters, with what is known about their accuracy; and the symbols of the
    robot's actuators that are made of them, with their values."""

    numbers: Mapping[str, float]
    notes: Mapping[str, str]
    taken: Collection[str]  # names that the geometry has
    made: dict[str, Value] = field(default_factory=dict)

    def get(self, name: str) -> float:
        return self.numbers.get(name, 0.0)

    def symbol(self, name: str, value: float, unit: str, of: str) -> Expr:
        """A symbol with this value, which follows from the parameter ``of``; zero stays zero."""
        if not value:
            return ZERO
        while name in self.taken:
            name += "_"
        note = self.notes.get(of, "identified, by what it adds between joints")
        self.made[name] = Value(value, unit, note if not of or value == self.get(of) else f"follows from {of}: {note}")
        return parameter(name)


def identified_robot(result: Identification) -> Robot:
    """In standard parameters if physically consistent ones were found, else in base parameters."""
    return _standard(result) if result.physical is not None else _base(result)


def _found(result: Identification) -> Found:
    notes = {}
    for one in result.parameters.values():
        spread = "" if one.sigma_bootstrap is None else f", {one.sigma_bootstrap:.3g} by the bootstrap"
        notes[one.name] = f"identified, standard deviation {one.sigma:.3g}{spread}"
    numbers = dict.fromkeys(result.recipe.model.without, 0.0)
    notes |= dict.fromkeys(numbers, "taken as zero")
    numbers |= {one.name: one.value for one in result.parameters.values()}
    return Found(numbers, notes, geometry_names(result.recipe.robot))


def _base(result: Identification) -> Robot:
    robot, found = result.recipe.robot, _found(result)
    made = base_parameters(in_symbols(robot, result.recipe.model.rotor_inertia, False)).robot
    couplings = _motors(robot, found)
    frames = [
        replace(frame, actuator=_actuator(frame.actuator, j, found, couplings.get(j), frame.actuator.Ia))
        for j, frame in enumerate(made.frames, 1)
    ]
    described = "identified, in base parameters: they give the torques, and say nothing of single masses"
    assert made.regrouping is not None
    regrouping = replace(made.regrouping, referred=False)  # the rotors of coupled motors are their own again
    name = f"{robot.name}-identified"
    return _with_values(
        made.replace(frames=tuple(frames), name=name, description=described, regrouping=regrouping), found
    )


def _standard(result: Identification) -> Robot:
    """Links with ten parameters of a possible body each; what is fixed to a link is part of it."""
    robot, possible = result.recipe.robot, result.physical
    assert possible is not None
    note = "identified, physically consistent and nearest to what was known before"
    numbers = {name: float(x) for name, x in zip(possible.names, possible.values, strict=True)}
    found = Found(numbers, dict.fromkeys(numbers, note), geometry_names(robot))
    standard = in_symbols(robot, result.recipe.model.rotor_inertia, False)
    couplings = _motors(robot, found)
    frames = []
    for j, frame in enumerate(standard.frames, 1):
        own = couplings.get(j)
        frames.append(replace(frame, actuator=_actuator(frame.actuator, j, found, own, frame.actuator.Ia)))
    new = standard.replace(
        frames=tuple(frames), name=f"{robot.name}-identified", description="identified, in standard parameters"
    )
    return _with_values(new, found)


def _with_values(robot: Robot, found: Found) -> Robot:
    """The numbers of all symbols that were found, beside those of the geometry. What has no column of its own is zero: it is part
    of others, or does nothing."""
    dynamic = {entry.name for entry in _dynamic_entries(robot) if entry.kind == "parameter"}
    values = {}
    for name in sorted(symbol.name for symbol in robot.parameter_symbols):
        known = robot.values.get(name)
        if name in found.numbers or name in dynamic:
            unit = known.unit if known is not None else _unit(name)
            values[name] = Value(found.get(name), unit, found.notes.get(name, "no column of its own"))
        elif known is not None:
            values[name] = known
    return robot.replace(values={**values, **found.made})


def _dynamic_entries(robot: Robot) -> Iterator[Expr]:
    """Those of links and rotors."""
    for link in (robot.base.link, *(frame.link for frame in robot.frames)):
        yield from (getattr(link, stem) for stem in INERTIA)
    yield from (frame.actuator.Ia for frame in robot.frames)


def _unit(name: str) -> str:
    stem = name.partition("_")[0].rstrip("0123456789").removesuffix("R")
    if stem in ("MX", "MY", "MZ"):
        return "kg m"
    return "kg" if stem == "M" else "kg m^2" if stem in (*INERTIA, "IA") else ""


# --- actuators ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shared:
    """What a motor that turns with several joints has on its own side, and what of a joint's own inertia and viscous friction
    its motors make up."""

    Jm: float = 0.0
    Fv: float = 0.0
    Fs: float = 0.0
    inertia: float = 0.0
    viscous: float = 0.0


def _actuator(own: Actuator, j: int, found: Found, shared: Shared | None, Ia: Expr) -> Actuator:
    """Rotor inertia and friction as found, without what coupled motors make up of these. Friction that was not estimated, such
    as a curve, was taken as zero."""
    friction, both = Friction(width=own.friction.width), shared or Shared()

    def torque(stem: str, unit: str, less: float = 0.0) -> Expr:
        name = f"{stem}{j}"
        return found.symbol(name.upper(), found.get(name) - less, unit, name)

    if f"offset{j}" in found.numbers:
        friction = replace(friction, offset=torque("offset", "N m"))
    if f"Fv_negative{j}" in found.numbers:
        friction = replace(friction, Fv_negative=torque("Fv_negative", "N m s/rad"))
    if f"Fs_negative{j}" in found.numbers:
        friction = replace(friction, Fs_negative=torque("Fs_negative", "N m"))
    if shared is not None:  # what is left of the joint's own rotor inertia, which may be part of its link's
        rest = (0.0 if Ia.is_zero else found.get(Ia.name)) - both.inertia
        Ia = found.symbol(f"IAO{j}", rest, "kg m^2", "" if Ia.is_zero else Ia.name)
    motor = replace(
        own.motor,
        Jm=found.symbol(f"JM{j}", both.Jm, "kg m^2", ""),
        Fv=found.symbol(f"FVM{j}", both.Fv, "N m s/rad", ""),
        Fs=found.symbol(f"FSM{j}", both.Fs, "N m", f"Fsm{j}"),
    )
    Fv, Fs = torque("Fv", "N m s/rad", both.viscous), torque("Fs", "N m")
    return replace(own, Ia=Ia, Fv=Fv, Fs=Fs, friction=friction, motor=motor)


def _motors(robot: Robot, found: Found) -> dict[int, Shared]:
    """Of the joints in couplings: what inertia and friction between joints are as properties of single motors."""
    known = {name: value.number for name, value in robot.values.items()}
    total: dict[int, Shared] = {}
    for coupling in robot.couplings:
        frames = coupling.frames
        inverse = np.array([[float(evaluate([x], known)[0]) for x in row] for row in inverse_of(coupling)])
        several = [k for k, row in enumerate(inverse) if np.count_nonzero(row) > 1]
        Jm, Fv = (_per_motor(robot, found, stem, frames, inverse, several) for stem in ("IA", "Fv"))
        for k, j in enumerate(frames):
            own = abs(inverse[k, k]) or abs(inverse[k][np.flatnonzero(inverse[k])[0]])
            Fs = found.get(f"Fsm{j}") / own if k in several else 0.0
            squares = inverse[:, k] ** 2
            total[j] = Shared(Jm[k], Fv[k], Fs, float(Jm @ squares), float(Fv @ squares))
    return total


def _per_motor(
    robot: Robot, found: Found, stem: str, frames: tuple[int, ...], inverse: np.ndarray, several: list[int]
) -> np.ndarray:
    """The constant of each motor that several joints turn, from what it adds between each two of these."""
    pairs = [
        (a, b) for a in range(len(frames)) for b in range(a) if any(inverse[m, a] * inverse[m, b] for m in several)
    ]
    totals = np.array([found.get(f"{stem}{min(frames[a], frames[b])}_{max(frames[a], frames[b])}") for a, b in pairs])
    factors = np.array([[inverse[m, a] * inverse[m, b] for m in several] for a, b in pairs])
    constants = np.zeros(len(frames))
    if not pairs or not totals.any():
        return constants
    solved = nnls(factors, totals)[0]  # neither inertia nor friction of a motor is negative
    if np.abs(factors @ solved - totals).max() > SAME * np.abs(totals).max():
        problem = "what was found between the joints is not that of single motors: the description has no place for it"
        raise RobotError([Problem("coupling", problem)], robot.name)
    constants[several] = solved
    return constants
