"""Identification models: torques, momenta, energies and powers as a matrix times the dynamic parameters.

    dynamic    tau = D(q, qd, qdd) K
    filtered   tau = d/dt(D1(q, qd) K) + D2(q, qd) K
    energy     integral of tau . qd = (h(t2) - h(t1)) K + integral of loss(q, qd) K
    power      tau . qd = P(q, qd, qdd) K

Entries that are zero at every state are not stored: an output holds the others, row by row, and ``places`` says where they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

from ...expr import Expr, evaluate, expr, free_symbols, parameter, text
from ...expr.generic import Generic, negligible
from ...generated import Model
from ...program import Array, Graph, Scope, optimised
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.scalar import Scalar, is_zero
from ...spatial.vectors import ZERO, Vector
from .. import limits
from ..closing import closing
from ..common import graph_of, open_tree
from ..common import model as model_of
from ..inertial_parameters.sets import Parameters
from ..request import truths
from ..tree.bodies import Tree, tree
from ..tree.coordinates import Axis
from ..tree.motion import Recursion
from ..tree.state import state_inputs
from .dynamic import Way as Projected
from .dynamic import dynamic_columns
from .energetic import energy_columns, power_columns
from .filtered import filtered_columns
from .independent import dependent, joined_in
from .parameters import ROTOR, Inertial, inertial_parameters
from .terms import Extra, FrictionTerms, Term, terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Kind = Literal["dynamic", "filtered", "energy", "power"]
Place = tuple[int, int]  # row and column


@dataclass(frozen=True, repr=False)
class Regressor(Model):
    """An identification model: which parameter each column is of, and where the entries of the outputs are."""

    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()  # what each row is the torque (or the power) of
    places: Mapping[str, tuple[Place, ...]] = field(
        default_factory=dict
    )  # of each output: row and column of its entries
    expressions: Mapping[str, Expr] = field(default_factory=dict)  # of links and rotors, in standard parameters
    words: Mapping[str, str] = field(default_factory=dict)  # what some of the other columns are
    described: Mapping[str, Expr] = field(default_factory=dict)  # what the robot's description has for the columns
    terms: tuple[str, ...] = ()  # all parameters beyond links and rotors, also those that became part of others
    standard: Mapping[tuple[int, str], Expr] = field(default_factory=dict)  # by link or joint and name: their symbols

    @property
    def meaning(self) -> dict[str, str]:
        """Of the columns that need it: in the standard parameters XX1 ... M1, IA1, or in words."""
        found = {name: text(x) for name, x in self.expressions.items()}
        return {name: x for name, x in found.items() if x != name} | dict(self.words)

    def standard_map(self) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """Standard parameters x, and B of K = B x with the robot's geometry. Columns beyond those of links and rotors are
        standard parameters themselves."""
        import numpy as np

        names = (*(s.name for s in self.standard.values()), *self.terms)
        numbers = {name: value.number for name, value in self.robot.values.items()}
        units: dict[Any, Any] = numbers | {name: np.eye(len(names))[k] for k, name in enumerate(names)}
        meant = [self.expressions.get(name, parameter(name)) for name in self.columns]
        return names, np.array(evaluate(meant, units), dtype=float).reshape(len(self.columns), len(names))

    def described_values(self) -> dict[str, float]:
        """The parameters with the values of the robot's description: D times these is what its other models give."""
        missing = sorted({s.name for s in free_symbols(*self.described.values())} - set(self.robot.values))
        if missing:
            raise RobotError([Problem("values", f"no value for {', '.join(missing[:10])}")], self.robot.name)
        numbers = {name: value.number for name, value in self.robot.values.items()}
        return dict(zip(self.described, map(float, evaluate(list(self.described.values()), numbers)), strict=True))

    def dense(self, entries: ArrayLike, output: str | None = None) -> NDArray[np.float64]:
        """The matrix with its zeros, of the entries of an output (by default the first) at one state or many."""
        import numpy as np

        given = np.asarray(entries, dtype=float)
        places = self.places[output if output is not None else next(iter(self.places))]
        total = np.zeros((*given.shape[:-1], len(self.rows), len(self.columns)))
        if places:
            rows, columns = zip(*places, strict=True)
            total[..., rows, columns] = given
        return total


