"""The inverse geometric model at special and random poses of many arms, judged by a brute-force search.

    PYTHONPATH=src:tests python -m models.inverse_geometry.sweep --poses 2000

prints a table of the faults by arm and kind, and a line for each. Every tolerance is one number: a pose counts as made if no
entry misses by more than TOLERANCE, lengths as a share of the arm's size. Two positions are the same answer if all positions
between them make the pose as well as that: where the joints move the frame by s a radian they are TOLERANCE / s apart, at
a double root, where the pose changes with the square, its root (3e-5 rad), at a triple one its third root. Rounding of the
pose (1e-16) moves a double root by 1e-8, so this leaves three digits.
"""

from __future__ import annotations

import argparse
import ctypes
import math
import subprocess
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from models.inverse_geometry.brute_force import (
    CONTINUUM,
    FOLD,
    ISOLATED,
    UNSURE,
    Arm,
    Floats,
    Found,
    classified,
    search,
)
from models.inverse_geometry.special_arms import KNOWN, special_arms

from robosym.models import inverse_geometric
from robosym.models.inverse_geometry import InverseGeometric, Result
from robosym.robot import PRISMATIC, Robot

TOLERANCE = 1e-9  # of the pose
WITHIN = 1e-2  # two positions further apart are never the same answer (the fourth root of the tolerance is 6e-3)
EQUAL = 1e-12
FAMILY = 1e-5  # how near `nearest` comes to a position on a self-motion, rad and shares of the size
TWICE = 1e-7  # nearer to each other two answers are one given twice
UNTOLD = 1e-13  # and so they are where rounding alone tells them apart
BEYOND = 1e-6  # a pose that no descent comes nearer to is out of reach
EPS = 2.0**-53
SCALES = (1e-3, 1e3, 1e9)

Library = Callable[[str], ctypes.CDLL]


@dataclass(frozen=True)
class Fault:
    arm: str
    pose: int
    kind: str
    details: str


@dataclass(frozen=True, eq=False)
class Case:
    """A pose, and the position that made it (None if none did)."""

    label: str
    T: Floats
    q: Floats | None


# --- poses ------------------------------------------------------------------------------------------------------------

SPECIAL = (0.0, math.pi / 2, -math.pi / 2, math.pi, math.pi / 4, -math.pi / 4, math.pi / 3, -math.pi / 3)


def special_position(arm: Arm, rng: np.random.Generator) -> Floats:
    """Each joint special, special with noise of 1e-16 to 1e-9, or random."""
    q = np.empty(arm.n)
    lengths = [0.0, *arm.lengths, *(-x for x in arm.lengths)]
    for k, slides in enumerate(arm.prismatic):
        kind = rng.uniform()
        q[k] = rng.choice(lengths) if slides else rng.choice(SPECIAL)
        if kind > 0.8:
            q[k] = rng.uniform(-1, 1) * (1.5 * arm.size if slides else math.pi)
        elif kind > 0.6:
            q[k] += rng.choice([-1, 1]) * 10 ** rng.uniform(-16, -9) * (arm.size if slides else 1.0)
    return q


def random_position(arm: Arm, rng: np.random.Generator) -> Floats:
    return np.asarray(rng.uniform(-1, 1, arm.n) * np.where(arm.prismatic, 1.5 * arm.size, math.pi))


