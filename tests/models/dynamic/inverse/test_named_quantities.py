"""The names of the Newton-Euler recursion mean what they mean in the papers: against plain vectors from frame poses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from models.reference import dh_matrix
from models.small_matrices import skew
from program.recording import random_state, step_values
from sweeps import crossed

import robosym
from robosym import models
from robosym.expr import Expr, evaluate, expr, variable
from robosym.models.dynamic.inverse.inverse_dynamics import torque_graph
from robosym.models.dynamic.request import Request
from robosym.models.resolve import resolve
from robosym.models.tree.bodies import Tree
from robosym.models.tree.joint_torques import METHODS
from robosym.program import Program, lower
from robosym.robot import PRISMATIC, Robot

Values = Mapping[Expr, float]

# Names that every program has before the passes, and those of the recursion with U from its third column.
ALWAYS = ("W", "WI", "WP", "U", "VP", "F", "No", "M", "E", "N", "FDI")
ACCELERATION_MATRIX = ("DV", "PIS")


@dataclass(frozen=True)
class Link:
    """A link in the axes of frame 0: pose, angular velocity and acceleration, acceleration of the origin less gravity."""

    R: np.ndarray
    p: np.ndarray
    w: np.ndarray
    wd: np.ndarray
    a: np.ndarray


def numbers(entries: Sequence[Any], values: Values) -> np.ndarray:
    return np.array(evaluate([expr(x) for x in entries], values), dtype=float)


def moving_links(robot: Robot, values: Values) -> dict[int, Link]:
    """p_j = p_i + r, differentiated twice."""
    found = {0: Link(np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3), -numbers(robot.gravity, values))}
    by_name = {symbol.name: x for symbol, x in values.items()}
    for j in robot.order:
        frame, i = robot.frame(j), found[robot.frame(j).antecedent]
        T = dh_matrix(*numbers(robot.geometry(j), values))
        R, r = i.R @ T[:3, :3], i.R @ T[:3, 3]
        z, qd, qdd = R[:, 2], by_name[f"qd{j}"], by_name[f"qdd{j}"]
        a = i.a + np.cross(i.wd, r) + np.cross(i.w, np.cross(i.w, r))
        if frame.sigma == PRISMATIC:
            found[j] = Link(R, i.p + r, i.w, i.wd, a + qdd * z + 2 * np.cross(i.w, qd * z))
        else:
            found[j] = Link(R, i.p + r, i.w + qd * z, i.wd + qdd * z + np.cross(i.w, qd * z), a)
    return found


def quantities(robot: Robot, bodies: Tree, values: Values) -> dict[str, dict[int, np.ndarray]]:
    """What the papers' names stand for, link by link in its own frame; with the inertias of ``bodies``."""
    links = moving_links(robot, values)
    found: dict[str, dict[int, np.ndarray]] = {
        stem: {} for stem in ("W", "WI", "WP", "U", "DV", "VP", "VSP", "F", "No", "M", "E", "N", "FDI", "PIS")
    }
    for body in reversed(bodies.bodies):
        j, own, i = body.j, links[body.j], links[body.parent]
        w, wd, vd, w_i = (own.R.T @ v for v in (own.w, own.wd, own.a, i.w))
        XX, XY, XZ, YY, YZ, ZZ = numbers(body.inertia.matrix, values)
        J, MS = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]), numbers(body.inertia.moment, values)
        U = skew(wd) + skew(w) @ skew(w)
        F = numbers([body.inertia.mass], values)[0] * vd + U @ MS
        No = J @ wd + np.cross(w, J @ w)
        M = No + np.cross(MS, vd) + numbers(body.moment, values)
        E, N = F + numbers(body.force, values), M
        for child in bodies.children(j):
            turned, arm = own.R.T @ links[child.j].R, own.R.T @ (links[child.j].p - own.p)
            E, N = E + turned @ found["E"][child.j], N + turned @ found["N"][child.j]
            N = N + np.cross(arm, turned @ found["E"][child.j])
        step = i.R.T @ i.a + (skew(i.R.T @ i.wd) + skew(i.R.T @ i.w) @ skew(i.R.T @ i.w)) @ numbers(body.arm, values)
        PIS = np.array([U[2, 2] - U[1, 1], U[0, 0] - U[2, 2], U[1, 1] - U[0, 0]])
        named = {"W": w, "WI": w_i, "WP": wd, "U": U, "DV": np.outer(w, w), "VP": vd, "VSP": step, "F": F, "No": No}
        named |= {"M": M, "E": E, "N": N, "FDI": i.R.T @ own.R @ E, "PIS": PIS}
        for stem, value in named.items():
            found[stem][j] = value
    return found


def compared(program: Program, values: Values, expected: dict[str, dict[int, np.ndarray]]) -> dict[str, int]:
    """Compare every step that has one of these names; how many of each there are."""
    seen = dict.fromkeys(expected, 0)
    steps = step_values(program, values)
    for name, x in steps.items():
        parts = re.fullmatch(r"([A-Za-z]+)(\d{1,2})(?:_(\d\d)|(\d))", name)
        if parts is None or parts[1] not in expected:
            continue
        components, link = tuple(int(c) - 1 for c in parts[2]), int(parts[3] or parts[4])
        value = expected[parts[1]][link]
        assert value.ndim == len(components), name
        assert x == pytest.approx(value[components], rel=1e-9, abs=1e-9 * max(1.0, float(np.abs(value).max()))), name
        seen[parts[1]] += 1
    return seen


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    ("name", "method", "reactions"),
    crossed(
        ["rx90", "puma560", "stanford", "general-12r"], ["acceleration-matrix", "newton-euler"], [False, True], every=2
    ),
)
def test_names_are_the_papers(name: str, method: str, reactions: bool) -> None:
    robot = robosym.load(name)
    model = models.inverse_dynamics(robot, method=method, reactions=reactions)
    asked = Request(rotor_inertia=True, wrench="terminal").prepare(resolve(robot))
    asked = asked if reactions else asked.regrouped
    bodies = asked.bodies
    every_step = lower(torque_graph(asked, METHODS[method], reactions))
    rng = np.random.default_rng(7)
    entries = [x for body in bodies.bodies for x in (*body.inertia.matrix, *body.inertia.moment, body.inertia.mass)]
    geometry = [x for j in robot.order for x in robot.geometry(j)]
    rates = [variable(f"{rate}{j}") for rate in ("qd", "qdd") for j in robot.order]
    used = [expr(x) for x in (*entries, *geometry, *robot.gravity, *rates)]
    values = random_state(every_step, [{"": used}], lambda: float(rng.uniform(0.3, 1.7)))
    expected = quantities(robot, bodies, values)
    seen = compared(every_step, values, expected)
    assert all(seen[stem] for stem in (*ALWAYS, *(ACCELERATION_MATRIX if method == "acceleration-matrix" else ()))), (
        seen
    )
    kept = compared(model.program, values, expected)
    assert all(kept[stem] for stem in ("W", "WI", "WP", "VP", "M", "E", "N")), kept
