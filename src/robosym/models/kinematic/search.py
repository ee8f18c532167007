"""The cheapest way of writing an inverse: which intermediate frames, and which form of the products."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...expr import PARAMETER, expr, postorder, variable
from ...expr.count import Operations, tally
from ...program import Graph, Program, Scope, Unmarked, optimised
from ...spatial.blocks import Block, SingularPatternError, blocks
from .columns import LEVERS, Column, Joints, Lever, Point
from .frames import FrameName
from .solving import WAYS, Way, products
from .systems import ANGULAR, LINEAR, Pattern, Split, Systems, Task, direct, kept_rows, patterns, splits, vanishing
from .task import ROWS

# Of the splits with the smallest blocks this many are weighed by the operations of their entries; of those, so many are
# written out, and of those, so many in all forms.
MOST_WEIGHED, MOST_WRITTEN, MOST_REFINED = 40, 16, 4
DIVISION = 4  # what a division counts beside a multiplication


@dataclass(frozen=True)
class Form:
    """A way of writing a system: all give the same answer, at another cost."""

    lever: Lever = "across"
    add_angles: bool = True
    outside: bool = False  # the twist moves to O before it is turned
    multiplied: bool = False  # the inner matrix is inverted by itself, then multiplied by the outer factors
    carry: bool = True  # vectors are turned frame by frame, not by an orientation matrix
    way: Way = "cramer"


CHOICES: dict[str, tuple[object, ...]] = {
    "lever": LEVERS,
    "add_angles": (True, False),
    "outside": (True, False),
    "multiplied": (True, False),
    "carry": (True, False),
    "way": WAYS,
}

Build = Callable[[Pattern, Form, Systems], Graph]


class Writer:
    """Finds a cheap way of writing a model. What two of them share is made once."""

    def __init__(self, of: Task, build: Build) -> None:
        self.task, self.build = of, build
        self.joints = {sums: Joints(of.robot, of.wanted.frame, Scope(), sums) for sums in (True, False)}
        self.columns: dict[tuple[bool, Lever], dict[tuple[FrameName, Point], list[Column]]] = {}
        self.made: dict[tuple[Split, Form], tuple[tuple[int, int], Graph]] = {}

    def program(self, patterns: Sequence[Pattern], choices: Sequence[str]) -> Program:
        """The cheapest program: of the patterns the best, written with one choice of the form after another, then the
        passes on the best graph of each. They gain more on one than on another, so that the order may change."""
        ranked = sorted(patterns, key=lambda pattern: self._cost(pattern, Form()))[:MOST_REFINED]
        found = []
        for pattern in ranked:
            form = Form()
            for name in choices:
                tried = [replace(form, **{name: value}) for value in CHOICES[name]]  # type: ignore[arg-type]
                form = min(tried, key=lambda one: self._cost(pattern, one))
            found.append(optimised(self.made[pattern.split, form][1]))
        return min(found, key=lambda one: (_priced(one.operations), one.operations.strict))

    def _cost(self, pattern: Pattern, form: Form) -> tuple[int, int]:
        key = (pattern.split, form)
        if key not in self.made:
            columns = self.columns.setdefault((form.add_angles, form.lever), {})
            systems = Systems(self.task, self.joints[form.add_angles], form.lever, form.carry, form.outside, columns)
            graph = self.build(pattern, form, systems)
            counted = graph.operations
            self.made[key] = (_priced(counted), counted.strict), graph
        return self.made[key][0]


def _priced(counted: Operations) -> int:
    return counted.total + DIVISION * counted.div


# --- the best of them ------------------------------------------------------------------------------------------------


def best_blocks(of: Task, count: int = MOST_WRITTEN) -> list[Pattern]:
    """The square systems that are cheapest to solve, the first the cheapest: by the products of their determinants, then
    by the operations of their entries and of the twist."""
    systems = Systems(of, Joints(of.robot, of.wanted.frame, Unmarked()))
    found: list[tuple[int, Pattern]] = []
    zero = {(axes, point): _zero_at(systems, axes, point) for axes, point in _places(splits(of))}
    for split in splits(of):
        zeros = frozenset(
            [(i, j) for i, j in zero[split.linear, split.origin] if i in LINEAR]
            + [(i, j) for i, j in zero[split.angular, split.origin] if i in ANGULAR]
        )
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
    weighed = [(work + _entries(systems, one), one) for work, one in found[:MOST_WEIGHED]]
    weighed.sort(key=lambda one: one[0])
    return [one for _, one in weighed[:count]]


def _places(found: Sequence[Split]) -> set[tuple[FrameName, Point]]:
    return {(axes, split.origin) for split in found for axes in (split.linear, split.angular)}


def _zero_at(systems: Systems, axes: FrameName, point: Point) -> frozenset[tuple[int, int]]:
    return vanishing(systems.task.robot, systems.whole(Split(axes, axes, point)))


def best_axes(of: Task, count: int = MOST_WRITTEN, turned: bool = True) -> list[Pattern]:
    """The systems about the point asked for with the cheapest products of rows with rows, or of columns with columns.

    Not turned, they are in the axes asked for.
    """
    systems = Systems(of, Joints(of.robot, of.wanted.frame, Unmarked()))
    weighed = []
    for pattern in patterns(systems, splits(of, same_point=True) if turned else [direct(of)]):
        filled = [[(i, j) not in pattern.zeros for j in of.columns] for i in pattern.rows]
        lines = filled if len(filled) <= len(of.columns) else list(zip(*filled, strict=True))
        meetings = sum(x and y for a in lines for b in lines for x, y in zip(a, b, strict=True))
        weighed.append((meetings + _entries(systems, pattern), pattern))
    weighed.sort(key=lambda one: one[0])
    return [one for _, one in weighed[:count]]


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


def _entries(systems: Systems, pattern: Pattern) -> int:
    """The operations of the entries and of the twist's way in, as they stand before any pass."""
    twist = systems.entering(pattern.split, [variable(f"twist_{row}") for row in ROWS])
    entries = [x for row in systems.matrix(pattern) for x in row] + [expr(twist[i]) for i in pattern.rows]
    return tally(postorder(entries, leaves=PARAMETER)).total