def cases(arm: Arm, count: int, seed: int, known: Sequence[Sequence[float]] = ()) -> list[Case]:
    """``count`` special poses, as many random ones, some that may be out of reach, one far away; every joint at zero, and
    the positions that are ``known`` to be difficult."""
    rng = np.random.default_rng([seed, zlib.crc32(arm.name.encode())])
    found = [Case("known", arm.poses(q)[0], q) for q in map(np.array, [[0.0] * arm.n, *known])]
    for label, position in (("special", special_position), ("random", random_position)):
        for _ in range(count):
            q = position(arm, rng)
            found.append(Case(label, arm.poses(q)[0], q))
    for k in range(max(2, count // 6)):
        T = arm.poses((special_position if k % 2 else random_position)(arm, rng))[0]
        T[:3, 3] += rng.normal(size=3) * arm.size * 10 ** rng.uniform(-2, 0)
        found.append(Case("moved", T, None))
    T = arm.poses(random_position(arm, rng))[0]
    T[:3, 3] += 1e4 * arm.size * rng.choice([-1, 1], 3)
    return [*found, Case("far", T, None)]


# --- one arm ----------------------------------------------------------------------------------------------------------


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
        printed = None if library is None else _printed(solver, robot, arm.n, library)
        return cls(name, arm, solver, printed)

    def alike(self, a: Floats, b: Floats, T: Floats) -> bool:
        """The same answer: all that is between them makes the pose (or they are equal, whatever they make)."""
        distance = float(self.arm.distance(a, b))
        return distance < EQUAL or (distance < WITHIN and self.arm.between(a, b, T) < self._tolerance(T))

    def has(self, rows: Floats, q: Floats, T: Floats) -> bool:
        return any(self.alike(row, q, T) for row in rows[np.argsort(self.arm.distance(rows, q))[:3]])

    def same(self, some: Floats, others: Floats, T: Floats) -> bool:
        return len(some) == len(others) and all(self.has(others, row, T) for row in some)

    def _tolerance(self, T: Floats) -> float:
        return TOLERANCE * max(1.0, float(np.abs(T[:3, 3]).max()) / self.arm.size)

    def kind_of(self, case: Case) -> str | None:
        """What kind of solution the position is that made the pose."""
        return None if case.q is None else classified(self.arm, case.q / self.arm.units, case.T).kind

    # --- what one list of answers says --------------------------------------------------------------------------------

    def rows(self, rows: Floats, T: Floats, where: str) -> list[tuple[str, str]]:
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
                if near[k] < TWICE or self.arm.between(rows[i], rows[k], T) < UNTOLD:
                    faults.append((f"twice {where}", f"rows {k} and {i} of {len(rows)}, {near[k]:.2g} apart"))
        return faults

    def missed(self, rows: Floats, found: Found, case: Case, where: str) -> list[tuple[str, str]]:
        """The position that made the pose, and those the search found, that are not among the answers."""
        faults = []
        if self.kind_of(case) in (ISOLATED, FOLD) and not self.has(rows, case.q, case.T):
            faults.append((f"missed {where}", f"q is not among the {len(rows)}"))
        required = found.of(ISOLATED, FOLD)
        absent = [one for one in required if not self.has(rows, one.q, case.T)]
        if absent and not faults:
            one = absent[0]
            said = f"{len(absent)} of {len(required)}, as {one.kind} {np.round(one.q, 4).tolist()}"
            faults.append((f"missed {where}", f"{said} ({len(rows)} answers)"))
        return faults

    # --- statuses -----------------------------------------------------------------------------------------------------

    def status(self, said: Result, found: Found, case: Case) -> list[tuple[str, str]]:
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

    def freedom(self, rows: Floats, free: Any, T: Floats) -> list[tuple[str, str]]:
        """Rows on a self-motion have as many free joints as it has dimensions, joints that move; others have none."""
        for q, loose in zip(rows, free, strict=True):
            one = classified(self.arm, q / self.arm.units, T)
            if one.miss > 1e-12 or one.kind == UNSURE:
                continue
            names = [self.solver.joint_names[k] for k in np.flatnonzero(loose)]
            if one.kind == CONTINUUM:
                assert one.moving is not None
                if len(names) != one.dimension or (loose & ~one.moving).any():
                    moving = [self.solver.joint_names[k] for k in np.flatnonzero(one.moving)]
                    said = f"free {names}, expected {one.dimension} of {moving}"
                    return [("free", f"{said} at {np.round(q, 4).tolist()}")]
            elif names:
                return [("free", f"free {names} at an isolated solution {np.round(q, 4).tolist()}")]
        return []

    def nearest(self, found: Found, case: Case) -> list[tuple[str, str]]:
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

    def noise(self, said: Result, found: Found, case: Case, rng: np.random.Generator) -> list[tuple[str, str]]:
        """The same pose with other rounding: the same count, status and free joints. Where noise decides, nothing."""
        if found.of(UNSURE) or case.label == "far" or self._crowded(found):
            return []
        T = case.T.copy()
        T[:3] += rng.uniform(-2, 2, (3, 4)) * EPS * [1, 1, 1, self.arm.size]
        other = self.solver(T)
        if (len(other), other.status, other.free) == (len(said), said.status, said.free):
            return []
        return [("noise", f"{said.message} | {other.message}")]

    def _crowded(self, found: Found) -> bool:
        q = np.array([one.q for one in found.of(ISOLATED, FOLD)])
        return any(self.arm.distance(q[:i], q[i]).min() < WITHIN for i in range(1, len(q)))


def judged(judge: Judge, given: Sequence[Case], seed: int = 0) -> list[Fault]:
    """All faults of an arm at some poses."""
    rng = np.random.default_rng(seed)
    faults: list[Fault] = []

    def add(i: int, some: list[tuple[str, str]]) -> None:
        faults.extend(Fault(judge.name, i, kind, f"[{given[i].label}] {details}") for kind, details in some)

    Ts = np.array([case.T for case in given])
    alone: list[Result | None] = []
    for i, case in enumerate(given):
        try:
            alone.append(judge.solver(case.T))
        except Exception as error:
            alone.append(None)
            add(i, [("raises", f"{type(error).__name__}: {error}"[:100])])
    try:
        batch, turned = judge.solver.batch(Ts), judge.solver.batch(Ts[::-1])
    except Exception as error:
        add(0, [("raises", f"batch: {type(error).__name__}: {error}"[:100])])
        batch = turned = None
    hints = []
    for i, case in enumerate(given):
        said = alone[i]
        rows = [] if said is None else [*said.solutions]
        hints.append(np.array([*rows, *([] if case.q is None else [case.q])]).reshape(-1, judge.arm.n))
    oracle = search(judge.arm, Ts, hints)
    for i, case in enumerate(given):
        said, found, T = alone[i], oracle[i], case.T
        if said is not None:
            add(i, judge.rows(said.solutions, T, "alone"))
            add(i, judge.missed(said.solutions, found, case, "alone"))
            add(i, judge.status(said, found, case))
            try:
                add(i, judge.nearest(found, case))
                add(i, judge.noise(said, found, case, rng))
            except Exception as error:
                add(i, [("raises", f"{type(error).__name__}: {error}"[:100])])
        if batch is not None and turned is not None:
            rows = batch.of(i)
            add(i, judge.rows(rows, T, "batch"))
            free = np.zeros(rows.shape, dtype=bool) if batch.free is None else batch.free[i, : len(rows)]
            add(i, judge.freedom(rows, free, T))
            if not judge.same(rows, turned.of(len(given) - 1 - i), T):
                add(
                    i,
                    [("place in batch", f"{len(rows)} answers, {turned.counts[len(given) - 1 - i]} in another place")],
                )
            if said is not None:
                code = {"out of reach": 0, "reachable": 1, "singular": 2}[said.status]
                if not judge.same(said.solutions, rows, T) or batch.status[i] != code:
                    add(i, [("batch differs", f"{said.message} | {len(rows)} answers, status {batch.status[i]}")])
        if judge.printed is not None:
            rows = judge.printed(T)
            add(i, judge.rows(rows, T, "C"))
            if said is not None and not judge.same(said.solutions, rows, T):
                add(i, [("C differs", f"{said.message} | {len(rows)} answers")])
    return faults


# --- units ------------------------------------------------------------------------------------------------------------


def scaled(robot: Robot, scale: float) -> Robot:
    """The same arm in another unit of length."""
    frames = [
        replace(f, b=f.b * scale, d=f.d * scale, r=f.r if f.sigma == PRISMATIC else f.r * scale) for f in robot.frames
    ]
    return replace(robot, frames=tuple(frames))


def judged_units(judge: Judge, robot: Robot, given: Sequence[Case], scales: Sequence[float] = SCALES) -> list[Fault]:
    """Counts, status and solutions do not depend on the unit of length."""
    faults = []
    for scale in scales:
        try:
            other = inverse_geometric(scaled(robot, scale))
        except Exception as error:
            faults.append(Fault(judge.name, -1, "units", f"x{scale:g} {type(error).__name__}: {error}"[:100]))
            continue
        for i, case in enumerate(given):
            T = case.T.copy()
            T[:3, 3] *= scale
            try:
                said, there = judge.solver(case.T), other(T)
            except Exception as error:
                faults.append(Fault(judge.name, i, "units", f"x{scale:g} {type(error).__name__}: {error}"[:100]))
                continue
            rows = there.solutions / np.where(judge.arm.prismatic, scale, 1.0)
            alike = judge.same(said.solutions, rows, case.T) and (said.status, said.free) == (there.status, there.free)
            if not alike:
                faults.append(Fault(judge.name, i, "units", f"x{scale:g} {said.message} | {there.message}"))
    return faults


# --- C ----------------------------------------------------------------------------------------------------------------


def _printed(solver: InverseGeometric, robot: Robot, n: int, library: Library) -> Callable[[Floats], Floats]:
    values = {name: value.number for name, value in robot.values.items()}
    if solver.program is not None:
        used = {symbol.name for symbol in solver.program.parameters}
        values = {name: value for name, value in values.items() if name in used}
    built = library(solver.source("c", name="arm", values=values))
    function = built["arm_solve"]
    function.restype = ctypes.c_int
    constants = np.zeros(10000)
    shared = []
    if hasattr(built, "arm_precompute"):
        built["arm_precompute"](ctypes.c_void_p(constants.ctypes.data))
        shared = [constants]

    def solve(T: Floats) -> Floats:
        pose, found = np.ascontiguousarray(T), np.full((max(16, solver.most), n), np.nan)
        count = function(*(ctypes.c_void_p(a.ctypes.data) for a in (pose, *shared, found)))
        return found[:count]

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


# --- the table --------------------------------------------------------------------------------------------------------


def table(faults: Sequence[Fault], names: Sequence[str], poses: int) -> str:
    """Poses with a fault, by arm and kind."""
    seen = Counter({(f.arm, f.kind, f.pose) for f in faults})
    counts = Counter((arm, kind) for arm, kind, _ in seen)
    kinds = sorted({kind for _, kind in counts})
    width = max([*map(len, names), 5])
    lines = [f"{poses} poses; the number of poses with a fault of each kind:"]
    lines += [f"  {chr(97 + k)}: {kind} ({sum(counts[arm, kind] for arm in names)})" for k, kind in enumerate(kinds)]
    lines.append(" " * width + "".join(f"{chr(97 + k):>5}" for k in range(len(kinds))))
    for arm in names:
        if any(counts[arm, kind] for kind in kinds):
            lines.append(f"{arm:{width}}" + "".join(f"{counts[arm, kind] or '.':>5}" for kind in kinds))
    clean = [arm for arm in names if not any(counts[arm, kind] for kind in kinds)]
    return "\n".join([*lines, f"without a fault: {len(clean)} of {len(names)}: {', '.join(clean)}"])


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge the inverse geometric model by brute force.")
    parser.add_argument("--poses", type=int, default=2000, help="special poses on all arms, and as many random ones")
    parser.add_argument("--arms", default="", help="only arms whose name contains one of these words, with commas")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-c", action="store_true")
    parser.add_argument("--units", type=int, default=6, help="special poses of each arm in other units of length")
    parser.add_argument("--details", type=int, default=3, help="lines for each arm and kind of fault")
    args = parser.parse_args()
    arms = special_arms()
    words = [word for word in args.arms.split(",") if word]
    names = [name for name in arms if not words or any(word in name for word in words)]
    each = math.ceil(args.poses / len(arms))
    faults: list[Fault] = []
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        build = None if args.no_c else gcc(Path(folder))
        for name in names:
            begun = time.perf_counter()
            robot = arms[name]()
            judge = Judge.of(name, robot, build)
            given = cases(judge.arm, each, args.seed, KNOWN.get(name, ()))
            own = judged(judge, given, args.seed) + judged_units(judge, robot, given[: args.units])
            total += len(given)
            faults += own
            print(f"{name}: {len(own)} faults, {time.perf_counter() - begun:.1f} s", flush=True)
            shown: Counter[str] = Counter()
            for fault in own:
                shown[fault.kind] += 1
                if shown[fault.kind] <= args.details:
                    print(f"    {fault.kind}: pose {fault.pose}: {fault.details}")
    print(table(faults, names, total))


if __name__ == "__main__":
    main()
