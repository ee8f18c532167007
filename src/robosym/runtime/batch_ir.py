"""Many states at once: a vector register holds one number of several states.

States are taken in blocks. A block's inputs are brought into a buffer that stays in the nearest cache, one row of
``block`` numbers for each entry; ``block(buffer in, buffer out, parameters, constants, count)`` works on it, and its outputs
are brought from the buffer to their place. So it does not matter how the arrays lie in memory: states one after the other,
entries one after the other, or anything between; and wide models whose columns are a power of two apart do not fight for
the same lines of the cache. Where states lie one after the other a block is ``step`` states short, one vector of them: memory
then works evenly beside the arithmetic, instead of in bursts.

``states(job, first, last, scratch)`` does this for a range of states. A job is a record of words:
block function, parameters, constants, length of a row, states in a block, number of inputs, number of outputs; then for each
of them its address, the distances from a state to the next and from an entry to the next (in doubles), how many entries it
has, and its first row in the buffer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from ..codegen.interface import Argument, Interface, symbols_used
from ..expr import Expr
from ..program.program import live_steps
from .assembly import Lanes, function
from .emitter import Emitter
from .host import Host
from .ir import ours
from .loops import Looping

BLOCK, STATES = "block", "states"
JOB, ARGUMENT = 7, 5  # words of a job before its arguments, and of each of them
AHEAD = {"squares": 256, "rows": 64}  # how far ahead numbers are asked for, in doubles


def rows_of(entries: int, lanes: int) -> int:
    """The rows an argument takes in the buffer: whole squares are transposed."""
    return -(-entries // lanes) * lanes


def block_module(facts: Interface, host: Host, block: int, flags: str = "") -> str:
    """The assembly of the function of one block: the function of as many states as there are lanes, in a loop."""
    lanes = Lanes(host.lanes, host.fused)
    e = Emitter(lanes, flags=flags)
    results = [entry for argument in facts.outputs for entry in argument.array.entries]
    steps = live_steps(facts.program.steps, results)
    used = symbols_used(steps, results)
    for symbol, index in _indices(facts.inputs, block, lanes.width):
        if symbol in used:
            e.sources[symbol] = partial(e.load_at, "%in", index)
    for pointer, argument in (("%parameters", facts.parameters), ("%constants", facts.constants)):
        for j, symbol in enumerate(argument.array.entries):
            if symbol in used:
                e.sources[symbol] = partial(spread, e, pointer, j)
    places = _indices(facts.outputs, block, lanes.width)
    for value, (_, index) in zip(e.body(steps, results), places, strict=True):
        e.store_at(value, "%out", index)
    shared = "ptr %parameters, ptr %constants"
    group = function(f"internal void @group(ptr %in, ptr %out, {shared}) noinline nounwind", e, "ret void")
    a = Looping(lanes)
    with a.loop("%count", lanes.width) as i:
        a.line(f"call void @group(ptr {a.at('%in', i)}, ptr {a.at('%out', i)}, {shared})")
    text = function(f"void @{BLOCK}(ptr %in, ptr %out, {shared}, i64 %count) nounwind", a, "ret void")
    return "\n".join([*ours([e], lanes), group, text]) + "\n"


def _indices(arguments: Sequence[Argument], block: int, width: int) -> Iterator[tuple[Expr, int]]:
    """Each entry, and where its row begins in the buffer."""
    row = 0
    for argument in arguments:
        for j, entry in enumerate(argument.array.entries):
            yield entry, (row + j) * block
        row += rows_of(argument.size, width)


def spread(e: Emitter, pointer: str, index: int) -> str:
    """A number that all states share, in every lane."""
    real, width = e.lanes.real, e.lanes.width
    one = e.add(f"load double, ptr {e.add(f'getelementptr double, ptr {pointer}, i64 {index}')}")
    first = e.add(f"insertelement {real} undef, double {one}, i64 0")
    return e.add(f"shufflevector {real} {first}, {real} undef, <{width} x i32> zeroinitializer")


# --- arrays and buffers ----------------------------------------------------------------------------------------------


def states_module(host: Host) -> str:
    """The assembly of what brings arrays into buffers and back, the same for every program."""
    lanes = Lanes(host.lanes)
    real, mask = lanes.real, lanes.of("i1")
    parts = [
        f"declare {real} @llvm.masked.load.{lanes.suffix}.p0(ptr, i32, {mask}, {real})",
        "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)",
        f"declare void @llvm.masked.store.{lanes.suffix}.p0({real}, ptr, i32, {mask})",
    ]
    parts += [_states_to_rows(lanes, back) for back in (False, True)]
    parts += [_rows_to_rows(lanes, back) for back in (False, True)]
    parts += [_one_by_one(back) for back in (False, True)]
    parts += [_bring(lanes, back) for back in (False, True)]
    return "\n".join([*parts, _states()]) + "\n"


def _name(stem: str, back: bool) -> str:
    return f"{stem}_back" if back else stem


_COMMON = "ptr %array, i64 %from_state, i64 %from_entry, i64 %entries, i64 %states, i64 %step, i64 %block, ptr %buffer"
_PASSED = "ptr {0}, i64 %from_state, i64 %from_entry, i64 %entries, i64 %count, i64 %step, i64 %block, ptr %buffer"


def _states_to_rows(lanes: Lanes, back: bool) -> str:
    """The entries of a state lie together: squares are transposed in registers."""
    a, width = Looping(lanes), lanes.width
    real, mask_type = lanes.real, lanes.of("i1")
    with a.loop("%states", width) as s, a.loop("%entries", width) as e:
        left = a.whole("sub", "%entries", e)
        mask = _first_lanes(a, left)
        rows = [
            a.at("%array", a.whole("add", a.whole("mul", a.whole("add", s, i), "%from_state"), e)) for i in range(width)
        ]
        places = [
            a.at("%buffer", a.whole("add", a.whole("mul", a.whole("add", e, i), "%block"), s)) for i in range(width)
        ]
        for row in rows:
            _ask_for(a, a.at(row, AHEAD["squares"]), back)
        if back:
            for value, row in zip(transposed(a, [a.load(place) for place in places]), rows, strict=True):
                call = f"@llvm.masked.store.{lanes.suffix}.p0({real} {value}, ptr {row}, i32 8, {mask_type} {mask})"
                a.line(f"call void {call}")
        else:
            load = f"call {real} @llvm.masked.load.{lanes.suffix}.p0(ptr {{}}, i32 8, {mask_type} {mask}, {real} zeroinitializer)"
            loaded = [a.add(load.format(row)) for row in rows]
            for value, place in zip(transposed(a, loaded), places, strict=True):
                a.store(value, place)
    return function(f"internal void @{_name('squares', back)}({_COMMON}) noinline nounwind", a, "ret void")


def _ask_for(a: Looping, address: str, to_write: bool) -> None:
    """Later numbers come from memory while these are worked on; asking beyond the end does no harm."""
    a.line(f"call void @llvm.prefetch.p0(ptr {address}, i32 {int(to_write)}, i32 3, i32 1)")


def _first_lanes(a: Looping, count: str) -> str:
    """Truth in the lanes below a number."""
    width = a.lanes.width
    kind = a.lanes.of("i64")
    first = a.add(f"insertelement {kind} undef, i64 {count}, i64 0")
    spread = a.add(f"shufflevector {kind} {first}, {kind} undef, <{width} x i32> zeroinitializer")
    lanes = ", ".join(f"i64 {lane}" for lane in range(width))
    return a.add(f"icmp slt {kind} <{lanes}>, {spread}")


def transposed(a: Looping, rows: Sequence[str]) -> list[str]:
    """A square: at each distance 1, 2, 4, ... the pieces off the diagonal change places."""
    width, real = a.lanes.width, a.lanes.real
    found = list(rows)
    distance = 1
    while distance < width:
        for i in range(width):
            if i & distance:
                continue
            upper = [k if not k & distance else width + k - distance for k in range(width)]
            lower = [k + distance if not k & distance else width + k for k in range(width)]
            pair = found[i], found[i + distance]
            for place, order in ((i, upper), (i + distance, lower)):
                lanes = ", ".join(f"i32 {k}" for k in order)
                found[place] = a.add(f"shufflevector {real} {pair[0]}, {real} {pair[1]}, <{width} x i32> <{lanes}>")
        distance *= 2
    return found


def _rows_to_rows(lanes: Lanes, back: bool) -> str:
    """The same entry of the states lies together: vectors are copied."""
    a = Looping(lanes)
    with a.loop("%entries") as e:
        row = a.at("%array", a.whole("mul", e, "%from_entry"))
        place = a.at("%buffer", a.whole("mul", e, "%block"))
        with a.loop("%states", lanes.width) as s:
            ends = a.at(row, s), a.at(place, s)
            _ask_for(a, a.at(ends[0], AHEAD["rows"]), back)
            source, target = ends[::-1] if back else ends
            a.store(a.load(source), target)
    return function(f"internal void @{_name('rows', back)}({_COMMON}) noinline nounwind", a, "ret void")


def _one_by_one(back: bool) -> str:
    """Any distances, and blocks that are not full; their last state fills them up."""
    a = Looping(Lanes())
    with a.loop("%entries") as e, a.loop("%states" if back else "%step") as s:
        state = s if back else a.smaller(s, a.whole("sub", "%states", 1))
        index = a.whole("add", a.whole("mul", state, "%from_state"), a.whole("mul", e, "%from_entry"))
        ends = a.at("%array", index), a.at("%buffer", a.whole("add", a.whole("mul", e, "%block"), s))
        source, target = ends[::-1] if back else ends
        a.store(a.load(source), target)
    return function(f"internal void @{_name('entries', back)}({_COMMON}) noinline nounwind", a, "ret void")


def _bring(lanes: Lanes, back: bool) -> str:
    """One argument of one block: from the state ``first`` on, ``count`` states."""
    a = Looping(lanes)
    fields = ("array", "from_state", "from_entry", "entries", "row")
    for i, field in enumerate(fields):
        kind = "ptr" if field == "array" else "i64"
        a.line(f"%w{i} = getelementptr i64, ptr %argument, i64 {i}")
        a.line(f"%{field} = load {kind}, ptr %w{i}")
    a.line("%skipped = mul i64 %row, %block")
    a.line("%buffer = getelementptr double, ptr %rows, i64 %skipped")
    start = a.at("%array", a.whole("mul", "%first", "%from_state"))
    passed = _PASSED.format(start)
    full = a.is_equal("%count", "%step")
    for stem, distance in (("rows", "%from_state"), ("squares", "%from_entry")):
        fits = a.add(f"and i1 {full}, {a.is_equal(distance, 1)}")
        with a.when(fits, "ret void"):
            a.line(f"call void @{_name(stem, back)}({passed})")
    a.line(f"call void @{_name('entries', back)}({passed})")
    taken = "ptr %argument, i64 %first, i64 %count, i64 %step, i64 %block, ptr %rows"
    return function(f"internal void @{_name('bring', back)}({taken}) nounwind", a, "ret void")


def _states() -> str:
    """Block after block; what all states share is brought once, before the first."""
    a = Looping(Lanes())
    block_function, parameters, constants = (a.word("%job", i, "ptr") for i in range(3))
    block, step, n_in, n_out = (a.word("%job", i) for i in range(3, JOB))
    read = a.at("%job", JOB, "i64")
    written = a.at(read, a.whole("mul", n_in, ARGUMENT), "i64")
    rows_in, rows_out = (a.word("%scratch", i, "ptr") for i in range(2))
    total = a.whole("sub", "%last", "%first")

    def bring(how: str, argument: str, state: str, count: str, filled: str, rows: str) -> None:
        taken = f"ptr {argument}, i64 {state}, i64 {count}, i64 {filled}, i64 {block}, ptr {rows}"
        a.line(f"call void @{how}({taken})")

    with a.loop(n_in) as i:
        argument = a.at(read, a.whole("mul", i, ARGUMENT), "i64")
        with a.when(a.is_equal(a.word(argument, 1), 0)):
            bring("bring", argument, "%first", "1", block, rows_in)
    with a.loop(a.whole("sdiv", a.whole("sub", a.whole("add", total, step), 1), step)) as b:
        done = a.whole("mul", b, step)
        state = a.whole("add", "%first", done)
        count = a.smaller(a.whole("sub", total, done), step)
        with a.loop(n_in) as i:
            argument = a.at(read, a.whole("mul", i, ARGUMENT), "i64")
            with a.when(a.add(f"icmp ne i64 {a.word(argument, 1)}, 0")):
                bring("bring", argument, state, count, step, rows_in)
        passed = f"ptr {rows_in}, ptr {rows_out}, ptr {parameters}, ptr {constants}, i64 {step}"
        a.line(f"call void {block_function}({passed})")
        with a.loop(n_out) as i:
            bring("bring_back", a.at(written, a.whole("mul", i, ARGUMENT), "i64"), state, count, step, rows_out)
    return function(f"void @{STATES}(ptr %job, i64 %first, i64 %last, ptr %scratch) nounwind", a, "ret void")
