"""A run as a page: the skeleton of the robot at instants of its motion, given to ``robosym.plots.animation``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import RobosymError
from ..expr import Expr, evaluate, free_symbols
from ..files import write_text
from ..plots.animation import COLOURS, Chart, Line, Scene, animation_page
from ..reals import Floats
from ..robot import FIXED, PRISMATIC, Robot

if TYPE_CHECKING:
    from .result import Run

MOST_PICTURES = 3000
MOST_CURVES = 24  # joints of a chart
MOST_NAMED = 12


def animate(run: Run, path: str | Path, fps: float, frame: int | str | None) -> None:
    """Write the page."""
    if Path(path).suffix.lower() != ".html":
        raise RobosymError(f"{path}: expected a name that ends in .html")
    write_text(path, animation_page(scene_of(run, fps, frame)))


def scene_of(run: Run, fps: float = 30.0, frame: int | str | None = None) -> Scene:
    """The skeleton at about ``fps`` instants a second, the paths of a frame and of its reference, and charts."""
    whole = run.valid
    places = _instants(whole.time, fps)
    q = whole.q[places]
    poses = whole._along.frames(q)
    points, limbs, origins = _skeleton(run.robot, poses, whole._parameters)
    ends, masses = _tails(run.robot, poses, whole._parameters)
    tails = [(origins[j], points.shape[1] + k) for k, j in enumerate(ends)]
    points = np.concatenate([points, masses], axis=1)
    trace, wanted, said = _paths(whole, places, frame)
    lost = f"Lost at {run.failed:.6g} s{f': {run.reason}' if run.reason else ''}." if run.failed is not None else ""
    law = f" under {run.settings['law']}" if run.settings.get("law") else ""
    kinds = {j: run.robot.frame(j).sigma for j in run.robot.order if run.robot.frame(j).sigma != FIXED}
    return Scene(
        f"{run.robot.name}{law}",
        whole.time[places],
        points,
        limbs,
        tails=tails,
        revolute=[origins[j] for j, kind in kinds.items() if kind != PRISMATIC],
        prismatic=[origins[j] for j, kind in kinds.items() if kind == PRISMATIC],
        base=origins[0],
        trace=trace,
        wanted=wanted,
        gravity=_gravity(whole),
        charts=_charts(whole),
        note=" ".join(text for text in (lost, said) if text),
    )


def _instants(time: Floats, fps: float) -> NDArray[np.intp]:
    """The recorded instants nearest to those of the pictures."""
    count = max(1.0, math.floor((time[-1] - time[0]) * fps * (1 + 1e-9)))
    even = np.linspace(time[0], time[-1], int(min(count, MOST_PICTURES - 1)) + 1)
    after = np.clip(np.searchsorted(time, even), 0, len(time) - 1)
    ahead = np.maximum(after - 1, 0)
    return np.unique(np.where(even - time[ahead] < time[after] - even, ahead, after))


def _skeleton(
    robot: Robot, poses: Mapping[int, Floats], parameters: Mapping[str, float]
) -> tuple[Floats, list[list[int]], dict[int, int]]:
    """Points (K, P, 3), the lines through them from each frame to its antecedent, and the places of the origins. A line follows
    the geometric parameters: along z by b, along x by d, along z by r."""
    values = {name: value.number for name, value in robot.values.items()} | dict(parameters)
    points = [poses[0][:, :3, 3]]
    origins = {0: 0}
    limbs = []
    for j in robot.order:
        if j not in poses:
            continue
        antecedent = robot.frame(j).antecedent
        R, p = poses[antecedent][:, :3, :3], poses[antecedent][:, :3, 3]
        gamma, b, _, d, *_ = robot.geometry(j)
        limb = [origins[antecedent]]
        numbers = _numbers((gamma, b, d), values)
        if numbers is not None:
            turn, up, along = numbers
            x_axis = R @ np.array([math.cos(turn), math.sin(turn), 0.0])
            for step in (up * R[:, :, 2], along * x_axis):
                if step.any():
                    p = p + step
                    points.append(p)
                    limb.append(len(points) - 1)
        points.append(poses[j][:, :3, 3])
        origins[j] = len(points) - 1
        limbs.append([*limb, origins[j]])
    return np.stack(points, axis=1), limbs, origins


def _tails(robot: Robot, poses: Mapping[int, Floats], parameters: Mapping[str, float]) -> tuple[list[int], Floats]:
    """The last links, which no frame follows, and their centres of mass (K, links, 3): all that is known of where they go."""
    values = {name: value.number for name, value in robot.values.items()} | dict(parameters)
    followed = {frame.antecedent for frame in robot.frames}
    found, points = [], []
    for j in robot.links:
        link = robot.frame(j).link
        numbers = _numbers((link.M, link.MX, link.MY, link.MZ), values)
        if j in followed or j not in poses or numbers is None or not numbers[0] > 0 or not any(numbers[1:]):
            continue
        centre = np.array(numbers[1:]) / numbers[0]
        points.append(poses[j][:, :3, 3] + poses[j][:, :3, :3] @ centre)
        found.append(j)
    return found, np.stack(points, axis=1) if points else np.empty((len(poses[0]), 0, 3))


def _numbers(entries: tuple[Expr, ...], values: Mapping[str, float]) -> list[float] | None:
    """What they are for these parameters; none for what moves, of which only the ends are drawn."""
    if any(symbol.name not in values for symbol in free_symbols(*entries)):
        return None
    return [float(x) for x in evaluate(entries, values)]


def _paths(run: Run, places: NDArray[np.intp], frame: int | str | None) -> tuple[Floats | None, Floats | None, str]:
    """Of the frame, and where it should be; and what to say if there is none."""
    shown = _at(run, places)
    try:
        trace = shown.tip(frame)
    except RobosymError:
        if frame is not None:
            raise
        return None, None, "The robot has no single tip: give a frame to trace."
    if "T_d" in shown.reference:
        said = (
            ""
            if run.follows_pose
            else "The trace is of the tip; of which frame the pose to follow is, was not recorded."
        )
        return trace, shown.reference["T_d"][:, :3, 3], said
    if "q_d" in shown.reference and not run.robot.base.floating:
        return trace, _at(run, places, shown.reference["q_d"]).tip(frame), ""
    return trace, None, ""


def _at(run: Run, places: NDArray[np.intp], q: Floats | None = None) -> Run:
    """The run at some of its instants; with other positions."""
    from dataclasses import replace

    cut = {name: getattr(run, name)[places] for name in ("time", "q", "qd", "tau")}
    if q is not None:
        cut["q"] = q
    return replace(run, **cut, reference={k: v[places] for k, v in run.reference.items()}, more={})


def _gravity(run: Run) -> Floats | None:
    """In the world. The description gives it in frame 0: of a free base in the frame that it moves in."""
    values = {name: value.number for name, value in run.robot.values.items()} | run._parameters
    g = _numbers(run.robot.gravity, values)
    if g is None:
        return None
    held = np.zeros((1, run.q.shape[1]))
    held[0] = run.q[0]
    if run.robot.base.floating:
        held[0, :7] = (0, 0, 0, 0, 0, 0, 1)
    found: Floats = run._along.pose(held, 0)[0, :3, :3] @ np.array(g)
    return found if np.isfinite(found).all() else None


def _charts(run: Run) -> list[Chart]:
    charts = []
    if run.robot.base.floating:
        lines = [Line(run.time, run.q[:, k], f"base {name}", COLOURS[k]) for k, name in enumerate("xyz")]
        charts.append(Chart("base position (m)", lines))
    wanted = run.reference.get("q_d")
    for unit in dict.fromkeys(entry.label for entry in run.positions) if run.turning else ():
        label = unit if unit == "quaternion" else f"q ({unit})"
        own = [(k, entry.name) for k, entry in enumerate(run.positions) if entry.label == unit][:MOST_CURVES]
        lines = [
            Line(run.time, run.q_joints[:, k], name if i < MOST_NAMED else "", COLOURS[k % len(COLOURS)])
            for i, (k, name) in enumerate(own)
        ]
        charts.append(Chart(label, lines))
    for unit in () if run.turning else dict.fromkeys(run.units):
        charts.append(
            _of_joints(
                run, f"q ({unit}), wanted dashed" if wanted is not None else f"q ({unit})", run.q_joints, unit, wanted
            )
        )
    for unit in dict.fromkeys(run.units):
        label = "torque (N m)" if unit == "rad" else "force (N)"
        charts.append(_of_joints(run, label, run.tau_joints, unit, None))
    return charts


def _of_joints(run: Run, label: str, values: Floats, unit: str, wanted: Floats | None) -> Chart:
    chosen = [j for j, own in enumerate(run.units) if own == unit][:MOST_CURVES]
    lines = [
        Line(run.time, values[:, j], run.joints[j] if k < MOST_NAMED else "", COLOURS[j % len(COLOURS)])
        for k, j in enumerate(chosen)
    ]
    if wanted is not None:
        lines += [Line(run.time, wanted[:, j], dashed=True) for j in chosen]
    return Chart(label, lines)
