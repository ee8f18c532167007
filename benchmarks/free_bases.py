"""Robots on a free base: what their models cost and how that grows, how long generating them takes, and calls from Python
beside Pinocchio's. Results must agree to 1e-9 before they are timed. The last columns are what we ask of ourselves."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from native import path_of
from rich.console import Console
from rich.table import Table
from run_time import in_turns, verdict
from sizes import installed, sized
from timing import best_of

import robosym
from robosym import models

CALLS = sized(200, 2)
LONGEST_GENERATION = 1.0
FILES = sized(("solo12", "humanoid30"), ("solo12",))
ASKED = {"inverse-dynamics": 0.25, "forward-dynamics": 0.20}
KINDS = ("inverse-dynamics", "base-acceleration", "forward-dynamics", "inertia-matrix", "bias", "gravity", "energy")
LINKS = sized((10, 20, 30, 40), (4, 5))
TIMED = sized(30, 4)  # links of the eel whose generation is timed


def growth() -> Table:
    """Of the eel; the slope is that of its last links."""
    table = Table(
        "model", *(f"eel-{n}" for n in LINKS), "a link more", f"eel-{TIMED}, s", title="operations, and their growth"
    )
    for kind in KINDS:
        counts = [models.MODELS[kind](robosym.load(f"eel-{n}")).operations.total for n in LINKS]
        seconds, _ = best_of(2, partial(models.MODELS[kind], robosym.load(f"eel-{TIMED}")))
        slope = (counts[-1] - counts[-2]) / (LINKS[-1] - LINKS[-2])
        asked = verdict(seconds, LONGEST_GENERATION)
        table.add_row(kind, *map(str, counts), f"{slope:g}", f"{seconds:.2f}, {asked}")
    return table


def from_python() -> Table:
    table = Table("robot", "model", "ours, us", "Pinocchio, us", "ratio", "asked", title="one call from Python")
    for name in FILES:
        for kind, asked in ASKED.items():
            table.add_row(*python_row(path_of(name), kind, asked))
    return table


def python_row(path: Path, kind: str, asked: float) -> list[str]:
    import pinocchio as pin  # type: ignore[import-untyped]

    robot = robosym.load(path, floating=True)
    f = models.MODELS[kind](robot, wrench="none").compile()
    model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
    data, rng = model.createData(), np.random.default_rng(0)
    q = np.concatenate([[0.1, 0.2, 0.3], np.full(4, 0.5), rng.uniform(-1, 1, len(robot.moving))])
    qd, third = rng.uniform(-1, 1, (2, robot.nv))
    order = [int(model.joints[model.getJointId(name)].idx_v) for name in robot.joint_names]
    theirs_q, theirs_qd, theirs_third = q.copy(), qd.copy(), third.copy()
    theirs_q[[k + 1 for k in order]] = q[7:]
    theirs_qd[order], theirs_third[order] = qd[6:], third[6:]
    which = "qdd" if kind == "inverse-dynamics" else "tau"
    reference: Callable[..., Any] = pin.rnea if kind == "inverse-dynamics" else pin.aba
    expected = np.array(reference(model, data, theirs_q, theirs_qd, theirs_third))
    given = {which: third}
    found = np.asarray(f(q=q, qd=qd, **given))
    np.testing.assert_allclose(found, expected[[*range(6), *order]], atol=1e-9 * np.abs(expected).max())

    def ours() -> None:
        for _ in range(CALLS):
            f(q=q, qd=qd, **given)

    def pinocchio() -> None:
        for _ in range(CALLS):
            reference(model, data, theirs_q, theirs_qd, theirs_third)

    best = in_turns({"ours": ours, "pinocchio": pinocchio})
    ratio = best["ours"] / best["pinocchio"]
    times = [f"{1e6 * best[one] / CALLS:.2f}" for one in ("ours", "pinocchio")]
    return [path.stem, kind, *times, f"{ratio:.2f}", verdict(ratio, asked)]


def main() -> None:
    console = Console(width=140)
    console.print(growth())
    if installed("pinocchio", "calls from Python are"):
        console.print(from_python())


if __name__ == "__main__":
    main()
