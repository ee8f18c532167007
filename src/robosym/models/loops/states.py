"""Random states of a robot in numbers, many at once: where it has closed loops, states at which they close in one assembly mode.

A rank that is decided on too few states is too small. A crank may have a few degrees to turn, so draws anywhere are followed by
draws near the positions already reached. Where loops are closed by iteration, the states come from random walks that start at
the position of the mode, so that all of them belong to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...expr import VARIABLE, Expr, free_symbols, parameter
from ...reals import Floats
from ...robot import PRISMATIC, Robot, RobotError
from ...robot.parts import Closure
from ...robot.problems import Problem
from ...spatial.ranks import singular_value
from ..draws import SPREADS, Draws, reach
from ..mechanism.generic_rank import generic_rank
from ..mechanism.newton import Truths
from ..mechanism.states import table
from ..mechanism.walks import walks
from ..tree.coordinates import BASE_AXES, Axis, coordinates
from .mechanism import mechanism_of
from .structure import driven

FASTEST = 2.0  # speeds, and positions of joints that may be anywhere; of lengths, over those of the robot
DRAWS = 200  # states in one round
LEAST_ROUNDS, MOST_ROUNDS = 4, 60
EMPTY_ROUNDS = 20  # without any state that closes
FIRM = 0.05  # the least regularity of a state, beside the largest of all states drawn
RANK = 1e-9  # a singular value of the constraints below this is zero
WALKS, STEPS = 40, 30  # walks and their steps
MATCHES = 1e-6  # a position in closed form and one by iteration

Numbers = dict[Expr, Floats]


def random_numbers(
    robot: Robot, symbols: Sequence[Expr], values: Mapping[Expr, float], rng: np.random.Generator, samples: int
) -> Numbers:
    """Numbers for these symbols, one for each state; the others have ``values``. With closed loops they are those of states at which
    these close, with the positions of driven joints in any case. Lengths and their rates are over those of the robot: whatever the
    unit of length, joints that slide are about as fast as those that turn.

    States near a singular position, where rounding errors grow without bound, are left out. Raises an error where fewer than
    ``samples`` states can be assembled.
    """
    closure = robot.closure
    numbers = {name: value.number for name, value in robot.values.items()} | {s.name: x for s, x in values.items()}
    lengths = dict.fromkeys(_lengths(robot), reach(robot, numbers))
    if closure is None:
        return {s: lengths.get(s, 1.0) * rng.uniform(-FASTEST, FASTEST, samples) for s in symbols}
    position = _Positions(robot, closure, values, rng)
    symbols = list(dict.fromkeys((*symbols, *position.variables)))
    found: Numbers = {s: np.zeros(0) for s in symbols}
    regular = np.zeros(0)
    for k in range(MOST_ROUNDS):
        drawn = {s: lengths.get(s, 1.0) * rng.uniform(-FASTEST, FASTEST, DRAWS) for s in symbols}
        drawn |= position.drawn(symbols, found)
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


def sliding_places(robot: Robot) -> list[int]:
    """The entries of qd that are rates of lengths: of joints that slide, and of a base that floats."""
    frames = [i for j in robot.moving for i in (robot.chains[j].frames if j in robot.chains else (j,))]
    sliding: list[Axis] = [*BASE_AXES[:3], *(i for i in frames if robot.frame(i).sigma == PRISMATIC)]
    return [place for place, axis in enumerate(coordinates(robot).owners) if axis in sliding]


def _lengths(robot: Robot) -> list[Expr]:
    """The symbols of lengths and their rates."""
    own, places = coordinates(robot), sliding_places(robot)
    chains = list(robot.chains.values())
    positions = [
        x for chain in chains for x, entry in zip(chain.q, chain.kind.positions, strict=True) if entry.unit == "length"
    ]
    positions += [x for j, x in own.positions if x in own.q and robot.frame(j).sigma == PRISMATIC]
    return positions + [symbol for place in places for symbol in own.symbols[place][:2]]


def _too_few(closure: Closure, reached: int, samples: int) -> str:
    mode = f" in mode '{closure.mode}'" if closure.mode else ""
    return (
        f"expected at least {samples} random positions of the driven joints at which they close{mode}, got {reached}. Give the "
        "driven joints positions in the description at which the loops close, away from dead centres."
    )


class _Positions:
    """Positions of the joints of one assembled robot: how they are drawn, and which of them are good."""

    def __init__(self, robot: Robot, closure: Closure, values: Mapping[Expr, float], rng: np.random.Generator) -> None:
        self.robot, self.closure, self.rng = robot, closure, rng
        described = {parameter(name): value.number for name, value in robot.values.items()}
        known = {**described, **closure.at, **values}
        self.values = {s: float(x) for s, x in known.items() if s.kind == "parameter"}
        self.mechanism = mechanism_of(robot, self.values)
        self.draws = Draws(robot, int(rng.integers(2**31)), {s.name: x for s, x in self.values.items()})
        self.follow = [k for k, j in enumerate(self.mechanism.joints) if j not in driven(robot)]
        self.joints = {f.joint.variable for f in robot.frames if f.joint.variable is not None}
        slopes = [x for row in closure.rows.values() for _, x in row]
        self.roots = [closure.exists, *closure.positions.values(), *slopes]
        self.variables = [s for s in free_symbols(*self.roots) if s.level == VARIABLE and s not in values]

    # --- drawing ---

    def drawn(self, symbols: Sequence[Expr], found: Mapping[Expr, Floats]) -> Numbers:
        """Anywhere, near the description, and near positions already found; by walks where an iteration closes the loops."""
        made = {s: self.draws.positions(s, DRAWS) for s in symbols if s in self.joints}
        if self.closure.found:
            return made | {s: x for s, x in self._walked().items() if s in made}
        known = len(next(iter(found.values()), ()))
        if made and known:
            rows = self.rng.integers(0, known, DRAWS)
            near = self.rng.uniform(size=DRAWS) < 0.5
            wide = self.rng.choice(SPREADS, size=DRAWS)
            for s, x in made.items():
                beside = found[s][rows] + self.draws.whole(s) * wide * self.rng.uniform(-1, 1, DRAWS)
                made[s] = np.where(near, beside, x)
        return made

    def _walked(self) -> Numbers:
        """Positions on random walks from that of the mode: the passive joints follow without a leap."""
        mechanism = self.mechanism
        start = np.array([self.closure.at[mechanism.variable(j)] for j in mechanism.joints]) / mechanism.units
        visited, _ = walks(mechanism.closure.equations, start, WALKS, STEPS, self.rng, self.follow)
        rows = np.unique(visited.reshape(-1, len(start)), axis=0)
        rows = self.rng.permutation(rows)[:DRAWS] * mechanism.units
        return {mechanism.variable(j): rows[:, k] for k, j in enumerate(mechanism.joints)}

    # --- judging ---

    def judged(self, drawn: Mapping[Expr, Floats]) -> tuple[Truths, Floats]:
        """At which states the loops close in this mode, and how far each is from a singular position."""
        count = len(next(iter(drawn.values())))
        exists, *others = table(self.roots, {**self.values, **drawn}, count).T
        good = (exists != 0) & np.isfinite(exists) & np.isfinite(np.sum(others, axis=0))
        positions = dict(zip(self.closure.positions, others, strict=False))
        x = np.zeros((count, len(self.mechanism.joints)))
        for k, j in enumerate(self.mechanism.joints):
            own = drawn.get(self.mechanism.variable(j))
            x[:, k] = positions[j] if own is None else own
            if j in positions and own is not None:  # an iteration's position must be that of the mode
                apart = positions[j] - own
                good &= np.abs(np.exp(1j * apart) - 1 if self.mechanism.turning[k] else apart) < MATCHES
        measure = np.zeros(count)
        measure[good] = self._regular(x[good])
        return good, measure

    def _regular(self, x: Floats) -> Floats:
        """The least singular value of the constraints on the passive joints that is not zero for all positions."""
        if not self.follow or not len(x):
            return np.ones(len(x))
        slopes = self.mechanism.slopes(x)[:, :, self.follow]
        return singular_value(slopes, max(1, generic_rank(slopes, RANK).rank))
