"""A routine cut in two for batches: the programs it begins with, which run in vectors on many states, and the rest."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from itertools import takewhile

from ..program.routine import Copy, Routine, Run, Slot, Stage
from ..program.uses import uses


def leading_runs(routine: Routine) -> tuple[Run, ...]:
    """The programs that run whatever happens, before anything else."""
    return tuple(stage for stage in takewhile(lambda stage: isinstance(stage, Run), routine.stages))  # type: ignore[misc]


@cache
def made_name(name: str) -> str:
    """The input of the rest for an array that has been made before and is changed by it, or goes out."""
    return sys.intern(f"{name}, as made")  # direct calls know names by the object


def rest_of(routine: Routine) -> Routine:
    """The routine without its leading programs; what they made and is still needed is given to it."""
    first = leading_runs(routine)
    stages = routine.stages[len(first) :]
    made = {stage.place(array): array.shape for stage in first for array in stage.program.outputs}
    given = {slot.name: slot for slot in routine.inputs}
    results = {slot.name for slot in routine.outputs}
    touched = list(uses(stages))
    read, written = ({name for name, writes in touched if writes is how} for how in (False, True))
    inputs, copies = [], []
    for name in dict.fromkeys([*given, *made]):
        if name in made and (name in results or (name in written and name in read)):
            inputs.append(Slot(made_name(name), made[name]))
            copies.append(Copy(made_name(name), name))
        elif name in made and name in read:
            inputs.append(Slot(name, made[name]))
        elif name not in made and (name in read or name in results):
            inputs.append(given[name])
    whole: tuple[Stage, ...] = (*copies, *stages)
    return replace(routine, inputs=tuple(inputs), stages=whole)
