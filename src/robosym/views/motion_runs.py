"""Simulations for a page: a robot along a motion under a law, or left to itself, and what the run says."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..caches import Kept
from ..control import ControlError, Law
from ..errors import RobosymError
from ..models.request import target
from ..notices import collected
from ..reals import Floats
from ..robot import Robot
from ..simulation import Run, simulate
from ..trajectory import TaskMotion
from ..trajectory.task_space_rates import rates
from .motion_curves import panel, plain, played
from .motion_laws import law_of
from .motion_planning import Planned, planned
from .motion_request import MotionError, coordinates, number, read_request

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
    options, given = (_mapping(name, asked.get(name) or {}) for name in ("options", "parameters"))
    step = number("step", asked.get("step", 1e-3), above=0.0)
    if progress is not None:
        progress(None, "planning the motion, deriving the law")
    move = None if asked.get("law") is None else planned(read_request(robot, asked.get("move")))
    with collected() as heard:
        law = None if move is None else law_of(robot, asked["law"], options)
        settings = {name: asked[name] for name in PASSED if asked.get(name) is not None}
        settings["friction"] = False if asked.get("friction") in (False, "none") else asked.get("friction", "stick")
        settings["duration"] = _duration(asked, move, step)
        moved, carried = _carrying(robot, asked.get("payload"))
        parameters = {**given, **carried.pop("parameters", {})}
        mode = {key: x for key, x in options.items() if key == "mode" and x}
        run = simulate(
            moved, law, None if law is None or move is None else _reference(law, move, asked),
            **settings, **carried, **mode, **_start(robot, law, move, asked), parameters=parameters or None, progress=_simulating(progress),
        )  # fmt: skip
        assert isinstance(run, Run)
        warnings = [*_warned(law, run, float(settings.get("delay", 0.0))), *map(str, heard)]
    return Simulated(run, law, tuple(dict.fromkeys(warnings)))


def _mapping(what: str, given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise MotionError(f"{what}: got {given!r:.40}, expected values by name")
    return dict(given)


def _simulating(progress: Progress | None) -> Callable[[float], None] | None:
    return None if progress is None else lambda share: progress(share, "simulating")


def _duration(asked: Mapping[str, Any], move: Planned | None, step: float) -> float:
    given = asked.get("duration")
    if given is None and move is None:
        raise MotionError("duration: expected seconds: nothing ends the motion of a robot left to itself")
    found = number("duration", move.trajectory.duration if given is None and move is not None else given, above=0.0)
    if found / step > MOST_STEPS:
        raise MotionError(f"duration: {found:g} s are more than {MOST_STEPS} steps of {step:g} s")
    return found


def _reference(law: Law, move: Planned, asked: Mapping[str, Any]) -> Any:
    if law.reference == "joints":
        return move.trajectory
    if not move.tip:
        raise MotionError(
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
    """q and qd: as given, else where the motion begins; of a free base its pose is given."""
    found = {name: asked[name] for name in ("q", "qd") if asked.get(name) is not None}
    if "q" not in found and move is not None and law is not None and law.reference == "task":
        found["q"] = move.trajectory.start.tolist()
    if robot.base.floating and "q" not in found and move is not None:
        found["q"] = [0, 0, 0, 0, 0, 0, 1, *move.trajectory.start.tolist()]
    return found


def _carrying(robot: Robot, payload: Any) -> tuple[Robot, dict[str, Any]]:
    """What moves, with a load on the tip of which the law knows nothing, from the start or from a time on."""
    load = _mapping("payload", payload or {})
    if not load.get("mass"):
        return robot, {}
    mass, when = (number(f"payload: {name}", load.get(name) or 0.0) for name in ("mass", "when"))
    if mass < 0 or when < 0:
        raise MotionError("payload: expected a mass and a time that are not negative")
    centre = load.get("centre") or [0.0, 0.0, 0.0]
    if not isinstance(centre, list) or len(centre) != 3:
        raise MotionError("payload: centre: expected three numbers, in the axes of the tip")
    loaded = _LOADED.of(robot, (), lambda: robot.with_payload(target(robot, None)))
    values = dict(
        zip(
            ("load", "load_x", "load_y", "load_z"), (mass, *(number("payload: centre", x) for x in centre)), strict=True
        )
    )
    return loaded, {"changes": {when: values}} if when else {"parameters": values}


def _warned(law: Law | None, run: Run, delay: float) -> tuple[str, ...]:
    """What is wrong with the loop about where the run starts."""
    if law is None:
        return ()
    try:
        return law.check(run.q[0], delay=min(1.0, delay / law.period)).warnings
    except ControlError:  # laws of the tip, and without feedback, have no such check
        return ()


# --- what it says --------------------------------------------------------------------------------------------------------


def run_view(robot: Robot, made: Simulated) -> dict[str, Any]:
    """Words, measures, panels and positions of a run."""
    run, valid = made.run, made.run.valid
    own = coordinates(robot)
    return {
        "law": run.settings.get("law"),
        "robot": robot.name,
        "joints": [one.as_dict() for one in own],
        "duration": run.duration,
        "summary": run.summary().split("\n"),
        "warnings": list(made.warnings),
        "notes": list(run.notes),
        "failed": run.failed,
        "reason": run.reason,
        "measures": _measures(valid),
        "joint_measures": _of_each(valid),
        "gains": {} if made.law is None else {name: plain(x) for name, x in made.law.gains.items()},
        "panels": _panels(valid),
        "played": played(valid.time, valid.q),
        "instants": len(run.time),
        "bounds": {name: plain(getattr(run.bounds, name)) for name in ("lower", "upper", "velocity", "effort")},
    }


def _measures(run: Run) -> list[dict[str, Any]]:
    """What the run is judged by. Radians and metres do not mix: where some joints slide, each kind has its own number."""
    from ..simulation.judging import unit_of

    kinds = {slides: [name for name, own in zip(run.joints, run.prismatic, strict=True) if own == slides] for slides in (False, True)}  # fmt: skip
    found = []
    for name in MEASURES:
        if name == "energy drift" and run.settings.get("law"):
            continue
        try:
            whole, unit = run.measure(name), unit_of(run, name)
            parts = [(unit, whole)]
            if " or " in unit:
                parts = [(unit_of(run, name, own[0]), _of_several(name, [run.measure(name, one) for one in own])) for own in kinds.values()]  # fmt: skip
        except RobosymError:  # it follows no joints, or no pose
            continue
        found += [{"name": name, "value": x if math.isfinite(x) else None, "unit": u} for u, x in parts]
    return found


def _of_several(name: str, each: list[float]) -> float:
    """Of some joints: the root of the mean square, or the largest."""
    return float(np.sqrt(np.mean(np.square(each)))) if name.startswith("rms") else float(np.max(each))


def _of_each(run: Run) -> dict[str, Any]:
    found = {"peak torque": run.peak_torque, "saturation": run.saturation, "work": run.work}
    if "q_d" in run.reference:
        found["rms error"] = np.sqrt(np.mean(run.error**2, axis=0))
    return {name: plain(x) for name, x in found.items()}


def _panels(run: Run) -> list[dict[str, Any]]:
    names, units = list(run.joints), list(run.units)
    rate, push = [f"{unit}/s" for unit in units], ["N" if unit == "m" else "N m" for unit in units]
    wanted = run.reference
    found = [
        panel("positions", units, names, run.time, run.q_joints, wanted.get("q_d")),
        panel("velocities", rate, names, run.time, run.qd_joints, wanted.get("qd_d")),
        panel("torques", push, names, run.time, run.tau_joints),
    ]
    if "q_d" in wanted:
        found.append(panel("errors", units, names, run.time, run.error))
    elif run.follows_pose:
        labels = ["x", "y", "z", "about x", "about y", "about z"]
        found.append(panel("errors", ["m"] * 3 + ["rad"] * 3, labels, run.time, run.task_error))
    try:
        energy = run.energy
    except RobosymError:
        return found
    found.append(panel("energy", ["J"] * len(energy), list(energy), run.time, np.column_stack(list(energy.values()))))
    return found
