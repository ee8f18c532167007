"""A pose that was asked for, and what is found of it when it is looked at: free joints, and how far the arm stays away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .out_of_reach import missed
from .result import Booleans

if TYPE_CHECKING:
    from .inverse_geometric import InverseGeometric

Floats = NDArray[np.float64]
Parameters = Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Asked:
    """A pose and what was given with it, for what is found when it is looked at: copies, as the caller's arrays may change."""

    solver: InverseGeometric
    T: Floats
    given: Floats | None
    parameters: Parameters | None

    def free(self, found: Floats) -> Booleans:
        """Which joints may move in which solution."""
        return self.solver.free(self.T, found, self.given, self.parameters)

    def missed(self) -> tuple[float, float]:
        """How far the arm stays from a pose out of reach: from the branches of the closed form that come nearest."""
        solver = self.solver
        forward = solver.forward.at(self.given if solver.chain.given else None, self.parameters)
        starts = solver.starts(self.T, self.given, self.parameters)
        return missed(forward, starts, self.T, slice(0, 4) if solver.task == "pose" else slice(3, 4))


def of_one(
    i: int, poses: Floats, given: Floats | None, parameters: Mapping[str, Any] | None
) -> tuple[Floats, Floats | None, Parameters | None]:
    """A pose of a batch, with the joints given and the parameters that are its own."""
    held = given if given is None or given.ndim == 1 else given[i]
    numbers = {name: float(np.ravel(value)[i if np.ndim(value) else 0]) for name, value in (parameters or {}).items()}
    return np.array(poses[i], dtype=np.float64), None if held is None else held.copy(), numbers
