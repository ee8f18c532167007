"""Random robots with closed loops that assemble in a small part of their crank's range, and a check of their regressors.

The torques of the reference come from Newton-Euler in NumPy on the open tree and the constraints of the loops (Lagrange
multipliers), with positions from a search of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from models.loops.closed_reference import Closed
from models.loops.random_mechanisms import KINDS, random_mechanism

from robosym import models
from robosym.robot import INERTIA, Robot

STATES = 6
NARROW = ("four-bar", "two four-bars", "slider-crank")


def narrow_robot(seed: int) -> Robot:
    """A waist with a loop, or two, whose crank assembles in a few per cent to a fifth of a turn. No positions are described."""
    rng = np.random.default_rng([seed, 41])
    kind = NARROW[seed % len(NARROW)]
    rows: list[dict[str, Any]] = [{"antecedent": 0, "joint": "waist", "alpha": float(rng.uniform(-1, 1)), **_link(rng)}]
    ends: list[dict[str, Any]] = []
    twins: list[dict[str, Any]] = []
    for k in range(2 if kind == "two four-bars" else 1):
        _add_loop(rng, rows, ends, twins, k, kind == "slider-crank")
    gravity = [float(x) for x in rng.uniform(-10, 10, 3)]
    return Robot.from_table(f"narrow-{seed}", [*rows, *ends, *twins], loops=len(ends), gravity=gravity)


def _add_loop(
    rng: np.random.Generator, rows: list[Any], ends: list[Any], twins: list[Any], k: int, slides: bool
) -> None:
    """Ground and crank leave a gap that coupler and rocker span with little to spare."""
    ground, crank = rng.uniform(1.2, 2.0), rng.uniform(0.4, 1.0)
    gap = ground - crank
    coupler = gap * rng.uniform(0.4, 0.7)
    rocker = gap * rng.uniform(1.03, 1.3) - coupler
    turned, tilt = rng.uniform(-3, 3, 2)
    alpha = float(rng.uniform(0.4, 1.4))
    frame = {"antecedent": 1, "alpha": alpha, "gamma": float(turned)}
    first = len(rows) + 1
    rows.append({**frame, "joint": f"crank{k}", **_link(rng)})
    rows.append({"antecedent": first, "joint": f"coupler{k}", "d": float(crank), "active": False, **_link(rng)})
    if slides:  # across the ground, at the distance of its end from the crank's pivot less the rocker
        height = float(crank + coupler * rng.uniform(0.75, 0.97))
        slide = {"antecedent": 1, "gamma": float(turned), "d": height, "alpha": alpha + np.pi / 2, "theta": 0}
        rows.append({**slide, "joint": f"slider{k}", "sigma": "prismatic", "active": False, **_link(rng)})
        twins.append({"antecedent": first + 2, "joint": f"twin{k}", "sigma": "fixed", "alpha": -np.pi / 2})
    else:
        rows.append({**frame, "joint": f"rocker{k}", "d": float(ground), "active": False, **_link(rng)})
        twins.append({"antecedent": first + 2, "joint": f"twin{k}", "sigma": "fixed", "d": float(rocker)})
    ends.append({"antecedent": first + 1, "joint": f"cut{k}", "d": float(coupler), "active": False})


def _link(rng: np.random.Generator) -> dict[str, float]:
    """Ten parameters of a body that exists."""
    mass, centre = rng.uniform(0.5, 3), rng.uniform(-0.3, 0.3, 3)
    spread = rng.uniform(-0.2, 0.2, (3, 8))
    about = mass * (spread @ spread.T / 8 + np.outer(centre, centre))
    J = np.trace(about) * np.eye(3) - about
    ten = (J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2], *(mass * centre), mass)
    return {name: float(x) for name, x in zip(INERTIA, ten, strict=True)}


def any_loop_robot(seed: int) -> Robot:
    """A narrow one, or, for every other seed, a random mechanism of any kind."""
    kinds = sorted(KINDS)
    return narrow_robot(seed // 2) if seed % 2 == 0 else random_mechanism(kinds[seed // 2 % len(kinds)], seed)


def check_base_regressor(seed: int) -> tuple[int, float]:
    """D K = tau on fresh states for base and standard parameters; the number of base columns and the largest relative error."""
    robot = any_loop_robot(seed)
    states = assembled_states(robot, STATES, seed)
    reference = Closed(robot)
    tau = np.array([reference.inverse(x, qd, qdd) for q, qd, qdd, x in states])
    worst, columns = 0.0, 0
    for parameters in ("standard", "base"):
        model = models.regressor(robot, parameters=parameters)  # type: ignore[arg-type]
        K = np.array(list(model.described_values().values()))
        compiled = model.evaluate
        for (q, qd, qdd, _), expected in zip(states, tau, strict=True):
            found = compiled(q=q, qd=qd, qdd=qdd)
            D = model.dense(found["D"] if isinstance(found, dict) else found, "D")
            worst = max(worst, float(np.abs(D @ K - expected).max() / np.abs(tau).max()))
        columns = len(model.columns)
    assert worst < 1e-8, f"{robot.name}: D K differs from tau by {worst:.2g}, with {columns} base columns"
    return columns, worst


def assembled_states(robot: Robot, count: int, seed: int) -> list[tuple[np.ndarray, ...]]:
    """q, qd, qdd and the positions of all joints, where the loops close in the default mode and are not singular."""
    reference = Closed(robot)
    rng = np.random.default_rng([seed, 97])
    f = models.loop_geometry(robot).compile()
    described = np.array([robot.frame(j).joint.position or 0.0 for j in robot.moving])
    found: list[tuple[np.ndarray, ...]] = []
    for _ in range(400):
        wide = rng.choice([0.1, 0.6, np.pi], size=(200, 1))
        q = described + wide * rng.uniform(-1, 1, (200, robot.nv))
        if found:
            q[::2] = found[-1][0] + 0.3 * rng.uniform(-1, 1, (100, robot.nv))
        made = f(q=q)
        positions, closes = (made["positions"], made["assembled"] > 0) if isinstance(made, dict) else (made, q[:, 0] < 9)
        for own, x in zip(q[closes], np.asarray(positions)[closes], strict=True):
            J, _ = reference.constraints(x, np.zeros(len(x)))
            sizes = np.linalg.svd(J[:, reference.passive], compute_uv=False)
            if reference.residual(x) < 1e-9 and sizes[len(reference.passive) - 1] > 0.03 * sizes[0]:
                qd, qdd = rng.uniform(-2, 2, (2, robot.nv))
                found.append((own, qd, qdd, x))
            if len(found) == count:
                return found
    raise AssertionError(f"{robot.name}: {len(found)} assembled states")
