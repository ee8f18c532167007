"""Exciting motions: the condition numbers that are reached, and in what time, deriving the models included."""

from __future__ import annotations

import time

from rich.console import Console
from rich.table import Table
from sizes import sized

import robosym
from robosym.identification.excitation import excite

ROBOTS = sized(("rx90", "puma560", "ur5"), ("planar-2r",))
EVALUATIONS = sized((40, 150, 600), (5,))
SHAPES = ("fourier", "spline")


def main() -> None:
    heads = ("robot", "shape", "evaluations", "condition", "raw condition", "smallest margin", "s")
    table = Table(*heads, title="Excitation: 5 harmonics or 10 segments in 10 s")
    for name in ROBOTS:
        robot = robosym.load(name)
        for shape in SHAPES:
            for evaluations in EVALUATIONS:
                begun = time.perf_counter()
                found = excite(robot, shape=shape, evaluations=evaluations)  # type: ignore[arg-type]
                taken = time.perf_counter() - begun
                least = min(found.margins, key=lambda one: one.margin)
                numbers = (f"{found.condition:.2f}", f"{found.raw:.1f}", f"{least.margin:.1g} {least.unit}")
                table.add_row(name, shape, str(found.evaluations), *numbers, f"{taken:.1f}")
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
