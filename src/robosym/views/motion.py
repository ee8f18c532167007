"""Motions for a page: what can be planned, a trajectory with its curves and limits, a simulation, and both as files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..brief import listed
from ..errors import RobosymError
from ..notices import collected
from ..reals import Floats
from ..robot import Robot
from ..robot.checks import missing_values
from ..simulation.files import plain
from ..simulation.table import as_csv
from ..trajectory import Trajectory, program, routine
from ..trajectory.path_limits import torques_of
from ..trajectory.profiles import PROFILES
from ..trajectory.program import MOST_PIECES
from .motion_curves import drawn_times, joint_panel
from .motion_laws import law_of, laws
from .motion_planning import planned
from .motion_request import TIMING, TIP_PROFILES, WAYS, Request, coordinates, read_request
from .motion_runs import Progress, run_of, run_view

__all__ = ["law_source", "laws", "motion_view", "simulated", "simulated_csv", "trajectory_csv", "trajectory_source", "trajectory_view"]  # fmt: skip

ACTIVE = 1 - 1e-6  # of a limit: from here on it is reached
BEYOND = 1 + 1e-3


def motion_view(robot: Robot) -> dict[str, Any]:
    """What can be planned and simulated: coordinates with their limits, ways, timings, profiles and laws; or why not."""
    return {
        "coordinates": [one.as_dict() for one in coordinates(robot)],
        "ways": WAYS,
        "timing": TIMING,
        "profiles": list(PROFILES),
        "tip_profiles": TIP_PROFILES,
        "tip": _why_no_tip(robot),
        "simulation": _why_no_simulation(robot),
        "missing": _missing(robot),
        "laws": [] if _why_no_simulation(robot) else laws(robot),
        "floating": robot.base.floating,
    }


def trajectory_view(robot: Robot, asked: Any) -> dict[str, Any]:
    """A motion: its polynomials, curves of positions, velocities, accelerations and torques, what limits it, and what is wrong."""
    request = read_request(robot, asked)
    with collected() as heard:
        found = planned(request)
        move = found.trajectory
        t = drawn_times(move.times, move.duration)
        curves = move(t)
        tau, why = _torques(request, *curves)
    drawn = dict(zip(("positions", "velocities", "accelerations", "torques"), (*curves, tau), strict=True))
    units = [one.unit for one in request.coordinates]
    used = _used(request, move, tau)
    return {
        "name": move.name,
        "duration": move.duration,
        "joints": [one.as_dict() for one in request.coordinates],
        "times": plain(move.times),
        "coefficients": plain(move.coefficients),
        "arrivals": list(found.arrivals),
        "panels": [joint_panel(name, units, request.names, t, y) for name, y in drawn.items() if y is not None],
        "no_torques": why,
        "used": used,
        "problems": [*_outside(request, move), *(_beyond(one) for one in used if one["share"] > BEYOND)],
        "notes": list(dict.fromkeys([*found.remarks, *map(str, heard)])),
    }


def trajectory_csv(robot: Robot, asked: Any, rate: float = 500.0) -> str:
    """The motion at so many samples a second: t, q, qd and qdd of every joint, to the last digit."""
    return _move(robot, asked).as_csv(rate)


def trajectory_source(robot: Robot, asked: Any, language: str = "c") -> str:
    """The motion as source: q, qd and qdd as a function of t; of many pieces a routine that is given its tables."""
    from ..codegen import source

    move = _move(robot, asked)
    return source(program(move) if len(move.coefficients) <= MOST_PIECES else routine(move), language)


def law_source(robot: Robot, law: str, options: Any = None, language: str = "c") -> str:
    """The law as source: what runs every period."""
    return law_of(robot, law, options).source(language)


def simulated(robot: Robot, asked: Any, progress: Progress | None = None) -> dict[str, Any]:
    """A robot along a motion under a law, or left to itself: words, measures, panels, positions; failures said."""
    return run_view(robot, run_of(robot, asked, progress))


def simulated_csv(robot: Robot, asked: Any) -> str:
    """The same run, all of its instants: t, then q, qd, tau and the reference of every joint."""
    return as_csv(run_of(robot, asked).run.as_table())


# --- what is possible ----------------------------------------------------------------------------------------------------


def _why_no_tip(robot: Robot) -> str:
    """Why the tip cannot follow poses; empty where it can."""
    if robot.platforms:
        return "The points of a platform on legs are poses already."
    if robot.base.floating:
        return "The base is free: where the tip goes depends on it. Points are positions of the joints."
    return ""


def _why_no_simulation(robot: Robot) -> str:
    if robot.platforms:
        return (
            "Simulation takes a platform on legs as the same robot with closed loops: "
            "save it with closed loops in the Robot room (or robot.closed_loops()), and open that."
        )
    if missing := _missing(robot):
        return f"Simulation needs a number for every parameter. Without a value: {listed(missing, 12)}."
    return ""


def _missing(robot: Robot) -> list[str]:
    return sorted(missing_values(robot))


def _move(robot: Robot, asked: Any) -> Trajectory:
    with collected():
        return planned(read_request(robot, asked)).trajectory


# --- what is used of the limits ------------------------------------------------------------------------------------------


def _torques(asked: Request, q: Floats, qd: Floats, qdd: Floats) -> tuple[Floats | None, str]:
    if asked.robot.platforms:
        return None, "Torques are of the motors, and this motion is of the platform: see its inverse dynamic model."
    try:
        return torques_of(asked.robot, asked.friction)(q, qd, qdd), ""
    except RobosymError as error:
        return None, str(error)


def _used(asked: Request, move: Trajectory, tau: Floats | None) -> list[dict[str, Any]]:
    """The share of each limit that the motion takes, of the joint that takes most of it."""
    largest = {
        name: np.abs(move.ranges(order)).max(axis=0)
        for order, name in enumerate(("velocity", "acceleration", "jerk"), 1)
    }
    if tau is not None:
        largest["torque"] = np.abs(tau).max(axis=0)
    found = []
    for what, values in largest.items():
        limit = asked.limit(what)
        if np.isfinite(limit).any():
            k = int(np.argmax(values / limit))
            used, most = float(values[k]), float(limit[k])
            found.append({
                "what": what, "joint": asked.names[k], "value": used, "limit": most, "share": used / most, "active": used / most >= ACTIVE,
            })  # fmt: skip
    return found


def _outside(asked: Request, move: Trajectory) -> Iterator[str]:
    """Joints whose positions leave their ranges."""
    for one, low, high in zip(asked.coordinates, *move.ranges(), strict=True):
        rounding = 1e-9 * (1 + abs(low) + abs(high))
        if low < one.lower - rounding or high > one.upper + rounding:
            ends = f"{one.lower:.4g} to {one.upper:.4g} {one.unit}"
            yield f"{one.name} leaves its range on the way: it goes from {low:.4g} to {high:.4g}, and has {ends}"


def _beyond(one: dict[str, Any]) -> str:
    return f"{one['joint']} comes to {one['share']:.4g} times its limit of {one['what']} ({one['limit']:.4g})"
