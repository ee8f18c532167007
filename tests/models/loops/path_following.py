"""Random planar loops anywhere in space, and a path of closed positions that is followed from the described one in NumPy.

The path knows nothing of modes: the next position is where the last ones lead, corrected until the loop closes. So it goes through
dead centres, at which all links lie on a line, as the mechanism does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from models.reference import dh_matrix, numbers

from robosym import models
from robosym.robot import FIXED, PRISMATIC, Robot

STEP = 0.02
Placement = dict[str, float]


def placement(T: np.ndarray) -> Placement:
    """gamma, b, alpha, d, theta, r of a pose whose z axis is not vertical."""
    R, p = T[:3, :3], T[:3, 3]
    alpha = math.acos(R[2, 2])
    gamma, theta = math.atan2(R[0, 2], -R[1, 2]), math.atan2(R[2, 0], R[2, 1])
    across = np.array([math.cos(gamma), math.sin(gamma), 0.0])
    d, b, r = np.linalg.solve(np.column_stack([across, [0.0, 0.0, 1.0], R[:, 2]]), p)
    return {"gamma": gamma, "b": float(b), "alpha": alpha, "d": float(d), "theta": theta, "r": float(r)}


def random_pose(rng: np.random.Generator) -> np.ndarray:
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    T = np.eye(4)
    T[:3, :3] = Q * np.sign(np.linalg.det(Q))
    T[:3, 3] = rng.uniform(-0.5, 0.5, 3)
    return T


def in_plane(angle: float, x: float) -> np.ndarray:
    T = np.eye(4)
    c, s = math.cos(angle), math.sin(angle)
    T[:2, :2] = [[c, -s], [s, c]]
    T[:2, 3] = x * c, x * s
    return T


def four_bar_anywhere(
    rng: np.random.Generator, lengths: Sequence[float], how: str, position: dict[str, float] | None = None
) -> Robot:
    """Crank, coupler, rocker and ground. ``how`` the ground is turned: "angle", a number; "symbol", one with a value; "space",
    both pivots are placed by all six parameters of a general pose. The zeros of crank and coupler are anywhere too."""
    crank, coupler, rocker, ground = lengths
    turned, first, second = (float(x) for x in rng.uniform(-3, 3, 3))
    values: dict[str, float] = {}
    if how == "space":
        plane = random_pose(rng)
        on_crank = placement(plane @ in_plane(turned, 0.0))
        on_rocker = placement(plane @ in_plane(turned, ground))
    else:
        angle: Any = turned
        if how == "symbol":
            angle, values = "turned", {"turned": float(turned)}
        on_crank = {"gamma": angle, "theta": 0.0}
        on_rocker = {"gamma": angle, "d": ground, "theta": 0.0}
    at = position or {}
    rows: list[dict[str, Any]] = [
        {"joint": "crank", "antecedent": 0, **_from(on_crank, "q1", first), "position": at.get("crank")},
        {"joint": "coupler", "antecedent": 1, "d": crank, "theta": f"q2 + {second!r}", "position": at.get("coupler")},
        {"joint": "rocker", "antecedent": 0, **_from(on_rocker, "q3", 0.0), "position": at.get("rocker")},
        {"joint": "pin", "antecedent": 2, "d": coupler, "position": at.get("pin")},
        {"joint": "twin", "antecedent": 3, "d": rocker, "sigma": "fixed"},
    ]
    for row in rows[1:4]:
        row["active"] = False
    rows = [{key: x for key, x in row.items() if x is not None} for row in rows]
    return Robot.from_table("four-bar", rows, loops=1, gravity=[0.3, -9.81, 0.2], values=values)


def _from(placed: dict[str, Any], variable: str, zero: float) -> dict[str, Any]:
    return {**placed, "theta": f"{variable} + {placed['theta'] + zero!r}"}


class Path:
    """Closed positions of a robot with one driven joint: all joints by name, as that joint moves."""

    def __init__(self, robot: Robot, start: dict[str, float]) -> None:
        self.robot = robot
        self.driven = robot.joint_names[0]
        moving = [frame.joint.name for frame in robot.frames if frame.sigma != FIXED]
        self.others = [name for name in moving if name != self.driven]
        self.zero = {j: np.array(numbers(robot, frame.geometry)) for j, frame in enumerate(robot.frames, 1)}
        self.start = self.corrected(start)

    def error(self, at: dict[str, float]) -> np.ndarray:
        found = {0: np.eye(4)}
        for j in self.robot.order:
            frame, row = self.robot.frame(j), self.zero[j].copy()
            row[5 if frame.sigma == PRISMATIC else 4] += at.get(frame.joint.name, 0.0)
            found[j] = found[frame.antecedent] @ dh_matrix(*row)
        gaps = []
        for k in range(self.robot.n_links + 1, self.robot.n_links + self.robot.loops + 1):
            gaps.append((found[k] - found[k + self.robot.loops])[:3].ravel())
        return np.concatenate(gaps)

    def corrected(self, at: dict[str, float]) -> dict[str, float]:
        """The closed position next to another one, the driven joint held."""
        for _ in range(30):
            e = self.error(at)
            if np.abs(e).max() < 1e-13:
                break
            J = np.column_stack([(self.error(at | {n: at[n] + 1e-6}) - e) / 1e-6 for n in self.others])
            step = np.linalg.lstsq(J, -e, rcond=1e-9)[0]
            step *= min(1.0, 0.05 / (np.abs(step).max() + 1e-300))
            at = at | {name: at[name] + float(x) for name, x in zip(self.others, step, strict=True)}
        return at

    def followed(self, end: float, skipped: float = 0.004) -> list[dict[str, float]]:
        """From the start to a position of the driven joint: where it ends, a mechanism that is stuck."""
        q0 = self.start[self.driven]
        count = int(abs(end - q0) / STEP)
        found = [self.start]
        for k in range(1, count + 1):
            q = q0 + math.copysign(STEP * k, end - q0)
            ahead = {name: self._ahead(found, name) for name in self.others}
            at = self.corrected({**ahead, self.driven: q})
            if np.abs(self.error(at)).max() > 1e-9:
                if self._singular(ahead | {self.driven: q}) > skipped:
                    break
                at = {**ahead, self.driven: q}  # on a dead centre: the next step is beyond it
            found.append(at)
        return found

    def _ahead(self, found: Sequence[dict[str, float]], name: str) -> float:
        last = [at[name] for at in found[-3:]]
        if len(last) == 3:
            return 3 * last[2] - 3 * last[1] + last[0]
        return 2 * last[1] - last[0] if len(last) == 2 else last[0]

    def _singular(self, at: dict[str, float]) -> float:
        e = self.error(at)
        J = np.column_stack([(self.error(at | {n: at[n] + 1e-6}) - e) / 1e-6 for n in self.others])
        S = np.linalg.svd(J, compute_uv=False)
        return float(S[-1] / S[0])

    def regular(self, at: dict[str, float]) -> bool:
        """Whether the path is closed here and far enough from dead centres to be compared."""
        return bool(np.abs(self.error(at)).max() < 1e-9 and self._singular(at) > 0.01)


def compared(robot: Robot, path: Path, end: float, late: dict[str, float] | None = None) -> tuple[int, int]:
    """The default mode, with parameters given late, along a path from the described position: where it says that it is assembled, it is on the path. How many
    positions were the same, and at how many the model said that it is not there."""
    model = models.loop_geometry(robot)
    f = model.compile()
    slides = {frame.joint.name for frame in robot.frames if frame.sigma == PRISMATIC}
    along = [at for at in path.followed(end) if path.regular(at)]
    found = f(q=np.array([[at[path.driven]] for at in along]), parameters=late or {})
    same = refused = 0
    for k, at in enumerate(along):
        if not found["assembled"][k]:
            refused += 1
            continue
        positions = dict(zip(model.joint_names, found["positions"][k], strict=True))
        for name in path.others:
            apart = positions[name] - at[name]
            apart = apart if name in slides else math.remainder(apart, math.tau)
            assert abs(apart) < 1e-6, f"{name} at {path.driven} = {at[path.driven]}"
        same += 1
    return same, refused
