"""The arrays of a routine that runs at the states of a vector register at once, and how numbers go from one to another.

An array lies in one of three ways: once for all lanes (``Same``); by vectors, each entry of all lanes together (``Wide``); or
apart, each lane's by itself (``Apart``), as callers have them and as long tables stay, of which rows are read and written.
"""

from __future__ import annotations

from collections.abc import Sequence

from .assembly import Lanes
from .batch_ir import transposed
from .code import UNROLLED, Cells, Code, Number

Mask = str | None  # a register with a truth value in each lane; None: true in all of them


class LaneCode(Code):
    """Single numbers as in ``Code``; the arithmetic of ``Assembly`` is that of vectors."""

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.width = lanes.width
        self.truths, self.wholes = lanes.of("i1"), lanes.of("i64")

    def spread(self, number: Number) -> str:
        """A number in every lane."""
        kind = self.lanes.of(number.kind)
        first = self.add(f"insertelement {kind} undef, {number.kind} {number.text}, i64 0")
        return self.add(f"shufflevector {kind} {first}, {kind} undef, <{self.width} x i32> zeroinitializer")

    def vector(self, numbers: Sequence[Number]) -> str:
        """One number in each lane."""
        made = "undef"
        for lane, number in enumerate(numbers):
            made = self.add(f"insertelement {self.lanes.real} {made}, double {number.text}, i64 {lane}")
        return made

    def lane(self, vector: str, lane: int) -> Number:
        return Number(self, "double", self.add(f"extractelement {self.lanes.real} {vector}, i64 {lane}"))

    def whole_numbers(self, vector: str) -> str:
        """Without what is after the point; nan is 0, what is too large the largest there is."""
        width, real = self.width, self.lanes.real
        return self.add(f"call {self.wholes} @llvm.fptosi.sat.v{width}i64.v{width}f64({real} {vector})")

    # --- masks -------------------------------------------------------------------------------------------------------

    def both_true(self, mask: Mask, truth: str) -> str:
        """Where the mask is not true nothing is looked at: there may never have been a number."""
        if mask is None:
            return truth
        return self.add(f"select {self.truths} {mask}, {self.truths} {truth}, {self.truths} zeroinitializer")

    def untrue(self, truth: str) -> str:
        return self.add(f"xor {self.truths} {truth}, {self.lanes.same('i1', 'true')}")

    def some(self, truth: str) -> Number:
        """Whether it is true in some lane."""
        return Number(self, "i1", self.any_lane(truth))

    def true_in(self, mask: str, lane: Number) -> Number:
        return Number(self, "i1", self.add(f"extractelement {self.truths} {mask}, i64 {lane.text}"))

    def blended(self, mask: Mask, new: str, place: Place, index: Number | int) -> str:
        """The new number in the lanes of the mask, in the others what there is."""
        return new if mask is None else self.choose(mask, new, place.entry(index))


class Alive:
    """A mask that changes."""

    def __init__(self, code: LaneCode, start: Mask) -> None:
        self.code = code
        self._place = code.room(code.truths, 8)
        self.set(start or code.lanes.same("i1", "true"))

    def get(self) -> str:
        return self.code.add(f"load {self.code.truths}, ptr {self._place}")

    def narrow(self, truth: str) -> str:
        """True where it was and this is, too."""
        both = self.code.both_true(self.get(), truth)
        self.set(both)
        return both

    def set(self, truth: str) -> None:
        self.code.line(f"store {self.code.truths} {truth}, ptr {self._place}")


class Same:
    """One array for all lanes; ``put`` is never called, for what writes it writes once."""

    def __init__(self, code: LaneCode, cells: Cells) -> None:
        self.code, self.cells = code, cells

    def entry(self, index: Number | int) -> str:
        return self.code.spread(self.cells[index])

    def after(self, index: Number | int) -> Same:
        return Same(self.code, self.cells.after(index))

    def of_lane(self, lane: Number) -> Cells:
        return self.cells


class Wide:
    """Vectors, one for each entry."""

    def __init__(self, code: LaneCode, pointer: str) -> None:
        self.code, self.pointer = code, pointer

    def address(self, index: Number | int) -> str:
        if isinstance(index, int):
            return self.code.at(self.pointer, index * self.code.width) if index else self.pointer
        return self.code.at(self.pointer, (index * self.code.width).text)

    def entry(self, index: Number | int) -> str:
        return self.code.load(self.address(index))

    def put(self, index: Number | int, value: str, mask: Mask = None) -> None:
        self.code.store(self.code.blended(mask, value, self, index), self.address(index))

    def after(self, index: Number | int) -> Wide:
        return Wide(self.code, self.address(index))

    def of_lane(self, lane: Number) -> Cells:
        return Cells(self.code, self.code.at(self.pointer, lane.text), step=self.code.width)


