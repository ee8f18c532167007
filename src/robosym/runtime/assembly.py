"""LLVM assembly as text: fast to write, and readable when something is wrong.

An ``Assembly`` collects the instructions of one function. Its ``Lanes`` say whether a value is one double or a vector of
them, so that the same code writes the function of one state and the function of eight states at once.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from ..expr.node import Number


def bits(value: Number) -> str:
    """A number as LLVM reads it exactly: the bits of the nearest double."""
    return f"0x{struct.pack('>d', float(value)).hex().upper()}"


def is_literal(text: str) -> bool:
    """Whether a register or constant is a constant, and not nan."""
    return not text.startswith("%") and all(digits < "7FF0000000000001" for digits in _magnitudes(text))


def _magnitudes(text: str) -> list[str]:
    """The bits of the doubles in a constant, without their signs."""
    return [f"{int(word.strip(',>'), 16) & (2**63 - 1):016X}" for word in text.split() if word.startswith("0x")]


@dataclass(frozen=True)
class Lanes:
    """How many doubles a value holds. ``fused``: the machine multiplies and adds in one instruction."""

    width: int = 1
    fused: bool = False

    def of(self, scalar: str) -> str:
        """The type that has one such scalar in each lane: ``<8 x i1>``."""
        return scalar if self.width == 1 else f"<{self.width} x {scalar}>"

    @property
    def real(self) -> str:
        return self.of("double")

    @property
    def suffix(self) -> str:
        """What the names of LLVM's own functions end with."""
        return "f64" if self.width == 1 else f"v{self.width}f64"

    def number(self, value: Number) -> str:
        return self.same("double", bits(value))

    def same(self, scalar: str, text: str) -> str:
        """The constant with the same scalar in each lane."""
        return text if self.width == 1 else f"<{', '.join([f'{scalar} {text}'] * self.width)}>"


class Assembly:
    """The instructions of one function, on values of these lanes; ``flags`` stand after every fmul, fadd and fsub."""

    def __init__(self, lanes: Lanes, flags: str = "") -> None:
        self.lanes = lanes
        self.lines: list[str] = []
        self.places: list[str] = []  # room on the stack, taken before everything else
        self._flags = f"{flags} " if flags else ""
        self._real = lanes.real
        self._made = 0

    def line(self, text: str) -> None:
        self.lines.append(text)

    def add(self, instruction: str) -> str:
        """One more instruction: the register of its result."""
        register = f"%v{self._made}"
        self._made += 1
        self.lines.append(f"{register} = {instruction}")
        return register

    def room(self, kind: str, align: int = 64) -> str:
        """The address of a new variable."""
        register = f"%room{len(self.places)}"
        self.places.append(f"{register} = alloca {kind}, align {align}")
        return register

    # Arithmetic on registers and constants of the lanes.

    def number(self, value: Number) -> str:
        return self.lanes.number(value)

    def plus(self, a: str, b: str) -> str:
        return self.add(f"fadd {self._flags}{self._real} {a}, {b}")

    def minus(self, a: str, b: str) -> str:
        return self.add(f"fsub {self._flags}{self._real} {a}, {b}")

    def times(self, a: str, b: str) -> str:
        return self.add(f"fmul {self._flags}{self._real} {a}, {b}")

    def over(self, a: str, b: str) -> str:
        return self.add(f"fdiv {self._real} {a}, {b}")

    def negative(self, a: str) -> str:
        return self.add(f"fneg {self._real} {a}")

    def times_plus(self, a: str, b: str, c: str) -> str:
        """a b + c, rounded once where the machine does that, else twice."""
        if not self.lanes.fused:
            return self.plus(self.times(a, b), c)
        return self.own("fma", a, b, c)

    def polynomial(self, coefficients: Sequence[float], x: str) -> str:
        """By Horner's rule; the coefficient of x^0 comes first."""
        total = self.number(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            total = self.times_plus(total, x, self.number(coefficient))
        return total

    def own(self, function: str, *args: str) -> str:
        """A call of LLVM's own function, on all lanes."""
        return self.call(f"llvm.{function}.{self.lanes.suffix}", *args)

    def call(self, function: str, *args: str) -> str:
        taken = ", ".join(f"{self._real} {arg}" for arg in args)
        return self.add(f"call {self._real} @{function}({taken})")

    def each_lane(self, function: str, *args: str) -> str:
        """A function of doubles, called for one lane after the other."""
        if self.lanes.width == 1:
            return self.call(function, *args)
        made = "undef"
        for lane in range(self.lanes.width):
            taken = [self.add(f"extractelement {self._real} {arg}, i64 {lane}") for arg in args]
            one = self.add(f"call double @{function}({', '.join(f'double {arg}' for arg in taken)})")
            made = self.add(f"insertelement {self._real} {made}, double {one}, i64 {lane}")
        return made

    # Truth values: i1 in each lane.

    def compare(self, how: str, a: str, b: str) -> str:
        return self.add(f"fcmp {how} {self._real} {a}, {b}")

    def choose(self, truth: str, yes: str, no: str) -> str:
        return self.add(f"select {self.lanes.of('i1')} {truth}, {self._real} {yes}, {self._real} {no}")

    def both(self, how: str, a: str, b: str) -> str:
        return self.add(f"{how} {self.lanes.of('i1')} {a}, {b}")

    def any_lane(self, truth: str) -> str:
        """One i1: whether it holds in some lane."""
        width = self.lanes.width
        if width == 1:
            return truth
        whole = self.add(f"bitcast <{width} x i1> {truth} to i{width}")
        return self.add(f"icmp ne i{width} {whole}, 0")

    # The bits of doubles as integers.

    def integer(self, how: str, a: str, value: int) -> str:
        """An operation of the integers in the lanes with one constant."""
        kind = self.lanes.of("i64")
        return self.add(f"{how} {kind} {a}, {self.lanes.same('i64', str(value))}")

    def as_integer(self, a: str) -> str:
        return self.add(f"bitcast {self._real} {a} to {self.lanes.of('i64')}")

    def as_real(self, a: str) -> str:
        return self.add(f"bitcast {self.lanes.of('i64')} {a} to {self._real}")

    def store(self, value: str, pointer: str) -> None:
        self.line(f"store {self._real} {value}, ptr {pointer}, align 8")

    def load(self, pointer: str) -> str:
        return self.add(f"load {self._real}, ptr {pointer}, align 8")

    def load_at(self, pointer: str, index: int) -> str:
        """The lanes from an entry of an array of doubles on."""
        return self.load(self.add(f"getelementptr double, ptr {pointer}, i64 {index}"))

    def store_at(self, value: str, pointer: str, index: int) -> None:
        self.store(value, self.add(f"getelementptr double, ptr {pointer}, i64 {index}"))


def function(head: str, body: Assembly, *ending: str) -> str:
    """The text of a function: its head, the room it takes, its instructions and what is left to say at the end."""
    return f"define {head} {{\nentry:\n  " + "\n  ".join([*body.places, *body.lines, *ending]) + "\n}"
