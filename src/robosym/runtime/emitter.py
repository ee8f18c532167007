"""Expressions as LLVM instructions, on one state or on a vector of states.

Results are those of IEEE arithmetic in the written order. Sines and cosines are ours (``trigonometry.py``), and so is
atan2 (``arctangent.py``). With the flag ``contract`` LLVM may round a product and the sum it goes into once instead of
twice: each such sum is then nearer to the exact one, but results depend on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from ..codegen.errors import CodegenError
from ..expr import postorder
from ..expr.evaluate import CONSTANTS
from ..expr.node import CONST, LIN, NUM, PROD, STEP, SYM, Expr
from ..program.program import Step
from ..program.signs import without_signs
from . import arctangent, trigonometry
from .assembly import Assembly, Lanes, is_literal

# Functions that LLVM has for vectors too, and those that are called for one number at a time.
_OWN = {"sqrt": "sqrt", "floor": "floor", "abs": "fabs"}
_ONE_BY_ONE = {
    **{name: f"llvm.{name}.f64" for name in ("exp", "log", "pow")},
    **{name: name for name in ("tan", "asin", "acos", "atan", "tanh")},
}
_COMPARISONS = {"lt": "olt", "le": "ole", "eq": "oeq", "ne": "une"}
MOST_PAIRS = 512  # vectors of sines and of cosines that may lie on the stack: threads have little of it


def declarations(widths: Iterable[int]) -> list[str]:
    """What functions of these widths may call: LLVM's functions, the library's, and ours."""
    found = {f"declare double @llvm.{name}.f64(double)" for name in ("sin", "cos", "exp", "log")}
    found |= {f"declare double @{name}(double)" for name in ("tan", "asin", "acos", "atan", "tanh")}
    found |= {"declare double @atan2(double, double)", "declare double @llvm.pow.f64(double, double)"}
    for width in widths:
        lanes = Lanes(width)
        real = lanes.real
        found |= {f"declare {real} @llvm.{name}.{lanes.suffix}({real})" for name in ("fabs", "sqrt", "floor")}
        found.add(f"declare {real} @llvm.copysign.{lanes.suffix}({real}, {real})")
        found.add(f"declare {real} @llvm.fma.{lanes.suffix}({real}, {real}, {real})")
    return sorted(found)


class Emitter(Assembly):
    """Writes each node once, in a loop however deep the graph. ``values`` holds the register or number of each.

    Inputs, sines and cosines are loaded where they are first used, not before: registers are few.
    ``together`` is how many angles the machine takes at once when a value is one double; vectors take one angle of each
    state. ``sincos_widths`` and ``takes_atan2`` tell in the end which of our functions are called.
    """

    def __init__(self, lanes: Lanes, together: int = 1, flags: str = "") -> None:
        super().__init__(lanes, flags)
        self.values: dict[Expr, str] = {}
        self.sources: dict[Expr, Callable[[], str]] = {}  # what fetches an input, when it is first used
        self.definitions: dict[Expr, Expr] = {}  # of the steps
        self.together = together
        self.sincos_widths: set[int] = set()
        self.takes_atan2 = False
        self._found: dict[Expr, tuple[Callable[[], str], ...]] = {}  # what fetches an angle's sine and cosine
        self._pairs: dict[int, list[tuple[str, str]]] = {}  # the room for those, by width
        self._zero, self._one = self.number(0), self.number(1)

    def body(self, steps: Sequence[Step], results: Sequence[Expr]) -> list[str]:
        """The registers of the results."""
        steps, results = without_signs(steps, results)
        self.definitions = {step.symbol: step.expr for step in steps}
        for angles in rounds_of_angles([*(step.expr for step in steps), *results], self.definitions):
            self._sines_and_cosines(angles)
        for step in steps:
            self.value(step.symbol)
        return [self.value(result) for result in results]

    def value(self, root: Expr) -> str:
        stack = [root]
        while stack:
            node = stack[-1]
            if node in self.values:
                stack.pop()
                continue
            needed = [self.definitions[node]] if node in self.definitions else node.args
            waiting = [arg for arg in needed if arg not in self.values]
            if waiting:
                stack.extend(reversed(waiting))
                continue
            stack.pop()
            registers = [self.values[arg] for arg in needed]
            self.values[node] = registers[0] if node in self.definitions else self._instructions(node, registers)
        return self.values[root]

    # --- sines and cosines ---------------------------------------------------------------------------------------

    def _sines_and_cosines(self, angles: Sequence[Expr]) -> None:
        """Of these angles, as many at a time as the machine can."""
        if self.lanes.width > 1:
            for angle in angles:
                self._keep(angle, self._sincos(self.lanes, self.value(angle)))
            return
        for start in range(0, len(angles), self.together):
            taken = angles[start : start + self.together]
            registers = [self.value(angle) for angle in taken]
            width = 1 << (len(taken) - 1).bit_length()
            lanes = Lanes(width, self.lanes.fused)
            packed = registers[0]
            if width > 1:
                packed = "zeroinitializer"
                for lane, register in enumerate(registers):
                    packed = self.add(f"insertelement {lanes.real} {packed}, double {register}, i64 {lane}")
            places = self._sincos(lanes, packed)
            for lane, angle in enumerate(taken):
                ends = [self.add(f"getelementptr double, ptr {place}, i64 {lane}") for place in places]
                self._keep(angle, ends)

    def _keep(self, angle: Expr, places: Sequence[str]) -> None:
        self._found[angle] = tuple(partial(self.load, place) for place in places)
        if any(len(pairs) == MOST_PAIRS for pairs in self._pairs.values()):  # the next angles go to the same place
            registers = [fetch() for fetch in self._found[angle]]
            self._found[angle] = tuple(partial(str, register) for register in registers)

    def _sincos(self, lanes: Lanes, packed: str) -> tuple[str, str]:
        """Where the sines and the cosines are."""
        self.sincos_widths.add(lanes.width)
        pairs = self._pairs.setdefault(lanes.width, [])
        if len(pairs) < MOST_PAIRS:
            pairs.append((self.room(lanes.real), self.room(lanes.real)))
        sines, cosines = pairs[-1]
        name = trigonometry.name(lanes.width)
        self.line(f"call void @{name}({lanes.real} {packed}, ptr {sines}, ptr {cosines})")
        return sines, cosines

    # --- arithmetic ----------------------------------------------------------------------------------------------

    def _instructions(self, node: Expr, args: list[str]) -> str:
        op = node.op
        if op == LIN:
            return self._sum(node, args)
        if op == PROD:
            return self._product(node, args)
        if op == NUM:
            return self.number(node.value)
        if op == CONST:
            return self.number(CONSTANTS[node.value])
        if op == STEP:
            return args[0]
        if op == SYM:
            if node in self.sources:
                return self.sources[node]()
            raise CodegenError(f"'{node.name}' is used but is neither an input, a parameter nor an earlier step")
        if op in ("sin", "cos"):
            return self._found[node.args[0]][op == "cos"]()
        if op == "atan2":
            self.takes_atan2 = True
            return self.call(arctangent.name(self.lanes.width), *args)
        if op in _OWN:
            return self.own(_OWN[op], *args)
        if op in _ONE_BY_ONE:
            return self.each_lane(_ONE_BY_ONE[op], *args)
        if op not in _SPECIAL:
            raise CodegenError(f"the runtime cannot compile the function '{op}'")
        return _SPECIAL[op](self, *args)

    def _sum(self, node: Expr, args: list[str]) -> str:
        """The terms from left to right, then the constant."""
        constant, coefficients = node.value
        total = ""
        for coefficient, arg in zip(coefficients, args, strict=True):
            if abs(coefficient) != 1:
                arg = self.times(self.number(abs(coefficient)), arg)
            if total:
                total = self.plus(total, arg) if coefficient > 0 else self.minus(total, arg)
            else:
                total = arg if coefficient > 0 else self.negative(arg)
        return self.plus(total, self.number(constant)) if constant else total

    def _product(self, node: Expr, args: list[str]) -> str:
        """The factors above the line, divided by those below."""
        pairs = list(zip(args, node.value, strict=True))
        above = self._multiplied([self._power(arg, e) for arg, e in pairs if e > 0])
        below = [self._power(arg, -e) for arg, e in pairs if e < 0]
        return self.over(above, self._multiplied(below)) if below else above

    def _multiplied(self, factors: Iterable[str]) -> str:
        product = ""
        for factor in factors:
            product = self.times(product, factor) if product else factor
        return product or self._one

    def _power(self, base: str, exponent: int) -> str:
        """By repeated squaring."""
        if exponent == 1:
            return base
        half = self._power(base, exponent // 2)
        square = self.times(half, half)
        return self.times(square, base) if exponent % 2 else square

    # Truth values are 1.0 and 0.0 as everywhere in expressions; LLVM removes the detours.

    def as_number(self, truth: str) -> str:
        return self.choose(truth, self._one, self._zero)

    def truth(self, value: str) -> str:
        return self.compare("une", value, self._zero)

    def untruth(self, value: str) -> str:
        return self.compare("oeq", value, self._zero)

    def extreme(self, how: str, a: str, b: str) -> str:
        """a if it is nan or the wanted one, else b (which may be nan): nan passes through. Beside a literal, one comparison
        says it all."""
        if is_literal(b):
            return self.choose(self.compare(how.replace("o", "u", 1), a, b), a, b)
        if is_literal(a):
            return self.choose(self.compare(how, a, b), a, b)
        return self.choose(self.both("or", self.compare(how, a, b), self.compare("uno", a, a)), a, b)

    def sign(self, x: str) -> str:
        """1, -1, 0, or nan for nan."""
        zero_or_nan = self.choose(self.untruth(x), self._zero, x)
        negative_or_less = self.choose(self.compare("olt", x, self._zero), self.number(-1), zero_or_nan)
        return self.choose(self.compare("ogt", x, self._zero), self._one, negative_or_less)


_SPECIAL: dict[str, Callable[..., str]] = {
    **{op: (lambda e, a, b, how=how: e.as_number(e.compare(how, a, b))) for op, how in _COMPARISONS.items()},
    "and": lambda e, a, b: e.as_number(e.both("and", e.truth(a), e.truth(b))),
    "or": lambda e, a, b: e.as_number(e.both("or", e.truth(a), e.truth(b))),
    "not": lambda e, a: e.as_number(e.untruth(a)),
    "select": lambda e, c, a, b: e.choose(e.truth(c), a, b),
    "min": lambda e, a, b: e.extreme("ole", a, b),
    "max": lambda e, a, b: e.extreme("oge", a, b),
    "sign": Emitter.sign,
}


def rounds_of_angles(roots: Sequence[Expr], definitions: Mapping[Expr, Expr]) -> list[list[Expr]]:
    """The angles whose sines and cosines are taken: first those that need none of the others, then those that need the
    sines and cosines of the first, and so on. ``definitions`` are those of the symbols among the nodes."""
    depth: dict[Expr, int] = {}
    rounds: list[dict[Expr, None]] = []
    for node in postorder(roots):  # roots come in the order of the steps: a symbol's definition was seen before
        needed = [definitions[node]] if node in definitions else node.args
        deep = max((depth[arg] for arg in needed), default=0)
        if node.op in ("sin", "cos"):
            while len(rounds) <= deep:
                rounds.append({})
            rounds[deep].setdefault(node.args[0])
            deep += 1
        depth[node] = deep
    return [list(angles) for angles in rounds]
