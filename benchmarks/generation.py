"""How long generating takes, and how operations grow with the joints: the general n-R chain, and the famous arms."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from timing import best_of

import robosym
from robosym import models


def growth() -> Table:
    table = Table("joints", "ms", "mul", "add", "mul a joint", "add a joint", title="inverse dynamics of general-Nr")
    before: tuple[int, int, int] | None = None
    for n in (6, 12, 30, 60, 120, 300):
        robot = robosym.load(f"general-{n}r")
        seconds, model = best_of(3 if n < 100 else 1, lambda robot=robot: models.inverse_dynamics(robot))  # type: ignore[misc]
        o = model.operations
        slopes = ["", ""]
        if before is not None:
            slopes = [f"{(o.mul - before[1]) / (n - before[0]):.1f}", f"{(o.add - before[2]) / (n - before[0]):.1f}"]
        before = (n, o.mul, o.add)
        table.add_row(str(n), f"{seconds * 1e3:.0f}", str(o.mul), str(o.add), *slopes)
    return table


def arms() -> Table:
    names = ["inverse-dynamics", "inertia-matrix", "bias", "forward-dynamics", "lagrange"]
    table = Table("robot", *names, title="ms to generate, base parameters (operations)")
    for robot_name in ("rx90", "puma560", "stanford", "panda"):
        robot = robosym.load(robot_name)
        row = []
        for name in names:
            seconds, model = best_of(3, lambda name=name, robot=robot: models.MODELS[name](robot, parameters="base"))  # type: ignore[misc]
            row.append(f"{seconds * 1e3:.0f} ({model.operations.total})")
        table.add_row(robot_name, *row)
    return table


if __name__ == "__main__":
    console = Console(width=120)
    console.print(growth())
    console.print(arms())
