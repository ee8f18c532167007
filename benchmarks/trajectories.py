"""Trajectories: how long planning and sampling take, beside ruckig and jtraj of roboticstoolbox called from Python the same way, if
they are installed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from sizes import installed, sized

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

BATCH = sized(10_000, 10)
SAMPLES = sized(1401, 15)


def microseconds(work: Callable[[], Any], calls: int) -> float:
    """Of CPU time of one call, the best of a few rounds: others may use the machine."""
    rounds, calls = [], sized(calls, 1)
    for _ in range(sized(5, 1)):
        begun = time.process_time()
        for _ in range(calls):
            work()
        rounds.append(time.process_time() - begun)
    return min(rounds) / calls * 1e6


def by_turns(calls: int, *works: Callable[[], Any]) -> list[float]:
    """Of each, one after the other many times over."""
    turns = [[microseconds(work, calls) for work in works] for _ in range(sized(10, 1))]
    return [min(column) for column in zip(*turns, strict=True)]


def theirs(v0: Any, vf: Any) -> Callable[[], Any] | None:
    if not installed("ruckig", "its plans are"):
        return None
    import ruckig

    asked, found, planner = ruckig.InputParameter(6), ruckig.Trajectory(6), ruckig.Ruckig(6)
    asked.target_position, asked.current_velocity, asked.target_velocity = D.tolist(), v0.tolist(), vf.tolist()
    asked.max_velocity, asked.max_acceleration, asked.max_jerk = (k.tolist() for k in LIMITS.values())

    def plan() -> Any:
        planner.calculate(asked, found)
        return found

    return plan


def main() -> None:
    planning()
    sampling()


def planning() -> None:
    table = Table("six joints", "duration, s", "us", "ruckig: duration", "us", "ratio", title="Planning")
    rows: list[tuple[str, Callable[[], Any], Callable[[], Any] | None]] = [
        (f"{profile}, in step", lambda profile=profile: point_to_point(ZERO, D, profile, **LIMITS), None)  # type: ignore[misc]
        for profile in ("quintic", "trapeze", "continuous", "jerk-limited")
    ]
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
    plan = runtime.compile_program(planner(6, "time"))
    given, batch = {"distance": D, **LIMITS}, {"distance": np.tile(D, (BATCH, 1)), **LIMITS}
    other = theirs(ZERO, ZERO)
    name, duration = "planner: jerk-limited, rest to rest, in time", f"{float(plan(**given)['duration']):.6f}"
    if other is None:
        table.add_row(name, duration, f"{microseconds(lambda: plan(**given), 1000):.2f}")
    else:
        ours, ruckigs = by_turns(1000, lambda: plan(**given), other)
        cells = [f"{other().duration:.6f}", f"{ruckigs:.2f}", f"{ours / ruckigs:.2f}"]
        table.add_row(name, duration, f"{ours:.2f}", *cells)
    table.add_row(f"the same, {BATCH} at once, each", "", f"{microseconds(lambda: plan(**batch), 5) / BATCH:.3f}")
    Console(width=120).print(table)


def jtraj(t: np.ndarray) -> tuple[str, Callable[[], Any]]:
    """The quintic of roboticstoolbox; if it is not installed, its formula in NumPy."""
    if installed("roboticstoolbox", "its jtraj, for which its formula stands here, is"):
        from roboticstoolbox import jtraj

        return "jtraj of roboticstoolbox", lambda: jtraj(ZERO, D, t)

    def formula() -> Any:
        """The coefficients of the powers 5 to 0 of t / T times the powers, for q, qd and qdd."""
        T = t.max()
        powers = np.array([6 * D, -15 * D, 10 * D, ZERO, ZERO, ZERO])
        s = t / T
        basis = np.array([s**5, s**4, s**3, s**2, s, np.ones_like(s)]).T
        first = np.array([ZERO, *(powers[:-1] * np.arange(5, 0, -1)[:, None])])
        second = np.array([ZERO, *(first[:-1] * np.arange(5, 0, -1)[:, None])])
        return basis @ powers, basis @ first / T, basis @ second / T**2

    return "jtraj's formula in NumPy", formula


def sampling() -> None:
    table = Table(f"{SAMPLES} samples of q, qd, qdd of six joints", "us", "ratio", title="Sampling")
    move = point_to_point(ZERO, D, "quintic", **LIMITS)
    t = np.linspace(0, move.duration, SAMPLES)
    compiled = runtime.compile_program(program(move))
    name, peer = jtraj(t)
    smooth = point_to_point(ZERO, D, "jerk-limited", **LIMITS)
    times = by_turns(50, peer, lambda: move(t), lambda: compiled(t=t), lambda: smooth(t))
    names = (name, "the object, quintic", "its program, compiled", "the object, jerk-limited")
    for one, us in zip(names, times, strict=True):
        table.add_row(one, f"{us:.0f}", f"{us / times[0]:.2f}")
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
