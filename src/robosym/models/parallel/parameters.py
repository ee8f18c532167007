"""A platform on legs with a symbol for each of its inertial parameters, XX1 ... M1 of the links, XXP ... MP of the platform."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from ...expr import Expr, evaluate, free_symbols, number, parameter
from ...robot import FIXED, INERTIA, PRISMATIC, Frame, Link, Robot, Value
from ..common import free_name
from ..mechanism.unit_columns import ROTOR, Key
from .owners import Owners

ZERO = number(0)
SOURCE = "of the description"


def standard_symbols(owners: Owners, rotor_inertia: bool) -> dict[Key, Expr]:
    """Of every standard parameter, each once, a symbol: that of the description where it is called so."""
    described, taken = owners.described(), _others(owners.module.robot)
    found: dict[Key, Expr] = {}
    for key in owners.keys(rotor_inertia):
        name, entry = owners.name(*key), described[key]
        own = entry.kind == "parameter" and entry.name == name
        found[key] = entry if own else parameter(free_name(name, taken))
    return found


def in_symbols(owners: Owners, symbols: Mapping[Key, Expr]) -> Robot:
    """The robot with these symbols for its inertial parameters, and zero for those that have none; the links fixed to others are
    part of these. Its values have the numbers of the description. Rotors stay as they are if none of the symbols is theirs."""
    robot = owners.module.robot
    rotors = any(stem == ROTOR for _, stem in symbols)

    def frame(j: int, own: Frame) -> Frame:
        if robot.carrier(j) not in owners.entries:
            return own
        if own.sigma == FIXED:
            return replace(own, link=Link(wrench=own.link.wrench))
        ten = {stem: symbols.get(owners.of_key((j, stem)), ZERO) for stem in INERTIA}
        actuator = own.actuator
        if rotors:
            Ia = symbols.get(owners.of_key((j, ROTOR)), ZERO)
            actuator = replace(actuator, Ia=Ia, motor=replace(actuator.motor, Jm=ZERO, axis=None, link=None))
        return replace(own, link=Link(**ten, wrench=own.link.wrench), actuator=actuator)

    frames = tuple(frame(j, own) for j, own in enumerate(robot.frames, 1))
    made = robot.replace(frames=frames, regrouping=None)
    used, described = {s.name for s in made.parameter_symbols}, owners.described()
    # The value of a name that is the description's, and of another entry from here on, is not that of the description.
    new = {symbol.name for key, symbol in symbols.items() if described[key] is not symbol}
    values = {name: value for name, value in robot.values.items() if name in used - new}
    return made.replace(values={**_values(owners, symbols), **values})


def _values(owners: Owners, symbols: Mapping[Key, Expr]) -> dict[str, Value]:
    """The numbers of the symbols, where those of the description are known."""
    robot, described = owners.module.robot, owners.described()
    entries = [described[key] for key in symbols]
    known = {s.name: math.nan for s in free_symbols(*entries)}
    known |= {name: value.number for name, value in robot.values.items()}
    amounts = [float(x) for x in evaluate(entries, known)]
    return {
        symbol.name: Value(amount, _unit(robot, key), SOURCE)
        for (key, symbol), amount in zip(symbols.items(), amounts, strict=True)
        if not math.isnan(amount)
    }


def _unit(robot: Robot, key: Key) -> str:
    j, stem = key
    if stem == "M" or (stem == ROTOR and robot.frame(j).sigma == PRISMATIC):
        return "kg"
    return "kg m" if stem in ("MX", "MY", "MZ") else "kg m^2"


def _others(robot: Robot) -> set[str]:
    """The names of symbols that are not of inertias: of the geometry, of friction and the like."""

    def bare(frame: Frame) -> Frame:
        motor = replace(frame.actuator.motor, Jm=ZERO, axis=None, link=None)
        return replace(
            frame, link=Link(wrench=frame.link.wrench), actuator=replace(frame.actuator, Ia=ZERO, motor=motor)
        )

    return {s.name for s in robot.replace(frames=tuple(map(bare, robot.frames))).parameter_symbols}
