"""Kinematic models: how long generating them takes, and what they cost. How fast they run: ``run_time.py``."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from sizes import sized
from timing import best_of

import robosym
from robosym import models

KINEMATIC = (
    "jacobian",
    "jacobian-rate",
    "jacobian-determinant",
    "jacobian-inverse",
    "inverse-kinematics-velocity",
    "static-torques",
    "velocities",
    "accelerations",
    "jdot-qdot",
    "centre-of-mass",
    "centre-of-mass-jacobian",
    "centroidal-momentum",
    "centroidal-momentum-rate",
)
ROBOTS = sized(("rx90", "puma560", "panda", "general-6r"), ("scara",))
SEVERAL = {"frames": "all", "axes": "local"}  # of the models that give several frames
OPTIONS: dict[str, dict[str, object]] = {"velocities": SEVERAL, "accelerations": SEVERAL}

# --- generating ------------------------------------------------------------------------------------------------------


def generation() -> Table:
    table = Table("model", *ROBOTS, title="ms to generate: multiplications + additions (divisions)")
    loaded = {name: robosym.load(name) for name in ROBOTS}
    for name in KINEMATIC:
        row, asked = [], OPTIONS.get(name, {})
        for robot in loaded.values():
            seconds, made = best_of(2, lambda name=name, robot=robot, asked=asked: models.MODELS[name](robot, **asked))  # type: ignore[misc]
            o = made.operations
            row.append(f"{seconds * 1e3:.0f}: {o.mul} + {o.add}" + (f" ({o.div})" if o.div else ""))
        table.add_row(name, *row)
    return table


def main() -> None:
    Console(width=150).print(generation())


if __name__ == "__main__":
    main()
