"""Random states at which closed loops close, many at once, in one assembly mode.

A rank that is decided on too few states is too small. A crank may have a few degrees to turn, so draws anywhere are followed by
draws near the positions already reached. Where loops are closed by iteration, the states come from random walks that start at
the position of the mode, so that all of them belong to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...expr import VARIABLE, Expr, evaluate, free_symbols, parameter
from ...robot import PRISMATIC, Robot, RobotError
from ...robot.parts import Closure
from ...robot.problems import Problem
from ..draws import SPREADS
from ..loops.mechanism import mechanism_of
from ..loops.structure import driven
from ..mechanism.walks import walks

DRAWS = 200  # states in one round
LEAST_ROUNDS, MOST_ROUNDS = 4, 60
EMPTY_ROUNDS = 20  # without any state that closes
FIRM = 0.05  # the least regularity of a state, beside the largest of all states drawn
RANK = 1e-9  # a singular value of the constraints below this is zero
WALKS, STEPS = 40, 30  # walks and their steps
MATCHES = 1e-6  # a position in closed form and one by iteration

Floats = NDArray[np.float64]
States = dict[Expr, Floats]


def closed_states(
    robot: Robot,
    closure: Closure,
    symbols: Sequence[Expr],
    values: Mapping[Any, Any],
    rng: np.random.Generator,
    samples: int,
) -> States:
    """Numbers for these symbols, positions of driven joints among them, a row for each state; the others have ``values``.

    States near a singular position, where rounding errors grow without bound, are left out. Raises an error where fewer than
    ``samples`` states can be assembled.
    """
    position = _Positions(robot, closure, values, rng)
    symbols = list(dict.fromkeys((*symbols, *position.variables)))
    found: States = {s: np.zeros((0, 1)) for s in symbols}
    regular = np.zeros(0)
    for k in range(MOST_ROUNDS):
        drawn = _speeds(symbols, rng) | position.drawn(symbols, found)
        count = min(map(len, drawn.values()))
        drawn = {s: x[:count] for s, x in drawn.items()}
        good, measure = position.judged(drawn)
        found = {s: np.concatenate([x, drawn[s][good]]) for s, x in found.items()}
        regular = np.concatenate([regular, measure[good]])
        firm = regular >= FIRM * regular.max(initial=0.0)
        if k + 1 >= LEAST_ROUNDS and np.count_nonzero(firm) >= 2 * samples:
            break
        if k + 1 >= EMPTY_ROUNDS and not len(regular):
            break
    places = np.flatnonzero(firm)
    if len(places) < samples:
        raise RobotError([Problem("loops", _too_few(closure, len(places), samples))], robot.name)
    chosen = np.sort(rng.permutation(places)[:samples])
    return {s: x[chosen] for s, x in found.items()}


def _too_few(closure: Closure, reached: int, samples: int) -> str:
    mode = f" in mode '{closure.mode}'" if closure.mode else ""
    return (
        f"expected at least {samples} random positions of the driven joints at which they close{mode}, got {reached}. Give the "
        "driven joints positions in the description at which the loops close, away from dead centres."
    )


def _speeds(symbols: Sequence[Expr], rng: np.random.Generator) -> States:
    return {s: rng.uniform(-2, 2, size=(DRAWS, 1)) for s in symbols}


class _Positions:
    """Positions of the joints of one assembled robot: how they are drawn, and which of them are good."""

    def __init__(self, robot: Robot, closure: Closure, values: Mapping[Any, Any], rng: np.random.Generator) -> None:
        self.robot, self.closure, self.rng = robot, closure, rng
        described = {parameter(name): value.number for name, value in robot.values.items()}
        known = {**described, **closure.at, **values}
        self.values = {s: float(x) for s, x in known.items() if s.kind == "parameter"}
        self.mechanism = mechanism_of(robot, self.values)
        self.follow = [k for k, j in enumerate(self.mechanism.joints) if j not in driven(robot)]
        self.joints = {f.joint.variable: f for f in robot.frames if f.joint.variable is not None}
        slopes = [x for row in closure.rows.values() for _, x in row]
        self.roots = [closure.exists, *closure.positions.values(), *slopes]
        self.variables = [s for s in free_symbols(*self.roots) if s.level == VARIABLE and s not in values]

    # --- drawing ---

    def drawn(self, symbols: Sequence[Expr], found: Mapping[Expr, Floats]) -> States:
        """Anywhere, near the description, and near positions already found; by walks where an iteration closes the loops."""
        made = {s: self._anywhere(s) for s in symbols if s in self.joints}
        if self.closure.found:
            walked = self._walked()
            return made | {s: x for s, x in walked.items() if s in made}
        if made and len(next(iter(found.values()))):
            rows = self.rng.integers(0, len(next(iter(found.values()))), DRAWS)
            near = self.rng.uniform(size=(DRAWS, 1)) < 0.5
            wide = self.rng.choice(SPREADS, size=(DRAWS, 1))
            for s, x in made.items():
                beside = found[s][rows] + self._whole(s) * wide * self.rng.uniform(-1, 1, (DRAWS, 1))
                made[s] = np.where(near, beside, x)
        return made

    def _anywhere(self, s: Expr) -> Floats:
        """The position of a joint anywhere, or near that in the description, or else near a quarter of a turn."""
        anywhere = self._whole(s) * self.rng.uniform(-1, 1, size=(DRAWS, 1))
        described = self.joints[s].joint.position
        quarters = self.rng.integers(-1, 3, size=(DRAWS, 1)) * self._whole(s) / 2
        near = (quarters if described is None else described) + anywhere * self.rng.choice(SPREADS, size=(DRAWS, 1))
        return np.where(self.rng.uniform(size=(DRAWS, 1)) < 0.5, anywhere, near)

    def _whole(self, s: Expr) -> float:
        return self.mechanism.size if self.joints[s].sigma == PRISMATIC else float(np.pi)

    def _walked(self) -> States:
        """Positions on random walks from that of the mode: the passive joints follow without a leap."""
        mechanism = self.mechanism
        start = np.array([self.closure.at[mechanism.variable(j)] for j in mechanism.joints]) / mechanism.units
        visited, _ = walks(mechanism.closure.equations, start, WALKS, STEPS, self.rng, self._firmness)
        rows = np.unique(visited.reshape(-1, len(start)), axis=0)
        rows = self.rng.permutation(rows)[:DRAWS] * mechanism.units
        return {mechanism.variable(j): rows[:, [k]] for k, j in enumerate(mechanism.joints)}

    # --- judging ---

    def judged(self, drawn: Mapping[Expr, Floats]) -> tuple[NDArray[np.bool_], Floats]:
        """At which states the loops close in this mode, and how far each is from a singular position."""
        shape = next(iter(drawn.values())).shape
        with np.errstate(invalid="ignore", divide="ignore"):
            numbers = evaluate(self.roots, {**self.values, **drawn})
        exists, *others = (np.broadcast_to(x, shape)[:, 0].astype(float) for x in numbers)
        good = (exists != 0) & np.isfinite(exists) & np.isfinite(np.sum(others, axis=0))
        positions = dict(zip(self.closure.positions, others, strict=False))
        x = np.zeros((shape[0], len(self.mechanism.joints)))
        for k, j in enumerate(self.mechanism.joints):
            own = drawn.get(self.mechanism.variable(j))
            x[:, k] = positions[j] if own is None else own[:, 0]
            if j in positions and own is not None:  # an iteration's position must be that of the mode
                apart = positions[j] - x[:, k]
                good &= np.abs(np.exp(1j * apart) - 1 if self.mechanism.turning[k] else apart) < MATCHES
        measure = np.zeros(len(x))
        measure[good] = self._regular(x[good])
        return good, measure

    def _regular(self, x: Floats) -> Floats:
        """The least singular value of the constraints on the passive joints that is not zero for all positions."""
        return self._firmness(self.mechanism.slopes(x)) if len(x) else np.ones(0)

    def _firmness(self, slopes: Floats) -> Floats:
        """The same of the constraints (N, rows, joints) at these positions."""
        if not self.follow:
            return np.ones(len(slopes))
        sizes = np.linalg.svd(slopes[:, :, self.follow], compute_uv=False)
        rank = max(1, int((sizes > RANK).sum(axis=1).max()))
        return np.asarray(sizes[:, rank - 1])
