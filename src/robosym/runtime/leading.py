"""A routine cut in two for batches: the programs it begins with, which run in vectors on many states, and the rest."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from ..program.routine import Copy, Routine, Run, Slot, Stage
from ..program.uses import uses


def leading_runs(routine: Routine) -> tuple[Run, ...]:
    """The programs that run whatever happens, before anything else."""
    return tuple(stage for stage in takewhile(lambda stage: isinstance(stage, Run), routine.stages))  # type: ignore[misc]


def rest_of(routine: Routine) -> tuple[Routine, list[str]]:
    """The routine without its leading programs; what they made and is still needed is given to it. With it, for each
    of its inputs, which array of the whole it is: one that it changes, or that goes out, has another name in it."""
    first = leading_runs(routine)
    stages = routine.stages[len(first) :]
    made = {stage.place(array): array.shape for stage in first for array in stage.program.outputs}
    given = {slot.name: slot for slot in routine.inputs}
    results = {slot.name for slot in routine.outputs}
    touched = list(uses(stages))
    read, written = ({name for name, writes in touched if writes is how} for how in (False, True))
    inputs, copies, sources = [], [], []
    taken = {*given, *made, *results, *(name for name, _ in touched)}
    for name in dict.fromkeys([*given, *made]):
        if name in made and (name in results or (name in written and name in read)):
            other = _other_name(name, taken)
            inputs.append(Slot(other, made[name]))
            copies.append(Copy(other, name))
        elif name in made and name in read:
            inputs.append(Slot(name, made[name]))
        elif name not in made and (name in read or name in results):
            inputs.append(given[name])
        else:
            continue
        sources.append(name)
    whole: tuple[Stage, ...] = (*copies, *stages)
    return replace(routine, inputs=tuple(inputs), stages=whole), sources


def _other_name(name: str, taken: set[str]) -> str:
    other = f"{name}, as made"
    while other in taken:
        other += " before"
    taken.add(other)
    return other
