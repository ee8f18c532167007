"""Random robots with closed loops that assemble in a small part of their crank's range, and checks of their regressors.

Torques and regressors of the reference are those of Pinocchio's open tree, projected by the constraints of the loops.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from models.loops.closed_reference import Closed
from models.loops.random_mechanisms import KINDS, random_mechanism
from models.pinocchio_states import pin

from robosym import models
from robosym.models.inertial_parameters.exchanges import cut_frames, with_rotors
from robosym.models.loops.assembled import assembled
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
    turned = rng.uniform(-3, 3)
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
        for (q, qd, qdd, _), expected in zip(states, tau, strict=True):
            D = model.dense(model.evaluate(q=q, qd=qd, qdd=qdd), "D")
            worst = max(worst, float(np.abs(D @ K - expected).max() / np.abs(tau).max()))
        columns = len(model.columns)
    assert worst < 1e-8, f"{robot.name}: D K differs from tau by {worst:.2g}, with {columns} base columns"
    return columns, worst


def equal_sides(seed: int) -> Robot:
    """A waist with a four-bar, or two on each other, whose opposite sides are equal in numbers and not by their names: a mode may
    hold positions in which links stay parallel and others in which they do not."""
    rng = np.random.default_rng([seed, 17])
    rows: list[dict[str, Any]] = [{"antecedent": 0, "joint": "waist", "alpha": float(rng.uniform(-1, 1)), **_link(rng)}]
    ends: list[dict[str, Any]] = []
    twins: list[dict[str, Any]] = []
    ground = 1
    for k in range(1 + seed % 2):
        a, b = (float(x) for x in rng.uniform(0.3, 0.9, 2))
        frame = {"antecedent": ground, "gamma": float(rng.uniform(-3, 3)), "alpha": 0.0 if k else 0.7}
        first = len(rows) + 1
        rows.append({**frame, "joint": f"crank{k}", **_link(rng)})
        rows.append({"antecedent": first, "joint": f"coupler{k}", "d": f"A{k}", "active": False, **_link(rng)})
        rows.append({**frame, "joint": f"rocker{k}", "d": f"B{k}", "active": False, **_link(rng)})
        ends.append({"antecedent": first + 1, "joint": f"cut{k}", "d": b, "active": False})
        twins.append({"antecedent": first + 2, "joint": f"twin{k}", "sigma": "fixed", "d": a})
        ends[-1]["values"], ground = {f"A{k}": a, f"B{k}": b}, first + 1
    values = {name: {"value": x} for one in ends for name, x in one.pop("values").items()}
    table = [*rows, *ends, *twins]
    return Robot.from_table(f"equal-{seed}", table, loops=len(ends), gravity=[0, -3.0, -9.0], values=values)


def reference_rank(robot: Robot, mode: str, seed: int = 0) -> int:
    """The rank of Pinocchio's regressor with the rotors, projected by the loops, over states of one mode."""
    reference = Closed(robot)
    twin, tree = reference.twin, assembled(robot, mode)
    bodies = [10 * (k - 1) + i for j, k in twin.joints.items() if j not in cut_frames(tree) for i in range(10)]
    rotors = [reference.frames.index(j) for j in with_rotors(tree)]
    rows = []
    for _, qd, qdd, x in assembled_states(robot, -(-4 * len(bodies) // robot.nv), seed, mode):
        xd = reference.speeds(x, qd)
        xdd = reference.accelerations(x, xd, qdd)
        G, spread = reference.projection(x), twin.spread
        Y = pin.computeJointTorqueRegressor(twin.model, twin.data, twin.configuration(x), spread @ xd, spread @ xdd)
        rows.append(G.T @ np.hstack([spread.T @ Y[:, bodies], np.diag(xdd)[:, rotors]]))
    W = np.vstack(rows)
    sizes = np.linalg.norm(W, axis=0)
    values = np.linalg.svd(W[:, sizes > 1e-9 * sizes.max()] / sizes[sizes > 1e-9 * sizes.max()], compute_uv=False)
    rank = int((values > 1e-7 * values[0]).sum())
    assert not len(values[rank:]) or values[rank] < 1e-3 * values[rank - 1], f"{robot.name}: no gap after {rank}"
    return rank


def check_ranks(robot: Robot, seed: int = 0, most: int = 4) -> dict[str, int]:
    """In every mode, or so many of them, the regressor in base parameters has as many columns as the reference's rank; ``exact`` is true of a count only
    if it is that rank."""
    found = {}
    for mode in models.loop_geometry(robot).modes[:most]:
        rank = reference_rank(robot, mode, seed)
        assert len(models.regressor(robot, mode=mode).columns) == rank, f"{robot.name}, {mode}: expected {rank} columns"
        for method in ("rules", "numeric"):
            base = models.base_parameters(robot, mode=mode, method=method)  # type: ignore[arg-type]
            assert base.exact == (base.count == rank), f"{robot.name}, {mode}, {method}: {base.count} of {rank}"
            assert base.count == rank or method == "rules"
        found[mode] = rank
    return found


def assembled_states(robot: Robot, count: int, seed: int, mode: str | None = None) -> list[tuple[np.ndarray, ...]]:
    """q, qd, qdd and the positions of all joints, where the loops close in a mode and are not singular."""
    reference = Closed(robot)
    rng = np.random.default_rng([seed, 97])
    f = models.loop_geometry(robot, mode=mode).compile()
    described = np.array([robot.frame(j).joint.position or 0.0 for j in robot.moving])
    found: list[tuple[np.ndarray, ...]] = []
    for _ in range(400):
        wide = rng.choice([0.1, 0.6, np.pi], size=(200, 1))
        q = described + wide * rng.uniform(-1, 1, (200, robot.nv))
        if found:
            q[::2] = found[-1][0] + 0.3 * rng.uniform(-1, 1, (100, robot.nv))
        positions = f(q=q)
        closes = positions.assembled > 0
        for own, x in zip(q[closes], positions[closes], strict=True):
            J, _ = reference.constraints(x, np.zeros(len(x)))
            sizes = np.linalg.svd(J[:, reference.passive], compute_uv=False)
            if reference.residual(x) < 1e-9 and sizes[len(reference.passive) - 1] > 0.03 * sizes[0]:
                qd, qdd = rng.uniform(-2, 2, (2, robot.nv))
                found.append((own, qd, qdd, x))
            if len(found) == count:
                return found
    raise AssertionError(f"{robot.name}: {len(found)} assembled states")