@closing
def regressor(
    robot: Robot,
    *,
    model: Kind = "dynamic",
    parameters: Parameters = "base",
    friction: FrictionTerms = False,
    rotor_inertia: bool = True,
    extra: Extra | None = None,
    customised: bool = False,
) -> Regressor:
    """What the dynamic parameters are multiplied by: of each output, the entries that are not zero.

    ``parameters``: all "standard" ones, or the "base" parameters, which alone can be identified. ``friction``: False, True for
    that of the description, or some of "viscous", "coulomb", "offset" (or "asymmetric") and "coupled", for every driven joint.
    ``extra`` names columns of your own: {"balancer": {"joint2": "sin(q2)"}}, torques for a parameter 1. ``customised`` leaves
    out the parameters that the description has as zero; by default each link has all ten of them.
    """
    open_tree(robot)
    truths(robot, rotor_inertia=rotor_inertia, customised=customised)
    if model not in get_args(Kind):
        raise RobotError([Problem("model", f"got {model!r}, expected {', '.join(get_args(Kind))}")], robot.name)
    if parameters not in get_args(Parameters):
        raise RobotError([Problem("parameters", f"got {parameters!r}, expected 'standard' or 'base'")], robot.name)
    own = inertial_parameters(robot, parameters, rotor_inertia, customised)
    bodies = tree(own.robot)
    if model != "dynamic":
        _require_no_drive(robot, bodies)
    further = terms(robot, bodies, own, friction, rotor_inertia, extra or {})
    columns = _columns(robot, own, further)
    rotors = {name for (_, stem), name in own.names.items() if stem == ROTOR}
    others = tuple(one.name for one in further if one.name not in rotors)
    if parameters == "base":
        own, further, columns = _told_apart(robot, bodies, own, further, columns, tuple(extra or ()))
    ways = [way(own, bodies, further) for way in WAYS[model](bodies)]
    graphs, places = _packed(own.robot, ways, columns, model)
    options: dict[str, Any] = {
        "model": model,
        "friction": friction if isinstance(friction, bool) else list(friction),
        "rotor_inertia": rotor_inertia,
        "customised": customised,
        **({"extra": {name: {at: str(x) for at, x in one.items()} for name, one in extra.items()}} if extra else {}),
    }
    rows = bodies.coordinates.names if model in ("dynamic", "filtered") else (model,)
    program = optimised(*graphs, wide=True)
    program = program.replace(notes=(*program.notes, *_notes(places, rows, columns)))
    made = model_of(own.robot, "regressor", program, options, parameters, described=robot)
    words = {one.name: one.meaning for one in further if one.meaning}
    described = {**own.described, **{one.name: one.value for one in further}}
    return Regressor(
        **{one.name: getattr(made, one.name) for one in fields(Model)},
        columns=columns,
        rows=rows,
        places=places,
        expressions=own.meaning,
        words=words,
        terms=others,
        standard=own.standard,
        described={name: described[name] for name in columns},
    )


def _require_no_drive(robot: Robot, bodies: Tree) -> None:
    """Refuse a base that is moved from outside: it does work that no torque tells of."""
    if not bodies.free and not all(
        is_zero(x) for x in (*bodies.angular_velocity, *bodies.root.moving.v, *bodies.acceleration)
    ):
        problem = "moves in a given way, which gives the robot energy besides the torques: use model='dynamic'"
        raise RobotError([Problem("base", problem)], robot.name)


def _told_apart(
    robot: Robot, bodies: Tree, own: Inertial, further: list[Term], columns: tuple[str, ...], extra: tuple[str, ...]
) -> tuple[Inertial, list[Term], tuple[str, ...]]:
    """Without what depends on other columns, and with its part in these."""
    _, found = WAYS["dynamic"](bodies)[0](own, bodies, further)
    gone = dependent(own.robot, {name: found["D"][name] for name in columns})
    for name in extra:
        if name in gone:
            others = ", ".join(gone[name])
            problem = f"{name} cannot be told apart from {others}" if others else f"{name} does nothing"
            raise RobotError([Problem("extra", problem)], robot.name)
    if not gone:
        return own, further, columns
    own, further = joined_in(own, further, gone)
    return own, further, tuple(name for name in columns if name not in gone)


# --- the outputs of each model -----------------------------------------------------------------------------------------

Matrix = Mapping[str, Sequence[Scalar]]  # of each column, its rows
Written = tuple[Scope, dict[str, Matrix]]  # the outputs in one way of writing them
Way = Callable[[Inertial, Tree, Sequence[Term]], Written]


def _dynamic(way: Projected, recursion: Recursion) -> Way:
    def written(own: Inertial, bodies: Tree, further: Sequence[Term]) -> Written:
        scope = Scope()
        found = dynamic_columns(bodies, own, scope, way, recursion)
        return scope, {"D": _on_coordinates(bodies, found | {one.name: one.torques for one in further})}

    return written


def _filtered(add_angles: bool) -> Way:
    def written(own: Inertial, bodies: Tree, further: Sequence[Term]) -> Written:
        scope = Scope()
        first, second = filtered_columns(bodies, own, scope, add_angles)
        first |= {one.name: one.momenta for one in further if one.momenta}
        second |= {one.name: one.torques for one in further if not one.momenta}
        D1, D2 = _on_coordinates(bodies, first), _on_coordinates(bodies, second)
        for name, gammas in first.items():  # d/dt(G^T D1) = G^T dD1/dt + (dG/dt)^T D1
            fall = bodies.coordinates.rate_torques(gammas)
            D2[name] = [a - b for a, b in zip(D2.get(name, [0] * len(fall)), fall, strict=True)]
        return scope, {"D1": D1, "D2": D2}

    return written


