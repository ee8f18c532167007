"""What a package of a robot with platforms is requested to hold: models of its one platform, or of its closed loops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..models.parallel.kinematics import modes_of
from ..models.parallel.structure import is_hybrid
from ..models.resolve import hybrid_as_loops
from ..robot import RobotError
from ..robot.problems import Problem

if TYPE_CHECKING:
    from ..robot import Robot

MOTORS = "motors"


def has_platform_models(robot: Robot) -> bool:
    """One platform on a base at rest has models of its own."""
    return bool(robot.platforms) and not is_hybrid(robot)


def as_closed_loops(robot: Robot, coordinates: str | None) -> Robot:
    """Modules on modules and legs with loops have models as closed loops, in the motors' coordinates; other robots are as they are."""
    if robot.platforms:
        if coordinates not in (None, MOTORS):
            problem = f"got {coordinates!r:.40}: modules on modules and legs with loops have models in the motors' coordinates only"
            raise RobotError([Problem("coordinates", problem)], robot.name)
        return hybrid_as_loops(robot)
    if coordinates is not None:
        problem = f"got {coordinates!r:.40}: only a platform on legs has other coordinates than q"
        raise RobotError([Problem("coordinates", problem)], robot.name)
    return robot


def requested(
    robot: Robot,
    mode: str | None,
    near: Mapping[str, float] | None,
    structure: str,
    coordinates: str | None,
    frame: int | str | None,
) -> tuple[dict[str, Any], str | None]:
    """The options of every model, and the name of the working mode, if the legs have several."""
    refused = [
        (coordinates not in (None, "platform", MOTORS), "coordinates", "expected 'platform' or 'motors'", coordinates),
        (structure != "closed", "structure", "a platform on legs has no tree: expected 'closed'", structure),
        (frame is not None, "frame", "the models of a platform on legs are about the platform", frame),
    ]
    for wrong, where, problem, got in refused:
        if wrong:
            raise RobotError([Problem(where, f"got {got!r:.40}, {problem}")], robot.name)
    modes = modes_of(robot)
    name = modes.name(modes.named(mode, near))
    return {"mode": mode, "near": near}, name if max(modes.counts) > 1 else None
