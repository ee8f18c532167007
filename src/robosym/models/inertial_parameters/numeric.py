"""The base parameters by linear algebra (Gautier 1990): for any robot with numbers, whatever ties its joints.

The torques are linear in the standard parameters: tau = W(q, qd, qdd) chi. The columns of W over many random states
show which parameters have an effect, which are independent, and how the others regroup with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...arguments import strictly
from ...expr import Expr, evaluate, free_symbols, text
from ...expr.generic import negligible
from ...program import Scope
from ...robot import INERTIA, Friction, Robot, RobotError
from ...robot.problems import Problem
from ...spatial.inertia import Inertia, from_matrix
from ..resolve import Near, OfPlatform, Structure, resolve
from ..tree.bodies import Tree, tree
from ..tree.motion import motions
from ..tree.wrenches import on_axes, torques
from .dependence import proved_dependence, states_for
from .exchanges import cut_frames, with_rotors
from .states import closed_states

Matrix = NDArray[np.float64]

_SAMPLES = 40  # states, at least, each with a row for every joint
LAST_CHOICE = ("MZ", "YY", "M")  # what the papers regroup away from a revolute link


@dataclass(frozen=True)
class NumericBaseParameters:
    """Base parameters found numerically. Parameters are named XX1 ... M1, IA1: of body 1 with what is fixed to it."""

    names: tuple[str, ...]  # those that stay
    vanishing: tuple[str, ...]  # those with no effect
    relations: Mapping[str, Mapping[str, float]]  # of each that stays: the standard parameters in it, with factors

    @property
    def count(self) -> int:
        return len(self.names)

    def values(self, standard: Mapping[str, float]) -> dict[str, float]:
        """The base parameters for given standard ones; one that is left out is zero."""
        return {
            name: sum(factor * standard.get(other, 0.0) for other, factor in relation.items())
            for name, relation in self.relations.items()
        }


@strictly
def base_parameters_numeric(
    robot: Robot,
    *,
    rotor_inertia: bool = True,
    seed: int = 0,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> NumericBaseParameters:
    """The base parameters of a robot whose geometry has numbers, by the independent columns of its regressor."""
    robot = resolve(robot, mode, near, structure, coordinates).tree
    rows = Batches(robot, rotor_inertia, seed)
    names = rows.names
    order = sorted(range(len(names)), key=lambda k: (_preference(robot, names[k]), k))
    found = proved_dependence(robot, rows, order)
    relations: dict[str, dict[str, float]] = {}
    for row, k in enumerate(found.stay):
        others = {names[m]: float(f) for m, f in zip(found.rest, found.factors[row], strict=True) if not negligible(f)}
        relations[names[k]] = {names[k]: 1.0, **others}
    return NumericBaseParameters(tuple(relations), tuple(names[k] for k in found.zero), relations)


class Batches:
    """W by batches of random states, each of which is drawn once; ``names`` are those of its columns."""

    def __init__(self, robot: Robot, rotor_inertia: bool, seed: int = 0) -> None:
        self.robot, self.rotor_inertia, self.seed = robot, rotor_inertia, seed
        self._drawn: dict[int, tuple[list[str], Matrix]] = {}

    def __call__(self, batch: int) -> Matrix:
        if batch not in self._drawn:
            seed = (self.seed, batch) if batch else self.seed
            self._drawn[batch] = regressor(self.robot, rotor_inertia=self.rotor_inertia, seed=seed)
        return self._drawn[batch][1]

    @property
    def names(self) -> list[str]:
        self(0)
        return self._drawn[0][0]


def _preference(robot: Robot, name: str) -> int:
    """Inertial parameters before rotor inertias, and the papers' choice first."""
    stem = name.rstrip("0123456789")
    if stem == "IA":
        return 2
    j = int(name[len(stem) :])
    revolute = j and robot.frame(j).sigma == 0
    return 1 if revolute and stem in LAST_CHOICE else 0


