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
    name: Family(check, cases, title)
    for name, check, cases, title in (
        # Models
        ("trees", "random_checks.trees:check_pinocchio", 60, "every model that Pinocchio has too, random trees"),
        ("special", "random_checks.trees:check_special", 200, "every model, special angles, zeros and noise"),
        ("joint-kinds", "random_checks.joint_kinds:check_joint_kinds", 300, "joints of all kinds, against Pinocchio"),
        ("loops", "random_checks.closed_loops:check_springs", 200, "closed loops with springs and friction"),
        ("loop-springs", "models.loops.spring_ways:check_springs", 100, "springs of closed loops along motions"),
        ("parallelograms", "models.loops.test_dead_centres:check_parallelogram", 40, "parallelograms at dead centres"),
        ("dead-centres", "models.loops.test_dead_centres:check_four_bar", 40, "four-bars at dead centres"),
        (
            "late-lengths",
            "models.loops.test_symmetric_centres:check_late",
            100,
            "lengths given late and their dead centres",
        ),
        ("kites", "models.loops.test_dead_centres:check_kite", 24, "kites at dead centres"),
        ("inexact-loops", "models.loops.test_inexact_loops:check_inexact_rods", 30, "loops with rounded lengths"),
        ("open-loops", "models.loops.test_inexact_loops:check_wrong_rods", 30, "loops that cannot close"),
        ("platforms", "random_checks.parallel_robots:check_poses", 60, "parallel robots in both forms, 20 poses each"),
        ("leg-springs", "models.parallel.spring_poses:check_springs", 32, "springs in the legs of parallel robots"),
        ("described-mode", "random_checks.by_seed:described_mode", 51, "closed loops of parallel robots as described"),
        ("flexible", "models.dynamic.free.flexible_states:check_two_masses", 100, "flexible joints: two-mass models"),
        (
            "flexible-motion",
            "models.dynamic.free.flexible_states:check_motion",
            30,
            "flexible joints: simulated motion",
        ),
        ("motors-held", "models.dynamic.free.flexible_states:check_motors_held", 30, "vibrations with the motors held"),
        ("regressors", "models.regressors.narrow_loops:check_base_regressor", 30, "regressors of closed loops"),
        ("ranks", "random_checks.by_seed:regressor_ranks", 12, "base parameters of closed loops in every mode"),
        ("parameter-lists", "random_checks.by_seed:parameter_lists", 30, "one order of parameters in all models"),
        ("mass-matrices", "program.passes.test_regroup:same_mass_matrix", 100, "mass matrices with axes at 45 degrees"),
        ("three-lengths", "random_checks.by_seed:three_lengths", 40, "inverse kinematics of 3P3R arms in any order"),
        ("moving-bases", "random_checks.by_seed:moving_bases", 12, "verify, bases that move as described"),
        # Files
        ("urdf", "formats.mutated:check_urdf", 1000, "mutated URDF files, against Pinocchio"),
        ("mjcf", "formats.mutated:check_mjcf", 1000, "mutated MJCF files, against MuJoCo"),
        ("mjcf-random", "formats.mutated:check_random_mjcf", 300, "random MJCF trees, against MuJoCo"),
        ("mjcf-shapes", "formats.mutated:check_shapes", 300, "inertia of MJCF shapes, against MuJoCo"),
        ("descriptions", "random_checks.by_seed:checked_descriptions", 200, "check reports what models refuse"),
        ("recordings", "random_checks.by_seed:hostile_recordings", 6, "damaged and oversized recordings"),
        # Simulation and control
        ("steps", "random_checks.by_seed:orders_of_steps", 24, "order of every integrator of a step"),
        ("simulations", "random_checks.by_seed:orders_of_simulations", 18, "order of every integrator of simulate"),
        ("work", "simulation.test_changing:work_is_energy", 20, "work of the motors is the energy gained"),
        ("feasible", "simulation.test_feasible:values_are_judged", 50, "impossible parameters are noted"),
        ("out-of-reach", "control.out_of_reach:waits_stretched_out", 24, "goals out of reach"),
        ("times", "trajectory.test_program:nan_gives_nan", 30, "trajectories at a time that is NaN"),
        # Identification
        ("rise", "identification.estimation.test_feasible_optimum:check_rise", 26, "rise of physical estimates"),
        ("masses", "identification.test_physical_masses:check_masses", 8, "masses near the prior, or named"),
        ("no-advice", "identification.test_advice:check_no_advice", 12, "no advice where columns are right"),
        ("advice", "identification.test_advice:check_mistakes", 6, "wrong signs, scales and swaps are named"),
        ("payloads", "identification.test_payload:check_payload", 6, "payloads of recordings"),
    )
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
        f"{family:15} {FAMILIES[family].title}: {summary.robots} robots, {summary.comparisons} comparisons, "
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
