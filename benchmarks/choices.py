"""What each limit of the search for cheap models costs and saves: operations and time to generate, around its value.

``python benchmarks/choices.py`` prints all of them, with names of limits only those. A limit is well chosen where a larger
one saves no operations, and a smaller one no time worth the operations it loses.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from rich.console import Console
from rich.table import Table
from sizes import SMALL, sized, words

import robosym
from robosym import models
from robosym.generated import Model
from robosym.models import limits
from robosym.program import choice
from robosym.robot import Robot
from robosym.spatial import screws

Make = Callable[[Robot], Model]
RUNS = sized(3, 1)


@dataclass(frozen=True)
class Trial:
    """A limit, the values to compare (its own is marked), and the models of the robots that it acts on."""

    module: ModuleType
    name: str
    values: Sequence[Any]
    make: Make
    robots: Sequence[str]


def all_frames(robot: Robot) -> Model:
    return models.accelerations(robot, frames="all", axes="world")


def factors(robot: Robot) -> Model:
    return models.jacobian(robot, output="factors")


def every_pose(robot: Robot) -> Model:
    return models.geometric(robot, frames="all")


SHORT, ARMS = ("planar-3r", "scara", "stanford"), ("scara", "rx90", "puma560", "ur5")
TRIALS = (
    Trial(choice, "CANDIDATES", (1, 2, 3), models.lagrange, ARMS),
    Trial(choice, "CLOSE", (1.0, 1.03, 1.1), models.lagrange, ARMS),
    Trial(choice, "MANY_CANDIDATES", (1, 4, 8), models.accelerations, (*ARMS, "general-7r")),
    Trial(choice, "NEAR", (1.03, 1.25, 1.5), models.accelerations, (*ARMS, "general-7r")),
    Trial(choice, "HOPELESS", (1.0, 1.1, 3.0), models.forward_dynamics, (*ARMS, "general-7r")),
    Trial(choice, "FEW", (0, 50, 500), models.inertia_matrix, (*SHORT, "general-7r")),
    Trial(screws, "MOST_ADDED", (2, 16, 64), every_pose, ("ur5", "planar-3r")),
    Trial(limits, "MOST_FROM_RIGHT", (1, 4, 12), every_pose, ("planar-3r", "rx90", "general-7r")),
    Trial(limits, "MOST_PARTS", (1, 4, 8), models.inertia_matrix, ("planar-3r", "ur5", "scara")),
    Trial(limits, "LONGEST_TO_MEET", (3, 8, 12), models.inertia_matrix, ("rx90", "general-7r", "general-10r")),
    Trial(limits, "FEW_BODIES", (1, 4, 8), models.inverse_dynamics, ("planar-3r", "rx90", "general-7r")),
    Trial(limits, "SOME_BODIES", (4, 12, 20), models.inverse_dynamics, ("scara", "stanford")),
    Trial(limits, "PRODUCT", (5, 11, 20), models.inertia_matrix, ("general-10r", "general-20r")),
    Trial(limits, "PLACING", (20, 100, 500), models.inertia_matrix, ("general-10r", "general-20r")),
    Trial(limits, "CLEARLY", (1.0, 1.5, 3.0), models.inertia_matrix, ("general-10r", "general-20r")),
    Trial(limits, "MOST_DIFFERENTIATED", (2, 8, 10), models.lagrange, ("scara", "rx90", "general-9r")),
    Trial(limits, "LONGEST_BY_SYMBOLS", (3, 8, 12), models.coriolis, ("rx90", "general-7r", "general-10r")),
    Trial(limits, "DEEP", (10, 45, 100), models.forward_dynamics, ("rx90", "general-8r", "general-12r")),
    Trial(limits, "FEW_DIFFERENTIATED", (1, 3, 6), models.inverse_dynamics_derivatives, ("planar-3r", "scara", "rx90")),
    Trial(limits, "MOST_WRITTEN_OUT", (5, 12, 20), models.forward_dynamics_derivatives, ("rx90", "eel-6", "eel-12")),
    Trial(limits, "MOST_MIDDLES", (4, 10, 12), factors, ("rx90", "general-10r", "general-20r")),
    Trial(limits, "MOST_TRIED", (4, 8, 10), models.inverse_kinematics_velocity, ("rx90", "general-9r")),
    Trial(limits, "MOST_TURNED", (50, 300, 1000), models.jacobian, ("rx90", "general-12r", "general-20r")),
    Trial(limits, "MOST_MET", (10, 80, 200), all_frames, ("rx90", "general-7r", "general-16r")),
    Trial(limits, "MOST_ENTRIES", (2, 8, 16), models.static_torques, ("rx90", "general-7r", "general-12r")),
    Trial(limits, "MOST_COLUMNS", (3, 7, 10), models.static_torques, ("rx90", "general-7r", "general-9r")),
    Trial(limits, "LONG_WAY", (5, 12, 14), models.inverse_kinematics_velocity, ("rx90", "general-7r")),
    Trial(limits, "FULL_EFFORT", ((6, 3, 1), (24, 8, 4), (48, 16, 8)), models.inverse_kinematics_velocity, ARMS),
    Trial(limits, "LESS_EFFORT", ((2, 1, 1), (6, 3, 1), (24, 8, 4)), models.jacobian_inverse, ("general-13r",)),
    Trial(limits, "LARGEST_REORDERED", (2, 5, 6), models.jacobian_inverse, ("rx90", "ur5", "renaud-6r")),
    Trial(limits, "LARGEST_BY_DETERMINANTS", (3, 6, 7), models.loop_kinematics, ("bennett", "palletizer")),
    Trial(limits, "MOST_SPARE", (0, 2, 4), models.jacobian_determinant, ("panda", "general-8r", "general-9r")),
)


@contextmanager
def set_to(trial: Trial, value: Any) -> Iterator[None]:
    """The limit at another value, for a while."""
    own = getattr(trial.module, trial.name)
    setattr(trial.module, trial.name, value)
    try:
        yield
    finally:
        setattr(trial.module, trial.name, own)


def generated(make: Make, robot: Robot) -> tuple[int, float]:
    """Operations, and the milliseconds of this process to generate them: the best of a few runs."""
    best = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        model = make(robot)
        best = min(best, time.process_time() - start)
    return model.operations.total, 1e3 * best


def compared(trial: Trial) -> Table:
    own = getattr(trial.module, trial.name)
    values = sized(trial.values, trial.values[:1])
    robots = trial.robots
    if SMALL:
        robots = ("four-bar",) if trial.make is models.loop_kinematics else ("scara",)
    table = Table("value", *robots, title=f"{trial.name}: operations and ms")
    for value in values:
        cells = []
        for name in robots:
            robot = robosym.load(name)
            with set_to(trial, value):
                operations, milliseconds = generated(trial.make, robot)
            cells.append(f"{operations:6d} {milliseconds:7.0f}")
        table.add_row(f"{value}{' *' if value == own else ''}", *cells)
    return table


def main() -> None:
    asked = words()
    for trial in TRIALS:
        if not asked or trial.name in asked:
            Console().print(compared(trial))


if __name__ == "__main__":
    main()
