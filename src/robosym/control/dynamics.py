"""A model of the robot inside a law: its stages, and what it needs from call to call and says beside its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..expr import maximum, select
from ..generated import Model
from ..generated.stages import stages_of
from ..models.common import ASSEMBLED, PASSIVE, START
from ..program.of_arrays import program_of, run_over
from ..program.optional import default_inputs
from ..program.routine import Run, Slot, Stage

FOUND_ONCE = "passive_found"


@dataclass(frozen=True)
class Inside:
    """A model as part of a law. Of closed loops that are solved by iteration it begins where the last call ended."""

    model: Model
    stages: tuple[Stage, ...]
    inputs: tuple[Slot, ...] = ()
    state: tuple[Slot, ...] = ()
    outputs: tuple[Slot, ...] = ()


def inside(model: Model, names: Mapping[str, str], label: str = "model") -> Inside:
    """``names`` are the arrays of the law that inputs and outputs of the model are. Whether closed loops can be assembled goes out
    as ``assembled``."""
    arrays = {array.name: array.shape for array in (*model.code.inputs, *model.code.outputs)}
    if ASSEMBLED not in arrays:
        return Inside(model, stages_of(model, label, names))
    told = Slot(ASSEMBLED, (), "1 where the closed loops can be assembled, else 0, and tau means nothing")
    places = {**names, ASSEMBLED: ASSEMBLED}
    if START not in arrays:
        return Inside(model, stages_of(model, label, places), outputs=(told,))
    shape = arrays[START]
    first = default_inputs(model.code, model.optional, model.defaults).get(START)
    if first is None:  # nobody knows where: the caller says it at every call
        start = Slot(START, shape, "where the iteration that closes the loops begins")
        found = Slot(PASSIVE, shape, "positions of the passive joints, where it ended")
        own = stages_of(model, label, {**places, START: START, PASSIVE: PASSIVE})
        return Inside(model, own, (start,), outputs=(found, told))
    state = (
        Slot(PASSIVE, shape, "positions of the passive joints found last"),
        Slot(FOUND_ONCE, (), "0 before the first were found, then 1"),
    )

    def begun(passive: Any, passive_found: Any) -> dict[str, Any]:
        return {"start": [select(passive_found, x, float(y)) for x, y in zip(passive, first, strict=True)]}

    def ended(passive: Any, passive_found: Any, found: Any, assembled: Any) -> dict[str, Any]:
        kept = [select(assembled, x, y) for x, y in zip(found, passive, strict=True)]
        return {"passive_now": kept, "passive_found_now": maximum(passive_found, assembled)}

    before = program_of("where the iteration begins", {PASSIVE: shape, FOUND_ONCE: ()}, begun)
    shapes = {PASSIVE: shape, FOUND_ONCE: (), "found": shape, ASSEMBLED: ()}
    after = program_of("where it ended", shapes, ended)
    own = stages_of(model, label, {**places, START: f"{label}_start", PASSIVE: f"{label}_found"})
    stages = (
        Run(before, {"start": f"{label}_start"}),
        *own,
        run_over(after, found=f"{label}_found"),
    )
    return Inside(model, stages, state=state, outputs=(told,))