class Apart:
    """Each lane has an array of its own; ``table`` holds their addresses, which ``starts`` are too."""

    def __init__(self, code: LaneCode, starts: Sequence[str], table: str = "", offset: Number | int = 0) -> None:
        self.code, self.starts, self.table, self.offset = code, starts, table, offset
        if not table:
            self.table = code.room(f"[{code.width} x ptr]")
            for lane, start in enumerate(starts):
                code.line(f"store ptr {start}, ptr {code.at(self.table, lane, 'ptr')}")

    def rows(self) -> list[Cells]:
        """The array of each lane."""
        return [Cells(self.code, start).after(self.offset) for start in self.starts]

    def entry(self, index: Number | int) -> str:
        return self.code.vector([row[index] for row in self.rows()])

    def put(self, index: Number | int, value: str, mask: Mask = None) -> None:
        value = self.code.blended(mask, value, self, index)
        for lane, row in enumerate(self.rows()):
            row[index] = self.code.lane(value, lane)

    def after(self, index: Number | int) -> Apart:
        if isinstance(self.offset, int) and isinstance(index, int):
            total: Number | int = self.offset + index
        else:
            total = index + self.offset if isinstance(index, Number) else self.offset + index
        return Apart(self.code, self.starts, self.table, total)

    def of_lane(self, lane: Number) -> Cells:
        start = self.code.add(f"load ptr, ptr {self.code.at(self.table, lane.text, 'ptr')}")
        return Cells(self.code, start).after(self.offset)


Place = Same | Wide | Apart


def declarations(width: int) -> list[str]:
    return [f"declare <{width} x i64> @llvm.fptosi.sat.v{width}i64.v{width}f64(<{width} x double>)"]


# --- copies ----------------------------------------------------------------------------------------------------------


def copy(code: LaneCode, source: Place, target: Place, size: int, mask: Mask = None) -> None:
    """So many entries; in the lanes that are not in the mask the target stays as it is."""
    match source, target:
        case Same(), Same():
            code.copy(source.cells, target.cells, size)
        case Wide(), Wide() if mask is None and size > UNROLLED:
            code.copy(Cells(code, source.pointer), Cells(code, target.pointer), size * code.width)
        case Same() | Apart(), Apart() if mask is None:
            rows = [source.cells] * code.width if isinstance(source, Same) else source.rows()
            for one, other in zip(rows, target.rows(), strict=True):
                code.copy(one, other, size)
        case Wide(), Apart() if mask is None:
            _squares(code, source, target, size)
        case Apart(), Wide() if mask is None:
            _squares(code, source, target, size)
        case _, Wide() | Apart():
            fill(code, target, size, source, mask)
        case _:
            raise TypeError("what differs from lane to lane cannot become one for all")


def fill(code: LaneCode, target: Wide | Apart, size: int, value: Place | float, mask: Mask = None) -> None:
    """Every entry with a number, or with that of another array."""
    if isinstance(target, Apart) and isinstance(value, float) and mask is None and size > UNROLLED:
        for row in target.rows():
            _fill_row(code, row, size, value)
        return

    def one(index: Number | int) -> None:
        new = code.number(value) if isinstance(value, float) else value.entry(index)
        target.put(index, new, mask)

    if size > UNROLLED:
        with code.span(0, size) as i:
            one(i)
    else:
        for k in range(size):
            one(k)


def _fill_row(code: LaneCode, row: Cells, size: int, value: float) -> None:
    """The array of one lane, as many entries at a time as there are lanes."""
    whole = size // code.width
    with code.span(0, whole) as i:
        code.store(code.number(value), row.address(i * code.width))
    for k in range(whole * code.width, size):
        row[k] = value


def _squares(code: LaneCode, source: Place, target: Place, size: int) -> None:
    """Between vectors and arrays apart: squares of as many entries as there are lanes are transposed in registers."""
    width = code.width
    whole = size // width

    def square(start: Number | int) -> None:
        pairs = zip(_addresses(source, start), _addresses(target, start), strict=True)
        froms, tos = zip(*pairs, strict=True)
        for value, place in zip(transposed(code, [code.load(place) for place in froms]), tos, strict=True):
            code.store(value, place)

    if whole > 4:
        with code.span(0, whole) as i:
            square(i * width)
    else:
        for start in range(0, whole * width, width):
            square(start)
    for k in range(whole * width, size):
        assert isinstance(target, Wide | Apart)
        target.put(k, source.entry(k))


def _addresses(place: Place, start: Number | int) -> list[str]:
    """Of the vectors of a square: those of some entries, or the same entries of each lane."""
    if isinstance(place, Apart):
        return [row.address(start) for row in place.rows()]
    assert isinstance(place, Wide)
    first = place.after(start)
    return [first.address(k) for k in range(place.code.width)]
