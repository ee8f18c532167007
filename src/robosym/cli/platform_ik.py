"""``robosym ik`` of a platform on legs: the positions of the motors at a pose, in every working mode of the legs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import typer

from ..robot import PRISMATIC
from .joint_tables import joint_tables
from .pose import is_place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..models.parallel.inverse_geometry import LegSolutions, PlatformInverse
    from ..robot import Robot

SHOWN = 16  # solutions in a table, unless all are requested


def platform_ik(
    robot: Robot,
    pose: Any,
    chosen: Mapping[str, Any],
    others: Mapping[str, bool],
    *,
    seed: Any,
    parameters: Mapping[str, float] | None,
    limits: bool,
    normalise: bool,
    explain: bool,
    every: bool,
    as_json: bool,
) -> None:
    """``chosen`` are mode, near and the tool; ``others`` the options of arms, and whether they were said."""
    from .. import models

    for name, said in others.items():
        if said:
            raise typer.BadParameter(
                f"--{name} is not for a platform on legs: its pose is given, and its motors are found"
            )
    solver: Any = models.inverse_geometric(robot, **chosen)
    result = solver(whole_pose(pose), seed, parameters, limits=limits, normalise=normalise)
    if as_json:
        found = {"robot": robot.name, "mode": mode_of(solver), **result.as_dict()}
        print(json.dumps(found | {"derivation": solver.explain()} if explain else found, indent=1))
    else:
        if explain:
            print(solver.explain())
        _show(solver, result, every)
    if not result:
        raise typer.Exit(1)


def whole_pose(pose: Any, option: str = "--pose") -> Any:
    """A pose with an orientation: a platform on legs is not placed by its position alone."""
    if is_place(pose):
        raise typer.BadParameter(f"{option}: got a position, expected the pose of the platform: x,y,z,qx,qy,qz,qw")
    return pose


def mode_of(solver: PlatformInverse) -> str:
    """The mode that comes first."""
    return solver.modes.name(solver.modes.first)


def _show(solver: PlatformInverse, result: LegSolutions, every: bool) -> None:
    print(f"{solver.robot.name}: {result.message}")
    if not result:
        return
    shown = len(result) if every else min(SHOWN, len(result))
    names = short_names(result.modes[:shown])
    turning = [solver.robot.frame(j).sigma != PRISMATIC for j in solver.modes.module.motors]
    joint_tables(result.joint_names, turning, result.solutions[:shown], ("working mode", names))
    if shown < len(result):
        print(
            f"and {len(result) - shown} more in other working modes of the legs: --every-mode shows them, --json lists them"
        )
    negative = _negative(result, turning)
    if negative:
        print(f"{negative} of the {len(result)} have negative lengths")
    if len(result) > 1 and any(", " in name for name in result.modes):
        print("legs that are not named are in the mode of the first row")


def _negative(result: LegSolutions, turning: list[bool]) -> int:
    """How many solutions have a slide on the other side of zero, where the first has none."""
    sliding = result.solutions[:, [k for k, turns in enumerate(turning) if not turns]]
    below = [bool((row < 0).any()) for row in sliding]
    return 0 if below[0] else sum(below)


def short_names(modes: list[str]) -> list[str]:
    """Of each mode of all legs the legs that are not as in the first one."""
    first = _by_leg(modes[0]) if modes else {}
    found = modes[:1]
    for mode in modes[1:]:
        legs = _by_leg(mode)
        changed = [f"{leg or 'all legs'} {word}" for leg, word in legs.items() if first.get(leg, first.get("")) != word]
        found.append(", ".join(changed) or mode)
    return found


def _by_leg(mode: str) -> dict[str, str]:
    """The words of a mode by leg; under no name, if all legs share it."""
    if "," not in mode:
        return {"": mode}
    return {leg: word for leg, _, word in (part.strip().partition(" ") for part in mode.split(","))}
