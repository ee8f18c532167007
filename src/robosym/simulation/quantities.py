"""Models along a motion: compiled once for a robot, called on all instants of all runs together.

Where a state is not finite, or the loops of a robot do not close, the result is nan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..caches import Kept
from ..generated import Model
from ..models import energy, geometric, transform
from ..models.tree.paths import WORLD
from ..reals import Floats
from ..robot import Robot

_FUNCTIONS: Kept[Any] = Kept()

Outputs = dict[str, Floats]


@dataclass(frozen=True, eq=False)
class AlongMotion:
    """The robot that moved: with the parameters that its description leaves open or that were others, (...) or numbers, and the
    way its loops are assembled."""

    robot: Robot
    parameters: Mapping[str, Any]
    assembly: Mapping[str, Any]

    def energies(self, q: Floats, qd: Floats, motors: tuple[Floats, Floats] | None = None) -> Outputs:
        """kinetic, potential and total, (...); with the positions and speeds of the ``motors`` of flexible joints."""
        moving = {} if motors is None else {"q_motor": motors[0], "qd_motor": motors[1]}
        found = self._along(("energy",), energy, {}, {"q": q, "qd": qd, **moving})
        return {name: found[name][..., 0] for name in ("kinetic", "potential", "total")}

    def pose(self, q: Floats, frame: int | str | None, tool: Any = None) -> Floats:
        """The matrices (..., 4, 4) of a frame (by default the tip) in the world."""
        options = {"frame": frame, "tool": tool, "reference": WORLD}
        key = ("pose", frame, repr(tool))
        return self._along(key, transform, options, {"q": q})["T"]

    def frames(self, q: Floats) -> dict[int, Floats]:
        """The matrices of all frames in the world by number, the base being 0."""
        poses = {0: self.pose(q, 0)}
        if self.robot.frames:
            found = self._along(("frames",), geometric, {"frames": "all", "reference": WORLD}, {"q": q})
            # The output of a robot with one frame alone has no number.
            poses |= {int(name[1:] or 1): T for name, T in found.items()}
        return poses

    def _along(
        self, key: tuple[Any, ...], make: Callable[..., Model], options: Mapping[str, Any], states: Mapping[str, Floats]
    ) -> Outputs:
        place = (*key, repr(sorted(self.assembly.items())))
        compiled = _FUNCTIONS.of(self.robot, place, lambda: make(self.robot, **options, **self.assembly).compile())
        return _in_batch(compiled, states, self.parameters)


def _in_batch(compiled: Any, states: Mapping[str, Floats], parameters: Mapping[str, Any]) -> Outputs:
    shape = next(iter(states.values())).shape[:-1]
    flat = {name: values.reshape(-1, values.shape[-1]) for name, values in states.items()}
    whole = np.logical_and.reduce([np.isfinite(values).all(axis=-1) for values in flat.values()])
    spread = {name: _spread(value, shape)[whole] if np.ndim(value) else value for name, value in parameters.items()}
    made = compiled(
        **{name: values[whole] for name, values in flat.items()}, **({"parameters": spread} if spread else {})
    )
    found = {}
    for name, values in compiled.by_name(made).items():
        all_of_it = np.full((len(whole), *values.shape[1:]), np.nan)
        all_of_it[whole] = values
        found[name] = all_of_it.reshape(*shape, *values.shape[1:])
    return found


def _spread(value: Any, shape: tuple[int, ...]) -> Floats:
    """A number for each run, at all its instants."""
    values = np.asarray(value, dtype=float)
    return np.broadcast_to(values.reshape(values.shape + (1,) * (len(shape) - values.ndim)), shape).ravel()
