"""The module of a routine, as LLVM assembly: the functions of ``ir`` with the same names and arguments.

Programs and kernels are functions of their own, which LLVM puts into the loops around them where they are small or used once.
The workspace and all but large outputs lie on the stack, as far as there is room, where LLVM finds out what can stay
in registers; outputs are brought to their places in the end, so that they may overlap inputs. Only a large output is
worked on in place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ..codegen.interface import Argument
from ..codegen.routines.facts import RoutineFacts
from ..program.program import Program
from ..program.routine import Kernel, Repeat, Routine, Run, Stage, When, inner, walk
from . import ir
from .assembly import Lanes, function
from .code import DECLARATIONS, Cells, Code
from .emitter import Emitter
from .host import Host
from .kernels_ir import kernel_definition, kernel_name, kernel_workspace
from .rows_ir import as_they_lie, is_even, lying_by_columns, rows_function, run_rows
from .stages_ir import Stages

LARGE = 512  # doubles: an output of more is worked on in place, other arrays of more do not lie on the stack
ROOM = 2**15  # doubles on the stack: a thread may have no more than a few hundred kilobytes
SHORT = 60  # lines of a program that is put in wherever it is used; more of them would take long to compile
LONG = 3000  # lines of assembly that would take too long with all that LLVM can do
LONGEST_INSIDE = 20_000  # lines of one that is put in where it is used once


def routine_module(facts: RoutineFacts, host: Host, flags: str = "") -> str:
    """The assembly of all functions of a routine."""
    lanes = Lanes(1, host.fused)
    stages = list(walk(facts.routine.stages))
    uses = Counter(stage.program for stage in stages if isinstance(stage, Run))
    runs = {stage.program: stage for stage in stages if isinstance(stage, Run)}
    seldom = _guarded(facts.routine)
    wide = Lanes(host.together, host.fused)  # wider ones slow down what stands around them
    loops = [stage for stage in stages if is_even(stage, facts, wide)]
    across = lying_by_columns(facts, loops)
    emitters: list[Emitter] = []
    parts = []
    programs: list[tuple[str, str, bool]] = []  # with how they are usually put in, and whether they run seldom
    for number, (program, one) in enumerate(facts.programs.items()):
        run = Emitter(lanes, host.together, flags)
        read, made = (as_they_lie(runs[program], part, across) for part in (one.read, one.outputs))
        text = ir.one_state(run, f"program{number}", read, one.program.steps, made, "internal", "INSIDE")
        lines = len(run.lines)
        inside = lines <= SHORT or (lines <= LONGEST_INSIDE and uses[program] == 1)
        programs.append((text, "alwaysinline" if inside else "noinline", program in seldom and lines > SHORT))
        emitters.append(run)
        if one.has_precompute:
            once = Emitter(lanes, host.together)
            parts.append(
                ir.one_state(
                    once, f"once{number}", [one.parameters], one.program.precompute, [one.constants], "internal"
                )
            )
            emitters.append(once)
    # Of a long routine, what seldom happens is compiled quickly: it runs nearly as fast, and nobody waits for it.
    is_long = sum(text.count("\n") for text, _, _ in programs) > LONG
    parts += [
        text.replace("INSIDE", "noinline optnone" if is_seldom and is_long else how, 1)
        for text, how, is_seldom in programs
    ]
    kernels = {_of(facts, stage): len(stage.outputs) for stage in stages if isinstance(stage, Kernel)}
    parts += [kernel_definition(name, shapes, outputs) for (name, shapes), outputs in kernels.items()]
    even = {id(stage): f"rows{i}" for i, stage in enumerate(loops)}
    parts += [rows_function(even[id(stage)], facts, stage, wide, flags, across) for stage in loops]
    parts += [_run(facts, even, wide.width, across), ir.table(len(facts.read) + len(facts.outputs))]
    parts += [ir.states_loop(ir.RUN, len(facts.read) + len(facts.outputs))]
    if facts.has_precompute:
        parts += [_precompute(facts), ir.states_loop(ir.PRECOMPUTE, 2)]
    return "\n".join([*ir.ours(emitters, lanes), *DECLARATIONS, *_ALLOCATION, *parts]) + "\n"


def _guarded(routine: Routine) -> frozenset[Program]:
    """The programs that run in guarded parts alone."""
    found: set[Program] = set()
    others: set[Program] = set()

    def look(stages: Sequence[Stage], inside: bool) -> None:
        for stage in stages:
            if isinstance(stage, Run):
                (found if inside else others).add(stage.program)
            for part in inner(stage):
                look(part, inside or isinstance(stage, When))

    look(routine.stages, False)
    return frozenset(found - others)


_ALLOCATION = ("declare noalias ptr @malloc(i64)", "declare void @free(ptr)")


def _of(facts: RoutineFacts, stage: Kernel) -> tuple[str, tuple[tuple[int, ...], ...]]:
    return stage.name, tuple(facts.shape(name) for name in stage.inputs)


_WORK: Any = object()  # the place of what kernels work in, beside those of arrays by name


def _kernel_workspace(facts: RoutineFacts) -> int:
    """As much as the greediest needs: they do not run at the same time."""
    return max((kernel_workspace(*_of(facts, stage)) for stage in facts.kernels), default=0)


def _precompute(facts: RoutineFacts) -> str:
    """The constants of all programs, one after the other."""
    c = Code()
    for number, (program, one) in enumerate(facts.programs.items()):
        if one.has_precompute:
            c.line(f"call void @once{number}(ptr %a0, ptr {c.at('%a1', facts.offsets[program])})")
    return function(f"void @{ir.PRECOMPUTE}(ptr %a0, ptr %a1) noinline nounwind", c, "ret void")


# --- the main function -----------------------------------------------------------------------------------------------


def _run(facts: RoutineFacts, even: Mapping[int, str], width: int, across: Collection[str]) -> str:
    """``run``: the places of all arrays, state brought into them, the stages, outputs brought to where they go."""
    c = Code()
    places: dict[str, Cells] = {}
    heads = []
    pointers: dict[str, str] = {}
    state = {slot.name for slot in facts.routine.state}
    for i, argument in enumerate((*facts.read, *facts.outputs)):
        given = i < len(facts.read)
        alone = not given and argument.size > LARGE and argument.array.name not in state
        kind = "readonly " if given else "noalias " if alone else ""
        heads.append(f"ptr {kind}%a{i}")
        pointers[argument.name] = f"%a{i}"
    for argument in facts.inputs:
        places[argument.array.name] = Cells(c, pointers[argument.name])
    brought = {one.array.name: one.size for one in facts.outputs if one.size <= LARGE}
    sizes: dict[Any, int] = {_WORK: _kernel_workspace(facts), **brought}
    sizes |= {slot.name: slot.size for slot in facts.routine.workspace}
    near = _near(sizes)
    own = {name: c.cells(size) for name, size in near.items()}
    far = {name: size for name, size in sizes.items() if name not in near}
    heap = _far_workspace(c, facts.outputs, pointers, 8 * sum(far.values())) if far else None
    offset = 0
    for name, size in far.items():
        own[name] = Cells(c, c.at(str(heap), offset))
        offset += size
    for argument in facts.outputs:
        name = argument.array.name
        own.setdefault(name, Cells(c, pointers[argument.name]))
        if name in state:
            c.copy(places[name], own[name], argument.size)
    places |= own
    numbers = {program: f"program{i}" for i, program in enumerate(facts.programs)}

    def run(stage: Run) -> None:
        c.line(f"call void @{numbers[stage.program]}({_passed(c, facts, stage, places, pointers)})")

    def kernel(stage: Kernel) -> None:
        passed = ", ".join(f"ptr {places[name].pointer}" for name in (*stage.inputs, *stage.outputs, _WORK))
        c.line(f"call void @{kernel_name(*_of(facts, stage))}({passed})")

    def rows(stage: Repeat) -> bool:
        if id(stage) in even:
            run_rows(c, facts, stage, even[id(stage)], places, width, across)
        return id(stage) in even

    Stages(c, facts.routine, places, run, kernel, rows).all(facts.routine.stages)
    for argument in facts.outputs:
        if argument.array.name in brought:
            c.copy(places[argument.array.name], Cells(c, pointers[argument.name]), argument.size)
    if heap is not None:
        c.line(f"call void @free(ptr {heap})")
    return function(f"void @{ir.RUN}({', '.join(heads)}) noinline nounwind", c, "ret void")


def _near(sizes: dict[Any, int]) -> dict[Any, int]:
    """What lies on the stack: the smallest, as long as there is room."""
    total = 0
    near = {}
    for name, size in sorted(sizes.items(), key=lambda one: one[1]):
        total += size
        if size <= LARGE and total <= ROOM:
            near[name] = size
    return near


def _passed(c: Code, facts: RoutineFacts, stage: Run, places: dict[str, Cells], pointers: dict[str, str]) -> str:
    """The arguments of a program's function."""
    program: Program = stage.program
    one = facts.programs[program]
    taken = [places[stage.place(array)].pointer for array in program.inputs]
    taken += [pointers[facts.parameters.name]] if one.reads_parameters else []
    if one.has_precompute:
        taken.append(c.at(pointers[facts.constants.name], facts.offsets[program]))
    taken += [places[stage.place(array)].pointer for array in program.outputs]
    return ", ".join(f"ptr {pointer}" for pointer in taken)


def _far_workspace(c: Code, outputs: Sequence[Argument], pointers: dict[str, str], size: int) -> str:
    """Memory that is given back in the end; if there is none, nothing can be computed and every output is nan."""
    heap = c.add(f"call ptr @malloc(i64 {size})")
    with c.when(c.add(f"icmp eq ptr {heap}, null"), "ret void"):
        for argument in outputs:
            c.fill(Cells(c, pointers[argument.name]), argument.size, float("nan"))
    return heap
