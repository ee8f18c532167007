"""What is asked of the answers to a pose, and the tolerances.

Every tolerance is one number: a pose counts as made if no entry misses by more than TOLERANCE, lengths as a share of the
arm's size. Two positions are the same answer if all positions between them make the pose as well as that: where the joints
move the frame by s a radian they are TOLERANCE / s apart, at a double root, where the pose changes with the square, its root
(3e-5 rad), at a triple one its third root. Rounding of the pose (1e-16) moves a double root by 1e-8, so this leaves three
digits.
"""

from __future__ import annotations

import ctypes
import math
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from c_calls import call_c
from models.inverse_geometry.brute_force import CONTINUUM, FOLD, ISOLATED, UNSURE, Found, classified
from models.inverse_geometry.judged_arm import Arm, Floats, Truths

from robosym.models import inverse_geometric
from robosym.models.inverse_geometry import InverseGeometric, Result
from robosym.program.routine import Routine
from robosym.robot import Robot

TOLERANCE = 1e-9  # of the pose
WITHIN = 1e-2  # two positions further apart are never the same answer (the fourth root of the tolerance is 6e-3)
EQUAL = 1e-12
FAMILY = 1e-5  # how near `nearest` comes to a position on a self-motion, rad and shares of the size
TWICE = 1e-7  # nearer to each other two answers are one given twice
UNTOLD = 1e-13  # and so they are where rounding alone tells them apart
CROSSING = 1e-4  # two singular values of a Jacobian matrix below this: self-motions cross, or have two dimensions
BEYOND = 1e-6  # a pose that no descent comes nearer to is out of reach
EPS = 2.0**-53

Library = Callable[[str], ctypes.CDLL]
Faults = list[tuple[str, str]]  # kinds and details


@dataclass(frozen=True, eq=False)
class Case:
    """A pose, and the position that made it (None if none did)."""

    label: str
    T: Floats
    q: Floats | None


