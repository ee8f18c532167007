"""Counting operations, by the rule of the published tables.

A multiplication or addition counts one; so do 2*x and x^2; a change of sign is free; divisions, sines and cosines, and
all other functions are counted apart; work on parameters alone is done once, off-line, and not counted with the rest.
The published tables take sin and cos of a sum or a double angle as free: ``strict`` charges each such pair 4 + 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .algebra import split_sign
from .node import LIN, PARAMETER, PROD, STEP, SYM, VARIABLE, Expr
from .walk import postorder


@dataclass(frozen=True)
class Operations:
    """How many operations of each kind."""

    mul: int = 0
    add: int = 0
    div: int = 0
    trig: int = 0
    other: int = 0
    derived_angles: int = 0  # sums and multiples of joint angles whose sine or cosine is taken

    @property
    def total(self) -> int:
        """Multiplications and additions: what the published tables add up."""
        return self.mul + self.add

    @property
    def strict(self) -> int:
        """The total with every derived sin/cos pair charged four multiplications and two additions."""
        return self.total + 6 * self.derived_angles

    def __add__(self, more: Operations) -> Operations:
        return Operations(
            self.mul + more.mul,
            self.add + more.add,
            self.div + more.div,
            self.trig + more.trig,
            self.other + more.other,
            self.derived_angles + more.derived_angles,
        )

    def __mul__(self, times: int) -> Operations:
        return Operations(
            self.mul * times,
            self.add * times,
            self.div * times,
            self.trig * times,
            self.other * times,
            self.derived_angles * times,
        )

    def as_dict(self) -> dict[str, int]:
        counts = {"mul": self.mul, "add": self.add, "div": self.div, "trig": self.trig, "other": self.other}
        return {**counts, "strict": self.strict}

    def __str__(self) -> str:
        return (
            f"{self.mul} mul + {self.add} add = {self.total} ({self.div} div, {self.trig} sin/cos, {self.other} other)"
        )


def power_cost(exponent: int) -> int:
    """Multiplications of x^exponent by repeated squaring."""
    exponent = abs(exponent)
    return exponent.bit_length() - 1 + exponent.bit_count() - 1


def cost(node: Expr) -> Operations:
    """The operations of one node, its arguments being known."""
    return _cost(node.op, node.value) if node.args else Operations()


def _cost(op: str, value: Any) -> Operations:
    if op == LIN:
        constant, coefficients = value
        scalings = sum([1 for c in coefficients if c != 1 and c != -1])
        return Operations(mul=scalings, add=len(coefficients) - (constant == 0))
    if op == PROD:
        below = sum([1 for e in value if e < 0])
        above = len(value) - below
        products = max(above - 1, 0) + max(below - 1, 0) + sum([power_cost(e) for e in value])
        return Operations(mul=products, div=1 if below else 0)
    if op in ("sin", "cos"):
        return Operations(trig=1)
    return Operations() if op == STEP else Operations(other=1)


def is_derived_angle(angle: Expr) -> bool:
    """Whether an angle is a sum of several joint angles or a multiple of one."""
    if angle.op == STEP:
        angle = angle.args[0]
    _, angle = split_sign(angle)
    if angle.op != LIN:
        return False
    moving = [c for term, c in zip(angle.args, angle.value[1], strict=True) if term.level == VARIABLE]
    return len(moving) > 1 or any(c not in (1, -1) for c in moving)


def count(roots: Iterable[Expr], level: int = VARIABLE) -> Operations:
    """The operations to evaluate the roots together, each shared node once.

    ``level`` VARIABLE counts the work that depends on the state, PARAMETER the off-line work on parameters alone.
    """
    return tally(postorder(roots, leaves=level - 1), level)


def tally(nodes: Iterable[Expr], level: int = VARIABLE) -> Operations:
    """The operations of the given nodes, each of them once."""
    working = [node for node in nodes if node.level == level and node.args]
    shapes = Counter([(node.op, node.value) for node in working])  # nodes of one shape cost the same
    angles = {node.args[0] for node in working if node.op == "sin" or node.op == "cos"}
    total = Operations(derived_angles=sum(map(is_derived_angle, angles)))
    for (op, value), times in shapes.items():
        total += _cost(op, value) * times
    return total


def uses(roots: Iterable[Expr], leaves: int = -1) -> dict[Expr, int]:
    """How often each node is an argument or a root; nodes of level ``leaves`` or lower are not looked into."""
    roots = list(roots)
    return uses_among(postorder(roots, leaves), roots, leaves)


def uses_among(nodes: Iterable[Expr], roots: Iterable[Expr], leaves: int = -1) -> dict[Expr, int]:
    """How often each of the given nodes is an argument of another or a root."""
    times: dict[Expr, int] = {}
    for node in nodes:
        for arg in node.args if node.level > leaves else ():
            times[arg] = times.get(arg, 0) + 1
    for root, count in Counter(roots).items():
        times[root] = times.get(root, 0) + count
    return times


__all__ = ["PARAMETER", "SYM", "VARIABLE", "Operations", "cost", "count", "is_derived_angle", "power_cost", "uses"]
