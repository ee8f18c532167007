"""What a solver answers: the solutions of a pose and how the pose stands to the arm."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....brief import brief
from ....markup import MOST_ROWS, heading, inline, latex_table, latex_text, table
from . import routine

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

REACHABLE = "reachable"
SINGULAR = "singular"  # reachable, and some joints may have any value there
OUTSIDE_LIMITS = "outside limits"  # reachable, but not within the joints' limits
OUT_OF_REACH = "out of reach"

# What the routine's status is called.
STATUSES = {
    routine.OUT_OF_REACH: OUT_OF_REACH,
    routine.REACHABLE: REACHABLE,
    routine.SINGULAR: SINGULAR,
    routine.OUTSIDE_LIMITS: OUTSIDE_LIMITS,
}


class Result:
    """The solutions of one pose, a row each, in the order of ``joint_names``.

    ``free`` names the joints that may have any value at this pose. ``distance`` (m) and ``angle`` (rad) are how far the
    arm stays from a pose out of its reach, and zero otherwise. These are found when they are first looked at.
    """

    def __init__(
        self,
        solutions: Floats,
        status: str,
        joint_names: tuple[str, ...],
        find_free: Callable[[Floats], Booleans] | None = None,
        find_missed: Callable[[], tuple[float, float]] | None = None,
        asked: tuple[Any, ...] | None = None,
    ) -> None:
        self.solutions, self.status, self.joint_names = solutions, status, joint_names
        self._find_free, self._find_missed = find_free, find_missed
        self._asked = asked  # a solver, the bytes of the pose and their type, the joints given and the parameters

    @cached_property
    def residuals(self) -> Floats | None:
        """The largest entry by which the pose of each solution misses the one asked for, by forward geometry; None of a solver that
        cannot tell."""
        if self._asked is None:
            return None
        solver, pose, kind, given, parameters = self._asked
        T = np.frombuffer(pose, kind).reshape(4, 4).astype(np.float64)
        found: Floats = solver.residuals(T, self.solutions, given, parameters)
        return found

    def __getstate__(self) -> dict[str, Any]:
        """For another process: what is found when it is looked at is found first, and the solver stays here."""
        known = {"free": self.free, "_missed": self._missed, "residuals": self.residuals}
        return {**self.__dict__, **known, "_find_free": None, "_find_missed": None, "_asked": None}

    @cached_property
    def free(self) -> tuple[str, ...]:
        if self.status != SINGULAR or self._find_free is None:
            return ()
        moving = self._find_free(self.solutions)
        return tuple(name for k, name in enumerate(self.joint_names) if moving[:, k].any())

    @cached_property
    def _missed(self) -> tuple[float, float]:
        return (0.0, 0.0) if self.status != OUT_OF_REACH or self._find_missed is None else self._find_missed()

    @property
    def distance(self) -> float:
        return self._missed[0]

    @property
    def angle(self) -> float:
        return self._missed[1]

    def __len__(self) -> int:
        return len(self.solutions)

    def __getitem__(self, which: int) -> Floats:
        """A solution, by its number from 0."""
        found: Floats = self.solutions[which]
        return found

    def __iter__(self) -> Iterator[Floats]:
        return iter(self.solutions)

    def __bool__(self) -> bool:
        return len(self.solutions) > 0

    def __repr__(self) -> str:
        return brief(f"Result: {self.status}, {len(self)} of {', '.join(self.joint_names)}")

    def _repr_html_(self) -> str:
        """The solutions in a notebook, a row each."""
        missed = [] if self.residuals is None else [f"{x:.1e}" for x in self.residuals]
        rows = [[k, *(f"{x:.6f}" for x in q), *missed[k : k + 1]] for k, q in enumerate(self.solutions)]
        head = ["", *self.joint_names, *(["residual"] if missed else [])]
        return f"<div>{heading(self.message)}{table(head, rows) if rows else ''}</div>"

    def _repr_latex_(self) -> str | None:
        """The solutions as rows of a matrix."""
        if not len(self) or len(self) > MOST_ROWS:
            return None
        rows = [[f"{x:.6f}" for x in q] for q in self.solutions]
        return inline(latex_table([latex_text(name) for name in self.joint_names], rows))

    @property
    def message(self) -> str:
        """The status in a sentence."""
        count = f"{len(self)} solution{'' if len(self) == 1 else 's'}"
        if self.status == SINGULAR:
            return f"singular, {count}: {' and '.join(self.free) or 'a joint'} may have any value"
        if self.status == OUTSIDE_LIMITS:
            return "outside limits: the pose is reachable, but not within the limits of the joints"
        if self.status == OUT_OF_REACH:
            turned = f" and {math.degrees(self.angle):.6g} degrees" if self.angle > 1e-9 else ""
            return f"out of reach: the arm stays {self.distance:.6g} m{turned} away"
        return f"reachable, {count}"

    def as_dict(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "joint_names": list(self.joint_names),
            "solutions": self.solutions.tolist(),
            "free": list(self.free),
            "distance": self.distance,
            "angle": self.angle,
        }


@dataclass(frozen=True, eq=False, repr=False)
class BatchResult:
    """The solutions of many poses: ``solutions[i, :counts[i]]`` are those of pose i, the rows after them are zero. Poses of any
    leading shape have solutions, counts and status of that shape.

    ``status`` is 0 for a pose out of reach, 1 for a reachable one, 2 for a singular one, 3 for one outside the limits;
    ``free`` (N, m, n) says which joints may have any value in which solution, and is None if there is no such pose.
    """

    solutions: Floats
    counts: NDArray[np.int64]
    status: NDArray[np.int8]
    joint_names: tuple[str, ...]
    find_free: Mapping[int, Callable[[Floats], Booleans]]  # of the singular poses, counted through

    def __repr__(self) -> str:
        lying = "x".join(map(str, self.counts.shape))
        without = int((self.counts == 0).sum())
        return brief(f"BatchResult: {lying} poses, {int(self.counts.sum())} solutions, {without} poses without one")

    def _repr_html_(self) -> str:
        """In a notebook: how every pose stands to the arm, and its first solution."""
        rows = []
        for place in islice(np.ndindex(*self.counts.shape), MOST_ROWS + 1):
            first = self.of(place)[:1]
            shown = [f"{x:.6f}" for x in first[0]] if len(first) else [""] * len(self.joint_names)
            rows.append(
                [", ".join(map(str, place)), STATUSES.get(int(self.status[place]), ""), self.counts[place], *shown]
            )
        rows += [[""]] * (self.counts.size - len(rows))
        head = ["pose", "status", "solutions", *self.joint_names]
        return f"<div>{heading(repr(self).strip('<>'))}{table(head, rows)}</div>"

    def lying(self, lead: tuple[int, ...]) -> BatchResult:
        """The same for poses that lie in this way."""
        solutions = self.solutions.reshape(*lead, *self.solutions.shape[1:])
        return replace(self, solutions=solutions, counts=self.counts.reshape(lead), status=self.status.reshape(lead))

    def __len__(self) -> int:
        return len(self.counts)

    def of(self, i: int | tuple[int, ...]) -> Floats:
        """The solutions of pose i, or of that at a place (i, j, ...)."""
        return np.asarray(self.solutions[i][: int(self.counts[i])])

    @cached_property
    def free(self) -> Booleans | None:
        if not self.find_free:
            return None
        found = np.zeros(self.solutions.shape, dtype=bool)
        for i, find in self.find_free.items():
            place = tuple(map(int, np.unravel_index(i, self.counts.shape)))
            found[place][: int(self.counts[place])] = find(self.of(place))
        return found
