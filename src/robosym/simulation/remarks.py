"""What can be foreseen before a simulation runs: a step that is too large, a torque too small to hold still.

The plant is linearised where it starts, at rest: an eigenvalue that decays or swings by itself and grows in the integrator is a step
that is too large, whatever makes it stiff (smooth friction, springs, dampers).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..control.law import Law
from ..models.integration.integrators import INTEGRATORS
from ..models.integration.mechanism import Pair
from ..models.tree.friction import has_friction
from ..reals import Floats
from ..robot.joint_entries import speed_names
from .grids import Grid
from .kernel import Setup
from .plant import Plant

NUDGE = 1e-6
GROWING = 1e-3  # more than this in a step


def remarks_on(
    plant: Plant, law: Law | None, state: Mapping[str, Floats], setup: Setup, grid: Grid, integrator: str
) -> Iterator[str]:
    first = {name: np.atleast_2d(x)[0] for name, x in state.items()}
    if integrator in INTEGRATORS and (most := INTEGRATORS[integrator].stable) is not None:
        yield from _step_too_large(plant, first, setup, grid, integrator, most)
    if law is not None and setup.limits is not None:
        yield from _too_weak(plant, first, setup)
    if law is not None and law.model.options.get("friction") is False and plant.friction and has_friction(plant.robot):
        yield "the robot has friction, which the model of the law leaves out (its option friction=True compensates it)"


def _step_too_large(
    plant: Plant, state: Mapping[str, Floats], setup: Setup, grid: Grid, integrator: str, stable: float
) -> Iterator[str]:
    """A remark if an eigenvalue times the step is beyond the ``stable`` range of the integrator."""
    found = _slopes(plant, state, setup)
    if found is None:
        return
    slopes, names = found
    values, vectors = np.linalg.eig(slopes)
    size = np.abs(values) * grid.step
    stiff = (size > stable) & (values.real < GROWING * np.abs(values))
    if stiff.any():
        worst = int(np.where(stiff, size, 0).argmax())
        joint = names[int(np.abs(vectors[: len(names), worst]).argmax())]
        most = grid.step * stable / size[worst]
        yield (
            f"the step of {grid.step:g} s is too large for {joint}: {integrator} is stable there below {most:.2g} s "
            "(smaller step, integrator='midpoint', or friction='stick' if smooth friction makes it stiff)"
        )


def _slopes(plant: Plant, state: Mapping[str, Floats], setup: Setup) -> tuple[Floats, list[str]] | None:
    """How accelerations change with positions and speeds, at rest: the matrix of the linear system, with the names of the joints
    of its first half. Poses with a quaternion are held."""
    robot = plant.robot
    function = plant.compiled
    at = {pair.position: state[pair.position] for pair in plant.pairs}
    at |= {pair.speed: np.zeros(pair.nv) for pair in plant.pairs}
    free = [(pair, k) for pair in plant.pairs for k in range(pair.nv)]
    nv, size = plant.nv, len(free)
    places = {pair.position: _positions(pair) for pair in plant.pairs}
    entries = speed_names(robot)
    rows: dict[str, list[Floats]] = {name: [] for name in at}
    for order in (0, 1):
        for pair, k in free:
            for sign in (1, -1):
                moved = dict(at)
                name = pair.speed if order else pair.position
                place = k if order else places[pair.position].get(k)
                if place is not None:
                    moved[name] = moved[name].copy()
                    moved[name][place] += sign * NUDGE
                for key, value in moved.items():
                    rows[key].append(value)
    given: dict[str, Any] = {name: np.array(values) for name, values in rows.items()}
    given["tau"] = np.zeros(nv)
    if plant.sticking is not None:
        given["slip"] = np.ones(sum(pair.nv for pair in plant.pairs))
    result = function(**given, parameters={k: v for k, v in setup.values.items() if k in setup.varied} or None)
    made = function.by_name(result)
    a = np.concatenate([made[pair.acceleration] for pair in plant.pairs], axis=1)
    change = (a[0::2] - a[1::2]) / (2 * NUDGE)
    if not np.isfinite(change).all():
        return None
    slopes = np.zeros((2 * size, 2 * size))
    slopes[:size, size:] = np.eye(size)
    slopes[size:, :size], slopes[size:, size:] = change[:size].T, change[size:].T
    axes = [f"the base, axis {k + 1}" for k in range(nv - len(entries))]
    motors = [f"the motor of {name}" for name in entries] if len(plant.pairs) > 1 else []
    return slopes, [*axes, *entries, *motors]


def _positions(pair: Pair) -> dict[int, int]:
    """The position whose rate each speed is; the poses of a floating base and of joints with a quaternion are held."""
    if not pair.blocks:
        return {k: k for k in range(pair.nv)}
    held = {block.start + k for block in pair.blocks if block.quaternion is not None for k in range(block.nv)}
    return {k: place for k, place in enumerate(pair.beside_speeds) if k not in held}


def _too_weak(plant: Plant, state: Mapping[str, Floats], setup: Setup) -> Iterator[str]:
    robot = plant.robot
    if robot.base.floating or setup.limits is None:
        return
    torques = plant.gravity(q=state["q"])
    for name, needed, most in zip(speed_names(robot), np.abs(torques), setup.limits, strict=True):
        if needed > most:
            yield f"{name} cannot hold still where it starts: gravity takes {needed:.4g}, its limit is {most:.4g}"
