"""Assembly that reads like the code it stands for: numbers with operators, variables, arrays, loops that can be left.

What is written with it is not straight-line: the stages of a routine and the kernels. ::

    c = Code()
    x, total = Cells(c, "%a0"), c.variable(0.0)
    with c.span(0, 3) as i:
        c.leave_if(abs(x[i]) > 1.0)
        total.set(total.get() + x[i])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .assembly import Lanes, bits
from .loops import Looping

REAL, WHOLE, TRUTH = "double", "i64", "i1"
_ARITHMETIC = {
    REAL: {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"},
    WHOLE: {"+": "add", "-": "sub", "*": "mul", "%": "srem"},
    TRUTH: {"&": "and", "|": "or", "^": "xor"},
}
_ORDER = {REAL: "fcmp o", WHOLE: "icmp s"}


class Number:
    """A register or a constant: a double, an integer or a truth value. Plain numbers beside it become such."""

    __slots__ = ("code", "kind", "text")

    def __init__(self, code: Code, kind: str, text: str) -> None:
        self.code, self.kind, self.text = code, kind, text

    def _made(self, kind: str, instruction: str) -> Number:
        return Number(self.code, kind, self.code.add(instruction))

    def like(self, other: Value) -> str:
        """The other operand."""
        return other.text if isinstance(other, Number) else _text(self.kind, other)

    def _with(self, sign: str, other: Value) -> Number:
        return self._made(self.kind, f"{_ARITHMETIC[self.kind][sign]} {self.kind} {self.text}, {self.like(other)}")

    def _compared(self, how: str, other: Value) -> Number:
        return self._made(TRUTH, f"{_ORDER[self.kind]}{how} {self.kind} {self.text}, {self.like(other)}")

    def __add__(self, other: Value) -> Number:
        return self._with("+", other)

    def __sub__(self, other: Value) -> Number:
        return self._with("-", other)

    def __mul__(self, other: Value) -> Number:
        return self._with("*", other)

    def __truediv__(self, other: Value) -> Number:
        return self._with("/", other)

    def __mod__(self, other: Value) -> Number:
        return self._with("%", other)

    def __and__(self, other: Number) -> Number:
        return self._with("&", other)

    def __or__(self, other: Number) -> Number:
        return self._with("|", other)

    def __invert__(self) -> Number:
        return Number(self.code, TRUTH, self.code.add(f"xor i1 {self.text}, true"))

    def __neg__(self) -> Number:
        return self._made(REAL, f"fneg double {self.text}")

    def __abs__(self) -> Number:
        return self._made(REAL, f"call double @llvm.fabs.f64(double {self.text})")

    def root(self) -> Number:
        return self._made(REAL, f"call double @llvm.sqrt.f64(double {self.text})")

    def floor(self) -> Number:
        return self._made(REAL, f"call double @llvm.floor.f64(double {self.text})")

    # Comparisons with nan are false; only ``differs`` is true.

    def __lt__(self, other: Value) -> Number:
        return self._compared("lt", other)

    def __le__(self, other: Value) -> Number:
        return self._compared("le", other)

    def __gt__(self, other: Value) -> Number:
        return self._compared("gt", other)

    def __ge__(self, other: Value) -> Number:
        return self._compared("ge", other)

    def equals(self, other: Value) -> Number:
        how = "fcmp oeq" if self.kind == REAL else "icmp eq"
        return self._made(TRUTH, f"{how} {self.kind} {self.text}, {self.like(other)}")

    def differs(self, other: Value) -> Number:
        how = "fcmp une" if self.kind == REAL else "icmp ne"
        return self._made(TRUTH, f"{how} {self.kind} {self.text}, {self.like(other)}")

    def whole(self) -> Number:
        """Without what is after the point; nan is 0, what is too large the largest there is."""
        return self._made(WHOLE, f"call i64 @llvm.fptosi.sat.i64.f64(double {self.text})")

    def real(self) -> Number:
        return self._made(REAL, f"sitofp i64 {self.text} to double")

    def at_most(self, other: Value) -> Number:
        return self._extreme("smin", other)

    def at_least(self, other: Value) -> Number:
        return self._extreme("smax", other)

    def _extreme(self, how: str, other: Value) -> Number:
        return self._made(WHOLE, f"call i64 @llvm.{how}.i64(i64 {self.text}, i64 {self.like(other)})")

    def choose(self, yes: Number, no: Value) -> Number:
        """Of two numbers, by this truth value."""
        kind = yes.kind
        return self._made(kind, f"select i1 {self.text}, {kind} {yes.text}, {kind} {yes.like(no)}")


Value = Number | float | int
DECLARATIONS = (
    "declare i64 @llvm.fptosi.sat.i64.f64(double)",
    "declare i64 @llvm.smin.i64(i64, i64)",
    "declare i64 @llvm.smax.i64(i64, i64)",
    "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
)


def _text(kind: str, value: float | int) -> str:
    if kind == REAL:
        return bits(value)
    return str(int(value)) if kind == WHOLE else str(bool(value)).lower()


class Variable:
    """A number that changes; LLVM puts it into a register."""

    def __init__(self, code: Code, kind: str, start: Value) -> None:
        self.code, self.kind = code, kind
        self._place = code.room(kind, 8)
        self.set(start)

    def get(self) -> Number:
        return Number(self.code, self.kind, self.code.add(f"load {self.kind}, ptr {self._place}"))

    def set(self, value: Value) -> None:
        text = value.text if isinstance(value, Number) else _text(self.kind, value)
        self.code.line(f"store {self.kind} {text}, ptr {self._place}")


class Cells:
    """An array in memory, flat; with ``columns`` it is a matrix by rows, and indices may be pairs. Its entries are ``step``
    words apart."""

    def __init__(self, code: Code, pointer: str, columns: int = 1, kind: str = REAL, step: int = 1) -> None:
        self.code, self.pointer, self.columns, self.kind, self.step = code, pointer, columns, kind, step

    def address(self, index: Index) -> str:
        if isinstance(index, tuple):
            row, column = index
            index = column + row * self.columns if isinstance(column, Number) else row * self.columns + column
        if self.step != 1:
            index = index * self.step
        text = index.text if isinstance(index, Number) else str(index)
        return self.pointer if text == "0" else self.code.at(self.pointer, text, self.kind)

    def after(self, index: Index) -> Cells:
        """The array from an entry on."""
        return Cells(self.code, self.address(index), self.columns, self.kind, self.step)

    def part(self, start: int, columns: int = 1, kind: str = REAL) -> Cells:
        """The array from a word on, as another matrix or of another kind."""
        return Cells(self.code, self.address(start), columns, kind)

    def __getitem__(self, index: Index) -> Number:
        return Number(self.code, self.kind, self.code.add(f"load {self.kind}, ptr {self.address(index)}, align 8"))

    def __setitem__(self, index: Index, value: Value) -> None:
        text = value.text if isinstance(value, Number) else _text(self.kind, value)
        self.code.line(f"store {self.kind} {text}, ptr {self.address(index)}, align 8")


Index = Number | int | tuple[Number | int, Number | int]
UNROLLED = 8  # entries that are copied one by one: such arrays can become registers


class Code(Looping):
    """The instructions of one function. What it reads like is about single numbers, whatever the lanes of ``Assembly``."""

    def __init__(self, lanes: Lanes | None = None) -> None:
        super().__init__(lanes or Lanes())
        self._around: list[tuple[str, str]] = []  # of each loop: where its next turn begins, and what comes after it

    def fixed(self, value: float | int) -> Number:
        """A constant: a double, or an integer if it is written as one."""
        kind = REAL if isinstance(value, float) else WHOLE
        return Number(self, kind, _text(kind, value))

    def variable(self, start: Value) -> Variable:
        kind = start.kind if isinstance(start, Number) else REAL if isinstance(start, float) else WHOLE
        return Variable(self, kind, start)

    def cells(self, size: int) -> Cells:
        """A new array of doubles."""
        return Cells(self, self.room(f"[{max(size, 1)} x double]", 16))

    def label(self, name: str) -> None:
        self.line(f"{name}:")

    @contextmanager
    def span(self, start: int | Number, stop: int | Number) -> Iterator[Number]:
        """``for (i = start; i < stop; i++)``."""
        head, body, after, done = (self._label(stem) for stem in ("head", "body", "next", "done"))
        counter = Variable(self, WHOLE, start)
        self.line(f"br label %{head}")
        self.label(head)
        i = counter.get()
        self.line(f"br i1 {(i < stop).text}, label %{body}, label %{done}")
        self.label(body)
        self._around.append((after, done))
        yield i
        self._around.pop()
        self.line(f"br label %{after}")
        self.label(after)
        counter.set(i + 1)
        self.line(f"br label %{head}")
        self.label(done)

    @contextmanager
    def down(self, start: int | Number, stop: int = 0) -> Iterator[Number]:
        """``for (i = start; i >= stop; i--)``."""
        first = start if isinstance(start, Number) else Number(self, WHOLE, str(start))
        with self.span(0, first - (stop - 1)) as i:
            yield first - i

    @contextmanager
    def forever(self) -> Iterator[None]:
        """A loop that is left by ``leave_if`` alone."""
        head, done = self._label("head"), self._label("done")
        self.line(f"br label %{head}")
        self.label(head)
        self._around.append((head, done))
        yield
        self._around.pop()
        self.line(f"br label %{head}")
        self.label(done)

    def leave_if(self, truth: Number) -> None:
        """The innermost loop is over."""
        self._jump_if(truth, self._around[-1][1])

    def skip_if(self, truth: Number) -> None:
        """The innermost loop goes on with its next turn."""
        self._jump_if(truth, self._around[-1][0])

    def _jump_if(self, truth: Number, place: str) -> None:
        here = self._label("on")
        self.line(f"br i1 {truth.text}, label %{place}, label %{here}")
        self.label(here)

    def either(self, truth: Number, yes: Callable[[], None], no: Callable[[], None] | None = None) -> None:
        """``if (truth) { yes } else { no }``."""
        then, other, after = (self._label(stem) for stem in ("then", "other", "after"))
        self.line(f"br i1 {truth.text}, label %{then}, label %{other if no else after}")
        for label, part in ((then, yes), (other, no)):
            if part is not None:
                self.label(label)
                part()
                self.line(f"br label %{after}")
        self.label(after)

    def copy(self, source: Cells, target: Cells, size: int) -> None:
        """So many entries."""
        if size > UNROLLED and not source.step == target.step == 1:
            with self.span(0, size) as i:
                target[i] = source[i]
            return
        if size > UNROLLED:
            passed = f"ptr {target.pointer}, ptr {source.pointer}, i64 {8 * size}, i1 false"
            self.line(f"call void @llvm.memmove.p0.p0.i64({passed})")
            return
        for k, value in enumerate([source[k] for k in range(size)]):
            target[k] = value

    def fill(self, target: Cells, size: int, value: float) -> None:
        if size > UNROLLED:
            with self.span(0, size) as i:
                target[i] = value
            return
        for k in range(size):
            target[k] = value
