"""Torques, disturbances and wrenches that are functions of time: their values at the evaluations of an integrator.

A function is sampled at nodes of every integration step: just after its beginning, in its middle and just before its end. So it
keeps the order of the integrator, and a function that jumps where two steps meet has the value before the jump in the first and
the value after it in the second. Steps that a joint divides by stopping (``sticking``) take the parabola through the nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..expr import expr
from ..models.integration.integrators import INTEGRATORS
from ..program.of_arrays import program_of
from ..program.routine import Run, Slot, Stage, Take
from ..reals import Floats

START, MIDDLE, END = 0.0, 0.5, 1.0
INSIDE = 8  # units in the last place of the time: how far the outer nodes are inside of a step
MOMENT = "moment"  # the number of the step in a call


def changes_in_time(given: Any) -> bool:
    """Whether an input is a function of time, or has one for a joint or a link."""
    return any(map(callable, given.values())) if isinstance(given, Mapping) else callable(given)


def node_times(start: Floats, step: float, substeps: int, integrator: str) -> Floats:
    """The times (N * substeps, nodes) of the nodes after every time of ``start`` (N,)."""
    first = (start[:, None] + np.arange(substeps) * step).reshape(-1, 1)
    last = first + step
    inside = INSIDE * np.spacing(last)
    found = first + np.array(INTEGRATORS[integrator].instants) * step
    return np.asarray(np.clip(found, first + np.where(first > 0, inside, 0), last - inside), dtype=float)


class Changing:
    """The inputs that change during a step.

    ``shapes`` gives the inputs by name, of "command", "disturbance" and "wrench". ``applied`` is the array of the actuator torques
    that are held, where "command" does not change; ``saturated`` limits torques that are commanded. ``divided``: a step can have
    several parts, of which ``left`` is what remains.
    """

    def __init__(
        self,
        integrator: str,
        shapes: Mapping[str, tuple[int, ...]],
        nv: int,
        applied: str,
        saturated: Callable[[Any], list[Any]],
        divided: bool,
    ) -> None:
        self.nodes, self.shapes, self.nv = INTEGRATORS[integrator].instants, shapes, nv
        self.applied, self.saturated = applied, saturated
        self.divided = divided and len(self.nodes) > 1

    def inputs(self, steps: int) -> list[Slot]:
        """The arrays of samples of a call with so many steps."""
        return [Slot(nodes_of(name), (steps, len(self.nodes), *shape)) for name, shape in self.shapes.items()]

    def taken(self, substeps: int, tick: str, substep: str) -> tuple[Stage, ...]:
        """Stages that read the samples of one step."""
        takes = tuple(Take(nodes_of(name), MOMENT, _now(name)) for name in self.shapes)
        count = program_of(
            "number of the step", {tick: (), substep: ()}, lambda **x: {MOMENT: x[tick] * substeps + x[substep]}
        )
        return (Run(count), *takes)

    def torques_at(self, part: float) -> tuple[Stage, ...]:
        """Stages that write ``tau`` and ``wrench`` at a part of what is integrated next, and the torques of the actuators."""
        shapes: dict[str, tuple[int, ...]] = {
            _now(name): (len(self.nodes), *shape) for name, shape in self.shapes.items()
        }
        driven = {"command", "disturbance"} & self.shapes.keys()
        if driven and "command" not in self.shapes:
            shapes["applied"] = (self.nv,)
        if self.divided:
            shapes |= {"h": (), "left": (), "dt": ()}

        def body(**given: Any) -> dict[str, Any]:
            weights = self._weights(part, given)
            values = {name: _weighted(weights, given[_now(name)]) for name in self.shapes}
            found: dict[str, Any] = {"wrench": values["wrench"]} if "wrench" in values else {}
            if driven:
                torques = self.saturated(values["command"]) if "command" in values else given["applied"]
                if "command" in values:
                    found[actuators_at(part)] = torques
                more = values.get("disturbance", [expr(0)] * self.nv)
                found["tau"] = [x + y for x, y in zip(torques, more, strict=True)]
            return found

        return (
            Run(program_of("torques in time", shapes, body), {"applied": self.applied} if "applied" in shapes else {}),
        )

    def _weights(self, part: float, given: Mapping[str, Any]) -> list[Any]:
        """The weights of the nodes at this part of what is integrated next."""
        if not self.divided:
            place = self.nodes.index(part) if part in self.nodes else 0
            return [expr(int(k == place)) for k in range(len(self.nodes))]
        s = 1 - given["left"] / given["h"] + part * given["dt"] / given["h"]
        return [(1 - s) * (1 - 2 * s), 4 * s * (1 - s), s * (2 * s - 1)]


def nodes_of(name: str) -> str:
    return f"{name}_nodes"


def _now(name: str) -> str:
    return f"{name}_in_step"


def actuators_at(part: float) -> str:
    """The array of the actuator torques at a part of a step."""
    return {START: "actuated_first", MIDDLE: "actuated_middle", END: "actuated_last"}[part]


def _weighted(weights: Sequence[Any], nodes: Any) -> Any:
    total = weights[0] * nodes[0]
    for weight, node in zip(weights[1:], nodes[1:], strict=True):
        total = total + weight * node
    return total