@strictly
def regressor(
    robot: Robot,
    *,
    rotor_inertia: bool = True,
    seed: int | tuple[int, ...] = 0,
    samples: int | None = None,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> tuple[list[str], Matrix]:
    """Names of the standard parameters and W over random states: rows state by state, a row for every torque.

    The states are those of the joints and of a base whose motion is symbolic; everything else has the robot's values.
    By default there are several times as many rows as columns.
    """
    robot = resolve(robot, mode, near, structure, coordinates).tree
    massless = _massless(tree(robot))
    if samples is None:
        rows = massless.coordinates.nv
        samples = max(_SAMPLES, states_for((len(INERTIA) + 1) * len(massless.bodies) + len(INERTIA), rows))
    entries = _expressions(massless)
    state = _state(robot, massless, np.random.default_rng(seed), samples)
    numbers = dict(zip(entries, evaluate(entries, state), strict=True))
    bad = [text(entry) for entry, value in numbers.items() if not np.isfinite(value).all()]
    if bad:
        raise RobotError([Problem("", f"{bad[0]} has no value with the robot's values")], robot.name)
    numeric: Tree = _with_units(_with_numbers(massless, numbers))
    scope = Scope()
    found = on_axes(torques(numeric, motions(numeric, scope), scope))
    links = _links(numeric)
    columns = len(INERTIA) * len(links)
    rotors = [body for body in numeric.bodies if rotor_inertia and body.j in with_rotors(robot)]
    n = numeric.coordinates.nv
    W = np.zeros((samples, n, columns + len(rotors)))
    for axis, gamma in found.items():
        for k, coefficient in numeric.coordinates.row(axis):
            W[:, k, :columns] += np.broadcast_to(coefficient * gamma, (samples, columns))
    for place, body in enumerate(rotors, columns):
        for k, coefficient in numeric.coordinates.row(body.j):
            W[:, k, place] += np.broadcast_to(coefficient * body.acceleration, (samples, 1))[:, 0]
    names = [f"{name}{j}" for j in links for name in INERTIA] + [f"IA{body.j}" for body in rotors]
    empty = {f"{name}{j}" for j in cut_frames(robot) for name in INERTIA}
    own = [k for k, name in enumerate(names) if name not in empty]
    return [names[k] for k in own], W.reshape(samples * n, -1)[:, own]


def missing_values(robot: Robot) -> list[str]:
    """The parameters of geometry and gravity that have no value."""
    used, changing = _symbols(_massless(tree(robot)))
    return sorted({s.name for s in used if s not in changing and s.name not in robot.values})


def _symbols(massless: Tree) -> tuple[set[Expr], set[Expr]]:
    """All symbols of the motion, and those that change in time."""
    base = (*massless.angular_velocity, *massless.angular_acceleration, *massless.acceleration)
    used = free_symbols(*_expressions(massless))
    return set(used), {s for s in used if s.kind == "variable"} | set(free_symbols(*base))


def _state(robot: Robot, massless: Tree, rng: np.random.Generator, samples: int) -> dict[Any, Any]:
    """Random numbers for what changes in time, the robot's values for the rest."""
    used, changing = _symbols(massless)
    missing = sorted({s.name for s in used if s not in changing and s.name not in robot.values})
    if missing:
        problem = Problem("", f"needs numbers for its geometry and gravity; {', '.join(missing)} have none")
        raise RobotError([problem], robot.name)
    values: dict[Any, Any] = {s: robot.values[s.name].number for s in used if s not in changing}
    drawn = sorted(changing, key=lambda s: s.key)
    if robot.closure is None:
        return values | {s: rng.uniform(-2, 2, size=(samples, 1)) for s in drawn}
    return values | closed_states(robot, robot.closure, drawn, values, rng, samples)


def _massless(symbolic: Tree) -> Tree:
    """The tree without inertia and friction: its motion alone."""
    gone = {"inertia": Inertia(), "rotor": 0, "viscous": 0, "coulomb": 0, "friction": Friction()}
    bodies = [replace(body, **gone) for body in symbolic.bodies]  # type: ignore[arg-type]
    return replace(symbolic, bodies=tuple(bodies), coupled=()).with_base(Inertia())


def _with_units(numeric: Tree) -> Tree:
    """Along the columns, bodies with one parameter 1 and all others 0 (the states are down the rows)."""
    width, links = len(INERTIA), _links(numeric)
    made: dict[int, Inertia] = {}
    for place, j in enumerate(links):
        units = np.zeros((width, width * len(links)))
        units[:, place * width : (place + 1) * width] = np.eye(width)
        xx, xy, xz, yy, yz, zz, mx, my, mz, m = units
        made[j] = from_matrix((xx, xy, xz, yy, yz, zz), (mx, my, mz), m)
    bodies = tuple(body.with_inertia(made[body.j]) for body in numeric.bodies)
    return replace(numeric, bodies=bodies).with_base(made.get(0, Inertia()))


def _links(numeric: Tree) -> list[int]:
    """The bodies that have parameters, a free base (0) first."""
    return [0] * numeric.free + [body.j for body in numeric.bodies]


def _expressions(value: Any) -> list[Expr]:
    """Every expression inside dataclasses and tuples."""
    if isinstance(value, Expr):
        return [value]
    parts: Iterable[Any] = ()
    if isinstance(value, tuple):
        parts = value
    elif is_dataclass(value):
        parts = [getattr(value, one.name) for one in fields(value)]
    return [found for part in parts for found in _expressions(part)]


def _with_numbers(value: Any, numbers: Mapping[Expr, Any]) -> Any:
    """The same dataclasses and tuples with a number for every expression."""
    if isinstance(value, Expr):
        return numbers[value]
    if isinstance(value, tuple):
        return tuple(_with_numbers(part, numbers) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _with_numbers(getattr(value, f.name), numbers) for f in fields(value)})
    return value
