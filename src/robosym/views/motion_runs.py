"""Simulations of requests: a robot along a motion under a control law, or left to itself, and its run as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..caches import Kept
from ..control import ControlError, Law
from ..errors import RobosymError
from ..models.request import target
from ..notices import collected
from ..options.errors import ArgumentError
from ..options.markers import NotNegative, Positive
from ..reals import Floats
from ..robot import Robot
from ..simulation import Run, simulate
from ..simulation.files import plain
from ..simulation.judging import unit_of
from ..trajectory import TaskMotion
from ..trajectory.task_space_rates import rates
from .motion_curves import joint_panel, panel, played
from .motion_laws import law_of
from .motion_planning import Planned, planned
from .motion_request import coordinates, number, read_request

_LOADED: Kept[Robot] = Kept()

MOST_STEPS = 2_000_000
PASSED = ("step", "integrator", "limits", "delay", "resolution", "noise", "seed", "disturbance")
MEASURES = (
    "rms error", "largest error", "final error", "rms position error", "largest position error", "rms orientation error",
    "peak torque", "rms torque", "saturation", "work", "absolute work", "energy drift",
)  # fmt: skip
Progress = Callable[..., None]  # the share that is done, None where nobody knows, and words


@dataclass(frozen=True)
class Simulated:
    run: Run
    law: Law | None
    warnings: tuple[str, ...]


def run_of(robot: Robot, request: Any, progress: Progress | None = None) -> Simulated:
    """The run that a request asks for: {law, options, move, duration, q, qd, step, integrator, friction, limits, delay, resolution,
    noise, seed, disturbance, parameters, payload: {mass, centre, when}}."""
    asked = _mapping("run", request)
    asked = {name: value for name, value in asked.items() if value is not None}
    options, parameters = (_mapping(name, asked.get(name) or {}) for name in ("options", "parameters"))
    step = number("step", asked.get("step", 1e-3), Positive)
    if progress is not None:
        progress(None, "planning the motion, deriving the law")
    move = planned(read_request(robot, asked.get("move"))) if "law" in asked else None
    with collected() as heard:
        law = None if move is None else law_of(robot, asked["law"], options)
        settings = {name: asked[name] for name in PASSED if name in asked}
        settings["friction"] = False if asked.get("friction") == "none" else asked.get("friction", "stick")
        settings["duration"] = _duration(asked, move, step)
        loaded, load = _carrying(robot, asked.get("payload"))
        parameters |= load.pop("parameters", {})
        if options.get("mode"):
            settings["mode"] = options["mode"]
        run = simulate(
            loaded,
            law,
            None if law is None or move is None else _reference(law, move),
            **settings,
            **_start(robot, law, move, asked),
            **load,
            parameters=parameters or None,
            progress=None if progress is None else lambda share: progress(share, "simulating"),
        )
        assert isinstance(run, Run)
        warnings = [*_warned(law, run, float(settings.get("delay", 0.0))), *map(str, heard)]
    return Simulated(run, law, tuple(dict.fromkeys(warnings)))


def _mapping(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ArgumentError(f"{name}: got {value!r:.40}, expected values by name")
    return dict(value)


def _duration(asked: Mapping[str, Any], move: Planned | None, step: float) -> float:
    if move is None and "duration" not in asked:
        raise ArgumentError("duration: expected seconds: nothing ends the motion of a robot left to itself")
    duration = number("duration", asked.get("duration", move and move.trajectory.duration), Positive)
    if duration / step > MOST_STEPS:
        raise ArgumentError(f"duration: {duration:g} s are more than {MOST_STEPS} steps of {step:g} s")
    return duration


def _reference(law: Law, move: Planned) -> Any:
    if law.reference == "joints":
        return move.trajectory
    if not move.tip:
        raise ArgumentError(
            f"law: {law.name} leads the tip: make the points poses of the tip, timed as planned, or take a law of the joints"
        )
    return move.tip[0] if len(move.tip) == 1 else _leg_after_leg(move.tip)


def _leg_after_leg(motions: tuple[TaskMotion, ...]) -> Callable[[float], tuple[Floats, Floats, Floats]]:
    ends = np.cumsum([motion.duration for motion in motions])

    def at(t: float) -> tuple[Floats, Floats, Floats]:
        k = min(int(np.searchsorted(ends, t, side="right")), len(motions) - 1)
        begun = ends[k - 1] if k else 0.0
        T, V, A = (x[0] for x in rates(motions[k], np.array([min(t - begun, motions[k].duration)])))
        return (T, V, A) if t <= ends[-1] else (T, np.zeros(6), np.zeros(6))

    return at


def _start(robot: Robot, law: Law | None, move: Planned | None, asked: Mapping[str, Any]) -> dict[str, Any]:
    """q and qd: as requested, else where the motion begins. The pose of a floating base is the identity."""
    start = {name: asked[name] for name in ("q", "qd") if name in asked}
    if "q" not in start and move is not None and law is not None:
        q = move.trajectory.start.tolist()
        if robot.base.floating:
            start["q"] = [0, 0, 0, 0, 0, 0, 1, *q]
        elif law.reference == "task":
            start["q"] = q
    return start


def _carrying(robot: Robot, payload: Any) -> tuple[Robot, dict[str, Any]]:
    """The robot with a load on its tip that the law does not know, and its parameters from the start or from a time on."""
    load = _mapping("payload", payload or {})
    if not load.get("mass"):
        return robot, {}
    mass, when = (number(f"payload: {name}", load.get(name) or 0.0, NotNegative) for name in ("mass", "when"))
    centre = load.get("centre") or [0.0, 0.0, 0.0]
    if not isinstance(centre, list) or len(centre) != 3:
        raise ArgumentError("payload: centre: expected three numbers, in the axes of the tip")
    loaded = _LOADED.of(robot, (), lambda: robot.with_payload(target(robot, None)))
    places = {f"load_{axis}": number("payload: centre", x) for axis, x in zip("xyz", centre, strict=True)}
    values = {"load": mass, **places}
    return loaded, {"changes": {when: values}} if when else {"parameters": values}


def _warned(law: Law | None, run: Run, delay: float) -> tuple[str, ...]:
    """Warnings of the check of the closed loop where the run starts."""
    if law is None:
        return ()
    try:
        return law.check(run.q[0], delay=min(1.0, delay / law.period)).warnings
    except ControlError:  # laws of the tip, and without feedback, have no such check
        return ()


# --- the run as plain data -----------------------------------------------------------------------------------------------


def run_view(robot: Robot, simulated: Simulated) -> dict[str, Any]:
    """Words, measures, panels and positions of a run."""
    run, law, valid = simulated.run, simulated.law, simulated.run.valid
    view = {
        "law": run.settings.get("law"),
        "robot": robot.name,
        "joints": [one.as_dict() for one in coordinates(robot)],
        "duration": run.duration,
        "summary": run.summary().split("\n"),
        "warnings": simulated.warnings,
        "notes": run.notes,
        "failed": run.failed,
        "reason": run.reason,
        "measures": _measures(valid),
        "joint_measures": _joint_measures(valid),
        "gains": {} if law is None else law.gains,
        "panels": _panels(valid),
        "played": played(valid.time, valid.q),
        "instants": len(run.time),
        "bounds": {name: getattr(run.bounds, name) for name in ("lower", "upper", "velocity", "effort")},
    }
    data: dict[str, Any] = plain(view)
    return data


def _measures(run: Run) -> list[dict[str, Any]]:
    """Measures of the whole run. Radians and metres do not mix: where some joints slide, each kind has a number of its own."""
    places = range(len(run.joints))
    kinds = [[k for k in places if not run.prismatic[k]], [k for k in places if run.prismatic[k]]]
    rows = []
    for name in MEASURES:
        if name == "energy drift" and run.settings.get("law"):
            continue
        try:
            parts = {unit_of(run, name): run.measure(name)}
            if " or " in unit_of(run, name):
                parts = {
                    unit_of(run, name, joints[0]): _of_several(name, [run.measure(name, k) for k in joints])
                    for joints in kinds
                }
        except RobosymError:  # it follows no joints, or no pose
            continue
        rows += [{"name": name, "value": value, "unit": unit} for unit, value in parts.items()]
    return rows


def _of_several(name: str, each: list[float]) -> float:
    """Of some joints: the root of the mean square, or the largest."""
    return float(np.sqrt(np.mean(np.square(each)))) if name.startswith("rms") else float(np.max(each))


def _joint_measures(run: Run) -> dict[str, Any]:
    measures = {"peak torque": run.peak_torque, "saturation": run.saturation, "work": run.work}
    if "q_d" in run.reference:
        measures["rms error"] = np.sqrt(np.mean(run.error**2, axis=0))
    return measures


def _panels(run: Run) -> list[dict[str, Any]]:
    curves = {
        "positions": (run.q_joints, run.reference.get("q_d")),
        "velocities": (run.qd_joints, run.reference.get("qd_d")),
        "torques": (run.tau_joints, None),
    }
    if "q_d" in run.reference:
        curves["errors"] = (run.error, None)
    panels = [joint_panel(name, run.units, run.joints, run.time, *pair) for name, pair in curves.items()]
    if "q_d" not in run.reference and run.follows_pose:
        labels = ["x", "y", "z", "about x", "about y", "about z"]
        panels.append(panel("errors", ["m"] * 3 + ["rad"] * 3, labels, run.time, run.task_error))
    try:
        energy = run.energy
    except RobosymError:
        return panels
    columns = np.column_stack(list(energy.values()))
    return [*panels, panel("energy", ["J"] * len(energy), list(energy), run.time, columns)]
