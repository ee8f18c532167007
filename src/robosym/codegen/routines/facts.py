"""What the languages share about a routine: names, the order of arguments, the constants of its programs, the doc.

Arguments stand in the order of those of a program (``interface.py``): the inputs, ``parameters`` and ``constants`` when they are
read, then the outputs. ``NAME_precompute`` makes the constants of all programs, one after the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ... import __version__
from ...expr import number
from ...program.program import Array, Program
from ...program.routine import Collect, Kernel, Routine, Run, Slot, walk
from ..interface import BY_ROWS, CONSTANTS, Argument, Interface, interface
from ..layout import paragraph
from ..names import Names, identifier, shortened
from ..nested import indices
from ..words import (
    PARAMETERS,
    SAID_WIDTH,
    indexed,
    introduced,
    listed,
    one_line,
    parameter_entries,
    parameters_about,
    prose,
    said_lines,
    shape_text,
)


@dataclass(frozen=True)
class Keeper:
    """What a function does that appends a row to an array (``Collect``): how many rows there may be, of what shape, and
    which are there already."""

    most: int
    row: tuple[int, ...]
    within: tuple[float, ...]  # of the entries by rows, as ``turns``
    turns: tuple[bool, ...]

    @property
    def size(self) -> int:
        return math.prod(self.row)

    @property
    def by_columns(self) -> Keeper:
        """The same, ``within`` and ``turns`` in the order in which languages go through a matrix that store it by columns."""
        order = columns_first(self.row)
        within, turns = (tuple(part[i] for i in order) if part else () for part in (self.within, self.turns))
        return replace(self, within=within, turns=turns)  # type: ignore[arg-type]


@dataclass(frozen=True)
class RoutineFacts:
    """Everything a printer needs to know but the stages. What has the name of a field of ``Interface`` means the same.

    ``slots`` has the identifier under which stages know an array. That of a state is the output's: it is filled with the
    input first.
    """

    routine: Routine
    function: str
    precompute_function: str
    inputs: tuple[Argument, ...]
    parameters: Argument
    constants: Argument
    outputs: tuple[Argument, ...]
    reads_parameters: bool
    programs: Mapping[Program, Interface]
    offsets: Mapping[Program, int]  # where a program's part of the constants begins
    slots: Mapping[str, str]
    keepers: Mapping[Keeper, str]  # the functions that append a row
    names: Names

    @property
    def has_precompute(self) -> bool:
        return self.constants.size > 0

    @property
    def read(self) -> tuple[Argument, ...]:
        """The arguments the function reads, in order."""
        shared = [self.parameters] if self.reads_parameters else []
        return (*self.inputs, *shared, *([self.constants] if self.has_precompute else []))

    @property
    def kernels(self) -> list[Kernel]:
        return [stage for stage in walk(self.routine.stages) if isinstance(stage, Kernel)]

    @property
    def state(self) -> list[tuple[Argument, Argument]]:
        """What is to be copied before the stages: inputs, and the outputs that begin with them."""
        outputs = {argument.array.name: argument for argument in self.outputs}
        return [(one, outputs[one.array.name]) for one in self.inputs if one.array.name in outputs]

    def places(self, stage: Run) -> tuple[list[str], list[str]]:
        """The identifiers of what a program reads and makes."""
        program = stage.program
        return tuple([self.slots[stage.place(a)] for a in arrays] for arrays in (program.inputs, program.outputs))  # type: ignore[return-value]

    def shape(self, name: str) -> tuple[int, ...]:
        return self.routine.shape(name)

    def size(self, name: str) -> int:
        return Slot(name, self.shape(name)).size

    def keeper(self, stage: Collect) -> str:
        """The function that appends a row for this stage."""
        return self.keepers[keeper_of(self.routine, stage)]


def keeper_of(routine: Routine, stage: Collect) -> Keeper:
    most, *row = routine.shape(stage.into)
    turns = (stage.turns or (False,) * math.prod(row)) if stage.within else ()
    return Keeper(most, tuple(row), tuple(map(float, stage.within)), tuple(map(bool, turns)))


def columns_first(shape: tuple[int, ...]) -> list[int]:
    """The entries of an array, numbered by rows, in the order in which the first index runs fastest."""
    return sorted(range(math.prod(shape)), key=lambda flat: indices(flat, shape)[::-1])


def routine_facts(
    routine: Routine, reserved: Iterable[str], name: str | None, *, rules: type[Names] = Names
) -> RoutineFacts:
    """The facts for one language, given the words that language (or what we write around stages) keeps for itself."""
    words = frozenset([*reserved, PARAMETERS, CONSTANTS])
    names = rules(words)
    function = names.take(shortened(name or routine.name))
    precompute = names.take(f"{function}_precompute")
    programs, offsets, place = {}, {}, 0
    for program in routine.programs:
        facts = interface(
            program.replace(parameter_symbols=routine.parameter_symbols),
            words - {PARAMETERS, CONSTANTS},
            _short(names, function, program),
            rules=rules,
        )
        programs[program], offsets[program] = facts, place
        place += facts.constants.size
    kinds = dict.fromkeys(keeper_of(routine, one) for one in walk(routine.stages) if isinstance(one, Collect))
    keepers = {kind: names.take(f"{function}_keep") for kind in kinds}
    inputs = {slot.name: _argument(slot, names.take(slot.name)) for slot in routine.inputs}
    outputs = {
        slot.name: _argument(slot, names.take(f"{slot.name}_next" if slot.name in inputs else slot.name))
        for slot in routine.outputs
    }
    known = {key: argument.name for key, argument in (inputs | outputs).items()}
    constants = tuple(entry for one in programs.values() for entry in one.constants.array.entries)
    symbols = routine.parameter_symbols
    return RoutineFacts(
        routine=routine,
        function=function,
        precompute_function=precompute,
        inputs=tuple(inputs.values()),
        parameters=Argument(Array(PARAMETERS, (len(symbols),), symbols), PARAMETERS),
        constants=Argument(Array(CONSTANTS, (len(constants),), constants), CONSTANTS),
        outputs=tuple(outputs.values()),
        reads_parameters=any(one.reads_parameters for one in programs.values()),
        programs=programs,
        offsets=offsets,
        slots=known | {slot.name: names.take(slot.name) for slot in routine.workspace},
        keepers=keepers,
        names=names,
    )


def _argument(slot: Slot, name: str) -> Argument:
    entries = (number(0),) * slot.size  # only how many counts: there may be millions, and names of slots are any text
    return Argument(Array(slot.name, slot.shape, entries), name)


def _short(names: Names, stem: str, program: Program) -> str:
    """``rx90_closure``, whether or not the program's own name begins with the routine's."""
    own = identifier(program.name)
    return names.take(own if own.startswith(f"{stem}_") else f"{stem}_{own}")


# --- documentation ---------------------------------------------------------------------------------------------------


def documentation(
    facts: RoutineFacts,
    width: int,
    fills: bool,
    *,
    several: str = "a dict",
    keys: Sequence[str] | None = None,
    first: int = 0,
    storage: str = BY_ROWS,
    may_overlap: bool = True,
) -> list[str]:
    """The heading, the notes and the arguments. ``fills``: the function fills its outputs, else it returns them, several as
    the language's mapping by name, under ``keys`` if not their own names; ``first`` is where the language counts indices
    from, ``may_overlap`` whether a state may come out where it went in."""
    said = facts.routine.documentation
    lines = [heading(facts), "", *introduced(said), f"Generated by Robosym {__version__}."]
    notes = [
        paragraph(prose(note), width if said is None else min(width, SAID_WIDTH), "", "")
        for note in facts.routine.notes[1:]
    ]
    lines += ["", *(line for note in notes for line in note)] if notes else []
    lines += ["", f"Operations of every call: {facts.routine.operations}"]
    lines += ["", f"Arguments in order, {storage}:"]
    for argument in facts.inputs:
        lines += _listed(facts, argument, argument.name, ", in", width, first)
    names = [symbol.name for symbol in facts.routine.parameter_symbols]
    symbols = indexed(parameter_entries(said, names), first)
    parameters, about = f"{PARAMETERS} [{facts.parameters.size}], in", parameters_about(said)
    if facts.reads_parameters:
        lines += said_lines([parameters, about, symbols], said, width)
    if facts.has_precompute:
        lines.append(f"  {CONSTANTS} [{facts.constants.size}], in, from {facts.precompute_function}")
    if fills:
        for argument in facts.outputs:
            lines += _listed(facts, argument, argument.name, ", out", width, first)
        if facts.state and may_overlap:
            same = ", ".join(f"{one.name} and {other.name}" for one, other in facts.state)
            lines += paragraph(f"May be the same: {same}.", width)
    else:
        lines += ["", "Returns" if len(facts.outputs) == 1 else f"Returns {several}:"]
        for argument, key in zip(facts.outputs, keys or [one.array.name for one in facts.outputs], strict=True):
            lines += _listed(facts, argument, one_line(key), "", width, first)
    if facts.has_precompute:
        lines += ["", f"{facts.precompute_function}: call it once for each set of parameters."]
        known = [f"{parameters}, as above"] if facts.reads_parameters else [parameters, about, symbols]
        lines += said_lines(known, said, width)
        lines += [f"  {CONSTANTS} [{facts.constants.size}], out"] if fills else []
    return lines


def heading(facts: RoutineFacts) -> str:
    routine = facts.routine
    return f"{facts.function}: {one_line(routine.notes[0] if routine.notes else routine.name)}"


def _listed(facts: RoutineFacts, argument: Argument, name: str, remark: str, width: int, first: int) -> list[str]:
    """An argument under the name it has; what its slot says of it where the documentation says nothing."""
    array, routine = argument.array, facts.routine
    slots = routine.inputs if any(argument is one for one in facts.inputs) else routine.outputs  # a state is in both
    about = {slot.name: slot.about for slot in slots}[array.name]
    head = f"{name} [{shape_text(array.shape)}]{remark}"
    return listed(head, routine.documentation, array.name, array.shape, width, first, fallback=prose(about))
