"""The slopes of a step along with the step: the chain rule from stage to stage of an integrator.

Every array x of the state has beside it its slopes, d x / d (state and torques at the beginning), a column each. A program of an
integrator carries them on by its own derivative, accelerations by that of the dynamics,

    d qdd = (dqdd/dq) dq + (dqdd/dqd) dqd + (dqdd/dtau) dtau,

an unknown z that solves r(z, x) = 0 by the implicit function theorem, dz = -(dr/dz)^-1 (dr/dx) dx. So a step has exactly the slopes
of what it computes, not of what it approximates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...expr import Expr, expr, tangents, variable
from ...generated import Model
from ...generated.stages import stages_of
from ...program import Array, Graph, Program, lower, optimised
from ...program.derive import Directions, entries_of, slopes, to_derive
from ...program.of_arrays import program_of
from ...program.routine import Fill, Kernel, Record, Repeat, Run, Stage, Take
from ...reals import Floats
from ...robot import Robot
from ...spatial.scalar import is_zero
from ..common import ASSEMBLED
from ..integration.mechanism import TORQUE, Mechanism, Pair
from ..resolve import of_described
from ..tree.coordinates import coordinates

SLOPES = "slopes"
BY = ("qd", "q_motor", "qd_motor", TORQUE)  # beside q


def with_slopes(model: Model) -> Model:
    """A model with the derivatives of its outputs by every array of the state and by the torques. The numbers of a free base
    and of quaternions are taken one by one here: in the middle of a step they are no pose."""
    plain = model if model.of_tree is None else model.of_tree
    graph = to_derive(plain.program)
    inputs = {array.name: array for array in graph.inputs}
    ways = [_by_numbers(plain.robot)] if "q" in inputs else []
    ways += [entries_of(inputs[name]) for name in BY if name in inputs]
    made = [array for array in graph.outputs if array.name != ASSEMBLED]
    status = [array for array in graph.outputs if array.name == ASSEMBLED]
    found = [one for way in ways for one in slopes(made, way)]
    program = optimised(Graph(f"{graph.name} {SLOPES}", graph.inputs, (*made, *found, *status), graph.names))
    whole = replace(plain, name=f"{plain.name}-{SLOPES}", made=program)
    return whole if model.of_tree is None else of_described(model.robot, whole)


def _by_numbers(robot: Robot) -> Directions:
    own = coordinates(robot)
    seeds: list[Mapping[Expr, Any]] = []
    for block in own.blocks:
        plain = len(block.q) == block.nv
        seeds += [own.along(block.start + k) if plain else {x: 1} for k, x in enumerate(block.q)]
    return Directions("q", (own.nq,), tuple(seeds))


@dataclass(frozen=True, eq=False)
class Sensitive(Mechanism):
    """A mechanism whose state has slopes by ``columns`` quantities. ``constant`` are arrays whose slopes are known numbers.

    Which arrays have slopes is noted as stages are made: they are to be made in the order in which they run.
    """

    columns: int
    constant: Mapping[str, Floats] = field(default_factory=dict)
    prefix: str = "slope_of_"
    evaluated: bool = False  # whether the slopes of models are there already
    moving: set[str] = field(default_factory=set)  # which arrays have slopes
    models: dict[str, Model] = field(default_factory=dict)  # those made so far, with their slopes

    def slope(self, name: str) -> str:
        return f"{self.prefix}{name}"

    # --- what an integrator does -----------------------------------------------------------------------------------------

    def along(self, run: Run) -> tuple[Stage, ...]:
        """The slopes first: the program may write over what it reads."""
        taken = [array for array in run.program.inputs if self._moves(run.place(array))]
        made = [run.place(array) for array in run.program.outputs]
        if not taken:
            self.moving.difference_update(made)
            return (run,)
        known = {array.name: self.constant[run.place(array)] for array in taken if run.place(array) in self.constant}
        program = carried_on(run.program, [array.name for array in taken], self.columns, known)
        places = dict(run.names)
        for array in (*run.program.inputs, *run.program.outputs):
            places[_slope_of(array.name)] = self.slope(run.place(array))
        own = {array.name for array in (*program.inputs, *program.outputs)}
        self.moving.update(made)
        return (Run(program, {k: v for k, v in places.items() if k in own}), run)

    def _moves(self, name: str) -> bool:
        return name in self.moving or name in self.constant

    def call(self, model: Model, label: str, places: Mapping[str, str], again: bool = False) -> tuple[Stage, ...]:
        own = self.shared(model, places)
        taken = {slot.name: own[slot.name] for slot in model.code.inputs if self._moves(own.get(slot.name, ""))}
        made = {slot.name: slot for slot in model.code.outputs if slot.name in places}
        if model.name not in self.models:
            self.models[model.name] = with_slopes(model)
        full = self.models[model.name]
        stages: list[Stage] = []
        if not (self.evaluated or again):
            stages += [*stages_of(full, f"{label}_{SLOPES}", self.shared(full, places)), *self.judged()]
        for name, slot in made.items():
            parts = {f"{label}_{SLOPES}_d{name}_d{one}": place for one, place in taken.items()}
            sizes = {f"{label}_{SLOPES}_d{name}_d{x.name}": x.shape[0] for x in model.code.inputs if x.name in taken}
            stages += self._product(slot.shape[0], sizes, parts, places[name]) if parts else ()
            (self.moving.add if parts else self.moving.discard)(places[name])
        return tuple(stages)

    def _product(self, height: int, sizes: Mapping[str, int], parts: Mapping[str, str], to: str) -> tuple[Stage, ...]:
        """The sum of matrices times slopes, row by row."""
        rows = {f"row{k}": matrix for k, matrix in enumerate(parts)}
        given: dict[str, tuple[int, ...]] = {name: (sizes[matrix],) for name, matrix in rows.items()}
        places: dict[str, str] = {name: f"{self.prefix}row_of_{matrix}" for name, matrix in rows.items()}
        known: dict[str, Any] = {}
        for name, matrix in rows.items():
            array = parts[matrix]
            if array in self.constant:
                known[name] = self.constant[array]
            else:
                given[f"S_{name}"] = (sizes[matrix], self.columns)
                places[f"S_{name}"] = self.slope(array)

        def body(**taken: Any) -> dict[str, Any]:
            total = [expr(0)] * self.columns
            for name in rows:
                S = known[name] if name in known else taken[f"S_{name}"]
                total = [x + _dot(taken[name], S[:, k]) for k, x in enumerate(total)]
            return {"row": total}

        turn, row, target = f"{self.prefix}turn", f"{self.prefix}row", self.slope(to)
        program = program_of("slopes through a model", given, body)
        each: tuple[Stage, ...] = (
            *(Take(matrix, turn, places[name]) for name, matrix in rows.items()),
            Run(program, {**places, "row": row}),
            Record(row, target, turn),
        )
        return (Fill(target, (height, self.columns)), Repeat(height, each, turn=turn))

    def implicitly(
        self, unknown: str, size: int, residual: Callable[[Mechanism], tuple[Stage, ...]]
    ) -> tuple[Stage, ...]:
        self.moving.discard(unknown)
        by_state = residual(self)
        inner = replace(self, columns=size, constant={}, prefix="inner_", evaluated=True, moving={unknown})
        one = program_of("identity", {}, lambda: {"one": np.eye(size, dtype=int).tolist()})
        matrix, right, found = inner.slope("r"), self.slope("r"), f"{self.prefix}found"
        shape = (size, self.columns)
        negated = program_of("by the implicit function theorem", {"X": shape}, lambda X: {"S": -X})
        self.moving.add(unknown)
        return (
            *by_state,
            Run(one, {"one": inner.slope(unknown)}),
            *residual(inner),
            Kernel("solve", (matrix, right), (found,)),
            Run(negated, {"X": found, "S": self.slope(unknown)}),
        )


def _dot(row: Any, column: Any) -> Expr:
    total = expr(0)
    for a, b in zip(row, column, strict=True):
        total = total + a * expr(b if isinstance(b, Expr) else float(b))
    return total


def _slope_of(name: str) -> str:
    return f"slope_of_{name}"


def carried_on(program: Program, taken: Sequence[str], columns: int, known: Mapping[str, Floats]) -> Program:
    """The slopes of a program's outputs, from those of the inputs ``taken``, some of which are ``known`` numbers: column by column,
    or by the matrix of its own slopes, whichever costs less."""
    graph = to_derive(program)
    arrays = {array.name: array for array in program.inputs}
    given: list[Array] = []
    S: dict[Expr, list[Expr]] = {}  # the slopes of every symbol
    for name in taken:
        entries = arrays[name].entries
        if name in known:
            S |= {x: [expr(float(one)) for one in row] for x, row in zip(entries, known[name], strict=True)}
            continue
        symbols = tuple(variable(f"{_slope_of(name)}_{k}") for k in range(len(entries) * columns))
        given.append(Array(_slope_of(name), (len(entries), columns), symbols))
        S |= {x: list(symbols[i * columns : (i + 1) * columns]) for i, x in enumerate(entries)}
    by_columns = [tangents(graph.roots, {x: row[k] for x, row in S.items()}) for k in range(columns)]
    own = [tangents(graph.roots, {x: 1}) for x in S]
    rows = list(S.values())
    by_matrix = [
        [_sum([one[i] for one in own], [row[k] for row in rows]) for i in range(len(graph.roots))]
        for k in range(columns)
    ]
    inputs = (*program.inputs, *given)
    ways = [_slopes_graph(program.name, graph, inputs, found) for found in (by_columns, by_matrix)]
    return lower(min(ways, key=lambda way: way.operations.total))


def _slopes_graph(name: str, graph: Graph, inputs: tuple[Array, ...], columns: Sequence[Sequence[Expr]]) -> Graph:
    outputs, start = [], 0
    for array in graph.outputs:
        places = range(start, start + len(array.entries))
        entries = tuple(column[i] for i in places for column in columns)
        outputs.append(Array(_slope_of(array.name), (len(places), len(columns)), entries))
        start += len(places)
    return Graph(f"slopes of {name}", inputs, tuple(outputs), graph.names)


def _sum(row: Sequence[Expr], column: Sequence[Expr]) -> Expr:
    total = expr(0)
    for a, b in zip(row, column, strict=True):
        if not a.is_zero:
            total = total + a * b
    return total


# --- at the beginning and at the end -------------------------------------------------------------------------------------


def sensitive(plain: Mechanism) -> Sensitive:
    """With slopes by small deviations of the state, then by the torques."""
    nv = plain.nv
    size = 2 * sum(pair.nv for pair in plain.pairs)
    constant = {TORQUE: np.hstack([np.zeros((nv, size)), np.eye(nv)])}
    state = {name for pair in plain.pairs for name in (pair.position, pair.speed)}
    return Sensitive(plain.robot, plain.model, plain.pairs, size + nv, constant, moving=state, held=plain.held)


def seeded(own: Sensitive) -> tuple[Stage, ...]:
    """The slopes of the state by itself: of a quaternion the rates of its four numbers."""
    stages: list[Stage] = []
    place, half = 0, sum(pair.nv for pair in own.pairs)
    for pair in own.pairs:
        first, columns = place, own.columns

        def body(x: Any, pair: Pair = pair, first: int = first, columns: int = columns) -> dict[str, Any]:
            rows: list[list[Any]] = [[0] * columns for _ in range(pair.nq)]
            for k in range(pair.nv):
                for i, rate in enumerate(pair.rate(list(x), _unit_speed(pair, k))):
                    rows[i][first + k] = rate
            return {"S": rows}

        program = program_of(f"slopes of {pair.position}", {"x": (pair.nq,)}, body)
        stages.append(Run(program, {"x": pair.position, "S": own.slope(pair.position)}))
        entries = np.eye(pair.nv, own.columns, half + first, dtype=int).tolist()
        speeds = program_of(f"slopes of {pair.speed}", {}, lambda entries=entries: {"S": entries})
        stages.append(Run(speeds, {"S": own.slope(pair.speed)}))
        place += pair.nv
    return tuple(stages)


def _unit_speed(pair: Pair, k: int) -> list[int]:
    return [int(i == k) for i in range(pair.nv)]


def _along_motions(pair: Pair, x: Any, S: Any) -> list[list[Any]]:
    """The slopes of the positions along the unit motions of each block: these are at right angles, of length 1, or 1/2 for rotations."""
    rows: list[list[Any]] = []
    place = 0
    for block, q, _ in pair.parts(x, _unit_speed(pair, 0)):
        turns = range(0) if block.quaternion is None else range(block.quaternion, block.quaternion + 4)
        for k in range(block.nv):
            rate = block.rates(q, [int(i == k) for i in range(block.nv)])
            about = [i for i in turns if not is_zero(rate[i])]
            part = about or [i for i in range(len(q)) if not is_zero(rate[i])]
            scale = 4 if about else 1
            rows.append([scale * _sum([expr(rate[i]) for i in part], [c[place + i] for i in part]) for c in S.T])
        place += len(q)
    return rows


def transition(own: Sensitive) -> tuple[Stage, ...]:
    """Ad and Bd: the slopes of the state, of free bases and ball joints in their own axes. The rates of a quaternion of length one by
    the angular speeds are columns of length 1/2 at right angles."""
    size = own.columns - own.nv
    shapes: dict[str, tuple[int, ...]] = {}
    places: dict[str, str] = {}
    for pair in own.pairs:
        shapes |= {f"S_{pair.position}": (pair.nq, own.columns), f"S_{pair.speed}": (pair.nv, own.columns)}
        shapes |= {pair.position: (pair.nq,)} if pair.free else {}
        places |= {f"S_{name}": own.slope(name) for name in (pair.position, pair.speed)}

    def body(**given: Any) -> dict[str, Any]:
        rows: list[list[Any]] = []
        for pair in own.pairs:
            S = given[f"S_{pair.position}"]
            rows += _along_motions(pair, given[pair.position], S) if pair.free else [list(row) for row in S]
        rows += [list(row) for pair in own.pairs for row in given[f"S_{pair.speed}"]]
        return {"Ad": [row[:size] for row in rows], "Bd": [row[size:] for row in rows]}

    return (Run(program_of("state transition", shapes, body), places),)
