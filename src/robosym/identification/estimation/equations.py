"""Equations that are linear in the parameters: D K = tau, joint by joint, for some samples.

A joint's equations have only the columns that are not structurally zero: about half of them are, and what is not stored
need not be multiplied either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...errors import RobosymError
from ...reals import Floats

Places = tuple[tuple[int, ...], ...]
Mask = NDArray[np.bool_]


class EquationsError(RobosymError):
    """Equations that do not fit together, or hold numbers that are not finite."""


@dataclass(frozen=True, eq=False)
class Equations:
    """D K = tau. ``places`` are for each joint the indices of the columns it has, ascending; the rest are zero.

    ``values`` hold for each joint one row a sample and one column a place, ``torques`` the right side, ``times`` the time
    of each row: it says which block of neighbours in the recording the row belongs to.
    """

    columns: tuple[str, ...]
    joints: tuple[str, ...]
    places: Places
    values: tuple[Floats, ...]
    torques: tuple[Floats, ...]
    times: tuple[Floats, ...]
    recording: str = ""

    def __post_init__(self) -> None:
        check_layout(self.columns, self.joints, self.places)
        parts = (self.values, self.torques, self.times)
        if {len(part) for part in parts} != {len(self.joints)}:
            raise EquationsError(f"equations: expected values, torques and times for each of {len(self.joints)} joints")
        for joint, places, values, torques, times in self._each():
            if values.ndim != 2 or values.shape[1] != len(places):
                raise EquationsError(
                    f"equations of {joint}: expected {len(places)} columns, got the shape {values.shape}"
                )
            if not torques.shape == times.shape == values.shape[:1]:
                message = f"{len(values)} rows, {torques.shape} torques and {times.shape} times"
                raise EquationsError(f"equations of {joint}: expected as many torques and times as rows, got {message}")

    def _each(self) -> Iterator[tuple[str, tuple[int, ...], Floats, Floats, Floats]]:
        return zip(self.joints, self.places, self.values, self.torques, self.times, strict=True)

    @classmethod
    def from_packed(
        cls,
        columns: Sequence[str],
        joints: Sequence[str],
        places: Sequence[tuple[int, int]],
        D: Floats,
        tau: Floats,
        time: Floats,
        keep: Mask | None = None,
        recording: str = "",
    ) -> Equations:
        """From a regressor's packed output: D is (N, entries), whose (joint, column) are the ``places``.

        ``tau`` is (N, joints), ``time`` (N,), and ``keep`` (N, joints) says which rows count.
        """
        own: list[tuple[int, ...]] = []
        values, torques, times = [], [], []
        for i in range(len(joints)):
            entries = sorted((column, entry) for entry, (row, column) in enumerate(places) if row == i)
            own.append(tuple(column for column, _ in entries))
            packed = [entry for _, entry in entries]
            first = packed[0] if packed else 0
            in_a_row = packed == list(range(first, first + len(packed)))
            part = D[:, first : first + len(packed)] if in_a_row else D[:, packed]
            if keep is None or keep[:, i].all():
                values.append(part)
                torques.append(tau[:, i])
                times.append(time)
            else:  # columns lie in one piece: taken one by one
                rows = np.flatnonzero(keep[:, i])
                values.append(np.take(part.T, rows, axis=1).T)
                torques.append(tau[rows, i])
                times.append(time[rows])
        return cls(tuple(columns), tuple(joints), tuple(own), tuple(values), tuple(torques), tuple(times), recording)

    @property
    def rows(self) -> tuple[int, ...]:
        """The number of equations of each joint."""
        return tuple(map(len, self.torques))

    def predict(self, K: Floats) -> tuple[Floats, ...]:
        """The torques D K of each joint."""
        return tuple(values @ K[list(places)] for _, places, values, _, _ in self._each())

    def residuals(self, K: Floats) -> tuple[Floats, ...]:
        """tau - D K of each joint."""
        return tuple(torques - found for torques, found in zip(self.torques, self.predict(K), strict=True))

    def select(self, columns: Sequence[str]) -> Equations:
        """Only these columns, in this order."""
        places, picks = selection(self.columns, self.places, columns)
        values = tuple(part[:, pick] for part, pick in zip(self.values, picks, strict=True))
        return replace(self, columns=tuple(columns), places=places, values=values)

    def only(self, masks: Sequence[Mask]) -> Equations:
        """Only the rows of each joint that its mask names."""
        values, torques, times = (
            tuple(part[mask] for part, mask in zip(parts, masks, strict=True))
            for parts in (self.values, self.torques, self.times)
        )
        return replace(self, values=values, torques=torques, times=times)

    def weighed(self, weights: Sequence[Floats]) -> Equations:
        """Each row times the root of its weight, so that its square counts with that weight."""
        roots = [np.sqrt(weight) for weight in weights]
        values = tuple(part * root[:, None] for part, root in zip(self.values, roots, strict=True))
        torques = tuple(part * root for part, root in zip(self.torques, roots, strict=True))
        return replace(self, values=values, torques=torques)

    def dense(self) -> tuple[Floats, Floats]:
        """All equations, joint after joint, with all columns: D and tau."""
        D = np.zeros((sum(self.rows), len(self.columns)))
        start = 0
        for _, places, values, _, _ in self._each():
            D[start : start + len(values), list(places)] = values
            start += len(values)
        return D, np.concatenate(self.torques) if self.torques else np.zeros(0)


def check_layout(columns: Sequence[str], joints: Sequence[str], places: Places) -> None:
    """Names are different, and each joint's places are columns in ascending order."""
    if len(set(columns)) != len(columns):
        twice = sorted({name for name in columns if list(columns).count(name) > 1})
        raise EquationsError(f"equations: the column {', '.join(twice)} is there more than once")
    if len(places) != len(joints):
        raise EquationsError(f"equations: expected the places of {len(joints)} joints, got {len(places)}")
    for joint, own in zip(joints, places, strict=True):
        if list(own) != sorted(set(own)) or (own and not 0 <= own[0] <= own[-1] < len(columns)):
            raise EquationsError(
                f"equations of {joint}: expected places of {len(columns)} columns, ascending, got {own}"
            )


def selection(columns: Sequence[str], places: Places, chosen: Sequence[str]) -> tuple[Places, list[list[int]]]:
    """The places of each joint among the chosen columns, and which of its stored columns these are."""
    unknown = [name for name in chosen if name not in columns]
    if unknown:
        raise EquationsError(f"equations: there is no column {', '.join(unknown)}; there are {', '.join(columns)}")
    if len(set(chosen)) != len(chosen):
        raise EquationsError("equations: a column was chosen twice")
    new: list[tuple[int, ...]] = []
    picks: list[list[int]] = []
    for own in places:
        at = {columns[place]: stored for stored, place in enumerate(own)}
        new.append(tuple(place for place, name in enumerate(chosen) if name in at))
        picks.append([at[name] for name in chosen if name in at])
    return tuple(new), picks


def beside(left: Equations, right: Equations, mark: str) -> Equations:
    """The same rows with the columns of both, the left ones' names marked; torques and times are the right ones'."""
    if left.joints != right.joints or left.rows != right.rows:
        raise EquationsError(
            f"equations: rows {left.rows} of {left.joints} cannot stand beside {right.rows} of {right.joints}"
        )
    shift = len(left.columns)
    places = tuple((*a, *(shift + place for place in b)) for a, b in zip(left.places, right.places, strict=True))
    values = tuple(np.hstack(both) for both in zip(left.values, right.values, strict=True))
    columns = (*(mark + name for name in left.columns), *right.columns)
    return replace(right, columns=columns, places=places, values=values)