@dataclass(frozen=True, eq=False)
class Judge:
    """An arm under judgement."""

    name: str
    arm: Arm
    solver: InverseGeometric
    printed: Callable[[Floats], Floats] | None  # the solutions of a pose, by the C source

    @classmethod
    def of(cls, name: str, robot: Robot, library: Library | None = None) -> Judge:
        solver = inverse_geometric(robot)
        arm = Arm.of(robot, solver.task == "position")
        printed = None if library is None else _printed(solver, library)
        return cls(name, arm, solver, printed)

    def alike(self, a: Floats, b: Floats, T: Floats) -> bool:
        """The same answer: all that is between them makes the pose (or they are equal, whatever they make)."""
        distance = float(self.arm.distance(a, b))
        return distance < EQUAL or (distance < WITHIN and self.arm.between(a, b, T) < self._tolerance(T))

    def has(self, rows: Floats, q: Floats, T: Floats) -> bool:
        return any(self.alike(row, q, T) for row in rows[np.argsort(self.arm.distance(rows, q))[:3]])

    def same(self, some: Floats, others: Floats, T: Floats) -> bool:
        """The same answers, each on both sides: how often a multiple root is given is another matter, and so is the
        position given for a self-motion where two of them cross."""
        wanted = [rows[~self.crossings(rows, T)] for rows in (some, others)]
        return all(self.has(others, q, T) for q in wanted[0]) and all(self.has(some, q, T) for q in wanted[1])

    def count(self, rows: Floats, T: Floats) -> int:
        """How many answers are not the same as one before them."""
        rows = rows[~self.crossings(rows, T)]
        return sum(not self.has(rows[:i], q, T) for i, q in enumerate(rows))

    def names(self, rows: Floats, free: tuple[str, ...], T: Floats) -> tuple[str, ...]:
        """The free joints, where they do not hang on which of two crossing self-motions is followed."""
        return () if self.crossings(rows, T).any() else free

    def crossings(self, rows: Floats, T: Floats) -> Truths:
        """Positions in which the arm can move in two directions with its frame at rest, to first order; and where there is
        one, all that are given for self-motions: which of them leads where is for rounding to say."""
        if not len(rows) or self.arm.n < 2:
            return np.zeros(len(rows), dtype=np.bool_)
        targets = (np.broadcast_to(x, (len(rows), *x.shape)) for x in (T[:3, :3], T[:3, 3] / self.arm.size))
        _, columns = self.arm.errors(rows / self.arm.units, *targets)
        sizes = np.linalg.svd(columns, compute_uv=False)
        here = sizes[:, -2] < CROSSING
        return np.asarray(sizes[:, -1] < CROSSING if here.any() else here)

    def _tolerance(self, T: Floats) -> float:
        return TOLERANCE * max(1.0, float(np.abs(T[:3, 3]).max()) / self.arm.size)

    def kind_of(self, case: Case) -> str | None:
        """What kind of solution the position is that made the pose."""
        return None if case.q is None else classified(self.arm, case.q / self.arm.units, case.T).kind

    # --- what one list of answers says --------------------------------------------------------------------------------

    def rows(self, rows: Floats, T: Floats, where: str) -> Faults:
        """Wrong positions and answers given twice."""
        faults = []
        if len(rows):
            if not np.isfinite(rows).all():
                return [(f"wrong {where}", "not finite")]
            misses = self.arm.misses(rows, T)
            wrong = misses > self._tolerance(T)
            if wrong.any():
                faults.append((f"wrong {where}", f"{wrong.sum()} of {len(rows)} miss by up to {misses.max():.2g}"))
            rows = rows[~wrong]
        for i in range(len(rows)):
            near = self.arm.distance(rows[:i], rows[i]) if i else np.empty(0)
            for k in np.flatnonzero(near < WITHIN).tolist():
                if near[k] < TWICE or (near[k] < FAMILY and self.arm.between(rows[i], rows[k], T) < UNTOLD):
                    faults.append((f"twice {where}", f"rows {k} and {i} of {len(rows)}, {near[k]:.2g} apart"))
        return faults

    def missed(self, rows: Floats, found: Found, case: Case, where: str) -> Faults:
        """The position that made the pose, and those the search found, that are not among the answers."""
        faults = []
        if self.kind_of(case) in (ISOLATED, FOLD) and not self.has(rows, case.q, case.T):
            faults.append((f"missed {where}", f"q is not among the {len(rows)}"))
        required = found.of(ISOLATED, FOLD)
        absent = [one for one in required if not self.has(rows, one.q, case.T)]
        absent = [one for one in absent if one.kind == ISOLATED or not self.in_family(one.q, case.T)]
        if absent and not faults:
            one = absent[0]
            said = f"{len(absent)} of {len(required)}, as {one.kind} {np.round(one.q, 4).tolist()}"
            faults.append((f"missed {where}", f"{said} ({len(rows)} answers)"))
        return faults

    def in_family(self, q: Floats, T: Floats) -> bool:
        """Whether a position that is nearly on a self-motion is on one that the solver has stated."""
        nearest = self.solver.nearest(T, q) if self.solver(T).free else None
        return nearest is not None and bool(self.arm.distance(nearest, q) < FAMILY)

    # --- statuses -----------------------------------------------------------------------------------------------------

    def status(self, said: Result, found: Found, case: Case) -> Faults:
        allowed = self.allowed(found, case)
        if said.status in allowed:
            return []
        return [(f"status {said.status}", f"expected {' or '.join(sorted(allowed))}: {said.message}")]

    def allowed(self, found: Found, case: Case) -> set[str]:
        if case.label == "far":
            return {"out of reach"} if not self.arm.prismatic.any() else {"out of reach", "reachable", "singular"}
        if found.of(CONTINUUM):
            return {"singular"}
        exact = found.of(ISOLATED, FOLD)
        if found.of(UNSURE):
            return (
                {"reachable", "singular"} if exact or case.q is not None else {"reachable", "singular", "out of reach"}
            )
        if exact:
            return {"reachable"}
        return {"out of reach"} if found.nearest > BEYOND else {"out of reach", "reachable", "singular"}

    def freedom(self, rows: Floats, free: Truths, T: Floats) -> Faults:
        """Rows on a self-motion have as many free joints as it has dimensions (where branches cross, as it has directions),
        joints that move; others have none."""
        for q, loose in zip(rows, free, strict=True):
            one = classified(self.arm, q / self.arm.units, T)
            if one.miss > 1e-12 or one.kind == UNSURE:
                continue
            names = [self.solver.joint_names[k] for k in np.flatnonzero(loose)]
            if one.kind == CONTINUUM:
                assert one.moving is not None
                if not one.dimension <= len(names) <= one.directions or (loose & ~one.moving).any():
                    moving = [self.solver.joint_names[k] for k in np.flatnonzero(one.moving)]
                    said = f"free {names}, expected {one.dimension} of {moving}"
                    return [("free", f"{said} at {np.round(q, 4).tolist()}")]
            elif names:
                return [("free", f"free {names} at an isolated solution {np.round(q, 4).tolist()}")]
        return []

    def nearest(self, found: Found, case: Case) -> Faults:
        """``nearest`` leads back to the position that made the pose, and to others of the family."""
        members = [one.q for one in found.of(CONTINUUM)][:3]
        for q in [*([] if case.q is None else [case.q]), *members]:
            got = self.solver.nearest(case.T, q)
            if got is None:
                return [("nearest", "None")]
            distance = float(self.arm.distance(got, q))
            kind = classified(self.arm, q / self.arm.units, case.T).kind
            if kind == CONTINUUM and distance > FAMILY:
                return [("nearest", f"{distance:.2g} from {np.round(q, 4).tolist()} on a self-motion")]
            if kind != CONTINUUM and not self.alike(got, q, case.T) and distance > FAMILY:
                return [("nearest", f"{distance:.2g} from {np.round(q, 4).tolist()}, which is {kind}")]
            if np.abs((got - q)[~self.arm.prismatic]).max(initial=0.0) > math.pi + 1e-9:
                return [("nearest", "more than half a turn away")]
        return []

    def noise(self, said: Result, found: Found, case: Case, rng: np.random.Generator) -> Faults:
        """The same pose with other rounding: the same count, status and free joints. Where noise decides, nothing."""
        if found.of(UNSURE) or case.label == "far":
            return []
        T = case.T.copy()
        T[:3] += rng.uniform(-2, 2, (3, 4)) * EPS * [1, 1, 1, self.arm.size]
        other = self.solver(T)
        counts = [self.count(one.solutions, case.T) for one in (said, other)]
        names = [self.names(one.solutions, one.free, case.T) for one in (said, other)]
        if counts[0] == counts[1] and other.status == said.status and names[0] == names[1]:
            return []
        return [("noise", f"{said.message} | {other.message}")]


# --- C ----------------------------------------------------------------------------------------------------------------


def _printed(solver: InverseGeometric, library: Library) -> Callable[[Floats], Floats]:
    built = library(solver.source("c", name="arm", numeric=True))
    routine = solver.with_values()
    assert isinstance(routine, Routine)

    def solve(T: Floats) -> Floats:
        made = call_c(built, routine, {**solver.defaults, "T": T}, [], "arm")
        return made["solutions"][: int(made["count"])]

    return solve


def gcc(folder: Path) -> Library:
    """Compiles C texts into libraries of this process."""

    def build(text: str) -> ctypes.CDLL:
        number = len(list(folder.glob("*.c")))
        source, library = folder / f"s{number}.c", folder / f"s{number}.so"
        source.write_text(text, encoding="ascii")
        subprocess.run(["gcc", "-std=c99", "-O1", "-shared", "-fPIC", source, "-o", library, "-lm"], check=True)
        return ctypes.CDLL(str(library))

    return build
