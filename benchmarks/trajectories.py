"""Trajectories: how long planning and sampling take, beside ruckig called from Python the same way, if it is installed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from timing import best_of

from robosym import runtime
from robosym.trajectory import planner, point_to_point, program, through

D = np.array([1.2, -0.8, 1.5, 2.0, -1.0, 0.5])
ZERO = np.zeros(6)
LIMITS: dict[str, Any] = {
    "velocity": np.array([1.5, 1.2, 1.5, 3, 3, 3]),
    "acceleration": np.array([3.0, 3, 4, 8, 8, 8]),
    "jerk": 5 * np.array([3.0, 3, 4, 8, 8, 8]),
}
V0, VF = np.array([0.5, -0.3, 0, 1, 0, 0]), np.array([0, 0, 0.2, 0, -0.5, 0])


def microseconds(work: Callable[[], Any], calls: int) -> float:
    """Of one call."""
    return best_of(5, lambda: [work() for _ in range(calls)])[0] / calls * 1e6


def theirs(v0: Any, vf: Any) -> Callable[[], Any] | None:
    try:
        import ruckig
    except ImportError:
        return None
    asked, found, planner = ruckig.InputParameter(6), ruckig.Trajectory(6), ruckig.Ruckig(6)
    asked.target_position, asked.current_velocity, asked.target_velocity = D.tolist(), v0.tolist(), vf.tolist()
    asked.max_velocity, asked.max_acceleration, asked.max_jerk = (k.tolist() for k in LIMITS.values())

    def plan() -> Any:
        planner.calculate(asked, found)
        return found

    return plan


def main() -> None:
    table = Table("six joints", "duration, s", "us", "ruckig: duration", "us", title="Planning")
    rows: list[tuple[str, Callable[[], Any], Callable[[], Any] | None]] = [
        (f"{profile}, in step", lambda profile=profile: point_to_point(ZERO, D, profile, **LIMITS), None)  # type: ignore[misc]
        for profile in ("quintic", "trapeze", "continuous", "jerk-limited")
    ]
    plan = runtime.compile_program(planner(6, "time"))
    given = {"distance": D, **LIMITS}
    batch = {"distance": np.tile(D, (10_000, 1)), **LIMITS}
    rows += [
        (
            "jerk-limited, rest to rest, in time",
            lambda: point_to_point(ZERO, D, "jerk-limited", synchronise="time", **LIMITS),
            theirs(ZERO, ZERO),
        ),
        (
            "jerk-limited, with velocities, in time",
            lambda: point_to_point(ZERO, D, "jerk-limited", v0=V0, vf=VF, **LIMITS),
            theirs(V0, VF),
        ),
        ("cubic spline, 5 points, free times", lambda: through([ZERO, D / 2, D, D / 3, D * 1.1], **LIMITS), None),
        ("blends, 5 points", lambda: through([ZERO, D / 2, D, D / 3, D * 1.1], method="blend", **LIMITS), None),
    ]
    for name, own, other in rows:
        cells = ["", ""] if other is None else [f"{other().duration:.6f}", f"{microseconds(other, 500):.1f}"]
        table.add_row(name, f"{own().duration:.6f}", f"{microseconds(own, 20):.0f}", *cells)
    # The same problem for both, by turns: others may use the machine.
    other = theirs(ZERO, ZERO)
    turns = [
        (microseconds(lambda: plan(**given), 1000), microseconds(other, 1000) if other else 0.0) for _ in range(10)
    ]
    ours, ruckigs = (min(column) for column in zip(*turns, strict=True))
    cells = ["", ""] if other is None else [f"{other().duration:.6f}", f"{ruckigs:.2f}"]
    table.add_row(
        "planner: jerk-limited, rest to rest, in time", f"{float(plan(**given)['duration']):.6f}", f"{ours:.2f}", *cells
    )
    table.add_row("the same, 10 000 at once, each", "", f"{microseconds(lambda: plan(**batch), 5) / 10_000:.3f}")
    Console(width=110).print(table)

    samples = Table("1401 samples of q, qd, qdd of six joints", "us", title="Sampling")
    move = point_to_point(ZERO, D, "quintic", **LIMITS)
    t = np.linspace(0, move.duration, 1401)
    samples.add_row("the object", f"{microseconds(lambda: move(t), 20):.0f}")
    compiled = runtime.compile_program(program(move))
    samples.add_row("its program, compiled", f"{microseconds(lambda: compiled(t=t), 20):.0f}")
    Console(width=110).print(samples)


if __name__ == "__main__":
    main()
