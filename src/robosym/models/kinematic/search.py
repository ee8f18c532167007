"""The cheapest way of writing an inverse: which intermediate frames, and which form of the products."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...expr import expr, variable
from ...program import Graph, Program, Scope, Unmarked, optimised
from ...program.choice import DIVISION, Price, estimate, price
from ...spatial.blocks import Block, SingularPatternError, blocks
from ...spatial.scalar import is_zero
from ...spatial.screws import Screw
from .. import limits
from ..linear_systems.by_blocks import products
from ..tree.paths import FrameName
from .columns import LEVERS, Column, Joints, Lever, Point
from .systems import Numbers, Pattern, Split, Systems, Task, direct, kept_rows, patterns, splits
from .task import ROWS


@dataclass(frozen=True)
class Effort:
    """Of the splits with the smallest blocks this many are weighed by the operations of their entries; of those, so many
    are written out, and of those, so many in all forms."""

    weighed: int
    written: int
    refined: int


def effort(of: Task) -> Effort:
    """Less on longer ways, where a system takes longer to write and one choice matters less."""
    return Effort(*(limits.FULL_EFFORT if len(of.columns) <= limits.LONG_WAY else limits.LESS_EFFORT))


@dataclass(frozen=True)
class SystemForm:
    """A way of writing a system: all give the same result, at another cost."""

    lever: Lever = "across"
    add_angles: bool = True
    multiplied: bool = False  # the inner matrix is inverted by itself, then multiplied by the outer factors
    carry: bool = True  # vectors are turned frame by frame, not by an orientation matrix


CHOICES: dict[str, tuple[object, ...]] = {
    "lever": LEVERS,
    "add_angles": (True, False),
    "multiplied": (True, False),
    "carry": (True, False),
}

Build = Callable[[Pattern, SystemForm, Systems], Graph]


class Writer:
    """Finds a cheap way of writing a model. What two of them share is made once."""

    def __init__(self, of: Task, build: Build) -> None:
        self.task, self.build = of, build
        self.joints = {sums: Joints(of.robot, of.wanted.frame, Scope(), sums) for sums in (True, False)}
        self.columns: dict[tuple[bool, Lever], dict[tuple[FrameName, Point], list[Column]]] = {}
        way = self.joints[True].path(0, of.wanted.frame)
        self.has_parallel_axes = any(isinstance(one, Screw) and one.axis == "x" and is_zero(one.angle) for one in way)
        self.made: dict[tuple[Split, SystemForm], tuple[Price, Graph]] = {}

    def program(self, patterns: Sequence[Pattern], choices: Sequence[str]) -> Program:
        """The cheapest program: the passes on the graphs of the best patterns, of which the order may change in them."""
        return optimised(*self.graphs(patterns, choices), wide=True)

    def graphs(self, patterns: Sequence[Pattern], choices: Sequence[str]) -> list[Graph]:
        """Of the patterns the best, each written with one choice of the form after another."""
        ranked = sorted(patterns, key=lambda pattern: self._cost(pattern, SystemForm()))[: effort(self.task).refined]
        return [self._refined(pattern, choices) for pattern in ranked]

    def _refined(self, pattern: Pattern, choices: Sequence[str]) -> Graph:
        """The best form of a system, found choice by choice."""
        form = SystemForm()
        for name in choices:
            if self._matters(name, pattern):
                tried = [replace(form, **{name: value}) for value in CHOICES[name]]  # type: ignore[arg-type]
                form = min(tried, key=lambda one: self._cost(pattern, one))
        return self.made[pattern.split, form][1]

    def _matters(self, name: str, pattern: Pattern) -> bool:
        """Whether a choice makes a difference to a system."""
        split, wanted = pattern.split, self.task.wanted
        if name == "add_angles":
            return self.has_parallel_axes
        if name == "carry":
            return not split.linear == split.angular == wanted.axes
        return True

    def _cost(self, pattern: Pattern, form: SystemForm) -> Price:
        key = (pattern.split, form)
        if key not in self.made:
            columns = self.columns.setdefault((form.add_angles, form.lever), {})
            systems = Systems(self.task, self.joints[form.add_angles], form.lever, form.carry, columns)
            graph = self.build(pattern, form, systems)
            self.made[key] = price(graph.operations), graph
        return self.made[key][0]


# --- the best of them ------------------------------------------------------------------------------------------------


def best_blocks(of: Task, count: int | None = None) -> list[Pattern]:
    """The square systems that are cheapest to solve, the first the cheapest: by the products of their determinants, then
    by the operations of their entries and of the twist."""
    systems = Systems(of, Joints(of.robot, of.wanted.frame, Unmarked()))
    found: list[tuple[int, Pattern]] = []
    numbers = Numbers(of)
    for split in splits(of):
        zeros = numbers.zeros(split)
        rows = kept_rows(of, split, zeros)
        if len(rows) != len(of.columns):
            continue
        pattern = [[0 if (i, j) in zeros else 1 for j in of.columns] for i in rows]
        try:
            own = tuple(blocks(pattern))
        except SingularPatternError:
            continue
        found.append((_work(pattern, own), Pattern(split, rows, zeros, own)))
    found.sort(key=lambda one: one[0])
    weighed = [(work + _entries(systems, one), one) for work, one in found[: effort(of).weighed]]
    weighed.sort(key=lambda one: one[0])
    return [one for _, one in weighed[: count or effort(of).written]]


def best_axes(of: Task, vectors: int, turned: bool = True) -> list[Pattern]:
    """The systems about the requested point with the cheapest products of rows with rows, or of columns with columns.

    ``vectors`` says how many twists or rows of an inverse pass between the split and the requested axes. Not turned, the
    system is in those.
    """
    systems = Systems(of, Joints(of.robot, of.wanted.frame, Unmarked()))
    weighed = []
    for pattern in patterns(of, splits(of, same_point=True) if turned else [direct(of)]):
        filled = [[(i, j) not in pattern.zeros for j in of.columns] for i in pattern.rows]
        lines = filled if len(filled) <= len(of.columns) else list(zip(*filled, strict=True))
        meetings = sum(x and y for a in lines for b in lines for x, y in zip(a, b, strict=True))
        weighed.append((meetings + _entries(systems, pattern, vectors), pattern))
    weighed.sort(key=lambda one: one[0])
    return [one for _, one in weighed[: effort(of).written]]


def _work(pattern: Sequence[Sequence[int]], found: Sequence[Block]) -> int:
    """About what solving costs: products and sums of the minors, divisions, and what lies beside the blocks."""
    total = 0
    beside = sum(map(sum, pattern))
    for block in found:
        own = block.of(pattern)
        beside -= sum(map(sum, own))
        filled = sorted(([j for j, x in enumerate([*row, 1]) if x] for row in own), key=len)
        total += DIVISION + (2 * products(filled) if len(own) > 1 else 0)
    return total + 2 * beside


def _entries(systems: Systems, pattern: Pattern, vectors: int = 1) -> int:
    """The operations of the entries and of the way in of so many twists, as they stand before any pass."""
    twist = systems.entering(pattern.split, [variable(f"twist_{row}") for row in ROWS])
    entries = [x for row in systems.matrix(pattern) for x in row]
    both = estimate([*entries, *(expr(twist[i]) for i in pattern.rows)])
    return both if vectors == 1 else both + (vectors - 1) * (both - estimate(entries))
