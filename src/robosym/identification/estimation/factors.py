"""What a recording of any length says about its parameters, in a few megabytes.

Of the equations [D | tau] of one joint in one block of time, least squares needs only the triangle R of the QR
factorisation: [D | tau]^T [D | tau] = R^T R, without squaring the condition number. Triangles of triangles are triangles
(TSQR; Demmel, Grigori, Hoemmen, Langou 2012), so blocks can come in any order, from threads or from other machines. From
them follow, without a second pass, all weights by joint, errors, the bootstrap over blocks and cross-validation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from ...brief import brief
from ...reals import Floats
from .equations import Equations, EquationsError, Places, check_layout, selection

Key = tuple[str, int]  # the recording, and the number of the block in it
Counts = NDArray[np.int64]
WIDTH = 0.5  # seconds of a block
MOST = 256  # blocks: beyond, neighbours become one
WORK = 900_000  # rows x columns^2 factorised at once: in the cache, and too little for BLAS to start threads
HIGHEST = 40  # doublings of a block


def triangle(*parts: Floats) -> Floats:
    """R of the QR factorisation of these rows, one above the other: square, zeros where there are fewer rows."""
    width = parts[0].shape[1]
    rows = parts[0] if len(parts) == 1 else np.concatenate(parts)
    piece = _piece(width)
    while len(rows) > piece:
        rows = np.concatenate(
            [_factorised(np.array(rows[i : i + piece], order="F")) for i in range(0, len(rows), piece)]
        )
    R = np.zeros((width, width))
    if rows.size:
        found = _factorised(np.array(rows, order="F"))
        R[: len(found)] = found
    return R


def _piece(width: int) -> int:
    """How many rows are factorised at once."""
    return max(2 * width, min(2048, WORK // width**2))


def _factorised(rows: Floats) -> Floats:
    """R of rows stored by columns, which it overwrites.

    LAPACK's dgeqrt is recursive: it multiplies matrices throughout, three times as fast as dgeqrf on tall and narrow ones.
    """
    size = min(rows.shape)
    a, _, info = lapack.dgeqrt(size, rows, overwrite_a=1)
    if info:
        raise EquationsError(f"equations: LAPACK's dgeqrt says {info}")
    upper: Floats = a[:size] * _upper(size, rows.shape[1])
    return upper


@lru_cache(maxsize=64)
def _upper(rows: int, columns: int) -> Floats:
    """1 on and above the diagonal: NumPy's triu makes it anew every time, which is a fifth of the work."""
    return np.triu(np.ones((rows, columns)))


