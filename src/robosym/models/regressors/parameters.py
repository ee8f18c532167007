"""Which inertial parameters have columns: those of a robot with every parameter in symbols, or its base parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...expr import Expr, expr, number, parameter, substitute
from ...robot import FIXED, INERTIA, Actuator, Frame, Link, Robot
from ..common import free_name
from ..inertial_parameters.base_parameters import base_parameters
from ..inertial_parameters.exchanges import cut_frames, with_rotors
from ..tree.bodies import tree
from ..tree.drives import rotors_of

ROTOR = "Ia"
ZERO = number(0)


@dataclass(frozen=True)
class Inertial:
    """The inertial parameters that have a column, by what they belong to: link (0: the base) or joint, and which of them."""

    robot: Robot  # written in these parameters, each in a symbol of its own
    names: Mapping[tuple[int, str], str]  # of link and one of INERTIA, or of joint and Ia: what it is called
    meaning: Mapping[str, Expr]  # of each in the standard parameters XX1 ... M1, IA1
    described: Mapping[str, Expr]  # of each in the symbols and numbers of the description
    standard: Mapping[tuple[int, str], Expr]  # the standard parameters by link or joint and name, in symbols

    def of_link(self, j: int) -> dict[str, str]:
        """The parameters of a link with the names of their columns."""
        return {stem: self.names[j, stem] for stem in INERTIA if (j, stem) in self.names}


def inertial_parameters(robot: Robot, parameters: str, rotor_inertia: bool, customised: bool) -> Inertial:
    """All ten parameters of every link that moves and the inertia of every rotor, or their base parameters.

    ``customised``: without those that the description has as zero.
    """
    standard = full = in_symbols(robot, rotor_inertia, customised)
    meaning: Mapping[str, Expr] = {}
    if parameters == "base":
        found = base_parameters(full, rotor_inertia=rotor_inertia)
        full, meaning = found.robot, found.expressions()
    names = {key: entry.name for key, entry in _entries(full).items()}
    meaning = meaning or {name: parameter(name) for name in names.values()}
    given = _described(robot, standard)
    entries = substitute(list(meaning.values()), given)
    return Inertial(full, names, meaning, dict(zip(meaning, entries, strict=True)), _entries(standard))


def _entries(robot: Robot) -> dict[tuple[int, str], Expr]:
    """The inertial parameters that are not zero, by link (0: the base) or joint and name."""
    found: dict[tuple[int, str], Expr] = {}
    for j in range(len(robot.frames) + 1):
        link = robot.frame(j).link if j else robot.base.link
        found |= {(j, stem): getattr(link, stem) for stem in INERTIA}
        if j and robot.frame(j).sigma != FIXED:
            found[j, ROTOR] = robot.frame(j).actuator.Ia
    return {key: entry for key, entry in found.items() if not entry.is_zero}


def _described(robot: Robot, standard: Robot) -> dict[Expr, Expr]:
    """What the description has for the standard parameters: of a link with all that is fixed to it."""
    bodies, turning = tree(robot), rotors_of(robot).own
    found: dict[Expr, Expr] = {}
    for body in (bodies.base_body, *bodies.bodies):
        j, lumped = body.j, body.inertia
        link, own = (one.frame(j).link if j else one.base.link for one in (standard, robot))
        alone = all(robot.carrier(k) != j for k in range(1, len(robot.frames) + 1) if k != j)
        values = own.inertial if alone else (*lumped.matrix, *lumped.moment, lumped.mass)
        found |= {getattr(link, stem): expr(value) for stem, value in zip(INERTIA, values, strict=True)}
        if j:
            found[standard.frame(j).actuator.Ia] = turning[j]
    return {symbol: value for symbol, value in found.items() if not symbol.is_number}


def geometry_names(robot: Robot) -> set[str]:
    """The symbols that are not of inertias or actuators."""
    bare = robot.replace(
        frames=tuple(replace(f, link=Link(), actuator=Actuator(ratio=f.actuator.ratio)) for f in robot.frames)
    )
    return {symbol.name for symbol in bare.parameter_symbols}


def in_symbols(robot: Robot, rotor_inertia: bool, customised: bool) -> Robot:
    """The robot with a symbol for each of its inertial parameters, XX1 ... M1 and IA1, whatever it is described with.

    A link that is fixed to another one adds to its parameters, and has none of its own.
    """
    taken = {s.name for s in robot.parameter_symbols}
    lumped = {robot.carrier(j) for j in range(1, len(robot.frames) + 1) if robot.frame(j).sigma == FIXED}
    cuts, turns = cut_frames(robot), with_rotors(robot) if rotor_inertia else []

    def symbol(stem: str, j: int, entry: Expr, always: bool = False) -> Expr:
        if customised and not always and entry.is_zero:
            return ZERO
        name = f"{stem.upper()}{j}"
        return entry if entry.kind == "parameter" and entry.name == name else parameter(free_name(name, taken))

    def link(j: int, own: Link) -> Link:
        ten = {stem: symbol(stem, j, getattr(own, stem), j in lumped) for stem in INERTIA}
        return Link(**ten, wrench=own.wrench)

    def frame(j: int, own: Frame) -> Frame:
        bare = Link(wrench=own.link.wrench)
        if own.sigma == FIXED:
            return replace(own, link=bare)
        motor = replace(own.actuator.motor, Jm=ZERO)
        turning = own.actuator.Ia if own.actuator.motor.Jm.is_zero else own.actuator.motor.Jm
        Ia = symbol(ROTOR, j, turning) if j in turns else ZERO
        # A cut joint has no link, and may have a rotor.
        body = bare if j in cuts else link(j, own.link)
        return replace(own, link=body, actuator=replace(own.actuator, Ia=Ia, motor=motor))

    frames = tuple(frame(j, own) for j, own in enumerate(robot.frames, 1))
    base = replace(
        robot.base, link=link(0, robot.base.link) if robot.base.floating else Link(wrench=robot.base.link.wrench)
    )
    return robot.replace(frames=frames, base=base, regrouping=None)
