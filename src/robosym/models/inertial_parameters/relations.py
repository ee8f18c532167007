"""Base parameters of free joints that are superfluous where joints follow others: closed loops, dependent joints.

The rules take every joint as free. Where joints are tied, some bodies on several links have no effect together
(``exchanges``). Brought to the base parameters of the free joints by the rules for these, each of them is a linear relation
between base parameters, with factors that depend on the geometry alone, and takes one parameter away (derived here).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...expr import CONSTANT, Expr, evaluate, number
from ...expr.algebra import split_coefficient
from ...expr.derive import derivative
from ...expr.generic import Generic, negligible
from ...robot import Robot
from ..places import place
from .exchanges import SECOND, Exchanges, cut_frames
from .moved import Ten, added, body
from .rules import GOOD, USABLE, Kept, apply_rules
from .tied_reach import Tied

ZERO = number(0)
TOLERANCE = 1e-9  # what is left of an entry where all its terms cancel

Key = tuple[int, str]  # a parameter of a link


def ruled(
    robot: Robot, links: Mapping[int, Ten], rotors: Mapping[int, Expr], base_turns: bool, tied: Tied | None
) -> dict[int, Kept]:
    """The base parameters of the free joints. A cut joint has no link that its rotor could join."""
    kept = apply_rules(robot, links, rotors, base_turns, tied.before if tied is not None else None)
    for j in cut_frames(robot) & set(kept):
        own = {"Ia": rotors[j]} if j in rotors else {}
        kept[j] = replace(kept[j], names=tuple(own), values=own)
    return kept


def related(
    robot: Robot, kept: Mapping[int, Kept], rotors: Sequence[int], base_turns: bool, tied: Tied | None
) -> dict[int, Kept]:
    """The base parameters of the free joints, with those that the tied joints make superfluous taken away."""
    found = _Elimination(robot, kept, relations(robot, rotors, base_turns, tied))
    found.run()
    return found.kept()


def relations(robot: Robot, rotors: Sequence[int], base_turns: bool, tied: Tied | None) -> list[dict[Key, Expr]]:
    """Combinations of the base parameters of the free joints with no effect: the factor of each."""
    links = {j: body() for j in robot.bodies}
    exchanges = Exchanges(robot, base_turns, tied, rotors)
    for bodies in exchanges.all():
        for j, ten in bodies:
            links[j] = added(links[j], ten)
    if not exchanges.amounts:
        return []
    spun = {j: exchanges.spun.get(j, ZERO) for j in rotors}
    kept = ruled(robot, links, spun, base_turns, tied)
    entries = {(j, name): value for j, one in kept.items() for name, value in one.values.items()}
    return [{key: derivative(value, amount) for key, value in entries.items()} for amount in exchanges.amounts]


# --- taking one parameter away for each relation ---------------------------------------------------------------------------


@dataclass
class _Relation:
    """Its factors, and their numbers: with the robot's values, then at generic places, where a zero is one for all values."""

    factors: dict[Key, Expr]
    numbers: dict[Key, NDArray[np.float64]]

    def without_zeros(self, sizes: Mapping[Key, float]) -> _Relation:
        left = [k for k, x in self.numbers.items() if not _is_zero(x, sizes.get(k, 1.0))]
        return _Relation({k: self.factors[k] for k in left}, {k: self.numbers[k] for k in left})


class _Elimination:
    """Gauss: a relation gives one of its parameters to the others, and leaves the other relations without it."""

    def __init__(self, robot: Robot, kept: Mapping[int, Kept], found: Sequence[Mapping[Key, Expr]]) -> None:
        self.before = kept
        order = [j for j in robot.order if j in kept]
        self.values = {(j, name): kept[j].values[name] for j in order for name in kept[j].names}
        self.order = {key: k for k, key in enumerate(self.values)}
        self.waiting = _numbered(robot, found)
        self.gone: dict[int, list[Key]] = {}
        self.pivots: dict[int, list[Expr]] = {}
        self.fewest = True

    def run(self) -> None:
        while self.waiting:
            ranked = [(self._best(one), one) for one in self.waiting if one.factors]
            usable = [(rank, one) for (rank, one) in ranked if rank is not None]
            if not usable:
                self.fewest = self.fewest and not ranked
                return
            (_, key), chosen = min(usable, key=lambda pair: pair[0][0])
            self.waiting = [one for one in self.waiting if one is not chosen]
            self._give(key, chosen)

    def _best(self, one: _Relation) -> tuple[tuple[int, ...], Key] | None:
        """The parameter to take away: one whose factor is the same for all values before one that is divided by, a first
        moment before a second one, of the last link."""
        large = {key: float(abs(x[0])) for key, x in one.numbers.items()}
        most = max(large.values())
        ranked = [
            ((int(factor.level != CONSTANT), int(large[key] <= GOOD * most), int(key[1] in SECOND)), key)
            for key, factor in one.factors.items()
            if large[key] > USABLE
        ]
        return min(((*rank, -self.order[key]), key) for rank, key in ranked) if ranked else None

    def _give(self, key: Key, chosen: _Relation) -> None:
        """Y_k = -sum Y_i n_i / n_k: p_i receives -n_i / n_k p_k, and likewise in every other relation."""
        pivot, size = chosen.factors.pop(key), chosen.numbers.pop(key)
        own = self.values.pop(key)
        j = key[0]
        self.gone.setdefault(j, []).append(key)
        if pivot.level != CONSTANT:
            self.pivots.setdefault(j, []).append(split_coefficient(pivot)[1])
        shares = {i: factor / pivot for i, factor in chosen.factors.items()}
        for i, share in shares.items():
            self.values[i] = self.values[i] - share * own
        for n, other in enumerate(self.waiting):
            if key not in other.factors:
                continue
            factor, amount = other.factors.pop(key), other.numbers.pop(key)
            sizes: dict[Key, float] = {}
            for i, share in shares.items():
                part = amount * (chosen.numbers[i] / size)
                before = other.numbers.get(i, np.zeros(3))
                other.factors[i] = other.factors.get(i, ZERO) - share * factor
                other.numbers[i] = before - part
                sizes[i] = float(max(np.abs(before[1:]).max(), np.abs(part[1:]).max()))
            self.waiting[n] = other.without_zeros(sizes)

    def kept(self) -> dict[int, Kept]:
        found = {}
        for j, one in self.before.items():
            names = tuple(name for name in one.names if (j, name) in self.values)
            pivots = (*one.pivots, *self.pivots.get(j, ()))
            values = {name: self.values[j, name] for name in names}
            found[j] = replace(one, names=names, values=values, pivots=pivots, fewest=one.fewest and self.fewest)
        return found


def _numbered(robot: Robot, relations: Sequence[Mapping[Key, Expr]]) -> list[_Relation]:
    """The relations with their numbers, all of them at the same places, so that one can be subtracted from another."""
    nonzero = [{key: x for key, x in one.items() if not x.is_zero} for one in relations]
    entries = [x for one in nonzero for x in one.values()]
    values = [evaluate(entries, place(robot, entries)), *(Generic(seed)(entries) for seed in (1, 2))]
    columns = iter(np.array(values, dtype=float).reshape(3, len(entries)).T)
    numbered = [_Relation(one, {key: next(columns) for key in one}) for one in nonzero]
    return [relation.without_zeros({}) for relation in numbered]


def _is_zero(numbers: NDArray[np.float64], size: float) -> bool:
    """At the generic places."""
    return all(negligible(float(x), size, TOLERANCE) for x in numbers[1:])
