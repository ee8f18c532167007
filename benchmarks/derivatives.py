"""Derivatives of inverse and forward dynamics: what they cost and how that grows, how long generating and compiling them takes, and
calls from Python beside Pinocchio's. Results must agree to 1e-9 before they are timed. The last columns are what we ask of ourselves.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
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
from robosym.generated import Model
from robosym.program.choice import optimise_program
from robosym.program.derive import jacobian
from robosym.program.program import Program
from robosym.robot import RobotWarning

ARMS = sized(("rx90", "rx90-symmetric", "puma560", "stanford", "ur5", "panda"), ("scara",))
ASKED = {"rx90": 1900}
JOINTS = sized((6, 9, 12, 15, 18), (2, 3))
CALLS = sized(100, 2)
# robot, free base, what we ask of the time of computeABADerivatives
TIMED = sized((("puma", False, 0.10), ("solo12", True, 0.25), ("humanoid30", True, 0.25)), (("puma", False, 0.10),))
LARGEST = sized(("humanoid30", True), ("solo12", True))  # and whether its base is free
LONGEST_COMPILATION = 60.0


def by_forward_mode(robot: robosym.Robot) -> int:
    """d tau/dq and d tau/dqd of our inverse dynamic model, as it is."""
    program = models.inverse_dynamics(robot, parameters="base", wrench="none").program
    return sum(optimise_program(jacobian(program, by)).operations.total for by in ("q", "qd"))


def counts() -> Table:
    heads = ("d tau/dq, dqd", "forward mode", "ratio", "d qdd/dq, dqd, dtau", "asked")
    table = Table("robot", *heads, title="operations, base parameters, no wrench")
    for name in ARMS:
        robot = robosym.load(name)
        inverse, forward = (
            make(robot, parameters="base", wrench="none").operations
            for make in (models.inverse_dynamics_derivatives, models.forward_dynamics_derivatives)
        )
        plain = by_forward_mode(robot)
        ratio = f"{inverse.total / plain:.2f}"
        asked = verdict(inverse.total, ASKED[name]) if name in ASKED else ""
        table.add_row(name, str(inverse), str(plain), ratio, str(forward.total), asked)
    return table


def growth() -> Table:
    """Of a chain of revolute joints with general twists; entries are those of both matrices."""
    table = Table("joints", "d tau/dq, dqd", "an entry", "d qdd/dq, dqd, dtau", "an entry", title="growth, general-nR")
    for n in JOINTS:
        robot = robosym.load(f"general-{n}r")
        inverse = models.inverse_dynamics_derivatives(robot, wrench="none").operations.total
        forward = models.forward_dynamics_derivatives(robot, wrench="none").operations.total
        entries = n * n
        table.add_row(
            str(n), str(inverse), f"{inverse / (2 * entries):.1f}", str(forward), f"{forward / (3 * entries):.1f}"
        )
    return table


def loaded(name: str, free: bool) -> robosym.Robot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotWarning)
        return robosym.load(path_of(name), floating=free)


def generation() -> Table:
    table = Table(
        "robot", "model", "operations", "generated, s", "compiled, s", "asked", title=f"{LARGEST[0]} with a free base"
    )
    robot = loaded(*LARGEST)
    for make in (models.inverse_dynamics_derivatives, models.forward_dynamics_derivatives):
        seconds, model = best_of(1, lambda make=make: make(robot, wrench="none"))
        compiling, _ = best_of(1, lambda model=model: model.compile())
        asked = verdict(seconds + compiling, LONGEST_COMPILATION)
        kind = "program" if isinstance(model.made, Program) else "routine"
        table.add_row(
            LARGEST[0],
            f"{model.name} ({kind})",
            str(model.operations.total),
            f"{seconds:.1f}",
            f"{compiling:.1f}",
            asked,
        )
    return table


def from_python() -> Table:
    heads = ("f(...), us", "bound, us", "Pinocchio, us", "f / Pinocchio", "bound / Pinocchio", "asked")
    table = Table("robot", "model", *heads, title="one call from Python")
    for name, free, asked in TIMED:
        for kind in ("inverse", "forward"):
            table.add_row(name, kind, *python_row(name, free, kind, asked if kind == "forward" else None))
    return table


def python_row(name: str, free: bool, kind: str, asked: float | None) -> list[str]:
    import pinocchio as pin  # type: ignore[import-untyped]

    robot = loaded(name, free)
    inverse = kind == "inverse"
    make: Callable[..., Model] = models.inverse_dynamics_derivatives if inverse else models.forward_dynamics_derivatives
    f = make(robot, wrench="none").compile()
    joint = (pin.JointModelFreeFlyer(),) if free else ()
    model = pin.buildModelFromUrdf(str(path_of(name)), *joint)
    data, rng = model.createData(), np.random.default_rng(0)
    place = [0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.5] if free else []
    q = np.concatenate([place, rng.uniform(-1, 1, len(robot.moving))])
    qd, third = rng.uniform(-1, 1, (2, robot.nv))
    more = robot.nq - robot.nv
    order = [*range(6 * more), *(int(model.joints[model.getJointId(one)].idx_v) for one in robot.joint_names)]
    theirs_q, theirs_qd, theirs_third = q.copy(), qd.copy(), third.copy()
    theirs_q[[k + more for k in order[6 * more :]]] = q[7 * more :]
    theirs_qd[order], theirs_third[order] = qd, third
    reference: Callable[..., Any] = pin.computeRNEADerivatives if inverse else pin.computeABADerivatives
    given = {"q": q, "qd": qd, ("qdd" if inverse else "tau"): third}
    found = f(**given)
    for ours, theirs in zip(found.values(), reference(model, data, theirs_q, theirs_qd, theirs_third), strict=False):
        whole = np.array(theirs)[np.ix_(order, order)]
        upper = np.triu(np.ones_like(whole)) if not inverse and ours is found["dqdd_dtau"] else 1.0
        np.testing.assert_allclose(ours * upper, whole * upper, atol=1e-9 * max(1.0, np.abs(whole).max()))
    step = f.bind(**given)
    works: dict[str, Callable[[], Any]] = {
        "f": lambda: f(**given),
        "bound": step,
        "pin": lambda: reference(model, data, theirs_q, theirs_qd, theirs_third),
    }
    best = in_turns({label: repeated(work) for label, work in works.items()})
    us = {label: 1e6 * seconds / CALLS for label, seconds in best.items()}
    ratios = [us["f"] / us["pin"], us["bound"] / us["pin"]]
    cells = [f"{us[label]:.2f}" for label in ("f", "bound", "pin")]
    return [*cells, *(f"{ratio:.2f}" for ratio in ratios), "" if asked is None else verdict(ratios[1], asked)]


def repeated(work: Callable[[], Any]) -> Callable[[], None]:
    def run() -> None:
        for _ in range(CALLS):
            work()

    return run


def main() -> None:
    console = Console(width=150)
    console.print(counts())
    console.print(growth())
    console.print(generation())
    if installed("pinocchio", "calls from Python are"):
        console.print(from_python())


if __name__ == "__main__":
    main()
