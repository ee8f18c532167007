"""The workspace of a platform as a picture: an area in its plane, slices through space, coloured by the distance from singularity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from ..expr import evaluate
from ..options.markers import OneOf
from ..options.validate import validated
from ..reals import Floats
from ..robot import PRISMATIC
from ..spatial.floats import poses_of_rows
from .platform_motion import PlatformMotion
from .platform_workspace import PlatformWorkspace

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..plots import Arm


@dataclass(frozen=True)
class Colouring:
    """A colour of the points of a workspace."""

    meaning: str
    values: Callable[[PlatformWorkspace], Floats]


COLOURS = {
    "distance": Colouring("distance from singularity", lambda found: found.distance),
    "condition": Colouring("1 / condition number", lambda found: 1 / found.condition),
    "orientations": Colouring("orientations at which it is reached", lambda found: found.turns.astype(float)),
}
PlatformColour = Annotated[str, OneOf(lambda: COLOURS)]


@validated
def platform_workspace_picture(found: PlatformWorkspace, colour: PlatformColour = "distance") -> Figure:
    """Figure of the workspace of a parallel robot, with the robot at its home pose.

    Parameters
    ----------
    found
        Workspace of a parallel robot.
    colour
        Colour of the points: "distance" (from singularity), "condition" (its inverse), or "orientations" (how many
        reach).

    Returns
    -------
    Figure
        Figure of matplotlib.
    """
    from ..plots import area_figure, slices_figure, workspace_figure

    values, meaning = np.asarray(COLOURS[colour].values(found)), COLOURS[colour].meaning
    title = f"{found.robot.name}: workspace of the platform{_orientation_words(found)}"
    arm, note = lines_at_home(found.motion), _note(found)
    if len(found.ticks) < 2:
        return workspace_figure(found.points, arm, title, values, meaning, note)
    whole = np.full([len(t) for t in found.ticks], np.nan)
    whole[tuple(found.cells.T)] = values
    if len(found.ticks) == 2:
        across, up = found.axes
        return area_figure(found.ticks, whole, (across, up), arm, title, meaning, note)
    return slices_figure(found.ticks, whole, found.motion.home.T[:3, 3], arm, title, meaning, note)


def _orientation_words(found: PlatformWorkspace) -> str:
    if found.orientation is not None:
        x, y, z, w = found.orientation
        turn = 2 * np.degrees(np.arctan2(np.linalg.norm([x, y, z]), abs(w)))
        return " without rotation" if turn < 0.05 else f" turned by {turn:.4g} degrees"
    return " at any orientation" if found.ticks else ""


def _note(found: PlatformWorkspace) -> str:
    size = "" if found.measure is None else f"{found.measure:.4g} {found.unit}, cells of {found.spacing:.3g} m; "
    near = f"; at least {found.clearance:g} from singularity" if found.clearance else ""
    return f"{size}{len(found.points)} of {found.tried} poses, mode {found.motion.mode}{near}"


def lines_at_home(motion: PlatformMotion) -> Arm:
    """The legs from origin to origin of their frames, the platform between its seats, the motors as dots."""
    from ..plots import Arm

    place, module, robot = motion.home, motion.module, motion.robot
    origins: dict[int, Floats] = {}
    legs = []
    for leg in module.legs:
        T, way = np.eye(4), []
        for j in leg.frames:
            T = T @ poses_of_rows(np.array([float(x) for x in evaluate(list(robot.frame(j).geometry), place.values)]))
            origins[j] = T[:3, 3]
            way.append(T[:3, 3])
        legs.append(np.array([*way, *way[-1:]]) if len(way) == 1 else np.array(way))
    seats = np.array([(place.T @ seat)[:3, 3] for seat in motion.mechanism.seats])
    plate = np.vstack([seats, seats[:1]])

    def dots(slides: bool) -> Floats:
        chosen = [origins[j] for j in module.motors if (robot.frame(j).sigma == PRISMATIC) == slides]
        return np.array(chosen).reshape(-1, 3)

    return Arm([plate], dots(False), dots(True), place.T[:3, 3], np.zeros(3), legs)
