"""The pose a position makes, compiled; and what is found with it: misses, and the nearest a pose is reached."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....generated import Model
from ...geometric import transform
from ...tree.coordinates import coordinates
from ..chain.chain import Chain

if TYPE_CHECKING:
    from ....runtime import CompiledFunction

Floats = NDArray[np.float64]

STEP = 1e-6  # of differences
ROUNDS = 80  # of the search for the nearest a pose is reached
HELD = 100.0  # how much more a turn counts in it than a way: the orientation is held


@dataclass(frozen=True, eq=False)
class Forward:
    """The pose of the frame from the positions of a chain's joints."""

    chain: Chain
    frame: int
    base: int | str
    given: Floats | None = None  # (k,), or a row for each position
    parameters: Mapping[str, float] | None = None
    compiled: CompiledFunction | None = None

    @cached_property
    def model(self) -> Model:
        return transform(self.chain.robot, frame=self.frame, reference=self.base)

    @cached_property
    def _function(self) -> CompiledFunction:
        return self.model.compile() if self.compiled is None else self.compiled

    def at(self, given: Floats | None, parameters: Mapping[str, float] | None) -> Forward:
        """The same with joints given and other parameters."""
        return Forward(self.chain, self.frame, self.base, given, parameters, self._function)

    def __call__(self, Q: Any) -> Floats:
        """Poses (M, 4, 4) of positions (M, n)."""
        rows = np.asarray(Q, dtype=np.float64)
        own = coordinates(self.chain.robot)
        q = np.zeros((len(rows), own.nq))
        for k, joint in enumerate(self.chain.joints):
            q[:, own.q_place(joint.frame)] = rows[:, k]
        for k, j in enumerate(self.chain.given):
            q[:, own.q_place(j)] = np.asarray(self.given)[..., k]
        used = {symbol.name for symbol in self._function.program.parameter_symbols}
        changed = {key: value for key, value in (self.parameters or {}).items() if key in used}
        return np.asarray(self._function(q=q, parameters=changed or None)).reshape(-1, 4, 4)

    # --- misses ------------------------------------------------------------------------------------------------------

    def misses(self, Q: Floats, T: Floats) -> tuple[Floats, Floats]:
        """How far positions stay from a pose: in m and in rad."""
        poses = self(Q)
        R = np.swapaxes(poses[:, :3, :3], 1, 2) @ T[:3, :3]
        sines = np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]])
        angles = np.arctan2(np.linalg.norm(sines, axis=0), np.trace(R, axis1=1, axis2=2) - 1)
        return np.linalg.norm(poses[:, :3, 3] - T[:3, 3], axis=1), angles

    def _error(self, q: Floats, T: Floats, columns: slice) -> tuple[Floats, Floats]:
        """The entries of the pose less those wanted, and their derivatives by central differences."""
        n = len(q)
        steps = STEP * np.eye(n)
        poses = self(np.vstack([q, q + steps, q - steps]))[:, :3, columns].reshape(2 * n + 1, -1)
        return poses[0] - T[:3, columns].ravel(), (poses[1 : n + 1] - poses[n + 1 :]).T / (2 * STEP)

    def jacobian(self, q: Floats, T: Floats, columns: slice) -> Floats:
        """The derivatives of the entries of the pose."""
        return self._error(q, T, columns)[1]

    def residuals(self, Q: Floats, T: Floats, columns: slice) -> Floats:
        """The largest entry by which each position misses its pose (one pose, or one for each)."""
        return np.asarray(np.abs((self(Q) - T)[:, :3, columns]).max(axis=(1, 2), initial=0.0))

    def polished(self, q: Floats, T: Floats, columns: slice) -> Floats:
        """A position by Newton's method (Gauss's where it is singular), if that is nearer to the pose."""
        best, least = q, math.inf
        for _ in range(20):
            error, J = self._error(q, T, columns)
            left = float(np.abs(error).max())
            if left < least:
                best, least = q, left
            if left < 1e-14:
                break
            q = q - np.linalg.lstsq(J, error, rcond=1e-8)[0]
        return best

    # --- out of reach ------------------------------------------------------------------------------------------------

    def approached(self, T: Floats, starts: Floats, columns: slice) -> Floats:
        """Positions near to a pose out of reach, from some others: orientation first, then the way that is left."""
        weights = np.full((3, 4), HELD)
        weights[:, 3] = 1 / max(float(np.linalg.norm(T[:3, 3])), float(np.abs(self(starts)[:, :3, 3]).max()), 1e-300)
        scale = weights[:, columns].ravel()
        return np.array([self._descended(q, T, scale, columns) for q in starts])

    def _descended(self, q: Floats, T: Floats, scale: Floats, columns: slice) -> Floats:
        """Levenberg and Marquardt."""
        damping = 1e-3
        error, J = self._error(q, T, columns)
        for _ in range(ROUNDS):
            A = np.vstack([J * scale[:, None], math.sqrt(damping) * np.eye(len(q))])
            step = np.linalg.lstsq(A, np.concatenate([error * scale, np.zeros(len(q))]), rcond=None)[0]
            tried, slopes = self._error(q - step, T, columns)
            if np.sum((tried * scale) ** 2) <= np.sum((error * scale) ** 2):
                q, error, J, damping = q - step, tried, slopes, max(damping / 4, 1e-12)
            else:
                damping *= 8
            if np.abs(step).max() < 1e-11:
                break
        return q