@dataclass(frozen=True, eq=False, repr=False)
class Factors:
    """Triangles of [D | tau] by block of time and joint, each with its number of rows.

    The blocks are ``width`` seconds long, doubled ``level`` times so that there are never more than ``most`` (unless there
    are more recordings). The level depends only on which blocks there are: the sum of factors is associative.
    """

    columns: tuple[str, ...]
    joints: tuple[str, ...]
    places: Places
    width: float
    most: int
    level: int
    blocks: tuple[Key, ...]  # ascending
    triangles: tuple[Floats, ...]  # for each joint (blocks, places + 1, places + 1)
    rows: Counts  # (blocks, joints)

    @classmethod
    def empty(
        cls, columns: Sequence[str], joints: Sequence[str], places: Places, width: float = WIDTH, most: int = MOST
    ) -> Factors:
        """No equations yet."""
        check_layout(columns, joints, places)
        if not 0 < width < np.inf or most < 1:
            raise EquationsError(
                f"block: expected a positive time in seconds and at least one block, got {width}, {most}"
            )
        triangles = tuple(np.zeros((0, len(own) + 1, len(own) + 1)) for own in places)
        rows = np.zeros((0, len(joints)), np.int64)
        return cls(tuple(columns), tuple(joints), places, width, most, 0, (), triangles, rows)

    @classmethod
    def of(cls, equations: Equations, width: float = WIDTH, most: int = MOST, level: int = 0) -> Factors:
        """The factors of these equations. Blocks of different recordings are never joined. A piece of a recording has at least
        the ``level`` that the whole will need (``doublings``): few long blocks cost less than many short ones."""
        factors = cls.empty(equations.columns, equations.joints, equations.places, width, most)
        numbers = []
        for joint, times in zip(equations.joints, equations.times, strict=True):
            if not np.isfinite(times).all():
                raise EquationsError(f"equations of {joint}: a time is not finite")
            numbers.append(np.floor(times / width).astype(np.int64) >> level)
        there = np.unique(np.concatenate(numbers)) if numbers else np.zeros(0, np.int64)
        first = level
        while len(there) > most and level < HIGHEST:
            there, level = np.unique(there >> 1), level + 1
        blocks = tuple((equations.recording, int(number)) for number in there)
        rows = np.zeros((len(blocks), len(equations.joints)), np.int64)
        triangles = []
        for i, number in enumerate(numbers):
            triangles.append(_by_block(equations, i, number >> (level - first), there))
            rows[:, i] = np.bincount(np.searchsorted(there, number >> (level - first)), minlength=len(there))
        return replace(factors, level=level, blocks=blocks, triangles=tuple(triangles), rows=rows)

    def add(self, equations: Equations) -> Factors:
        """These, and those of further equations."""
        return self + Factors.of(equations, self.width, self.most)

    def __add__(self, other: Factors) -> Factors:
        return _grouped([self, other])

    def _keys(self, level: int) -> list[Key]:
        return [(recording, number >> (level - self.level)) for recording, number in self.blocks]

    def __repr__(self) -> str:
        size = f"{len(self.columns)} columns, {len(self.joints)} joints, {int(self.rows.sum())} rows"
        return brief("Factors:", size, f"in {len(self.blocks)} blocks of {self.width * 2**self.level:g} s")

    # --- parts of them -------------------------------------------------------------------------------------------------

    def select(self, columns: Sequence[str]) -> Factors:
        """Only these columns, in this order: the triangles are factorised anew."""
        places, picks = selection(self.columns, self.places, columns)
        parts = []
        for T, pick in zip(self.triangles, picks, strict=True):
            chosen = T[:, :, [*pick, T.shape[2] - 1]]
            parts.append(_stacked([triangle(part) for part in chosen], len(pick) + 1))
        return replace(self, columns=tuple(columns), places=places, triangles=tuple(parts))

    def part(self, blocks: Iterable[int]) -> Factors:
        """Only the blocks with these indices."""
        chosen = sorted(set(blocks))
        triangles = tuple(T[chosen] for T in self.triangles)
        return replace(self, blocks=tuple(self.blocks[i] for i in chosen), triangles=triangles, rows=self.rows[chosen])

    def folds(self, count: int) -> list[Factors]:
        """Interleaved blocks: every ``count``-th, from the first, the second, ... on."""
        return [self.part(range(fold, len(self.blocks), count)) for fold in range(count)]

    # --- what is computed from them ------------------------------------------------------------------------------------

    @cached_property
    def whole(self) -> tuple[Floats, ...]:
        """One triangle for each joint: of all blocks."""
        return tuple(triangle(T.reshape(-1, T.shape[2])) for T in self.triangles)

    @cached_property
    def raw(self) -> Floats:
        """The triangle of D of all joints as it is, not divided."""
        return self.stacked(np.ones(len(self.joints)))[:-1, :-1]

    @cached_property
    def count(self) -> Counts:
        """The number of equations of each joint."""
        total: Counts = self.rows.sum(axis=0)
        return total

    @cached_property
    def torque_squares(self) -> Floats:
        """The sum of squared torques of each joint."""
        return np.array([(R[:, -1] ** 2).sum() for R in self.whole])

    def squares(self, K: Floats) -> Floats:
        """The sum of squared residuals by block and joint."""
        found = [(T @ v) ** 2 for T, v in zip(self.triangles, self.residual_vectors(K), strict=True)]
        return np.stack([part.sum(axis=1) for part in found], axis=1) if found else np.zeros((len(self.blocks), 0))

    def total_squares(self, K: Floats) -> Floats:
        """The sum of squared residuals of each joint."""
        return np.array([((R @ v) ** 2).sum() for R, v in zip(self.whole, self.residual_vectors(K), strict=True)])

    def residual_vectors(self, K: Floats) -> Iterator[Floats]:
        """What the columns of each joint's triangle are multiplied by to give residuals: K and -1."""
        return (np.append(K[list(own)], -1.0) for own in self.places)

    def stacked(self, sigma: Floats) -> Floats:
        """The triangle of all joints, all columns and the torque, each joint's rows divided by its sigma."""
        return triangle(*self.spread(self.whole, sigma)) if self.joints else np.zeros((len(self.columns) + 1,) * 2)

    def spread(self, triangles: Sequence[Floats], sigma: Floats) -> list[Floats]:
        """Each joint's triangle with all columns, divided by its sigma."""
        parts = []
        for own, T, s in zip(self.places, triangles, sigma, strict=True):
            rows = np.zeros((*T.shape[:-1], len(self.columns) + 1))
            rows[..., [*own, len(self.columns)]] = T / s
            parts.append(rows)
        return parts


