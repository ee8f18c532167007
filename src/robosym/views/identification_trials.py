"""Motions worth recording, and recordings that never happened: what somebody tries before there is a robot at hand."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..errors import RobosymError
from ..generated.documentation.units import POSITION, of_joints
from ..identification.excitation import Motion, as_c, as_csv, excite, motion_from_dict
from ..models import regressor
from ..models.common import require_no_platform
from ..models.regressors.regressor import Regressor
from ..reals import Floats
from ..robot import INERTIA, PRISMATIC, Robot

Progress = Callable[..., None]
DRAWN = 600  # samples of a motion that plots and animations show
MOST_EVALUATIONS = 5000
FRICTION = ("viscous", "coulomb", "offset")
HEAVIER = 0.2  # part by which links of the simulated robot differ from the description, at most
STROKE = 0.2  # m, to both sides, of a sliding joint without limits


def excited(robot: Robot, options: Mapping[str, Any] | None = None, progress: Progress | None = None) -> dict[str, Any]:
    """An exciting motion (``excite`` with these options), its quality and margins, and samples of it to draw and to play."""
    chosen = {"evaluations": 300} | {name: value for name, value in (options or {}).items() if value is not None}
    most = chosen["evaluations"]
    if isinstance(most, int) and most > MOST_EVALUATIONS:
        raise RobosymError(f"evaluations: got {most}, expected at most {MOST_EVALUATIONS}")
    chosen["progress"] = None if progress is None else _told(progress, most)
    found = excite(robot, **chosen)
    data = found.as_dict()
    return {
        **data,
        "margins": [{"limit": name, **margin} for name, margin in data["margins"].items()],
        "units": [entry.unit for entry in of_joints(robot, POSITION)],
        "samples": _samples(found.motion),
    }


def _told(progress: Progress, most: int) -> Callable[[int, float], None]:
    def tell(used: int, best: float) -> None:
        value = f", best criterion {best:.3g}" if np.isfinite(best) else ""
        progress(min(1.0, used / most), f"{used} of at most {most} motions tried{value}")

    return tell


def _samples(motion: Motion) -> dict[str, Any]:
    t = np.linspace(0.0, motion.duration, DRAWN + 1)
    lines = zip(("q", "qd", "qdd"), motion(t), strict=True)
    return {
        "t": t.tolist(),
        **{name: [[float(f"{x:.7g}") for x in column] for column in line.T] for name, line in lines},
    }


def motion_file(motion: Mapping[str, Any], kind: str = "csv", rate: float = 500.0, repeats: int = 1) -> str:
    """A motion, by its coefficients, as the samples of a CSV file or as a function in C."""
    made = motion_from_dict(motion)
    if kind == "c":
        return as_c(made)
    if kind != "csv":
        raise RobosymError(f"kind: got {kind!r:.60}, expected 'csv' or 'c'")
    return as_csv(made, rate, repeats)


# --- a recording that never happened ------------------------------------------------------------------------------------


def simulated_recording(
    robot: Robot,
    *,
    seconds: float = 8.0,
    rate: float = 250.0,
    noise: float = 0.01,
    seed: int = 0,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """A recording as the robot would make it if its links were a little heavier or lighter than described: a motion that excites it,
    torques by the regressor, noise (a part of the largest torque). The text of a CSV file, and the true standard parameters."""
    require_no_platform(robot)
    tell = progress or (lambda share, words="": None)
    tell(0.05, "deriving the model")
    model = regressor(robot, parameters="standard", friction=FRICTION)
    true, factors = _other_robot(model, np.random.default_rng(seed))
    tell(0.2, "looking for a motion that shows all parameters")
    found = excite(
        robot, duration=seconds, evaluations=60, limits=_strokes(robot), seed=seed, velocity=2.5, acceleration=8.0
    )
    tell(0.8, "moving the robot")
    t = np.arange(round(seconds * rate)) / rate
    q, qd, qdd = found.motion(t)
    D = model.dense(model.compile()(q=q, qd=qd, qdd=qdd))
    tau = D @ np.array([true[name] for name in model.columns])
    tau = tau + noise * np.abs(tau).max(axis=0) * np.random.default_rng(seed + 1).normal(size=tau.shape)
    return {
        "name": "simulated.csv",
        "text": _as_csv(robot, t, q, tau),
        "true": true,
        "factors": factors,
        "words": (
            f"Simulated, not measured: {robot.name} moves for {seconds:g} s at {rate:g} Hz; its links are up to {100 * HEAVIER:.0f} % "
            f"heavier or lighter than described, and the torques have noise of {100 * noise:g} % of their largest."
        ),
    }


def _strokes(robot: Robot) -> dict[str, tuple[float, float]]:
    frames = [robot.frame(j) for j in robot.moving]
    return {
        frame.joint.name: (-STROKE, STROKE)
        for frame in frames
        if frame.sigma == PRISMATIC and (frame.joint.limits.lower is None or frame.joint.limits.upper is None)
    }


def _other_robot(model: Regressor, random: np.random.Generator) -> tuple[dict[str, float], dict[str, float]]:
    """The standard parameters when each link has a density of its own, and what each link was multiplied by."""
    described = model.described_values()
    if not any(described.values()):
        raise RobosymError(
            f"{model.robot.name}: all masses and inertias are zero: there is nothing that torques could tell"
        )
    owner = {symbol.name: j for (j, stem), symbol in model.standard.items() if stem in INERTIA}
    factors = {j: float(1 + random.uniform(-HEAVIER, HEAVIER)) for j in sorted(set(owner.values()))}
    true = {name: x * factors[owner[name]] if name in owner else x for name, x in described.items()}
    return true, {f"link {j}": round(factor, 4) for j, factor in factors.items()}


def _as_csv(robot: Robot, t: Floats, q: Floats, tau: Floats) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["t", *(f"{what}.{joint}" for what in ("q", "tau") for joint in robot.joint_names)])
    for row in np.column_stack([t, q, tau]):
        writer.writerow([f"{x:.9g}" for x in row])
    return text.getvalue()
