"""What Pieper's method looks for: three revolute axes that meet or are parallel, one after the other, or three prismatic joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ....expr.generic import NEGLIGIBLE, negligible
from ....spatial.ranks import rank
from .chain import Chain
from .random_positions import Sample, frames, samples

Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Feature:
    """Three joints, by their places in the chain, and what they are."""

    kind: str  # "intersecting", "parallel" or "prismatic"
    joints: tuple[int, int, int]

    def text(self, chain: Chain) -> str:
        a, b, c = (chain.joints[k].name for k in self.joints)
        words = {
            "intersecting": "the axes of {}, {} and {} meet in a point",
            "parallel": "the axes of {}, {} and {} are parallel",
            "prismatic": "{}, {} and {} are prismatic",
        }
        return words[self.kind].format(a, b, c)


def features(chain: Chain) -> list[Feature]:
    """All of them, decided numerically at two random positions."""
    found = []
    lines = [_axes(chain, sample) for sample in samples(chain, 2, seed=11)]
    prismatic = [k for k, joint in enumerate(chain.joints) if joint.prismatic]
    if len(prismatic) >= 3:
        found.append(Feature("prismatic", (prismatic[0], prismatic[1], prismatic[2])))
    for k in range(len(chain.joints) - 2):
        three = (k, k + 1, k + 2)
        if any(i in prismatic for i in three):
            continue
        if all(_parallel([axes[i] for i in three]) for axes in lines):
            found.append(Feature("parallel", three))
        elif all(_meet([axes[i] for i in three]) for axes in lines):
            found.append(Feature("intersecting", three))
    return found


def directions(chain: Chain, position: bool = False, without: int | None = None) -> int:
    """In how many independent directions the joints (all, or all but one) move the frame, at a random position."""
    sample = samples(chain, 1, seed=13)[0]
    columns = []
    for k, (joint, (point, u)) in enumerate(zip(chain.joints, _axes(chain, sample), strict=True)):
        way, turn = (u, np.zeros(3)) if joint.prismatic else (np.cross(u, sample.T[:3, 3] - point), u)
        if k != without:
            columns.append(way if position else np.concatenate([way, turn]))
    return rank(np.array(columns), NEGLIGIBLE)


Line = tuple[Floats, Floats]  # a point and the direction


def _axes(chain: Chain, sample: Sample) -> list[Line]:
    return [(T[0, :3, 3], T[0, :3, 2]) for T in frames(chain, sample.numbers, np.array([sample.q]))[:-1]]


def _parallel(lines: list[Line]) -> bool:
    u = lines[0][1]
    return all(negligible(float(np.linalg.norm(np.cross(u, v)))) for _, v in lines[1:])


def _meet(lines: list[Line]) -> bool:
    """Whether a point is on all: the one nearest to them in the sense of least squares."""
    across = [np.eye(3) - np.outer(u, u) for _, u in lines]
    total = sum(across[1:], across[0])
    if negligible(float(np.linalg.svd(total, compute_uv=False)[-1])):
        return False
    point = np.linalg.solve(total, sum((A @ p for A, (p, _) in zip(across, lines, strict=True)), np.zeros(3)))
    size = 1 + max(float(np.linalg.norm(p - point)) for p, _ in lines)
    return all(
        negligible(float(np.linalg.norm(A @ (point - p))), size) for A, (p, _) in zip(across, lines, strict=True)
    )
