"""Linkages without a closed form: made so that they close at a position that is known."""

from __future__ import annotations

import functools
import math

import numpy as np

from robosym.robot import Robot

INERTIA = {
    "XX": 0.21,
    "XY": 0.01,
    "XZ": -0.02,
    "YY": 0.23,
    "YZ": 0.015,
    "ZZ": 0.19,
    "MX": 0.2,
    "MY": -0.1,
    "MZ": 0.15,
    "M": 2.0,
}


def screw(angle: float, shift: float, axis: int) -> np.ndarray:
    T = np.eye(4)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    T[i, i] = T[j, j] = math.cos(angle)
    T[j, i], T[i, j] = math.sin(angle), -math.sin(angle)
    T[axis, 3] = shift
    return T


def pose(row: dict, x: float = 0.0) -> np.ndarray:
    """Of a frame seen from its antecedent."""
    g, b, a, d = (row.get(key, 0.0) for key in ("gamma", "b", "alpha", "d"))
    sigma = row.get("sigma", "revolute")
    theta = row.get("theta_", 0.0) + (x if sigma == "revolute" else 0.0)
    r = row.get("r", 0.0) + (x if sigma == "prismatic" else 0.0)
    return screw(g, b, 2) @ screw(a, d, 0) @ screw(theta, r, 2)


def placed(T: np.ndarray) -> dict[str, float]:
    """gamma, b, alpha, d, theta, r of a frame that is fixed at this place."""
    z = T[:3, 2]
    alpha = math.atan2(math.hypot(z[0], z[1]), z[2])
    gamma = math.atan2(z[0], -z[1])
    rest = np.linalg.inv(screw(gamma, 0, 2) @ screw(alpha, 0, 0)) @ T
    theta = math.atan2(rest[1, 0], rest[0, 0])
    # p = b z0 + d x + r z
    axes = np.column_stack([[0, 0, 1], [math.cos(gamma), math.sin(gamma), 0], z])
    b, d, r = np.linalg.solve(axes, T[:3, 3])
    return {"gamma": gamma, "b": b, "alpha": alpha, "d": d, "theta": theta, "r": r}


def product(poses: list[np.ndarray]) -> np.ndarray:
    return functools.reduce(np.matmul, poses)


def ring(name: str, rows: list[dict], x: list[float], driven: tuple[int, ...] = (0,)) -> Robot:
    """A single loop of these frames, closed at these positions of their joints."""
    frames = []
    for k, row in enumerate(rows):
        shape = {key: row[key] for key in ("gamma", "b", "alpha", "d", "sigma") if key in row}
        sliding = row.get("sigma") == "prismatic"
        shape |= {"theta": row.get("theta_", 0.0)} if sliding else {"r": row.get("r", 0.0)}
        made = (
            rod(f"link{k + 1}", k, f"j{k + 1}", **shape) if k < len(rows) - 1 else cut("cut", k, f"j{k + 1}", **shape)
        )
        frames.append(made | {"active": k in driven})
    end = product([pose(row, q) for row, q in zip(rows, x, strict=True)])
    return Robot.from_table(name, [*frames, twin("twin", 0, **placed(end))], loops=1, gravity=[0, 0, -9.81])


def any_rows(count: int, seed: int) -> list[dict]:
    """Frames of revolute joints in any directions."""
    draw = np.random.default_rng(seed)
    return [
        {"alpha": draw.uniform(0.5, 1.6), "d": draw.uniform(0.2, 0.6), "r": draw.uniform(-0.3, 0.3)}
        for _ in range(count)
    ]


def seven_revolutes() -> Robot:
    """Any seven revolute joints in a ring, one of them driven."""
    return ring("seven-revolutes", any_rows(7, 3), [0.4, -0.7, 0.9, 0.5, -1.1, 0.8, 0.3])


def rod(name: str, antecedent: int, joint: str, active: bool = False, **more: object) -> dict:
    """A link with mass."""
    return {"name": name, "antecedent": antecedent, "joint": joint, "active": active, **more, **INERTIA}


def cut(name: str, antecedent: int, joint: str, **more: object) -> dict:
    return {"name": name, "antecedent": antecedent, "joint": joint, "active": False, **more}


def twin(name: str, antecedent: int, **more: object) -> dict:
    return {"name": name, "antecedent": antecedent, "joint": f"{name}_joint", "sigma": "fixed", **more}


LENGTHS = {"A": 0.35, "B": 0.8, "C": 0.7, "G": 1.0, "E": 0.5, "H": 0.9, "K": 0.6, "N": 0.55, "W": 0.6}


