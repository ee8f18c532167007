"""What the languages share about a routine: names, the order of arguments, the constants of its programs, the doc.

Arguments stand in this order: the inputs, ``parameters`` if a program reads them, ``constants`` if there is work to
precompute (``NAME_precompute`` makes those of all programs, one after the other), then the solutions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ... import __version__
from ...program.program import Program
from ...program.routine import COUNT, Kernel, Routine, Run, Slot, walk
from ..interface import BY_ROWS, CONSTANTS, PARAMETERS, Interface, indexed, interface, one_line, shape_text
from ..layout import paragraph
from ..names import Names, identifier, shortened


@dataclass(frozen=True)
class RoutineFacts:
    """Everything a printer needs to know but the stages."""

    routine: Routine
    stem: str  # what the names of its functions and files begin with
    solve: str
    precompute: str
    keep: str  # the helper that appends a solution
    programs: Mapping[Program, Interface]
    offsets: Mapping[Program, int]  # where a program's part of the constants begins
    slots: Mapping[str, str]  # the identifier of every array of the workspace
    names: Names

    @property
    def constants(self) -> int:
        return sum(facts.constants.size for facts in self.programs.values())

    @property
    def reads_parameters(self) -> bool:
        return any(facts.reads_parameters for facts in self.programs.values())

    @property
    def kernels(self) -> list[Kernel]:
        return [stage for stage in walk(self.routine.stages) if isinstance(stage, Kernel)]

    @property
    def units(self) -> list[float]:
        """The units of the columns, should any not be one."""
        units = [float(unit) for unit in self.routine.units]
        return units if any(unit != 1.0 for unit in units) else []

    @property
    def taken(self) -> list[tuple[str, tuple[int, ...]]]:
        """What the function that solves reads, in order: names and shapes."""
        found = [(self.slots[slot.name], slot.shape) for slot in self.routine.inputs]
        found += [(PARAMETERS, (len(self.routine.parameter_symbols),))] if self.reads_parameters else []
        return found + ([(CONSTANTS, (self.constants,))] if self.constants else [])

    def places(self, stage: Run) -> tuple[list[str], list[str]]:
        """The identifiers of what a program reads and makes."""
        program = stage.program
        return tuple([self.slots[stage.place(a)] for a in arrays] for arrays in (program.inputs, program.outputs))  # type: ignore[return-value]

    def shape(self, name: str) -> tuple[int, ...]:
        if name == COUNT:
            return ()
        slots: Iterable[Slot] = (*self.routine.inputs, *self.routine.workspace)
        return next(slot.shape for slot in slots if slot.name == name)


def routine_facts(
    routine: Routine, reserved: Iterable[str], name: str | None, *, rules: type[Names] = Names
) -> RoutineFacts:
    words = frozenset([*reserved, PARAMETERS, CONSTANTS])
    names = rules([*words, "solutions"])
    stem = identifier(shortened(name or routine.name))
    solve, precompute, keep = (names.take(f"{stem}_{what}") for what in ("solve", "precompute", "keep"))
    programs, offsets, place = {}, {}, 0
    for program in routine.programs:
        facts = interface(
            program.replace(parameter_symbols=routine.parameter_symbols),
            words - {PARAMETERS, CONSTANTS},
            _short(names, stem, program),
            rules=rules,
        )
        programs[program], offsets[program] = facts, place
        place += facts.constants.size
    slots = {slot.name: names.take(slot.name) for slot in (*routine.inputs, *routine.workspace)}
    slots[COUNT] = names.take(COUNT)
    return RoutineFacts(routine, stem, solve, precompute, keep, programs, offsets, slots, names)


def _short(names: Names, stem: str, program: Program) -> str:
    """``rx90_inverse_geometric``, whether or not the program's own name begins with the robot's."""
    own = identifier(program.name)
    return names.take(own if own.startswith(f"{stem}_") else f"{stem}_{own}")


# --- documentation ---------------------------------------------------------------------------------------------------


def documentation(
    facts: RoutineFacts,
    width: int,
    fills: bool,
    *,
    returned: str = "",
    first: int = 0,
    storage: str = BY_ROWS,
    made: Sequence[str] = (),
) -> list[str]:
    """The heading, the notes and the arguments; ``fills``: the function fills an array and returns a number.

    ``returned`` says what else it returns than a list of lists; ``first`` is where the language counts indices from;
    ``made`` are the lines about what is made, should both be otherwise.
    """
    routine = facts.routine
    head = f"{facts.solve}: {one_line(routine.notes[0] if routine.notes else routine.name)}"
    lines = [head, "", f"Generated by Robosym {__version__}.", *([""] if routine.notes[1:] else [])]
    for note in routine.notes[1:]:
        lines += paragraph(one_line(note), width, "", "")
    if routine.columns:
        lines += ["", *paragraph(f"A solution: {indexed(map(one_line, routine.columns), first)}.", width, "", "")]
    lines += ["", f"Arguments in order, {storage}:"]
    for slot in routine.inputs:
        lines.append(f"  {facts.slots[slot.name]} [{shape_text(slot.shape)}], in")
    parameters = f"{PARAMETERS} [{len(routine.parameter_symbols)}], in"
    listed = f"{parameters}: {indexed([symbol.name for symbol in routine.parameter_symbols], first)}"
    if facts.reads_parameters:
        lines += paragraph(listed, width)
    if facts.constants:
        lines.append(f"  {CONSTANTS} [{facts.constants}], in, from {facts.precompute}")
    if made:
        lines += made
    elif fills:
        lines.append(f"  solutions [{routine.most}x{routine.width}], out: a row for each solution, as many as returned")
        lines += ["", "Returns the number of solutions, 0 if there is none. The rows after them are left as they were."]
    else:
        returned = returned or f"a list of solutions, each a list of {routine.width}"
        lines += ["", f"Returns {returned}: at most {routine.most}, or none."]
    if facts.constants:
        lines += ["", f"{facts.precompute}: call it once for each set of parameters."]
        lines += paragraph(f"{parameters}, as above" if facts.reads_parameters else listed, width)
        lines += [f"  {CONSTANTS} [{facts.constants}], out"] if fills else []
    return lines
