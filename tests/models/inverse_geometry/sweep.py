"""The inverse geometric model at special and random poses of many arms, judged by a brute-force search.

    PYTHONPATH=src:tests python -m models.inverse_geometry.sweep --poses 2000

prints a table of the faults by arm and kind, and a line for some of each; ``judge.py`` says what a fault is.
With seed 0 that is, on each of the sixty arms, 34 special and 34 random positions, 5 poses moved off them, which may be out of
reach, one 10 000 times the arm's size away, every joint at zero, and six of them again with lengths times 1e-3, 1e3 and 1e9.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from models.inverse_geometry.brute_force import search
from models.inverse_geometry.judge import Case, Faults, Judge, gcc
from models.inverse_geometry.judged_arm import Arm, Floats
from models.inverse_geometry.special_arms import KNOWN, special_arms

from robosym.models import inverse_geometric
from robosym.models.inverse_geometry import Result
from robosym.robot import PRISMATIC, Robot

SCALES = (1e-3, 1e3, 1e9)


@dataclass(frozen=True)
class Fault:
    arm: str
    pose: int
    kind: str
    details: str


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


def judged(judge: Judge, given: Sequence[Case], seed: int = 0) -> list[Fault]:
    """All faults of an arm at some poses: alone, in a batch and in C."""
    alone, faults = _alone(judge, given)
    hints = [_hints(judge, case, said) for case, said in zip(given, alone, strict=True)]
    found = search(judge.arm, np.array([case.T for case in given]), hints)
    rng = np.random.default_rng(seed)
    for i, (case, said) in enumerate(zip(given, alone, strict=True)):
        if said is not None:
            some = judge.rows(said.solutions, case.T, "alone")
            some += judge.missed(said.solutions, found[i], case, "alone") + judge.status(said, found[i], case)
            try:
                some += judge.nearest(found[i], case) + judge.noise(said, found[i], case, rng)
            except Exception as error:
                some.append(_raised(error))
            faults += _named(judge, given, i, some)
    return faults + _batch(judge, given, alone) + _printed(judge, given, alone)


def _named(judge: Judge, given: Sequence[Case], i: int, some: Faults) -> list[Fault]:
    return [Fault(judge.name, i, kind, f"[{given[i].label}] {details}") for kind, details in some]


def _raised(error: Exception) -> tuple[str, str]:
    return "raises", f"{type(error).__name__}: {error}"[:100]


def _alone(judge: Judge, given: Sequence[Case]) -> tuple[list[Result | None], list[Fault]]:
    """The answer to each pose, None where there is an error instead."""
    alone: list[Result | None] = []
    faults = []
    for i, case in enumerate(given):
        try:
            alone.append(judge.solver(case.T))
        except Exception as error:
            alone.append(None)
            faults += _named(judge, given, i, [_raised(error)])
    return alone, faults


def _hints(judge: Judge, case: Case, said: Result | None) -> Floats:
    """Where the search begins as well: what was answered, and what made the pose."""
    rows = [] if said is None else [*said.solutions]
    return np.array([*rows, *([] if case.q is None else [case.q])]).reshape(-1, judge.arm.n)


def _batch(judge: Judge, given: Sequence[Case], alone: Sequence[Result | None]) -> list[Fault]:
    """All poses at once, and once more in the other order."""
    Ts = np.array([case.T for case in given])
    try:
        batch, turned = judge.solver.batch(Ts), judge.solver.batch(Ts[::-1])
    except Exception as error:
        return _named(judge, given, 0, [_raised(error)])
    faults = []
    for i, (case, said) in enumerate(zip(given, alone, strict=True)):
        rows, others = batch.of(i), turned.of(len(given) - 1 - i)
        free = np.zeros(rows.shape, dtype=np.bool_) if batch.free is None else batch.free[i, : len(rows)]
        some = judge.rows(rows, case.T, "batch") + judge.freedom(rows, free, case.T)
        if not judge.same(rows, others, case.T):
            some.append(("place in batch", f"{len(rows)} answers, {len(others)} in another place"))
        if said is not None:
            names = tuple(np.array(judge.solver.joint_names)[free.any(axis=0)].tolist())
            status = ("out of reach", "reachable", "singular")[int(batch.status[i])]
            named = [judge.names(*one, case.T) for one in ((rows, names), (said.solutions, said.free))]
            if not judge.same(said.solutions, rows, case.T) or status != said.status or named[0] != named[1]:
                some.append(("batch differs", f"{said.message} | {len(rows)} answers, {status} {' '.join(names)}"))
        faults += _named(judge, given, i, some)
    return faults


def _printed(judge: Judge, given: Sequence[Case], alone: Sequence[Result | None]) -> list[Fault]:
    """The C source."""
    faults = []
    for i, (case, said) in enumerate(zip(given, alone, strict=True)):
        if judge.printed is not None:
            rows = judge.printed(case.T)
            some = judge.rows(rows, case.T, "C")
            if said is not None and not judge.same(said.solutions, rows, case.T):
                some.append(("C differs", f"{said.message} | {len(rows)} answers"))
            faults += _named(judge, given, i, some)
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
            named = [judge.names(*one, case.T) for one in ((rows, there.free), (said.solutions, said.free))]
            alike = judge.same(said.solutions, rows, case.T) and named[0] == named[1]
            if not alike or said.status != there.status:
                faults.append(Fault(judge.name, i, "units", f"x{scale:g} {said.message} | {there.message}"))
    return faults


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
