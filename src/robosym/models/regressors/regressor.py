"""Identification models: torques, momenta, energies and powers as a matrix times the dynamic parameters.

    dynamic    tau = D(q, qd, qdd) K
    filtered   tau = d/dt(D1(q, qd) K) + D2(q, qd) K
    energy     integral of tau . qd = (h(t2) - h(t1)) K + integral of loss(q, qd) K
    power      tau . qd = P(q, qd, qdd) K

Entries that are zero at every state are not stored: an output holds the others, row by row, and ``places`` gives their positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal

from ...expr import Expr, evaluate, expr, free_symbols, parameter, text
from ...expr.generic import Generic, negligible
from ...generated import Model
from ...generated.checks import MOVING, Check
from ...generated.declaration import Parallel, declare
from ...generated.documentation.case import Case
from ...program import Array, Graph, Scope, optimised
from ...program.documentation import Described
from ...reals import real_array
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.scalar import Scalar, is_zero
from ...spatial.vectors import ZERO, Vector
from .. import limits
from ..common import graph_of, open_tree
from ..common import model as model_of
from ..inertial_parameters.sets import Parameters
from ..resolve import PLATFORM, Acting, Near, OfPlatform, Structure, resolve
from ..tool import Tool
from ..tree.bodies import Tree, tree
from ..tree.coordinates import Axis
from ..tree.motion import Recursion
from ..tree.rotors import RotorsOfJoints
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

    def dense(self, entries: ArrayLike | Mapping[str, ArrayLike], output: str | None = None) -> NDArray[np.float64]:
        """The matrix with its zeros, at one state or many.

        ``entries`` are those of the output of that name (by default the first), or all outputs of a call by name; a model with
        several matrices then needs the name.
        """
        import numpy as np

        matrices = ", ".join(map(repr, self.places))
        if isinstance(entries, Mapping):
            if output is None and len(self.places) > 1:
                problem = (
                    f"expected one of {matrices}, got None: the model has {len(self.places)} matrices, name one of them"
                )
                raise RobotError([Problem("output", problem)], self.robot.name)
            output = next(iter(self.places)) if output is None else output
            if output in self.places and output not in entries:
                problem = f"expected the output {output!r} of a call, got {', '.join(map(repr, entries)) or 'nothing'}"
                raise RobotError([Problem("entries", problem)], self.robot.name)
            entries = entries.get(output, ())
        output = next(iter(self.places)) if output is None else output
        if output not in self.places:
            raise RobotError([Problem("output", f"expected one of {matrices}, got {output!r}")], self.robot.name)
        places, given = self.places[output], real_array("entries", entries)
        if not given.ndim or given.shape[-1] != len(places):
            problem = f"expected the {len(places)} entries of {output!r} on the last axis, got shape {given.shape}"
            raise RobotError([Problem("entries", problem)], self.robot.name)
        total = np.zeros((*given.shape[:-1], len(self.rows), len(self.columns)))
        if places:
            rows, columns = zip(*places, strict=True)
            total[..., rows, columns] = given
        return total


def entries_in_words(case: Case) -> Described:
    """The entries of a sparse matrix of an identification model."""
    words = {
        "D": "entries of D that are not zero, tau = D K",
        "Y": "entries of Y that are not zero, tau = Y K",
        "D1": "entries of D1 that are not zero, tau = d(D1 K)/dt + D2 K",
        "D2": "entries of D2 that are not zero, tau = d(D1 K)/dt + D2 K",
        "h": "entries of h that are not zero: the work of the torques is the change of h K, and what is lost",
        "loss": "entries that are not zero of the power that is lost, loss K",
        "P": "entries of P that are not zero: the power of the torques is P K",
    }
    rows = {"h": "J", "loss": "W", "P": "W", "D1": "N m s or N s"}.get(case.array, "N m or N")
    return Described(f"{words[case.array]}; {rows} of the row per unit of the parameter")


def model_in_words(case: Case) -> str:
    """The sentence on an identification model."""
    kinds = {"filtered": "filtered, without accelerations", "energy": "of energy", "power": "of power"}
    kind, names = kinds.get(case.option("model", "dynamic"), "dynamic"), getattr(case.model, "columns", ())
    return f"Identification model ({kind}), linear in the {case.model.parameter_set} parameters K: {', '.join(names)}"


def torques_of_parameters(model: Any, outputs: Mapping[str, Any]) -> Any:
    """What the parameters of the description make of a regressor."""

    name, entries = next(iter(outputs.items()))
    known = model.described_values()
    return model.dense(entries, name) @ [known[column] for column in model.columns]


@declare(
    title="Identification model",
    family="identification",
    rank=10,
    inputs="q, qd, qdd",
    outputs="D",
    about=model_in_words,
    arrays=dict.fromkeys(("D", "D1", "D2", "h", "loss", "P"), entries_in_words),
    parallel=Parallel(
        model_in_words,
        {"D": entries_in_words},
        ("parameters", "friction", "rotor_inertia", "forces", "customised", "alike"),
    ),
    parallel_only=("forces", "alike", "tool"),
    gravity=True,
    section="SYMORO+ 1997, sections 6.1 to 6.3",
    checks=[Check(lambda task: task.torques, MOVING, of_model=torques_of_parameters, note="D times the parameters")],
)
def regressor(
    robot: Robot,
    *,
    model: Kind = "dynamic",
    parameters: Parameters = "base",
    friction: FrictionTerms = False,
    rotor_inertia: RotorsOfJoints = True,
    extra: Extra | None = None,
    customised: bool = False,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
    tool: Tool | None = None,
    forces: Acting | None = None,
    alike: bool | None = None,
) -> Regressor:
    """Regressor: matrix that multiplies the dynamic parameters (identification).

    For a parallel robot the torques act on the actuators, or with ``forces`` "platform" as a wrench on the platform.

    Parameters
    ----------
    robot
        Robot.
    model
        Identification model: "dynamic", "filtered", "energy" or "power". The equations are in the notes. Parallel
        robots and bases with a prescribed motion require "dynamic".
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Each parameter has a column. Only
        base parameters can all be identified.
    friction
        Friction columns: False (none), True (friction of the description) or a list of friction terms. Terms, for every
        actuated joint: "viscous", "coulomb", "offset", "asymmetric" (coefficients by direction) and "coupled" (motors
        that move several joints). "offset" and "asymmetric" exclude each other.
    rotor_inertia
        Rotor inertias of the motors: True (included) or False (excluded).
    extra
        Additional columns: by name, the torque on each joint for a parameter value of 1. Example: {"balancer":
        {"joint2": "sin(q2)"}}. Expressions contain the state and parameters of the robot. Not available for parallel
        robots.
    customised
        Omission of the inertial parameters that are zero in the description. By default each link has all ten
        parameters.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. Parallel robots: one name for all legs
        ("elbow-"), or names by leg ("leg1 elbow-, leg2 elbow+"). Legs that are not named keep the mode of the
        description.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration). Parallel robots:
        positions of leg joints; the others keep the position of the description, or zero.
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``. Parallel robots support "closed" only.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "platform", the only choice for this model.
    tool
        Parallel robots only: tool pose on the platform [m], a point (3), x y z qx qy qz qw (7) or a matrix (4, 4).
        Entries are numbers, expressions or text such as "LT/2"; lengths are in metres. Motion and wrench of the
        platform are then given for the tool.
    forces
        Parallel robots only: "motors" gives actuator torques, "platform" the wrench on the platform. None is "motors".
    alike
        Parallel robots only: legs with the same description share their parameters (True) or have their own (False).
        None is True. Legs that share parameters share their columns.

    Returns
    -------
    Regressor
        Inputs ``q``, ``qd`` and ``qdd`` as the model needs them; ``pose``, ``twist`` and ``twist_rate`` for a parallel
        robot. Outputs:

        - ``D`` with "dynamic";
        - ``D1`` and ``D2`` with "filtered";
        - ``h`` and ``loss`` with "energy";
        - ``P`` with "power".

        ``columns`` names the parameters, ``rows`` the torques. Entries that are zero at every state are not stored.
        ``places`` gives row and column of the others, ``dense`` the full matrix. Closed-loop and parallel robots:
        status ``assembled`` is 1 where the state is possible, else 0 and the values are NaN. Loops closed by iteration
        add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    With K the parameters:

        dynamic    tau = D(q, qd, qdd) K
        filtered   tau = d/dt(D1(q, qd) K) + D2(q, qd) K
        energy     integral of tau . qd = (h(t2) - h(t1)) K + integral of loss(q, qd) K
        power      tau . qd = P(q, qd, qdd) K
    """
    resolved = resolve(robot, mode, near, structure, coordinates, tool, PLATFORM)
    resolved.only_of_trees("regressor", model=(model, "dynamic"), extra=(extra, None))
    resolved.only_of_platforms(tool=tool, forces=forces, alike=alike)
    if resolved.parallel:
        from .of_platform import platform_regressor

        chosen = Asked(parameters, friction, rotor_inertia, {}, customised)
        return resolved.finished(platform_regressor(resolved.robot, resolved.legs, chosen, forces or "motors", alike))
    robot = resolved.tree
    open_tree(robot)
    if model != "dynamic":
        _require_no_drive(robot, tree(robot))
    return resolved.finished(
        written(robot, FORMS[model], Asked(parameters, friction, rotor_inertia, extra or {}, customised))
    )


@dataclass(frozen=True)
class Asked:
    """What is requested of a model of any form."""

    parameters: Parameters
    friction: FrictionTerms
    rotor_inertia: bool
    extra: Extra
    customised: bool

    @property
    def options(self) -> dict[str, Any]:
        extra = {name: {at: str(x) for at, x in one.items()} for name, one in self.extra.items()}
        return {
            "friction": self.friction if isinstance(self.friction, bool) else list(self.friction),
            "rotor_inertia": self.rotor_inertia,
            "customised": self.customised,
            **({"extra": extra} if extra else {}),
        }


def written(robot: Robot, form: Form, asked: Asked) -> Regressor:
    """An identification model in one of its forms."""
    parameters = asked.parameters
    own = inertial_parameters(robot, parameters, asked.rotor_inertia, asked.customised)
    bodies = tree(own.robot)
    joints, moving = form.motion(bodies)
    further = terms(robot, joints, own, asked.friction, asked.rotor_inertia, asked.extra, bodies.coordinates.qd)
    columns = _columns(robot, own, further)
    rotors = {name for (_, stem), name in own.names.items() if stem == ROTOR}
    others = tuple(one.name for one in further if one.name not in rotors)
    if parameters == "base":
        way = form.torques(moving)[0]
        own, further, columns = _told_apart(robot, moving, way, own, further, columns, tuple(asked.extra))
    ways = [way(own, moving, further) for way in form.ways(moving)]
    graphs, places = _packed(own.robot, ways, columns, form)
    rows = bodies.coordinates.names if form.row is None else (form.row,)
    program = optimised(*graphs, wide=True)
    program = program.replace(notes=(*program.notes, *entry_notes(places, rows, columns)))
    made = model_of(own.robot, form.name, program, {**form.options, **asked.options}, parameters, described=robot)
    return identified(made, columns, rows, places, own, further, others)


def identified(
    made: Model,
    columns: tuple[str, ...],
    rows: tuple[str, ...],
    places: Mapping[str, tuple[Place, ...]],
    own: Inertial,
    further: Sequence[Term],
    terms: tuple[str, ...],
) -> Regressor:
    """The model with what its columns and rows are; ``further`` are columns beyond links and rotors."""
    described = {**own.described, **{one.name: one.value for one in further}}
    return Regressor(
        **{one.name: getattr(made, one.name) for one in fields(Model)},
        columns=columns,
        rows=rows,
        places=places,
        expressions=own.meaning,
        words={one.name: one.meaning for one in further if one.meaning},
        terms=terms,
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
    robot: Robot,
    bodies: Tree,
    way: Way,
    own: Inertial,
    further: list[Term],
    columns: tuple[str, ...],
    extra: tuple[str, ...],
) -> tuple[Inertial, list[Term], tuple[str, ...]]:
    """Without what depends on other columns in the torques, and with its part in these."""
    _, outputs = way(own, bodies, further)
    (found,) = outputs.values()
    gone = dependent(own.robot, {name: found[name] for name in columns})
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


def _dynamic(output: str, made: type[Scope], way: Projected, recursion: Recursion) -> Way:
    def written(own: Inertial, bodies: Tree, further: Sequence[Term]) -> Written:
        scope = made()
        found = dynamic_columns(bodies, own, scope, way, recursion)
        return scope, {output: _on_coordinates(bodies, found | {one.name: one.torques for one in further})}

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


def ways_of_dynamic(bodies: Tree, output: str = "D", scope: type[Scope] = Scope) -> list[Way]:
    """The matrix of the torques, in the ways that may be the cheapest."""
    if len(bodies.bodies) > limits.SOME_BODIES:
        return [_dynamic(output, scope, "back" if bodies.free else "forth", Recursion())]
    ways: tuple[Projected, ...] = ("back",) if bodies.free else ("forth", "meet")
    return [_dynamic(output, scope, way, recursion) for way in ways for recursion in (Recursion(), PLAIN)]


@dataclass(frozen=True)
class Form:
    """How an identification model is written: from which inputs, and in which ways."""

    inputs: Callable[[Robot], Sequence[Array]]
    ways: Callable[[Tree], list[Way]]
    row: str | None = None  # the one row there is; None: one of every torque
    name: str = "regressor"
    options: Mapping[str, Any] = field(default_factory=dict)
    torques: Callable[[Tree], list[Way]] = ways_of_dynamic  # what says which columns can be told apart
    motion: Callable[[Tree], tuple[Tree, Tree]] = lambda bodies: (bodies, bodies)  # of joints by themselves, of links


def _form(kind: str, inputs: tuple[str, ...], ways: Callable[[Tree], list[Way]], row: str | None = None) -> Form:
    return Form(lambda robot: state_inputs(robot, inputs), ways, row, options={"model": kind})


SPEEDS = ("q", "qd")
FORMS = {
    "dynamic": _form("dynamic", (*SPEEDS, "qdd"), ways_of_dynamic),
    "filtered": _form("filtered", SPEEDS, lambda bodies: [_filtered(True), _filtered(False)]),
    "energy": _form("energy", SPEEDS, lambda bodies: [_energy(True), _energy(False)], "energy"),
    "power": _form("power", (*SPEEDS, "qdd"), lambda bodies: [_of_power(Recursion()), _of_power(PLAIN)], "power"),
}


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
    robot: Robot, ways: Sequence[Written], columns: Sequence[str], form: Form
) -> tuple[list[Graph], dict[str, tuple[Place, ...]]]:
    """The graphs of all ways with the same entries: those that no way of writing shows to be zero."""
    places = {output: entry_places([found[output] for _, found in ways], columns) for output in ways[0][1]}
    inputs = form.inputs(robot)
    graphs = []
    for scope, found in ways:
        arrays = []
        for output, own in places.items():
            entries = tuple(expr(found[output][columns[column]][row]) for row, column in own)
            arrays.append(Array(output, (len(own),), entries))
        graphs.append(graph_of(robot, form.name, inputs, arrays, scope.names))
    return graphs, places


def entry_places(ways: Sequence[Matrix], columns: Sequence[str]) -> tuple[Place, ...]:
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


def entry_notes(places: Mapping[str, Sequence[Place]], rows: Sequence[str], columns: Sequence[str]) -> Iterator[str]:
    """What the entries of the outputs are, for those who read the code: row by row the parameters they are multiplied by."""
    for output, own in places.items():
        for row, name in enumerate(rows):
            found = [k for k, place in enumerate(own) if place[0] == row]
            if found:
                names = ", ".join(columns[own[k][1]] for k in found)
                yield f"{output}[{found[0]}] to [{found[-1]}], {name}: {names}"
