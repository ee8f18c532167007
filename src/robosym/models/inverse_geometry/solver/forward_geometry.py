"""The pose a position makes, compiled; and what is found with it: misses, and the nearest a pose is reached."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....generated import Model
from ....robot import Robot
from ....spatial.floats import rotation_vectors
from ...common import model
from ...tree.coordinates import coordinates
from ...tree.paths import Ways
from ...tree.poses import pose_program
from ..chain.chain import Chain, Columns
from ..special_poses.closure import closure

if TYPE_CHECKING:
    from ....runtime import CompiledFunction

Floats = NDArray[np.float64]

ROUNDS = 80  # of the search for the nearest a pose is reached
HELD = 100.0  # how much more a turn counts in it than a way: the orientation is held


def pose_model(robot: Robot, frame: int, base: int | str) -> Model:
    """The pose of a frame in another, of a tree."""
    return model(robot, "transform", pose_program(robot, "transform", {"": Ways(robot)(base, frame)}), {})


@dataclass(frozen=True, eq=False)
class Forward:
    """The pose of the frame from the positions of a chain's joints."""

    chain: Chain
    frame: int
    base: int | str
    given: Floats | None = None  # (k,), or a row for each position
    parameters: Mapping[str, float] | None = None
    like: Forward | None = None  # another whose compiled functions are taken

    @property
    def columns(self) -> Columns:
        """The joints whose positions it takes."""
        return self.chain

    @cached_property
    def model(self) -> Model:
        return pose_model(self.columns.robot, self.frame, self.base)

    @cached_property
    def _function(self) -> CompiledFunction:
        return self.model.compile() if self.like is None else self.like._function

    @cached_property
    def _moving(self) -> CompiledFunction:
        """The pose, and how the joints move the frame."""
        from ....runtime import compile_program

        if self.like is not None:
            return self.like._moving
        values = {key: value.number for key, value in self.chain.robot.values.items()}
        return compile_program(closure(self.chain, "pose"), values=values)

    def at(self, given: Floats | None, parameters: Mapping[str, float] | None) -> Forward:
        """The same with joints given and other parameters."""
        return replace(self, given=given, parameters=parameters, like=self.like or self)

    def __call__(self, Q: Any) -> Floats:
        """Poses (M, 4, 4) of positions (M, n)."""
        return np.asarray(self._called(Q)).reshape(-1, 4, 4)

    def _called(self, Q: Any) -> Any:
        """What the model gives at these positions."""
        rows = np.asarray(Q, dtype=np.float64)
        own = coordinates(self.columns.robot)
        q = np.zeros((len(rows), own.nq))
        for k, joint in enumerate(self.columns.joints):
            q[:, own.q_place(joint.frame)] = rows[:, k]
        for k, j in enumerate(self.chain.given):
            q[:, own.q_place(j)] = np.asarray(self.given)[..., k]
        used = {symbol.name for symbol in self._function.program.parameter_symbols}
        changed = {key: value for key, value in (self.parameters or {}).items() if key in used}
        return self._function(q=q, parameters=changed or None)

    # --- misses ------------------------------------------------------------------------------------------------------

    def misses(self, Q: Floats, T: Floats) -> tuple[Floats, Floats]:
        """How far positions stay from a pose: in m and in rad."""
        poses = self(Q)
        turns = rotation_vectors(np.swapaxes(poses[:, :3, :3], 1, 2) @ T[:3, :3])
        return np.linalg.norm(poses[:, :3, 3] - T[:3, 3], axis=1), np.linalg.norm(turns, axis=1)

    def _error(self, q: Floats, T: Floats, columns: slice) -> tuple[Floats, Floats]:
        """The entries of the pose less those wanted, and their derivatives: a joint turns the axes of the frame by w x."""
        frame, J = self._closure(q)
        slopes = np.empty((3, 4, len(q)))
        slopes[:, 3] = J[:3]
        for k in range(3):
            slopes[:, k] = np.cross(J[3:], frame[:, k], axisa=0).T
        return (frame - T[:3])[:, columns].ravel(), slopes[:, columns].reshape(-1, len(q))

    def _closure(self, q: Floats) -> tuple[Floats, Floats]:
        """The pose (3, 4) of a position, and how its joints move the frame (6, n)."""
        function = self._moving
        inputs = {"T": np.eye(4), "size": np.array(1.0), "x": q}
        if self.chain.given:
            inputs["given"] = np.asarray(self.given)
        used = {symbol.name for symbol in function.program.parameter_symbols}
        changed = {key: value for key, value in (self.parameters or {}).items() if key in used}
        made = function(**inputs, parameters=changed or None)
        return made["frame"], made["J"]

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
        size = max(float(np.linalg.norm(T[:3, 3])), float(np.abs(self(starts)[:, :3, 3]).max()), 1e-300)
        weights = np.full((3, 4), HELD)
        weights[:, 3] = 1 / size
        scale = weights[:, columns].ravel()
        units = np.array([size if joint.prismatic else 1.0 for joint in self.columns.joints])
        return np.array([self._descended(q, T, scale, units, columns) for q in starts])

    def _descended(self, q: Floats, T: Floats, scale: Floats, units: Floats, columns: slice) -> Floats:
        """Levenberg and Marquardt, with lengths over the size of the arm."""
        damping = 1e-3
        error, J = self._error(q, T, columns)
        for _ in range(ROUNDS):
            A = np.vstack([J * scale[:, None] * units, math.sqrt(damping) * np.eye(len(q))])
            step = np.linalg.lstsq(A, np.concatenate([error * scale, np.zeros(len(q))]), rcond=None)[0]
            tried, slopes = self._error(q - step * units, T, columns)
            if np.sum((tried * scale) ** 2) <= np.sum((error * scale) ** 2):
                q, error, J, damping = q - step * units, tried, slopes, max(damping / 4, 1e-12)
            else:
                damping *= 8
            if np.abs(step).max() < 1e-11:
                break
        return q
