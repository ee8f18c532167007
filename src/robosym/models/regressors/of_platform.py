"""The identification model of a platform on legs: tau = D(pose, twist, twist_rate) K.

K are the dynamic parameters of the legs and the platform: all standard ones, or the base parameters, which alone can be identified.
Legs that are described alike have one column for each parameter that they share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...expr import Expr, expr, number, parameter, substitute
from ...generated import Model
from ...program import Array, Scope, optimised
from ...reals import Floats
from ...robot import WRENCH, Regrouping, Robot
from ...spatial.scalar import Scalar
from ..common import model, require_own_rotors
from ..inertial_parameters.further import geometry_symbols
from ..inertial_parameters.of_platform import relations
from ..mechanism.dependence import states_for
from ..mechanism.states import table
from ..mechanism.unit_columns import ROTOR, Key
from ..parallel.coordinates import Acting, PlatformCoordinates, platform_coordinates
from ..parallel.notes import with_notes
from ..parallel.owners import Owners, owners_of
from ..parallel.parameters import standard_symbols
from ..parallel.states import random_states
from ..parallel.status import status_array
from ..parallel.structure import module_of
from .independent import dependent_in, joined_in
from .parameters import Inertial
from .platform_columns import Columns, Parts, at_platform, on_motors, parts_of
from .regressor import Asked, Regressor, entry_notes, entry_places, identified
from .terms import Term


def platform_regressor(
    robot: Robot, branches: Sequence[int], asked: Asked, forces: Acting, alike: bool | None
) -> Regressor:
    """What the dynamic parameters are multiplied by, from the pose, twist and twist_rate of the platform: the entries of D that
    are not zero, row by row. ``forces`` "platform" gives the wrench on the platform instead of the motors' forces."""
    parameters, friction, rotor_inertia, customised = (
        asked.parameters,
        asked.friction,
        asked.rotor_inertia,
        asked.customised,
    )
    if not rotor_inertia:
        require_own_rotors(robot)
    owners = owners_of(module_of(robot), alike, customised)
    own = _inertial(owners, parameters, rotor_inertia, branches)
    motion = platform_coordinates(robot, branches, Scope(), 2, acting=forces)
    parts = parts_of(motion, owners, own, friction)
    columns = on_motors(motion, parts) if forces == "motors" else at_platform(motion, parts)
    names = _names(own, parts)
    others = tuple(name for name in names if name not in own.meaning)
    further = [parts.terms[name] for name in others]
    if parameters == "base" and further:
        own, further, names = _told_apart(motion, branches, own, further, columns, names)
    options: dict[str, Any] = {
        "model": "dynamic",
        **asked.options,
        "forces": forces,
        "alike": owners.alike,
        "mode": motion.mode,
    }
    made, places, rows = _written(motion, columns, names, options, parameters)
    return with_notes(identified(made, names, rows, {"D": places}, own, further, others), motion)


def _inertial(owners: Owners, parameters: str, rotor_inertia: bool, branches: Sequence[int]) -> Inertial:
    """The inertial parameters that have a column: of every frame, what its own are called."""
    symbols, described = standard_symbols(owners, rotor_inertia), owners.described()
    kept: dict[Key, Mapping[Key, float]] = {key: {key: 1.0} for key in symbols}
    if parameters == "base":
        kept = dict(relations(owners, list(symbols), branches).kept)
    called = {
        key: symbols[key].name if len(own) == 1 else owners.name(*key, regrouped=True) for key, own in kept.items()
    }
    meaning: dict[str, Expr] = {}
    for key, own in kept.items():
        meaning[called[key]] = sum((number(f) * symbols[k] for k, f in own.items()), number(0))
    table = {symbol: described[key] for key, symbol in symbols.items()}
    entries = dict(zip(meaning, substitute(list(meaning.values()), table), strict=True))
    names = {key: called[owners.of_key(key)] for key in described if owners.of_key(key) in called}
    return Inertial(owners.module.robot, names, meaning, entries, symbols)


def _names(own: Inertial, parts: Parts) -> tuple[str, ...]:
    """Those of the links, then rotors, springs and friction."""
    rotors = {name for (_, stem), name in own.names.items() if stem == ROTOR}
    links = [name for name in own.meaning if name not in rotors]
    return (*links, *(name for name in parts.terms))


def _told_apart(
    motion: PlatformCoordinates,
    branches: Sequence[int],
    own: Inertial,
    further: list[Term],
    columns: Columns,
    names: tuple[str, ...],
) -> tuple[Inertial, list[Term], tuple[str, ...]]:
    """Without what depends on other columns, and with its part in these."""
    rows = len(columns[names[0]])
    count = states_for(len(names), rows)
    robot = motion.module.robot
    entries = [x for name in names for x in columns[name]]
    values = {parameter(name): value.number for name, value in robot.values.items()}

    def sampled(batch: int) -> Floats:
        states = random_states(motion.module, branches, count, seed=1 + batch)
        W = table(entries, {**values, **states.numbers()}, count).reshape(count, len(names), rows)
        return np.swapaxes(W, 1, 2).reshape(-1, len(names))

    gone = dependent_in(robot, names, sampled)
    if not gone:
        return own, further, names
    own, further = joined_in(own, further, gone)
    return own, further, tuple(name for name in names if name not in gone)


def _written(
    motion: PlatformCoordinates, columns: Columns, names: Sequence[str], options: Mapping[str, Any], parameters: str
) -> tuple[Model, tuple[tuple[int, int], ...], tuple[str, ...]]:
    """The program, where its entries are, and what its rows are."""
    robot = motion.module.robot
    zero: list[Scalar] = [0] * len(next(iter(columns.values())))
    matrix = {name: columns.get(name, zero) for name in names}
    places = entry_places([matrix], names)
    array = Array("D", (len(places),), tuple(expr(matrix[names[column]][row]) for row, column in places))
    rows = robot.joint_names if options["forces"] == "motors" else WRENCH
    graph = motion.graph("regressor", motion.inputs(("q", "qd", "qdd")), (array, *status_array(motion)))
    program = optimised(graph)
    program = program.replace(notes=(*program.notes, *entry_notes({"D": places}, rows, names)))
    of = robot
    if parameters == "base":  # other values of the geometry have other base parameters
        used = frozenset(s.name for s in robot.parameter_symbols)
        of = robot.replace(regrouping=Regrouping({}, robot.values, used, fixed=geometry_symbols(robot)))
    return model(of, "regressor", program, options, parameters, described=robot), places, rows