def stephenson(driven: str = "far_pivot", **values: float) -> Robot:
    """A planar six-bar linkage of Stephenson's third kind, y up. Driven at the crank of its four-bar its loops are solved one
    after the other; driven at the far dyad they are coupled."""
    rows = [
        *six_bar(),
        cut("cut_b", 3, "pin_b", d="C"),
        cut("cut_c", 5, "pin_c", d="N"),
        twin("twin_b", 2, d="B"),
        twin("twin_c", 2, gamma="W", d="E"),
    ]
    for row in rows:
        row["active"] = row["joint"] == driven
    return Robot.from_table("stephenson-3", rows, loops=2, gravity=[0, -9.81, 0], values=numbers(LENGTHS | values))


def six_bar() -> list[dict]:
    """Its five links."""
    return [
        rod("crank", 0, "crank_pivot"),
        rod("coupler", 1, "coupler_pivot", d="A"),
        rod("rocker", 0, "rocker_pivot", d="G"),
        rod("far", 0, "far_pivot", gamma=-0.5, d="H"),
        rod("dyad", 4, "dyad_pivot", d="K"),
    ]


def numbers(values: dict[str, float]) -> dict[str, dict]:
    return {key: {"value": float(x)} for key, x in values.items()}


def chained() -> Robot:
    """A four-bar turns the far link of a six-bar of coupled loops, whose rocker turns another four-bar: a closed form, an
    iteration, and a closed form again."""
    rows = [
        *six_bar(),
        rod("motor", 0, "motor_pivot", True, gamma=-0.9, d=1.6),
        rod("first", 6, "first_pivot", d=0.3),
        rod("last", 0, "last_pivot", d=2.0),
        rod("link", 3, "link_pivot", gamma=0.5, d=0.3),
        cut("cut_b", 3, "pin_b", d="C"),
        cut("cut_c", 5, "pin_c", d="N"),
        cut("cut_first", 7, "pin_first", d=0.8),
        cut("cut_last", 9, "pin_last", d=0.9),
        twin("twin_b", 2, d="B"),
        twin("twin_c", 2, gamma="W", d="E"),
        twin("twin_first", 4, gamma=0.4, d=0.5),
        twin("twin_last", 8, d=0.7),
    ]
    return Robot.from_table("chained", rows, loops=4, gravity=[0, -9.81, 0], values=numbers(LENGTHS))


def rccc() -> Robot:
    """Revolute (driven) and three cylindrical joints: six passive joints, with a closed form."""
    cylinders = [[{"alpha": a, "d": d}, {"sigma": "prismatic"}] for a, d in ((0.6, 0.4), (1.1, 0.3), (0.8, 0.5))]
    rows = [{"alpha": 0.9, "d": 0.2, "r": 0.1}, *(row for pair in cylinders for row in pair)]
    return ring("rccc", rows, [0.3, 0.5, 0.2, 0.9, -0.4, -0.7, 0.3])


def sliding_ring() -> Robot:
    """Six revolute joints and one that slides, in any directions: one driven."""
    rows = any_rows(7, 8)
    rows[3] = {"alpha": 0.9, "d": 0.3, "theta_": 0.4, "sigma": "prismatic"}
    return ring("sliding-ring", rows, [0.2, -0.5, 0.8, 0.35, -0.9, 0.7, 0.4])


def three_legs() -> Robot:
    """A platform on three legs of six revolute joints in any directions, two of each driven: two loops with twelve unknown
    joints together. The first leg carries the platform, the others are cut from it."""
    legs = [any_rows(6, 20 + leg) for leg in range(3)]
    x = np.random.default_rng(12).uniform(-0.8, 0.8, (3, 6))
    rows, cuts, twins, tips = [], [], [], []
    for leg, frames in enumerate(legs):
        tips.append(product([pose(row, q) for row, q in zip(frames, x[leg], strict=True)]))
        for k, row in enumerate(frames):
            joint = f"leg{leg + 1}_{k + 1}"
            if leg and k == 5:
                cuts.append(cut(f"cut{leg}", len(rows), joint, **row))
                twins.append(twin(f"twin{leg}", 6, **placed(np.linalg.inv(tips[0]) @ tips[leg])))
            else:
                rows.append(rod(f"link{leg + 1}_{k + 1}", 0 if k == 0 else len(rows), joint, k < 2, **row))
    return Robot.from_table("three-legs", [*rows, *cuts, *twins], loops=2, gravity=[0, 0, -9.81])
