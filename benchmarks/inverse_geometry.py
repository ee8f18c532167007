"""Inverse geometric models: how long deriving and compiling takes, all solutions of a pose beside EAIK's, and one call.

Poses come in batches of 1000, on one thread. Ours is timed as the compiled program alone and through ``solver.batch``,
EAIK through its own batch call. Every solution, ours and EAIK's, must make its pose, ours must include the position
that made it, and there must be as many as EAIK has: a wrong result ends the benchmark.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from chains import pinocchio_chain
from rich.console import Console
from rich.table import Table
from sizes import installed, sized
from timing import best_of

import robosym
from robosym import models
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.closed_form.derivation import derive
from robosym.robot import Robot
from robosym.runtime import CompiledFunction, compile_program

BATCH, ROUNDS = sized((1000, 30), (5, 1))
TOLERANCE = 1e-10
EAIK_TOLERANCE = 1e-6
ROBOTS = sized(("puma560", "rx90", "ur5", "stanford", "pieper"), ("puma560",))
CALLED = sized(("puma560", "rx90", "ur5", "pieper"), ("puma560",))
AIM = 6.0  # times as fast as EAIK


def pieper() -> Robot:
    """A random arm with a spherical wrist, no two axes parallel or perpendicular."""
    rng = np.random.default_rng(1)

    def row(*names: str) -> dict[str, float]:
        limits = {"alpha": (0.5, 1.4), "d": (0.2, 0.8), "r": (0.2, 0.8)}
        return {name: float(rng.uniform(*limits[name]) * rng.choice([-1, 1])) for name in names}

    link = ("alpha", "d", "r")
    rows = [row("r"), row(*link), row(*link), row(*link), row("alpha"), row("alpha", "r")]
    return Robot.from_table("random Pieper arm", list(rows))


def load(name: str) -> Robot:
    return pieper() if name == "pieper" else robosym.load(name)


# --- the two peers ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ours:
    """A closed form, compiled."""

    robot: Robot
    function: CompiledFunction
    direct: CompiledFunction
    seconds: tuple[float, float]  # to derive, to compile

    def __call__(self, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        out = self.function(T=T)
        return out["Q"], out["valid"] == 1


def ours(robot: Robot) -> Ours:
    deriving, form = best_of(2, lambda: derive(chain_for(robot)))
    needed = {symbol.name for symbol in form.program.parameter_symbols}
    values = {key: value.number for key, value in robot.values.items() if key in needed}
    compiling, function = best_of(2, lambda: compile_program(form.program, values=values))
    return Ours(robot, function, models.transform(robot).compile(), (deriving, compiling))


def theirs(robot: Robot) -> tuple[Any, np.ndarray] | None:
    """EAIK's arm from its axes at zero, and the tool's orientation there; None for a slide, or if it cannot solve it."""
    if any(frame.sigma != 0 for frame in robot.frames) or not installed("eaik", f"its times for {robot.name} are"):
        return None
    from eaik.IK_HP import HPRobot  # type: ignore[import-untyped, import-not-found, unused-ignore]

    zero = np.zeros(robot.nq)
    frames = [models.transform(robot, frame=j).compile()(q=zero) for j in range(1, 7)]
    origins = np.array([T[:3, 3] for T in frames])
    steps = np.vstack([origins[0], np.diff(origins, axis=0), np.zeros(3)])
    peer = HPRobot(np.array([T[:3, 2] for T in frames]), steps)
    return (peer, frames[-1][:3, :3]) if peer.hasKnownDecomposition() else None


# --- right before fast -----------------------------------------------------------------------------------------------


def wrap(x: np.ndarray, turning: np.ndarray) -> np.ndarray:
    return np.where(turning, (x + np.pi) % (2 * np.pi) - np.pi, x)


def check_ours(solver: Ours, q: np.ndarray, T: np.ndarray) -> np.ndarray:
    """How many solutions each pose has."""
    Q, valid = solver(T)
    pose, row = np.nonzero(valid)
    worst = np.abs(solver.direct(q=Q[pose, row]) - T[pose]).max()
    turning = np.array([frame.sigma == 0 for frame in solver.robot.frames])
    apart = np.abs(wrap(Q - q[:, None], turning)).max(axis=2)
    lost = int((np.where(valid, apart, np.inf).min(axis=1) > 1e-6).sum())
    if not worst < TOLERANCE or lost:
        raise SystemExit(f"{solver.robot.name}: misses a pose by {worst:.1e}, {lost} positions not found again")
    return np.asarray(valid.sum(axis=1))


def check_theirs(solver: Ours, T: np.ndarray, answers: Any, counts: np.ndarray) -> None:
    """As many solutions as ours: those that make the pose, each once (EAIK's flag of least squares is not used)."""
    turning = np.ones(6, dtype=bool)
    for i, answer in enumerate(answers):
        Q = np.array(answer.Q).reshape(-1, 6)
        right = Q[np.abs(solver.direct(q=Q) - T[i]).max(axis=(1, 2)) < EAIK_TOLERANCE] if len(Q) else Q
        apart = np.abs(wrap(right[:, None] - right[None], turning)).max(axis=2) > 1e-5
        distinct = sum(bool(apart[k, :k].all()) for k in range(len(right)))
        if distinct != counts[i]:
            raise SystemExit(f"{solver.robot.name}, pose {i}: ours has {counts[i]} solutions, EAIK {distinct}")


# --- the table -------------------------------------------------------------------------------------------------------


def row(name: str) -> list[str]:
    robot = load(name)
    solver = ours(robot)
    q = np.random.default_rng(0).uniform(-np.pi, np.pi, (BATCH, robot.nq))
    T = solver.direct(q=q)
    counts = check_ours(solver, q, T)
    program: list[float] = []
    front: list[float] = []
    other: list[float] = []
    batch = front_end(robot)
    peer = theirs(robot)
    if peer:
        asked = T.copy()
        asked[:, :3, :3] = T[:, :3, :3] @ peer[1].T
        poses = list(asked)
        check_theirs(solver, T, peer[0].IK_batched(poses, num_worker_threads=1), counts)
    for _ in range(ROUNDS):  # in turn, so that a busy machine slows all alike
        program.append(best_of(1, lambda: solver.function(T=T))[0])
        front.append(best_of(1, lambda: batch(T))[0])
        if peer:
            other.append(best_of(1, lambda: peer[0].IK_batched(poses, num_worker_threads=1))[0])
    times = [min(one) / BATCH * 1e6 if one else None for one in (program, front, other)]
    shown = [f"{x:.2f}" if x is not None else "-" for x in times]
    ratios = [f"{times[2] / x:.1f}" if times[2] is not None and x else "-" for x in times[:2]]
    made = [f"{seconds * 1e3:.0f}" for seconds in solver.seconds]
    return [robot.name, *made, f"{counts.mean():.2f}", *shown, *ratios]


def front_end(robot: Robot) -> Callable[[np.ndarray], Any]:
    """``solver.batch``."""
    return models.inverse_geometric(robot).batch


# --- one call --------------------------------------------------------------------------------------------------------

CALLS = sized(100, 2)  # in a row


def one_call(name: str) -> list[str]:
    """``solver(T)`` with all its checks, the compiled routine alone, and a special pose; Pinocchio's rnea beside them."""
    robot = load(name)
    solver = models.inverse_geometric(robot)
    compile_time, function = best_of(1, lambda: compile_program(solver.with_values(), defaults=solver.defaults))
    direct = models.transform(robot).compile()
    q = np.linspace(0.3, 0.9, robot.nq)
    T, special = direct(q=q), direct(q=q * [1, 1, 1, 1, 0, 1])
    assert len(solver(T))
    assert len(solver(special))
    rnea = pinocchio_rnea(robot.nq)
    ways = {"solver": lambda: solver(T), "function": lambda: function(T=T), "rnea": rnea}
    times: dict[str, list[float]] = {key: [] for key in ways}
    for _ in range(ROUNDS):
        for key, way in ways.items():
            if way is not None:
                times[key].append(best_of(1, lambda way=way: [way() for _ in range(CALLS)])[0] / CALLS)
    best = {key: min(one) * 1e6 if one else None for key, one in times.items()}
    slow = min(best_of(5, lambda: solver(special))[0] for _ in range(3)) * 1e6
    ratio = f"{best['solver'] / best['rnea']:.1f}" if best["rnea"] else "-"
    shown = [f"{x:.2f}" if x else "-" for x in (best["function"], best["solver"], best["rnea"])]
    return [robot.name, f"{len(solver.routine.programs)}", f"{compile_time * 1e3:.0f}", *shown, ratio, f"{slow:.0f}"]


def pinocchio_rnea(joints: int) -> Callable[[], Any] | None:
    """Pinocchio's inverse dynamics of a chain of so many joints, called from Python."""
    if not installed("pinocchio", "its inverse dynamics beside one call is"):
        return None
    import pinocchio as pin

    model = pinocchio_chain(joints)
    data, q = model.createData(), np.linspace(0.3, 0.9, joints)
    return lambda: pin.rnea(model, data, q, q, q)


def main() -> None:
    console = Console(width=150)
    heads = [
        "derive, ms",
        "compile, ms",
        "solutions",
        "program",
        "solver.batch",
        "EAIK",
        "EAIK / program",
        "EAIK / batch",
    ]
    table = Table(
        "robot", *heads, title=f"all solutions: microseconds a pose, batches of {BATCH}, one thread, best of {ROUNDS}"
    )
    for name in ROBOTS:
        table.add_row(*row(name))
    console.print(table)
    console.print(f"aim: EAIK / program at least {AIM:.0f} for puma560, rx90 and ur5; derive below 1000 ms")
    heads = ["programs", "compile, ms", "routine", "solver(T)", "pin.rnea", "solver / rnea", "special pose"]
    table = Table("robot", *heads, title=f"one call from Python: microseconds, best of {ROUNDS}")
    for name in CALLED:
        table.add_row(*one_call(name))
    console.print(table)
    console.print("aim: solver / rnea at most 5 for puma560")


if __name__ == "__main__":
    main()