def _energy(add_angles: bool) -> Way:
    def written(own: Inertial, bodies: Tree, further: Sequence[Term]) -> Written:
        scope = Scope()
        robot = own.robot
        origin: Vector = tuple(robot.coordinates[:3]) if bodies.free else ZERO  # type: ignore[assignment]
        h = energy_columns(bodies, own, scope, origin, robot.gravity, add_angles)
        h |= {one.name: one.energy for one in further if one.stores}
        loss = {one.name: _power(bodies, one) for one in further if not one.stores}
        return scope, {"h": {name: [x] for name, x in h.items()}, "loss": {name: [x] for name, x in loss.items()}}

    return written


def _of_power(recursion: Recursion) -> Way:
    def written(own: Inertial, bodies: Tree, further: Sequence[Term]) -> Written:
        scope = Scope()
        found = power_columns(bodies, own, scope, recursion) | {one.name: _power(bodies, one) for one in further}
        return scope, {"P": {name: [x] for name, x in found.items()}}

    return written


def _power(bodies: Tree, one: Term) -> Scalar:
    """tau . qd of a term, on the axes."""
    return sum((bodies.coordinates.speed(axis) * x for axis, x in one.torques.items()), expr(0))


def _on_coordinates(bodies: Tree, found: Mapping[str, Mapping[Axis, Scalar]]) -> dict[str, Sequence[Scalar]]:
    return {name: bodies.coordinates.torques(gammas) for name, gammas in found.items()}


PLAIN = Recursion(add_angles=False, add_angles_back=False)


def _ways_of_dynamic(bodies: Tree) -> list[Way]:
    if len(bodies.bodies) > limits.SOME_BODIES:
        return [_dynamic("back" if bodies.free else "forth", Recursion())]
    ways: tuple[Projected, ...] = ("back",) if bodies.free else ("forth", "meet")
    return [_dynamic(way, recursion) for way in ways for recursion in (Recursion(), PLAIN)]


WAYS: Mapping[str, Callable[[Tree], list[Way]]] = {
    "dynamic": _ways_of_dynamic,
    "filtered": lambda bodies: [_filtered(True), _filtered(False)],
    "energy": lambda bodies: [_energy(True), _energy(False)],
    "power": lambda bodies: [_of_power(Recursion()), _of_power(PLAIN)],
}
INPUTS = {"dynamic": ("q", "qd", "qdd"), "power": ("q", "qd", "qdd"), "filtered": ("q", "qd"), "energy": ("q", "qd")}


# --- packed ------------------------------------------------------------------------------------------------------------


def _columns(robot: Robot, own: Inertial, further: Sequence[Term]) -> tuple[str, ...]:
    """Those of the links, then the others."""
    names = [name for (_, stem), name in own.names.items() if stem != ROTOR]
    names += [one.name for one in further]
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise RobotError([Problem("extra", f"{twice[0]!r} is the name of another column: give it another")], robot.name)
    return tuple(names)


def _packed(
    robot: Robot, ways: Sequence[Written], columns: Sequence[str], kind: str
) -> tuple[list[Graph], dict[str, tuple[Place, ...]]]:
    """The graphs of all ways with the same entries: those that no way of writing shows to be zero."""
    places = {output: _places([found[output] for _, found in ways], columns) for output in ways[0][1]}
    inputs = state_inputs(robot, INPUTS[kind])
    graphs = []
    for scope, found in ways:
        arrays = []
        for output, own in places.items():
            entries = tuple(expr(found[output][columns[column]][row]) for row, column in own)
            arrays.append(Array(output, (len(own),), entries))
        graphs.append(graph_of(robot, "regressor", inputs, arrays, scope.names))
    return graphs, places


def _places(ways: Sequence[Matrix], columns: Sequence[str]) -> tuple[Place, ...]:
    """Row and column of every entry that is not zero everywhere: no way of writing it says so, nor a generic place."""
    own = [(place, name) for place, name in enumerate(columns) if name in ways[0]]
    found = [
        (row, place)
        for place, name in own
        for row in range(len(ways[0][name]))
        if not any(is_zero(way[name][row]) for way in ways)
    ]
    values = Generic()([expr(ways[0][columns[place]][row]) for row, place in found])
    return tuple(sorted(where for where, value in zip(found, values, strict=True) if not negligible(value)))


def _notes(places: Mapping[str, Sequence[Place]], rows: Sequence[str], columns: Sequence[str]) -> Iterator[str]:
    """What the entries of the outputs are, for those who read the code: row by row the parameters they are multiplied by."""
    for output, own in places.items():
        for row, name in enumerate(rows):
            found = [k for k, place in enumerate(own) if place[0] == row]
            if found:
                names = ", ".join(columns[own[k][1]] for k in found)
                yield f"{output}[{found[0]}] to [{found[-1]}], {name}: {names}"
