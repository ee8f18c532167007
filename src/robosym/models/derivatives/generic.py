"""``derivative``: derivatives of any model by its inputs or parameters, in forward mode over its program.

Positions are differentiated along small motions. With T the pose of a floating base, a column of d(.)/dq is the derivative of
f(T exp(e S), q) at e = 0, with S a unit twist along or about an axis of the base itself. There are six such columns, then one for
each joint. The passive joints of closed loops move with the actuated ones,

    df/dq_k = (partial f / partial q_k) + sum over the passive joints j of (partial f / partial x_j) G_jk,

in closed form inside the program, or by the rates G of the closure where an iteration closes the loops.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from ...expr import Expr, parameter, tangents
from ...expr.functions import CONDITIONS
from ...generated import Model
from ...options.validate import validated
from ...program import Array, Graph, Program, optimised
from ...program.derive import Directions, entries_of, slopes, slopes_back, to_derive
from ...program.routine import Run, walk
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..common import ASSEMBLED, PASSIVE
from ..resolve import of_described
from ..tree.coordinates import Coordinates, coordinates, free_base, joined

Names = str | Sequence[str]

PARAMETERS = "parameters"  # the axis of a derivative by a list of parameters
LEGS = "legs"
OWN_AXES = (
    "{name}: the first six columns are small motions of the base along, then about the axes of its own frame "
    "([dv; dw]), the others those of the joints"
)


@validated
def derivative(
    model: Model, *, of: Names | None = None, by: Names = "q", order: Literal[1, 2, 3] = 1, value: bool = False
) -> Model:
    """Derivatives of the outputs of a model by its inputs or parameters.

    Positions are differentiated along small motions. The derivative by "q" has nv columns. With a floating base the
    first six are small motions of the base in its own axes, linear, then angular. Closed loops move with their actuated
    joints.

    Parameters
    ----------
    model
        Model to differentiate. It must be straight-line code, except for closed loops that are solved by iteration.
    of
        Names of the outputs to differentiate; by default all that have derivatives.
    by
        Inputs or robot parameters to differentiate by: one name or several. Several parameters share one output
        (``dtau_dparameters``), with a column each in the order given.
    order
        Order of the derivative: 1, 2 or 3. Order 2 is the derivative of the derivative (``ddtau_dq_dq``).
    value
        Differentiated outputs as additional outputs. The output that states whether loops are closed always stays.

    Returns
    -------
    Model
        Model with one output per pair, such as ``dtau_dq`` (n, n) for ``of="tau"`` and ``by="q"``.

    Notes
    -----
    Forward mode over the program, or reverse mode where it costs less.
    """
    _require_own_slopes(model, by)
    found, wanted = model, of
    for _ in range(order):
        before = {array.name for array in found.code.outputs}
        found = _differentiated(found, wanted, by, value and (found is model or "all"))
        wanted = [one.name for one in found.code.outputs if one.name not in before and not _is_status(one)]
    return found


def _differentiated(model: Model, of: Names | None, by: Names, value: bool | str) -> Model:
    if model.of_tree is None:
        return _of_program(model, of, by, value)
    return of_described(model.robot, _of_program(model.of_tree, of, by, value))


def _of_program(model: Model, of: Names | None, by: Names, value: bool | str) -> Model:
    """Of a model that is one straight line."""
    program = _program(model)
    graph = to_derive(program)
    outputs, status = _chosen(model, graph, of)
    ways = _directions(model, program, by)
    written = [[one for way in ways for one in slopes(outputs, way)], *_backwards(outputs, ways)]
    label = "-".join(way.name for way in ways)
    own = [one for one in graph.outputs if one not in status] if value == "all" else outputs if value else []
    name = f"{program.name} by {label}"
    graphs = [Graph(name, program.inputs, (*own, *made, *status), graph.names) for made in written]
    derived = optimised(*graphs)
    notes = (*program.notes, *_notes(model, program, ways, by))
    values = {**{name: one.number for name, one in model.robot.values.items()}, **model.derived.values, **model.values}
    used = {symbol.name for symbol in derived.parameter_symbols}
    return replace(
        model,
        name=f"{model.name}-by-{label}",
        made=derived.replace(notes=tuple(dict.fromkeys(notes))),
        values={name: number for name, number in values.items() if name in used},
        options={
            **model.options,
            "of": [array.name for array in outputs],
            "by": by if isinstance(by, str) else list(by),
        },
    )


def _backwards(outputs: Sequence[Array], ways: Sequence[Directions]) -> list[list[Array]]:
    """In reverse mode too, where it may cost less: of fewer quantities than they are differentiated by."""
    if sum(len(one.entries) for one in outputs) > sum(len(way.seeds) for way in ways):
        return []
    made = [slopes_back(outputs, way) for way in ways]
    return [] if any(one is None for one in made) else [[one for part in made if part is not None for one in part]]


# --- of what -----------------------------------------------------------------------------------------------------------


def _program(model: Model) -> Program:
    if isinstance(model.code, Program):
        return model.code
    problem = (
        f"{model.name} is a routine, with loops and branches of its own: a derivative is made of a model that is one straight "
        "line, or of one whose closed loops alone are iterated"
    )
    raise RobotError([Problem("model", problem)], model.robot.name)


def _chosen(model: Model, graph: Graph, of: Names | None) -> tuple[list[Array], list[Array]]:
    """The outputs that are differentiated, and those that say whether they are good."""
    status = [array for array in graph.outputs if _is_status(array)]
    known = {array.name: array for array in graph.outputs if array not in status}
    names = list(known) if of is None else [of] if isinstance(of, str) else list(of)
    for name in names:
        if name not in known:
            what = "says whether the others are good, and has no slope" if name in {a.name for a in status} else "got"
            given = f"'{name}' {what}" if what != "got" else f"got {name!r:.60}"
            problem = f"{given}: expected outputs of {model.name}: {', '.join(known)}"
            if name == PASSIVE:
                problem = f"'{name}' is found by an iteration: loop_kinematics gives how it moves with q"
            raise RobotError([Problem("of", problem)], model.robot.name)
    return [known[name] for name in dict.fromkeys(names)], status


def _is_status(array: Array | object) -> bool:
    """Whether an output says yes or no."""
    if getattr(array, "name", "") == ASSEMBLED:
        return True
    return isinstance(array, Array) and bool(array.entries) and all(entry.op in CONDITIONS for entry in array.entries)


# --- by what -----------------------------------------------------------------------------------------------------------


def _directions(model: Model, program: Program, by: Names) -> list[Directions]:
    names = list(dict.fromkeys([by] if isinstance(by, str) else by))
    if not names:
        raise RobotError([Problem("by", "got no name, expected inputs or parameters")], model.robot.name)
    inputs = {array.name: array for array in program.inputs}
    found = [by_input(model.robot, inputs[name], inputs) for name in names if name in inputs]
    parameters = [name for name in names if name not in inputs]
    seeds = tuple(_by_parameter(model, program, name) for name in parameters)
    if isinstance(by, str) and seeds:
        return [Directions(by, (), seeds)]
    return [*found, Directions(PARAMETERS, (len(seeds),), seeds)] if seeds else found


def by_input(robot: Robot, array: Array, inputs: Mapping[str, Array]) -> Directions:
    """Of positions along small motions, of other inputs entry by entry."""
    if array.name == PASSIVE:
        problem = f"'{PASSIVE}' is no free input: these joints follow q, and a derivative by q moves them too"
        raise RobotError([Problem("by", problem)], robot.name)
    if array.name == "q" and not robot.platforms:
        return _of_driven(robot) if robot.loops else by_positions(coordinates(robot))
    if array.rate is not None and len(array.rate.array.entries) != len(array.entries):
        if LEGS in inputs:
            problem = f"the joints of the legs follow '{array.name}', and are inputs here: a derivative by it would leave them behind"
            raise RobotError([Problem("by", problem)], robot.name)
        rates = array.rate
        moved = (tangents(rates.entries, {speed: 1}) for speed in rates.array.entries)
        seeds = tuple(dict(zip(array.entries, one, strict=True)) for one in moved)
        return Directions(array.name, rates.array.shape, seeds)
    return entries_of(array)


def by_positions(own: Coordinates) -> Directions:
    """A column for each entry of qd: all that moves with it."""
    return Directions("q", (own.nv,), tuple(own.along(place) for place in range(own.nv)))


def _of_driven(robot: Robot) -> Directions:
    """Of a model that was put together from others: closed loops are inside it, the driven joints and a free base are left."""
    own = joined([free_base(robot)]) if robot.base.floating else joined([])
    base = [own.along(place) for place in range(own.nv)]
    joints = [{x: 1} for x in robot.coordinates[own.nq :]]
    return Directions("q", (robot.nv,), (*base, *joints))


def _by_parameter(model: Model, program: Program, name: str) -> dict[Expr, Expr | int]:
    """The parameter itself, and those of the model that are made of it."""
    known = {*(symbol.name for symbol in program.parameter_symbols), *model.known, *model.derived.sources}
    if not isinstance(name, str) or name not in known:
        inputs = ", ".join(array.name for array in program.inputs if array.name != PASSIVE)
        used = ", ".join(symbol.name for symbol in program.parameter_symbols[:12])
        more = " ..." if len(program.parameter_symbols) > 12 else ""
        problem = f"got {name!r:.60}, expected an input ({inputs}) or a parameter ({used}{more})"
        raise RobotError([Problem("by", problem)], model.robot.name)
    if name in model.derived.fixed:
        problem = f"the base parameters were found with {name} = {model.derived.values.get(name)}, and hold for no other value"
        raise RobotError([Problem("by", problem)], model.robot.name)
    symbol = parameter(name)
    seeds: dict[Expr, Expr | int] = {symbol: 1}
    for made, of in model.derived.expressions.items():
        if made != name:
            seeds[parameter(made)] = tangents([of], {symbol: 1})[0]
    return seeds


def _require_own_slopes(model: Model, by: Names) -> None:
    """Refuse parameters that move joints which an iteration finds: the model's program does not know how."""
    tree = model.of_tree
    if tree is None or isinstance(model.code, Program) or not isinstance(tree.code, Program):
        return
    programs = [stage.program for stage in walk(model.code.stages) if isinstance(stage, Run)]
    iterated = {symbol.name for program in programs[:-1] for symbol in program.parameter_symbols}
    for name in [by] if isinstance(by, str) else by:
        if name in iterated and name not in {array.name for array in tree.code.inputs}:
            problem = f"'{name}' moves the joints that an iteration finds, by how much is not known: no derivative by it is there"
            raise RobotError([Problem("by", problem)], model.robot.name)


# --- in words ----------------------------------------------------------------------------------------------------------


def _notes(model: Model, program: Program, ways: Iterable[Directions], by: Names) -> Iterable[str]:
    arrays = {array.name: array for array in program.inputs}
    for way in ways:
        if way.name == "q" and model.robot.base.floating:
            yield OWN_AXES.format(name="by q")
        elif way.name == PARAMETERS and not isinstance(by, str):
            yield f"by parameters: {', '.join(name for name in by if name not in arrays)}"
        elif way.name in arrays and way.shape != arrays[way.name].shape:
            rate = arrays[way.name].rate
            assert rate is not None
            yield f"by {way.name}: a column for each entry of {rate.array.name}, a small motion with that speed"
