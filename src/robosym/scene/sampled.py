"""The Jacobian matrix of the tip at positions in numbers: how many ways the tip moves, and how large singular values become."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..generated import Model
from ..reals import Floats
from ..spatial.floats import pose_rows
from ..spatial.ranks import rank
from .data import reach_of
from .mechanism import Mechanism

SAMPLES = 60
RANK = 1e-9  # of the largest singular value: what is smaller is zero
TINY = 1e-300  # the least size of matrices: ranks are relative
FAR, TURNED = 0.3, 0.4  # of a platform from where it begins: parts of the size, radians


@dataclass(frozen=True)
class Sampled:
    """``model`` is the Jacobian matrix of the tip of a mechanism. Lengths are measured with the size of the robot."""

    made: Mechanism
    model: Model

    @cached_property
    def unit(self) -> float:
        return reach_of(self.made)

    @property
    def skipped(self) -> int:
        """Columns of a free base, which no motor moves."""
        return 6 if self.made.robot.base.floating else 0

    @cached_property
    def units(self) -> list[float]:
        """By which columns are multiplied: of joints that slide."""
        speeds = (entry for block in self.made.robot.blocks if block.frame for entry in block.speeds)
        return [self.unit if entry.unit == "length" else 1.0 for entry in speeds]

    def positions(self, count: int, seed: int = 11) -> list[list[float]]:
        """Values of the controls at random: within limits, else anywhere; of a platform about where it begins."""
        draw = np.random.default_rng(seed)
        return [[self._drawn(k, draw) for k in range(len(self.made.controls))] for _ in range(count)]

    def _drawn(self, k: int, draw: np.random.Generator) -> float:
        control = self.made.controls[k]
        if control.group == "base":
            return control.at
        if control.group == "platform":
            return control.at + float(draw.uniform(-1, 1)) * (FAR * self.unit if control.kind == "length" else TURNED)
        far = np.pi if control.kind == "revolute" else self.unit
        low = -far if control.lower is None else control.lower
        high = far if control.upper is None else control.upper
        return float(draw.uniform(min(low, high), max(low, high)))

    def matrix(self, x: Sequence[float]) -> Floats | None:
        """J at values of the controls, without units; None where it is not assembled."""
        with np.errstate(all="ignore"):
            found: Floats = self.model.evaluate(**self._state(x))
        J = found[:, self.skipped :] * np.array(self.units)
        J[:3] /= self.unit
        return J if np.isfinite(J).all() else None

    def _state(self, x: Sequence[float]) -> dict[str, Any]:
        if not self.made.of_platform:
            return {"q": np.array(self.made.state(x))}
        poses = self.made.poses(x)
        T = np.linalg.inv(poses[0]) @ poses[self.made.robot.platforms[0].frame]
        if not np.isfinite(T).all():
            return {"pose": np.full(7, np.nan)}
        return {"pose": pose_rows(T)}

    @cached_property
    def matrices(self) -> list[Floats]:
        tried = (self.matrix(x) for x in self.positions(SAMPLES // 3 if self.made.of_platform else SAMPLES))
        return [J for J in tried if J is not None]

    @cached_property
    def position_only(self) -> bool:
        """Whether the position of the tip tells where the joints are that move it: then its orientation follows."""
        moved = max((int((np.abs(J).max(axis=0) > RANK).sum()) for J in self.matrices), default=0)
        return moved <= 3 and max((rank(J[:3], RANK, TINY) for J in self.matrices), default=0) == moved

    @property
    def rows(self) -> int:
        return 3 if self.position_only and not self.made.of_platform else 6

    @cached_property
    def sizes(self) -> list[Floats]:
        """Singular values, the largest first."""
        return [np.asarray(np.linalg.svd(J[: self.rows], compute_uv=False), dtype=np.float64) for J in self.matrices]

    @cached_property
    def rank(self) -> int:
        return max((rank(J[: self.rows], RANK, TINY) for J in self.matrices), default=0)

    def loses_rank(self, x: Sequence[float]) -> bool | None:
        """Whether the tip moves in fewer ways at a position; None where it cannot be assembled."""
        J = self.matrix(x)
        return None if J is None else rank(J[: self.rows], 1e-6, TINY) < self.rank
