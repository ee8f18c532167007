"""Parameters beyond those of the links: rotors, friction, springs, and columns of the user's own.

Each is a ``Term``: a torque on some axes that is a factor times the parameter. A rotor stores energy, friction does not, which
is what the models without accelerations need to know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Annotated, Literal, get_args

from ...expr import VARIABLE, Expr, ExprError, absolute, expr, free_symbols, number, parse, sign, substitute
from ...options.markers import COLUMNS
from ...robot import Coupling, Robot, RobotError
from ...robot.problems import Problem
from ...spatial.scalar import Scalar, is_zero
from ..tree.bodies import Body, Tree
from ..tree.coordinates import Axis, Coordinates
from ..tree.drives import inverse_of, rotors_of
from ..tree.friction import friction_terms_of
from .parameters import ROTOR, Inertial

HALF = Fraction(1, 2)
ZERO = number(0)
FrictionTerm = Literal["viscous", "coulomb", "offset", "asymmetric", "coupled"]
FRICTION = get_args(FrictionTerm)
FrictionTerms = bool | Sequence[str]
Extra = Annotated[Mapping[str, Mapping[str, str | float | Expr]], COLUMNS]  # a name, and what it does on which joints


@dataclass(frozen=True)
class Term:
    """One parameter: the torque of every axis is its value times a factor. Of one that stores energy also the momentum it has
    on the axes, and the energy."""

    name: str
    torques: Mapping[Axis, Scalar]
    momenta: Mapping[Axis, Scalar] = field(default_factory=dict)
    energy: Scalar = 0
    stores: bool = False
    value: Expr = ZERO  # in the description
    meaning: str = ""


def terms(
    robot: Robot,
    bodies: Tree,
    own: Inertial,
    friction: FrictionTerms,
    rotors: bool,
    extra: Extra,
    speeds: Sequence[Expr] = (),
) -> list[Term]:
    """All of a robot, in the order of the columns: rotors, springs, friction, the user's. These may use ``speeds`` beside the
    coordinates of the bodies."""
    found = [*_rotors(bodies, own), *(_coupled_rotors(robot, bodies) if rotors else ()), *_springs(bodies)]
    found += _friction(robot, bodies, friction)
    return [*found, *_extra(robot, _symbols(bodies.coordinates, speeds), extra)]


# --- rotors and springs ------------------------------------------------------------------------------------------------


def _rotors(bodies: Tree, own: Inertial) -> Iterator[Term]:
    """Ia qdd, the last term of equation (20)."""
    for body in bodies.bodies:
        if (body.j, ROTOR) in own.names:
            name, qd = own.names[body.j, ROTOR], body.speed
            value = own.described[name]
            yield Term(name, {body.j: body.acceleration}, {body.j: qd}, HALF * (qd * qd), stores=True, value=value)


def _coupled_rotors(robot: Robot, bodies: Tree) -> Iterator[Term]:
    """What rotors that turn with two joints add between these."""
    known = dict(rotors_of(robot).coupled)
    for i, j in coupled_pairs(robot):
        a, b = bodies.body(i), bodies.body(j)
        yield Term(
            f"IA{i}_{j}",
            {i: b.acceleration, j: a.acceleration},
            {i: b.speed, j: a.speed},
            a.speed * b.speed,
            stores=True,
            value=known.get((i, j), known.get((j, i), ZERO)),
            meaning=f"inertia of the rotors that turn with both joints {i} and {j}",
        )


def _springs(bodies: Tree) -> Iterator[Term]:
    """Of the springs on joints: stiffness, with the rest position of the description, and damping."""
    for body in bodies.bodies:
        spring = body.spring
        if not is_zero(spring.stiffness):
            energy = HALF * (spring.stretch * spring.stretch)
            yield Term(
                f"stiffness{body.j}", {body.j: spring.stretch}, energy=energy, stores=True, value=expr(spring.stiffness)
            )
        if not is_zero(spring.damping):
            yield Term(f"damping{body.j}", {body.j: spring.rate}, value=expr(spring.damping))


# --- friction ----------------------------------------------------------------------------------------------------------


def _friction(robot: Robot, bodies: Tree, friction: FrictionTerms) -> Iterator[Term]:
    if isinstance(friction, bool):
        for one in friction_terms_of(robot, bodies, friction) if friction else ():
            name = f"{one.name.replace(' ', '_')}{one.frame}"
            factors: dict[Axis, Scalar] = {one.frame: one.factor}
            factors.update(one.beside.items())
            yield Term(name, factors, value=one.parameter)
        return
    words = _words(robot, friction)
    for j in robot.moving:
        if robot.frame(j).joint.active:
            yield from _of_joint(bodies, bodies.body(j), words)
    if "coupled" in words:
        yield from _coupled_friction(robot, bodies, words)


def _words(robot: Robot, friction: Iterable[str]) -> tuple[str, ...]:
    """The kinds of friction that are asked for, if these can be told apart."""
    words = (friction,) if isinstance(friction, str) else tuple(friction)
    unknown = [word for word in words if word not in FRICTION]
    problem = None
    if unknown:
        problem = f"got {unknown[0]!r}, expected True, False or some of {', '.join(map(repr, FRICTION))}"
    elif "asymmetric" in words and "offset" in words:
        problem = (
            "'asymmetric' and 'offset' cannot be told apart: Coulomb friction that differs forwards and backwards is "
            "the same as one that does not, with an offset; expected one of the two"
        )
    elif "coupled" in words and not robot.couplings:
        problem = "'coupled' is for joints that several motors move together, and the robot has none (couplings)"
    if problem:
        raise RobotError([Problem("friction", problem)], robot.name)
    return words


def _of_joint(bodies: Tree, body: Body, words: Sequence[str]) -> Iterator[Term]:
    j, qd, law = body.j, expr(body.speed), body.friction
    s = sign(qd)
    # What the motors do to one joint alone belongs to its own coefficients.
    viscous = sum((one.viscous * one.row[j] ** 2 for one in bodies.shafts if j in one.row), ZERO)
    coulomb = sum((one.coulomb * absolute(one.own) for one in bodies.shafts if list(one.row) == [j]), ZERO)
    offset = law.offset
    for other, c in _following(bodies, body):  # and so does what the joints that follow it do
        viscous = viscous + other.viscous * c**2
        coulomb = coulomb + other.coulomb * absolute(c)
        offset = offset + other.friction.offset * c
    known = {"Fv": (body.viscous, law.Fv_negative, viscous), "Fs": (body.coulomb, law.Fs_negative, coulomb)}
    for word, name, factor in (("viscous", "Fv", qd), ("coulomb", "Fs", s)):
        ahead, back, more = known[name]
        forwards = expr(ahead) + more
        if word in words and "asymmetric" in words:
            yield Term(f"{name}{j}", {j: factor * (1 + s) / 2}, value=forwards)
            yield Term(
                f"{name}_negative{j}", {j: factor * (1 - s) / 2}, value=forwards if back is None else back + more
            )
        elif word in words:
            yield Term(f"{name}{j}", {j: factor}, value=forwards)
    if "offset" in words:
        yield Term(f"offset{j}", {j: number(1)}, value=offset)


def _following(bodies: Tree, body: Body) -> Iterator[tuple[Body, Expr]]:
    """The dependent joints of a joint whose ratios are the same in every position."""
    place = bodies.coordinates.own_place(body.j)
    for other in bodies.bodies:
        row = bodies.coordinates.row(other.j)
        if other.j != body.j and len(row) == 1 and row[0][0] == place and expr(row[0][1]).level < VARIABLE:
            yield other, expr(row[0][1])


def _coupled_friction(robot: Robot, bodies: Tree, words: Sequence[str]) -> Iterator[Term]:
    """Friction of motors that turn with several joints: what it adds between two of these, and with the sign of the motor."""
    if "viscous" in words:
        for i, j in coupled_pairs(robot):
            both = f"viscous friction of the motors that turn with both joints {i} and {j}"
            shared = [one for one in bodies.shafts if i in one.row and j in one.row]
            known = sum((one.viscous * one.row[i] * one.row[j] for one in shared), ZERO)
            yield Term(f"Fv{i}_{j}", {i: bodies.body(j).speed, j: bodies.body(i).speed}, value=known, meaning=both)
    shafts = {one.motor: one for one in bodies.shafts}
    for coupling in robot.couplings if "coulomb" in words else ():
        for motor, row in _motors(coupling):
            speed = sum((c * bodies.body(j).speed for j, c in row.items()), ZERO)
            turning: dict[Axis, Scalar] = {j: c * sign(speed) for j, c in row.items()}
            known = shafts[motor].coulomb * absolute(shafts[motor].own) if motor in shafts else ZERO
            words_of = f"Coulomb friction of motor {motor}, referred to joint {motor}"
            yield Term(f"Fsm{motor}", turning, value=known, meaning=words_of)


def coupled_pairs(robot: Robot) -> list[tuple[int, int]]:
    """The joints that some motor moves together."""
    found: dict[tuple[int, int], None] = {}
    for coupling in robot.couplings:
        for _, row in _motors(coupling):
            found |= dict.fromkeys(combinations(sorted(row), 2))
    return list(found)


def _motors(coupling: Coupling) -> Iterator[tuple[int, dict[int, Expr]]]:
    """The motors that turn with several joints, with their speed in those of the joints, per turn of their own joint."""
    for k, (motor, entries) in enumerate(zip(coupling.frames, inverse_of(coupling), strict=True)):
        row = {j: c for j, c in zip(coupling.frames, entries, strict=True) if not c.is_zero}
        if len(row) > 1:
            own = entries[k] if not entries[k].is_zero else next(iter(row.values()))
            yield motor, {j: c / own for j, c in row.items()}


# --- the user's columns ------------------------------------------------------------------------------------------------


def _extra(robot: Robot, symbols: Mapping[str, Expr], extra: Extra) -> Iterator[Term]:
    """Torques of the user's own, such as a balancer's: expressions in the state, for the joints by their names."""
    places = {robot.frame(j).joint.name: j for j in robot.moving}
    for name, entries in extra.items():
        factors: dict[Axis, Scalar] = {}
        for joint, given in entries.items():
            if joint not in places:
                expected = f"expected one of the joints {', '.join(places)}"
                raise RobotError([Problem(f"extra {name}", f"got the joint {joint!r}, {expected}")], robot.name)
            factors[places[joint]] = _parsed(robot, name, given, symbols)
        yield Term(name, factors)


def _symbols(own: Coordinates, speeds: Sequence[Expr]) -> dict[str, Expr]:
    return {s.name: s for array in (own.q, speeds, own.qd, own.qdd) for s in array if s.kind == "variable"}


def _parsed(robot: Robot, name: str, given: str | float | Expr, symbols: Mapping[str, Expr]) -> Expr:
    try:
        found = parse(given) if isinstance(given, str) else expr(given)
    except ExprError as error:
        raise RobotError([Problem(f"extra {name}", str(error))], robot.name) from error
    table = {s: symbols[s.name] for s in free_symbols(found) if s.name in symbols}
    unknown = [s.name for s in free_symbols(found) if s.name not in symbols and s.name not in robot.parameter_names]
    if unknown:
        expected = f"expected those of the state ({', '.join(list(symbols)[:9])} ...) or parameters of the robot"
        raise RobotError([Problem(f"extra {name}", f"got the symbol {unknown[0]!r}, {expected}")], robot.name)
    return substitute([found], table)[0]
