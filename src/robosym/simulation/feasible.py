"""Values of parameters that no robot has: impossible bodies, and joints that move no inertia or a negative one.

A description with such values warns when it is loaded; here they are given beside it. Bodies are looked at as the description is. What
the joints feel is looked at where a run starts: A^-1 is what the accelerations change with the torques.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..models import inertia_matrix
from ..models.common import ASSEMBLED
from ..reals import Floats
from ..robot import Robot, Value
from ..robot.checks import problems
from ..robot.joint_entries import speed_names
from .plant import Plant, SimulationError

SOME_RUNS = "parameters of some runs"
IMPOSSIBLE = "physically impossible"
MOST = 64  # sets of values of a batch whose bodies are looked at
ROUNDING = 1e-15  # of the largest inertia, in units of the diagonal: a smaller one is none


def remarks(
    plant: Plant,
    state: Mapping[str, Floats],
    values: Mapping[str, Any],
    changes: list[tuple[int, dict[str, float]]],
    read: frozenset[str],
) -> Iterator[str]:
    """Notes on values that are given beside the description; an error where they leave a joint without inertia. ``values`` are
    numbers, or one for each run; ``read`` are the parameters that the plant takes."""
    sets = [dict(values)] if values else []
    for _, own in changes:
        sets.append({**values, **own})
    known: set[str] = set()
    for one in sets:
        found = [*_bodies(plant.robot, one), *_inertias(plant, state, {k: x for k, x in one.items() if k in read})]
        yield from (note for note in found if note not in known)
        known.update(found)


def _bodies(robot: Robot, values: Mapping[str, Any]) -> Iterator[str]:
    """What a description with these values would warn of."""
    before = {str(problem) for problem in problems(robot)}
    count = max((len(x) for x in values.values() if np.ndim(x)), default=0)
    if not count:
        yield from (f"parameters: {text}" for text in _new(robot, values, before))
        return
    found: set[str] = set()  # without numbers of runs, which differ where a batch is divided into parts
    for k in _looked_at(values, count):
        texts = _new(robot, {name: x[k] if np.ndim(x) else x for name, x in values.items()}, before)
        found |= {text.partition(IMPOSSIBLE)[0] + text.partition(IMPOSSIBLE)[1] for text in texts}
    yield from (f"{SOME_RUNS}: {text}" for text in sorted(found))


def _looked_at(values: Mapping[str, Any], count: int) -> list[int]:
    """The runs of a batch whose bodies are looked at: those with an extreme value, and some between."""
    ends = [int(at(x)) for x in values.values() if np.ndim(x) for at in (np.argmin, np.argmax)]
    return sorted({*ends[: MOST // 2], *np.linspace(0, count - 1, min(count, MOST // 2)).astype(int).tolist()})


def _new(robot: Robot, values: Mapping[str, Any], before: set[str]) -> list[str]:
    changed = robot.replace(values={**robot.values, **{name: Value(float(x)) for name, x in values.items()}})
    return [text for text in map(str, problems(changed)) if text not in before]


def _inertias(plant: Plant, state: Mapping[str, Floats], values: Mapping[str, Any]) -> Iterator[str]:
    """Whether every coordinate has an inertia at the start, of every run."""
    inverse = _inverse_inertia(plant, state, values)
    if inverse is None:
        return
    for k, one in enumerate(inverse):
        whose = SOME_RUNS if len(inverse) > 1 else "parameters"
        if _without_inertia(one):
            own = {name: float(np.broadcast_to(x, (len(inverse),))[k]) for name, x in values.items()}
            raise SimulationError(
                f"{whose}: expected values with which every joint moves an inertia, got none for "
                f"{_least(plant, state, own)}. Give its link or rotor an inertia, or fix the joint."
            )
        if np.linalg.eigvalsh(one + one.T)[0] < 0:
            yield f"{whose}: the inertia matrix is not positive where the run starts: no robot moves so"
            return


def _without_inertia(inverse: Floats) -> bool:
    """Whether a coordinate moves no inertia."""
    if not np.isfinite(inverse).all():
        return True
    size = np.sqrt(np.abs(np.diag(inverse)))
    if not size.all():
        return False
    scaled = inverse / np.outer(size, size)
    return bool((size.min() / size.max()) ** 2 < ROUNDING or np.linalg.cond(scaled) > 1 / ROUNDING)


def _least(plant: Plant, state: Mapping[str, Floats], values: Mapping[str, float]) -> str:
    """The coordinate that moves the least inertia where the run starts."""
    model = inertia_matrix(plant.robot, **plant.closing)
    names = {symbol.name for symbol in model.code.parameter_symbols}
    A = model.evaluate(
        q=np.atleast_2d(state["q"])[0], parameters={key: x for key, x in values.items() if key in names} or None
    )
    size = np.sqrt(np.abs(np.diag(A)))
    if size.all():
        _, vectors = np.linalg.eigh(A / np.outer(size, size))
        place = int(np.abs(vectors[:, 0]).argmax())
    else:
        place = int(size.argmin())
    joints = speed_names(plant.robot)
    base = plant.nv - len(joints)
    return f"joint '{joints[place - base]}'" if place >= base else "the base"


def _inverse_inertia(plant: Plant, state: Mapping[str, Floats], values: Mapping[str, Any]) -> Floats | None:
    """A^-1 at the start, (runs, nv, nv), of the motors where drives are elastic; nan in the rows of links that have infinite
    accelerations. None where loops are open."""
    nv, last = plant.nv, plant.pairs[-1]
    tau = np.vstack([np.zeros(nv), np.eye(nv)[nv - last.nv :]])
    count = max((len(x) for x in values.values() if np.ndim(x)), default=1)
    given: dict[str, Any] = {
        name: np.broadcast_to(x, (count, x.shape[-1]))[:, None] for name, x in state.items() if name in _inputs(plant)
    }
    if plant.sticking is not None:
        given["slip"] = np.ones(nv)
    spread = {name: np.broadcast_to(x, (count,))[:, None] for name, x in values.items()}
    with np.errstate(all="ignore"):
        result = plant.compiled(**given, tau=tau, parameters=spread or None)
        if not np.all(getattr(result, ASSEMBLED, 1)):
            return None
        made = plant.compiled.by_name(result)
        found = np.asarray(made[last.acceleration])
        inverse: Floats = np.swapaxes(found[:, 1:] - found[:, :1], 1, 2)
        links = np.asarray(made[plant.pairs[0].acceleration])[:, 0, nv - last.nv :]
        return np.where(np.isfinite(links)[:, :, None], inverse, np.nan)


def _inputs(plant: Plant) -> set[str]:
    return {slot.name for slot in plant.slots}
