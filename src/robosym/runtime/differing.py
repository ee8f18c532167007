"""Which arrays of a routine may differ between the states of a batch; the others are worked out once for all states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..program.routine import Each, Newton, Repeat, Routine, Run, Stage, When
from ..program.uses import uses


def differing(routine: Routine, given: Iterable[str], sets: bool) -> frozenset[str]:
    """The arrays that may differ where the ``given`` inputs do, and the parameters if there are ``sets`` of them."""
    found = set(given)
    known = -1
    while known < len(found):  # a loop carries what differs at its end to its beginning
        known = len(found)
        _look(routine.stages, found, sets, False)
    return frozenset(found)


def _look(stages: Sequence[Stage], found: set[str], sets: bool, guarded: bool) -> None:
    """``guarded``: not every state runs these stages. What only some of them write differs."""
    for stage in stages:
        match stage:
            case Each():
                inside = guarded or stage.count in found
                if inside or stage.array in found:
                    found.add(stage.row)
                _look(stage.stages, found, sets, inside)
            case Repeat():
                inside = guarded or stage.times in found or stage.until in found
                if inside and stage.turn is not None:
                    found.add(stage.turn)
                _look(stage.stages, found, sets, inside)
            case When():
                inside = guarded or stage.condition in found
                _look(stage.stages, found, sets, inside)
                _look(stage.otherwise, found, sets, inside)
            case Newton():  # as a whole: how many steps are made hangs on all that is in it
                inside = guarded or not found.isdisjoint(name for name, _ in uses([stage]))
                if inside:
                    found.add(stage.unknown)
                _look(stage.stages, found, sets, inside)
            case _:
                own = sets and isinstance(stage, Run) and bool(stage.program.parameter_symbols)
                if guarded or own or any(name in found for name, _ in uses([stage])):
                    found.update(name for name, writes in uses([stage]) if writes)
