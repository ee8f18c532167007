"""From a ``Program`` to LLVM assembly, as text: fast to write and the same for every version of LLVM but for pointers.

The module defines, with the arguments of ``codegen.interface``,

- ``run(inputs..., parameters?, constants?, outputs...)`` and ``precompute(parameters, constants)``, one state a call;
- ``run_batch(n, pointer, stride, pointer, stride, ...)`` and ``precompute_batch``: the same in a loop over n states,
  a stride (in doubles, 0 for an argument that all states share) after each pointer.

No fast-math: results are those of IEEE arithmetic in the written order; atan2 is our own (``arctangent.py``).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence

from ..codegen.errors import CodegenError
from ..codegen.interface import Argument, Interface, live_steps, symbols_used
from ..expr.evaluate import CONSTANTS
from ..expr.node import CONST, LIN, NUM, PROD, STEP, SYM, Expr, Number
from ..program.program import Step
from . import arctangent

RUN, PRECOMPUTE = "run", "precompute"

# Functions that LLVM knows or libm has, by the name they are called with.
_CALLS = {
    **{name: f"llvm.{name}.f64" for name in ("sin", "cos", "sqrt", "exp", "log", "floor", "pow")},
    "abs": "llvm.fabs.f64",
    **{name: name for name in ("tan", "asin", "acos", "atan", "atan2")},
}
_ARITY = {"pow": 2, "atan2": 2}
_COMPARISONS = {"lt": "olt", "le": "ole", "eq": "oeq", "ne": "une"}


def double(value: Number) -> str:
    """A number as LLVM reads it exactly: the bits of the nearest double."""
    return f"0x{struct.pack('>d', float(value)).hex().upper()}"


ZERO, ONE, MINUS_ONE = double(0), double(1), double(-1)


def module(facts: Interface, pointer: str) -> str:
    """The assembly of all functions of a program; ``pointer`` is how this LLVM writes a pointer to doubles."""
    program = facts.program
    parts = [f"declare double @{name}({_doubles(op)})" for op, name in _CALLS.items()]
    parts.append(arctangent.definition())
    parts += _functions(RUN, pointer, facts.read, program.steps, facts.outputs)
    if facts.has_precompute:
        parts += _functions(PRECOMPUTE, pointer, [facts.parameters], program.precompute, [facts.constants])
    return "\n".join(parts) + "\n"


def _doubles(op: str) -> str:
    return ", ".join(["double"] * _ARITY.get(op, 1))


def _functions(
    name: str, pointer: str, read: Sequence[Argument], steps: Sequence[Step], written: Sequence[Argument]
) -> list[str]:
    count = len(read) + len(written)
    return [_one(name, pointer, read, steps, written), _loop(name, pointer, count)]


def _one(name: str, pointer: str, read: Sequence[Argument], steps: Sequence[Step], written: Sequence[Argument]) -> str:
    """The function of one state: load what is used, compute, store. Arguments are %a0, %a1, ..."""
    results = [entry for argument in written for entry in argument.array.entries]
    steps = live_steps(steps, results)
    used = symbols_used(steps, results)
    body = Emitter()
    for i, argument in enumerate(read):
        for j, symbol in enumerate(argument.array.entries):
            if symbol in used:
                place = body.add(f"getelementptr double, {pointer} %a{i}, i64 {j}")
                body.values[symbol] = body.add(f"load double, {pointer} {place}")
    for step in steps:
        body.values[step.symbol] = body.value(step.expr)
    stores = []
    for i, argument in enumerate(written, len(read)):
        for j, entry in enumerate(argument.array.entries):
            value = body.value(entry)
            place = body.add(f"getelementptr double, {pointer} %a{i}, i64 {j}")
            stores.append(f"store double {value}, {pointer} {place}")
    taken = ", ".join(f"{pointer} %a{i}" for i in range(len(read) + len(written)))
    lines = "\n  ".join([*body.lines, *stores, "ret void"])
    return f"define void @{name}({taken}) noinline {{\nentry:\n  {lines}\n}}"


def _loop(name: str, pointer: str, count: int) -> str:
    """The function of many states, which calls the one of one state."""
    taken = "".join(f", {pointer} %a{i}, i64 %s{i}" for i in range(count))
    moved = []
    for i in range(count):
        moved += [f"%o{i} = mul i64 %i, %s{i}", f"%p{i} = getelementptr double, {pointer} %a{i}, i64 %o{i}"]
    passed = ", ".join(f"{pointer} %p{i}" for i in range(count))
    body = "\n  ".join([*moved, f"call void @{name}({passed})", "%next = add i64 %i, 1", "br label %check"])
    return f"""define void @{name}_batch(i64 %n{taken}) {{
entry:
  br label %check
check:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done
body:
  {body}
done:
  ret void
}}"""


class Emitter:
    """Writes the instructions of expressions, each node once, in a loop however deep the graph."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.values: dict[Expr, str] = {}  # the register or number of each node

    def add(self, instruction: str) -> str:
        register = f"%v{len(self.lines)}"
        self.lines.append(f"{register} = {instruction}")
        return register

    def value(self, root: Expr) -> str:
        stack = [root]
        while stack:
            node = stack[-1]
            waiting = [] if node in self.values else [arg for arg in node.args if arg not in self.values]
            if waiting:
                stack.extend(reversed(waiting))
                continue
            stack.pop()
            if node not in self.values:
                self.values[node] = self._instructions(node, [self.values[arg] for arg in node.args])
        return self.values[root]

    def _instructions(self, node: Expr, args: list[str]) -> str:
        op = node.op
        if op == LIN:
            return self._sum(node, args)
        if op == PROD:
            return self._product(node, args)
        if op == NUM:
            return double(node.value)
        if op == CONST:
            return double(CONSTANTS[node.value])
        if op == STEP:
            return args[0]
        if op == SYM:
            raise CodegenError(f"'{node.name}' is used but is neither an input, a parameter nor an earlier step")
        if op in _CALLS:
            name = arctangent.NAME if op == "atan2" else _CALLS[op]
            return self.add(f"call double @{name}({', '.join(f'double {arg}' for arg in args)})")
        if op not in _SPECIAL:
            raise CodegenError(f"the runtime cannot compile the function '{op}'")
        return _SPECIAL[op](self, *args)

    def _sum(self, node: Expr, args: list[str]) -> str:
        """The terms from left to right, then the constant."""
        constant, coefficients = node.value
        total = ""
        for coefficient, arg in zip(coefficients, args, strict=True):
            if abs(coefficient) != 1:
                arg = self.add(f"fmul double {double(abs(coefficient))}, {arg}")
            if total:
                total = self.add(f"{'fadd' if coefficient > 0 else 'fsub'} double {total}, {arg}")
            else:
                total = arg if coefficient > 0 else self.add(f"fneg double {arg}")
        return self.add(f"fadd double {total}, {double(constant)}") if constant else total

    def _product(self, node: Expr, args: list[str]) -> str:
        """The factors above the line, divided by those below."""
        pairs = list(zip(args, node.value, strict=True))
        above = self._multiplied([self._power(arg, e) for arg, e in pairs if e > 0])
        below = [self._power(arg, -e) for arg, e in pairs if e < 0]
        return self.add(f"fdiv double {above}, {self._multiplied(below)}") if below else above

    def _multiplied(self, factors: Iterable[str]) -> str:
        product = ""
        for factor in factors:
            product = self.add(f"fmul double {product}, {factor}") if product else factor
        return product or ONE

    def _power(self, base: str, exponent: int) -> str:
        """By repeated squaring."""
        if exponent == 1:
            return base
        half = self._power(base, exponent // 2)
        square = self.add(f"fmul double {half}, {half}")
        return self.add(f"fmul double {square}, {base}") if exponent % 2 else square

    # Truth values are 1.0 and 0.0 as everywhere in expressions; LLVM removes the detours.

    def compare(self, how: str, a: str, b: str) -> str:
        return self.add(f"fcmp {how} double {a}, {b}")

    def choose(self, truth: str, yes: str, no: str) -> str:
        return self.add(f"select i1 {truth}, double {yes}, double {no}")

    def number(self, truth: str) -> str:
        return self.choose(truth, ONE, ZERO)

    def truth(self, value: str) -> str:
        return self.compare("une", value, ZERO)

    def both(self, how: str, a: str, b: str) -> str:
        return self.add(f"{how} i1 {a}, {b}")

    def extreme(self, how: str, a: str, b: str) -> str:
        """a if it is nan or the wanted one, else b (which may be nan): nan passes through."""
        return self.choose(self.both("or", self.compare(how, a, b), self.compare("uno", a, a)), a, b)

    def sign(self, x: str) -> str:
        """1, -1, 0, or nan for nan."""
        zero_or_nan = self.choose(self.compare("oeq", x, ZERO), ZERO, x)
        negative_or_less = self.choose(self.compare("olt", x, ZERO), MINUS_ONE, zero_or_nan)
        return self.choose(self.compare("ogt", x, ZERO), ONE, negative_or_less)


_SPECIAL: dict[str, Callable[..., str]] = {
    **{op: (lambda e, a, b, how=how: e.number(e.compare(how, a, b))) for op, how in _COMPARISONS.items()},
    "and": lambda e, a, b: e.number(e.both("and", e.truth(a), e.truth(b))),
    "or": lambda e, a, b: e.number(e.both("or", e.truth(a), e.truth(b))),
    "not": lambda e, a: e.number(e.compare("oeq", a, ZERO)),
    "select": lambda e, c, a, b: e.choose(e.truth(c), a, b),
    "min": lambda e, a, b: e.extreme("ole", a, b),
    "max": lambda e, a, b: e.extreme("oge", a, b),
    "sign": Emitter.sign,
}
