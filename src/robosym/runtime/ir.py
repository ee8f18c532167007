"""The module of a program, as LLVM assembly. With the arguments of ``codegen.interface`` it defines

- ``run(inputs..., parameters?, constants?, outputs...)`` and ``precompute(parameters, constants)``, one state a call;
- ``run_table(addresses)``: ``run`` on a table of the addresses of its arguments;
- ``run_batch(n, table)`` and ``precompute_batch``: the same in a loop over n states; the table holds the address of each
  argument and how far the next state is from it (in doubles, 0 for an argument that all states share).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from ..codegen.interface import Argument, Interface
from ..expr import free_symbols
from ..program.program import Step, live_steps
from . import arctangent, trigonometry
from .assembly import Lanes, function
from .emitter import Emitter, declarations
from .host import Host
from .loops import Looping

RUN, PRECOMPUTE = "run", "precompute"


def module(facts: Interface, host: Host, flags: str = "") -> str:
    """The assembly of all functions of a program."""
    program = facts.program
    lanes = Lanes(1, host.fused)
    run = Emitter(lanes, host.together, flags)
    count = len(facts.read) + len(facts.outputs)
    parts = [one_state(run, RUN, facts.read, program.steps, facts.outputs), states_loop(RUN, count), table(count)]
    emitters = [run]
    if facts.has_precompute:
        once = Emitter(lanes, host.together)
        parts += [one_state(once, PRECOMPUTE, [facts.parameters], program.precompute, [facts.constants])]
        parts += [states_loop(PRECOMPUTE, 2)]
        emitters.append(once)
    return "\n".join([*ours(emitters, lanes), *parts]) + "\n"


def ours(emitters: Sequence[Emitter], lanes: Lanes) -> list[str]:
    """The functions of ours that were called, after the declarations of what they call in turn."""
    widths = set().union(*(emitter.sincos_widths for emitter in emitters))
    parts = declarations(widths | {lanes.width})
    parts += [trigonometry.definition(Lanes(width, lanes.fused)) for width in sorted(widths)]
    if any(emitter.takes_atan2 for emitter in emitters):
        parts.append(arctangent.definition(lanes))
    return parts


def one_state(
    e: Emitter,
    name: str,
    read: Sequence[Argument],
    steps: Sequence[Step],
    written: Sequence[Argument],
    linkage: str = "",
    inlining: str = "noinline",
) -> str:
    """The function of one state: load what is used, compute, store. Arguments are %a0, %a1, ..."""
    moves = _moved(read, written, e.together)
    moved = moves.inside
    alone = [
        (i, j, entry)
        for i, argument in enumerate(written)
        for j, entry in enumerate(argument.array.entries)
        if (i, j) not in moved
    ]
    results = [entry for _, _, entry in alone]
    steps = live_steps(steps, results)
    used = set(free_symbols(*results, *(step.expr for step in steps)))
    for i, argument in enumerate(read):
        for j, symbol in enumerate(argument.array.entries):
            if symbol in used:
                e.sources[symbol] = partial(e.load_at, f"%a{i}", j)
    values = e.body(steps, results)
    kind = f"<{e.together} x double>"
    together = [
        e.add(f"load {kind}, ptr {e.add(f'getelementptr double, ptr %a{i}, i64 {j}')}, align 8")
        for i, j in moves.places.values()
    ]
    for (i, j), value in zip(moves.places, together, strict=True):  # what is read may be overwritten: first all is read
        place = e.add(f"getelementptr double, ptr %a{len(read) + i}, i64 {j}")
        e.line(f"store {kind} {value}, ptr {place}, align 8")
    for (i, j, _), value in zip(alone, values, strict=True):
        e.store_at(value, f"%a{len(read) + i}", j)
    taken = ", ".join(f"ptr %a{i}" for i in range(len(read) + len(written)))
    return function(f"{linkage} void @{name}({taken}) {inlining} nounwind".lstrip(), e, "ret void")


@dataclass(frozen=True)
class _Moves:
    """Entries of the results that lie beside each other as they do in what is read: where they go (argument, entry), and from where."""

    places: dict[tuple[int, int], tuple[int, int]]
    width: int

    @property
    def inside(self) -> set[tuple[int, int]]:
        return {(i, j + k) for i, j in self.places for k in range(self.width)}


def _moved(read: Sequence[Argument], written: Sequence[Argument], width: int) -> _Moves:
    found = _Moves({}, width)
    if width == 1:
        return found
    sources = {symbol: (i, j) for i, argument in enumerate(read) for j, symbol in enumerate(argument.array.entries)}
    for i, argument in enumerate(written):
        entries, j = [sources.get(entry) for entry in argument.array.entries], 0
        while j <= len(entries) - width:
            first = entries[j]
            if first and entries[j : j + width] == [(first[0], first[1] + k) for k in range(width)]:
                found.places[i, j] = first
                j += width
            else:
                j += 1
    return found


def table(count: int) -> str:
    """The function of a table of the addresses of arguments."""
    a = Looping(Lanes())
    passed = ", ".join(f"ptr {a.word('%table', i, 'ptr')}" for i in range(count))
    a.line(f"call void @{RUN}({passed})")
    return function(f"void @{RUN}_table(ptr %table) nounwind", a, "ret void")


def states_loop(name: str, count: int) -> str:
    """The function of many states, which calls the one of one state."""
    a = Looping(Lanes())
    taken = [(a.word("%table", 2 * k, "ptr"), a.word("%table", 2 * k + 1)) for k in range(count)]
    with a.loop("%n") as i:
        passed = ", ".join(f"ptr {a.at(start, a.whole('mul', i, distance))}" for start, distance in taken)
        a.line(f"call void @{name}({passed})")
    return function(f"void @{name}_batch(i64 %n, ptr %table) nounwind", a, "ret void")
