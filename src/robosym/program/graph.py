"""``Graph``: the outputs of a model as one expression graph, before and between passes.

An algorithm runs with a :class:`Scope`, which marks its intermediate results as steps and remembers their names. The
graph is lowered to a ``Program`` (see ``lower.py``), and a program can be raised to a graph again for the next pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TypeVar, cast

from ..brief import brief, one_line
from ..expr import Expr, postorder, step
from ..expr.algebra import split_coefficient, split_sign
from ..expr.count import Operations, tally, uses_among
from ..expr.node import PARAMETER, STEP
from ..expr.walk import rebuild
from .program import Array, Program, ProgramError

T = TypeVar("T")
Link = int | tuple[int, ...]  # the number of a link, or of several: what a name ends with


@dataclass(repr=False)
class Scope:
    """Names for the intermediate results of an algorithm, in the papers' spelling (WI13: component 1, link 3).

    A name stands for exactly the expression it is given to: where a step holds the negative of that, the key is minus the
    step. On floats or arrays a scope does nothing, so the same algorithm computes numbers.
    """

    __repr__ = one_line

    names: dict[Expr, str] = field(default_factory=dict)
    # The steps that have a name, without their signs.
    _named: set[Expr] = field(default_factory=set, init=False, repr=False)

    def step(self, name: str, value: T) -> T:
        """Mark one scalar as a step. The first name given to an expression stays."""
        return cast(T, _marked(self.names, self._named, name, value)) if isinstance(value, Expr) else value

    def scalar(self, stem: str, link: Link, value: T, *components: int) -> T:
        """Mark a scalar of a link, or one component of a vector or matrix of it."""
        return self.step(step_name(stem, link, *components), value)

    def vector(self, stem: str, link: Link, values: Sequence[T]) -> tuple[T, ...]:
        """Mark the components of a vector of a link."""
        return tuple([self.scalar(stem, link, value, i) for i, value in enumerate(values, 1)])

    def matrix(self, stem: str, link: Link, rows: Sequence[Sequence[T]]) -> tuple[tuple[T, ...], ...]:
        """Mark the entries of a matrix of a link, row by row."""
        return tuple(
            [
                tuple([self.scalar(stem, link, value, i, j) for j, value in enumerate(row, 1)])
                for i, row in enumerate(rows, 1)
            ]
        )


class Unmarked(Scope):
    """A scope that marks nothing: every result is written out where it is used."""

    def step(self, name: str, value: T) -> T:
        return value


def step_name(stem: str, link: Link, *components: int) -> str:
    """WI13 is component 1 of link 3, U313 is U31 of link 3; from link 10 on the link is set apart: WI1_12.

    What belongs to several links has each of them set apart: A_2_3 is the entry (2, 3) of a matrix over the joints, F1_5_2
    component 1 of a vector of link 5 in the frame of link 2.
    """
    links = "".join(f"_{one}" for one in link) if isinstance(link, tuple) else f"_{link}" if link > 9 else str(link)
    return f"{stem}{''.join(map(str, components))}{links}"


def another(name: str, number: int) -> str:
    """A name for another quantity that would have the same one: with _b, _c, ... which no link is called."""
    letters = ""
    while number or not letters:
        number, digit = divmod(number, 26)
        letters = chr(ord("a") + digit) + letters
    return f"{name}_{letters}"


@dataclass(frozen=True, repr=False)
class Graph:
    """A model as expressions: what it takes, what it gives, what its steps are called."""

    name: str
    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]
    names: dict[Expr, str] = field(default_factory=dict)  # what each expression is called, sign included

    def __repr__(self) -> str:
        taken, given = (", ".join(one.name for one in arrays) for arrays in (self.inputs, self.outputs))
        return brief(f"Graph {self.name!r:.60}: {taken} -> {given}")

    @cached_property
    def roots(self) -> list[Expr]:
        return [entry for array in self.outputs for entry in array.entries]

    def with_roots(self, roots: Sequence[Expr], names: dict[Expr, str] | None = None) -> Graph:
        """The same outputs with other expressions, in the order of ``roots``."""
        outputs, start = [], 0
        for array in self.outputs:
            end = start + len(array.entries)
            outputs.append(Array(array.name, array.shape, tuple(roots[start:end])))
            start = end
        return Graph(self.name, self.inputs, tuple(outputs), self.names if names is None else names)

    def replaced(self, done: Mapping[Expr, Expr]) -> Graph:
        """The same outputs with every entry replaced by what stands for it now; the graph itself if none is another."""
        if all(done[root] is root for root in self.different):
            return self  # with its nodes and uses, which need not be found again
        new = done.__getitem__
        outputs = tuple(Array(array.name, array.shape, tuple(map(new, array.entries))) for array in self.outputs)
        return Graph(self.name, self.inputs, outputs, self.names)

    def rewritten(self, done: Mapping[Expr, Expr]) -> Graph:
        """The same after every node was replaced: names go with what they stand for."""
        found = self.replaced(done)
        return found if found is self else replace(found, names=renamed(self.names, done))

    @cached_property
    def different(self) -> list[Expr]:
        """The roots, each once: of a large matrix of a tree most entries are zero."""
        return list(dict.fromkeys(chain.from_iterable(array.entries for array in self.outputs)))

    @cached_property
    def nodes(self) -> list[Expr]:
        """What depends on the state, arguments first; parameter expressions are leaves."""
        return postorder(self.different, leaves=PARAMETER)

    @cached_property
    def uses(self) -> dict[Expr, int]:
        """How often each of these nodes is used."""
        roots = chain.from_iterable(array.entries for array in self.outputs)
        return uses_among(self.nodes, roots, leaves=PARAMETER)

    @cached_property
    def operations(self) -> Operations:
        """What evaluating the graph costs, each node once."""
        return tally(self.nodes)


def _marked(names: dict[Expr, str], taken: set[Expr], name: str, value: Expr) -> Expr:
    """The value as a step of this name, unless the step is ``taken``."""
    if split_coefficient(value)[1].op in ("sin", "cos"):  # a step already, with a name of its own
        return value
    marked = step(value)
    node = split_coefficient(marked)[1]
    if node.op == STEP and node not in taken:
        taken.add(node)
        names[marked] = name
    return marked


def give_name(names: dict[Expr, str], value: Expr, name: str) -> None:
    """Call an expression by a name, unless it or its negative has one: they are one step."""
    if -value not in names:
        names.setdefault(value, name)


def renamed(names: Mapping[Expr, str], done: Mapping[Expr, Expr]) -> dict[Expr, str]:
    """The names of a graph's expressions after its nodes were replaced: each goes to what has the same value now."""
    moved: dict[Expr, str] = {}
    taken: set[Expr] = set()
    for named, name in names.items():
        sign, node = (1, named) if named.op == STEP else split_sign(named)
        new = done.get(node, node)
        new_sign, new = (1, new) if new.op == STEP else split_sign(new)
        if new.args and new not in taken:  # the first of several names stays
            taken.add(new)
            moved[new if sign == new_sign else -new] = name
    return moved


def raise_program(program: Program) -> Graph:
    """The graph of a program: equal steps become one, unused steps fall away."""
    meaning: dict[Expr, Expr] = {}
    names: dict[Expr, str] = {}
    taken: set[Expr] = set()
    for one in (*program.precompute, *program.steps):
        if one.symbol in meaning:
            raise ProgramError(f"step '{one.name}' of program '{program.name}' is defined twice")
        meaning[one.symbol] = _marked(names, taken, one.name, raised(one.expr, meaning))
    written = Graph(program.name, program.inputs, program.outputs, names)
    return written.replaced({root: raised(root, meaning) for root in written.different})


def raised(root: Expr, meaning: dict[Expr, Expr]) -> Expr:
    """An expression with the meaning of its symbols; what was seen before is remembered in ``meaning``."""
    for node in postorder([root]):
        if node not in meaning:
            args = [meaning[arg] for arg in node.args]
            same = all(a is b for a, b in zip(args, node.args, strict=True))
            meaning[node] = node if same else rebuild(node, args)
    return meaning[root]
