"""Random robots of every class against independent references, at size: ``make sweep``.

    python tools/sweep.py                          # every family at its full size
    python tools/sweep.py loops regressors         # some families
    python tools/sweep.py loops --cases 20 --first 1000

Each family is a function of a seed that draws one random robot and returns its comparisons (``random_checks.checks``) or raises an
AssertionError; the test suite runs the same functions on a few seeds. The exit status is 1 if any comparison fails, and every failure names its family and seed.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
if "PYTHONPATH" not in os.environ:
    sys.path.insert(0, str(ROOT / "src"))

from random_checks.checks import Checks  # noqa: E402


@dataclass(frozen=True)
class Family:
    """Random robots of one class: where their check is (module:function), and how many a full sweep takes."""

    check: str
    cases: int
    title: str

    @property
    def function(self) -> Callable[[int], object]:
        module, name = self.check.split(":")
        function: Callable[[int], object] = getattr(importlib.import_module(module), name)
        return function


FAMILIES = {
    "loops": Family("random_checks.closed_loops:check_springs", 200, "closed loops with springs and friction"),
    "platforms": Family(
        "random_checks.parallel_robots:check_both_forms", 60, "parallel robots in both forms, 20 poses each"
    ),
    "trees": Family("random_checks.trees:check_pinocchio", 60, "every model that Pinocchio has too, random trees"),
    "special": Family(
        "random_checks.trees:check_special", 200, "every model, robots with special angles, zeros and noise"
    ),
    "urdf": Family("formats.mutated:check_urdf", 1000, "mutated URDF files, against Pinocchio"),
    "mjcf": Family("formats.mutated:check_mjcf", 1000, "mutated MJCF files, against MuJoCo"),
    "mjcf-random": Family("formats.mutated:check_random_mjcf", 300, "random MJCF trees, against MuJoCo"),
    "mjcf-shapes": Family("formats.mutated:check_shapes", 300, "inertia of MJCF shapes and settings, against MuJoCo"),
}


@dataclass
class Summary:
    """The comparisons of all robots of a family."""

    robots: int = 0
    comparisons: int = 0
    worst: float = 0.0
    failures: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    seconds: float = 0.0


def check(job: tuple[str, int]) -> Checks:
    """The comparisons of one seed; an exception counts as a failure."""
    family, seed = job
    warnings.simplefilter("ignore")
    try:
        result = FAMILIES[family].function(seed)
        return result if isinstance(result, Checks) else Checks(f"seed {seed}", comparisons=1)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        line = f"{type(error).__name__}: {str(error).strip()[:300]} ({Path(where.filename).name}:{where.lineno})"
        return Checks(f"seed {seed}", comparisons=1, failures=[line])


def results(family: str, seeds: range, workers: int) -> Iterator[tuple[int, Checks]]:
    """The comparisons of each seed, in the order of the seeds."""
    jobs = [(family, seed) for seed in seeds]
    if workers < 2:
        yield from zip(seeds, map(check, jobs), strict=True)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from zip(seeds, pool.map(check, jobs), strict=True)


def swept(family: str, seeds: range, workers: int) -> Summary:
    """Run a family, print each failure as it appears and one line at the end."""
    summary, start = Summary(), time.monotonic()
    for seed, checks in results(family, seeds, workers):
        summary.robots += 1
        summary.comparisons += checks.comparisons
        summary.worst = max(summary.worst, checks.worst)
        summary.failures += checks.failures
        summary.skipped += checks.skipped
        for line in checks.failures:
            print(f"FAILED {family} seed {seed}: {line}", flush=True)
    summary.seconds = time.monotonic() - start
    print(
        f"{family:12} {FAMILIES[family].title}: {summary.robots} robots, {summary.comparisons} comparisons, "
        f"{len(summary.failures)} failed, {len(summary.skipped)} skipped, largest error {summary.worst:.1e}, {summary.seconds:.0f} s",
        flush=True,
    )
    return summary


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=f"all unless named: {', '.join(FAMILIES)}")
    parser.add_argument("--cases", type=int, help="robots per family (default: the full size of each)")
    parser.add_argument("--first", type=int, default=0, help="first seed (default 0)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: all cores)")
    options = parser.parse_args()
    unknown = [name for name in options.families if name not in FAMILIES]
    if unknown:
        parser.error(f"FAMILY: expected one of {', '.join(FAMILIES)}, got {', '.join(unknown)}")
    summaries = []
    for name in options.families or FAMILIES:
        count = FAMILIES[name].cases if options.cases is None else options.cases
        summaries.append(swept(name, range(options.first, options.first + count), options.workers))
    failures = sum(len(summary.failures) for summary in summaries)
    print(
        f"{sum(s.robots for s in summaries)} robots, {sum(s.comparisons for s in summaries)} comparisons, {failures} failed"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