def _by_block(equations: Equations, i: int, number: Counts, there: Counts) -> Floats:
    """Joint i's triangle in each of the blocks that are there."""
    values, torques = equations.values[i], equations.torques[i]
    if np.any(np.diff(number) < 0):
        order = np.argsort(number, kind="stable")
        number, values, torques = number[order], values[order], torques[order]
    starts = np.searchsorted(number, there, side="left")
    ends = np.searchsorted(number, there, side="right")
    width = values.shape[1] + 1
    stacked, piece = np.zeros((len(there), width, width)), _piece(width)
    for block, (start, end) in enumerate(zip(starts, ends, strict=True)):
        parts = []
        for at in range(start, end, piece):
            rows = np.empty((min(end - at, piece), width), order="F")
            rows[:, :-1], rows[:, -1] = values[at : at + len(rows)], torques[at : at + len(rows)]
            parts.append(_factorised(rows))
        if parts:
            R = parts[0] if len(parts) == 1 else triangle(*parts)
            stacked[block, : len(R)] = R
    if not np.isfinite(stacked).all():
        _complain(equations, i)
    return stacked


def _complain(equations: Equations, i: int) -> None:
    """Names the first number that is not finite."""
    joint, own = equations.joints[i], equations.places[i]
    bad = ~np.isfinite(equations.values[i])
    if bad.any():
        row, column = (int(k) for k in np.argwhere(bad)[0])
        what = f"the column {equations.columns[own[column]]}"
    else:
        bad = ~np.isfinite(equations.torques[i])
        row, what = int(np.argmax(bad)), "the torque"
        if not bad.any():
            raise EquationsError(f"equations of {joint}: the numbers are too large")
    more = f" (and {int(bad.sum()) - 1} more)" if bad.sum() > 1 else ""
    raise EquationsError(f"equations of {joint}: {what} is not finite at time {equations.times[i][row]:g} s{more}")


def doublings(seconds: float, width: float = WIDTH, most: int = MOST) -> int:
    """How often blocks of a recording so long are doubled until they are few enough."""
    level = 0
    while seconds > most * width * 2**level and level < HIGHEST:
        level += 1
    return level


def summed(parts: Iterable[Factors]) -> Factors | None:
    """The sum of many, of which few are held: a sum is made when they have more blocks than it may have."""
    held: list[Factors] = []
    for part in parts:
        held.append(part)
        if len(held) > 1 and sum(len(one.blocks) for one in held) > 2 * part.most:
            held = [_grouped(held)]
    return _grouped(held) if held else None


def _grouped(parts: Sequence[Factors]) -> Factors:
    """All their blocks at one level, the lowest at which they are few enough: those of the same key become one."""
    first = parts[0]
    for what in ("columns", "joints", "places", "width", "most"):
        for other in parts[1:]:
            if getattr(first, what) != getattr(other, what):
                raise EquationsError(f"factors: their {what} differ, {getattr(first, what)} and {getattr(other, what)}")
    level = max(part.level for part in parts)
    while len({key for part in parts for key in part._keys(level)}) > first.most and level < HIGHEST:
        level += 1
    members: dict[Key, list[tuple[Factors, int]]] = {}
    for part in parts:
        for i, key in enumerate(part._keys(level)):
            members.setdefault(key, []).append((part, i))
    blocks = tuple(sorted(members))
    triangles = []
    for j, own in enumerate(first.places):
        each = ([f.triangles[j][i] for f, i in members[key] if f.rows[i, j]] for key in blocks)
        width = len(own) + 1
        triangles.append(_stacked([_joined(Ts, width) for Ts in each], width))
    rows = [sum((f.rows[i] for f, i in members[key]), np.zeros(len(first.joints), np.int64)) for key in blocks]
    counted: Any = np.array(rows, np.int64).reshape(len(blocks), len(first.joints))
    return replace(first, level=level, blocks=blocks, triangles=tuple(triangles), rows=counted)


def _joined(Ts: list[Floats], width: int) -> Floats:
    if not Ts:
        return np.zeros((width, width))
    return Ts[0] if len(Ts) == 1 else triangle(*Ts)


def _stacked(Ts: Sequence[Floats], width: int) -> Floats:
    return np.stack(Ts) if len(Ts) else np.zeros((0, width, width))
