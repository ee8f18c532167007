"""Workspaces and ellipsoids as pictures: the numbers of this package given to ``robosym.plots``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from ..errors import RobosymError
from ..models.request import frame_name
from ..options.validate import validated
from ..reals import Floats
from .ellipsoids import Ellipsoid
from .measures import FrameMotion, one_state
from .platform_pictures import PlatformColour, platform_workspace_picture
from .platform_workspace import PlatformWorkspace
from .skeleton import skeleton
from .workspace import Workspace

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..plots import Arm
    from ..robot import Robot

Colour = Literal["manipulability", "density"]
COLOURS = get_args(Colour)
BLUE, ORANGE = "#2a6fbb", "#e07b00"


@validated
def workspace_picture(
    found: Workspace | PlatformWorkspace, colour: Colour | PlatformColour | None = None, q: Any = None
) -> Figure:
    """Figure of a workspace, with the robot in it.

    Parameters
    ----------
    found
        Workspace of an arm, or of a parallel robot.
    colour
        Colour of the points: "manipulability" or "density"; "distance", "condition" or "orientations" for parallel
        robots. None: "manipulability", for a parallel robot "distance" from singularity.
    q
        Joint positions at which the arm is drawn [rad or m]. None: a bent posture near the middle of the joint
        ranges. A parallel robot is drawn at its home pose.

    Returns
    -------
    Figure
        Figure of matplotlib.
    """
    from ..plots import workspace_figure

    if isinstance(found, PlatformWorkspace):
        if q is not None:
            raise RobosymError("q: the picture of a platform on legs has it at home")
        return platform_workspace_picture(found, colour or "distance")
    colour = colour or "manipulability"
    if colour not in COLOURS:
        raise RobosymError(
            f"colour: got {colour!r}, which is for parallel robots, expected {' or '.join(map(repr, COLOURS))}"
        )
    robot = found.robot
    arm = arm_at(robot, found.posture if q is None else q, found.frame, found.parameters)
    values = found.measures.manipulability if colour == "manipulability" else None
    nearest, farthest = found.reach
    note = f"{len(found.points)} samples; distance from the base {nearest:.4g} to {farthest:.4g} m"
    assumed = [name for name in found.ranges.assumed if name in found.sampled]
    if assumed:
        note += f"; no limits known, a full turn taken: {', '.join(assumed)}"
    if robot.base.floating:
        note += "; the free base is held"
    title = f"{robot.name}: workspace of {frame_name(robot, found.frame)}"
    meaning = "manipulability of the translation, mean in a cell" if values is not None else ""
    return workspace_figure(found.points, arm, title, values, meaning, note)


@validated
def ellipsoids_picture(motion: FrameMotion, q: Any) -> Figure:
    """Figure of the linear velocity and force ellipsoids of a frame, with the arm.

    Parameters
    ----------
    motion
        Motion of the frame.
    q
        Joint positions at which the arm is drawn [rad or m].

    Returns
    -------
    Figure
        Figure of matplotlib.
    """
    from ..plots import Shape, ellipsoids_figure

    robot = motion.robot
    q = one_state(robot, q)
    velocity, force = motion.ellipsoids(q)
    shapes = [
        Shape(velocity.axes, velocity.radii, _legend(velocity), BLUE),
        Shape(force.axes, force.radii, _legend(force), ORANGE),
    ]
    at = motion.measures(q)
    note = f"manipulability {float(at.manipulability):.4g}, condition number {float(at.condition):.4g}"
    title = f"{robot.name}: ellipsoids of {motion.name}"
    return ellipsoids_figure(shapes, arm_at(robot, q, motion.frame, motion.parameters), title, note)


def arm_at(robot: Robot, q: Any, frame: int, parameters: Mapping[str, float] | None = None) -> Arm:
    """The lines of the robot at a state; those that lead to ``frame`` are its arm."""
    from ..plots import Arm

    bones = skeleton(robot, q, parameters)
    path = robot.path(frame)

    def places(joints: tuple[int, ...]) -> Floats:
        return np.array([bones.origins[j] for j in joints if j in path]).reshape(-1, 3)

    own = [bones.limbs[j] for j in path]
    others = [limb for j, limb in bones.limbs.items() if j not in path]
    tip, base = bones.origins[frame], bones.origins[0]
    return Arm(own, places(bones.revolute), places(bones.prismatic), tip, base, others)


def _legend(ellipsoid: Ellipsoid) -> str:
    """What the longest finite semi-axis stands for: joint rates or torques of norm one."""
    finite = ellipsoid.radii[np.isfinite(ellipsoid.radii)]
    longest = f"{finite.max(initial=0.0):.3g}"
    lost = " and ".join(direction(column) for column in ellipsoid.lost.T)
    if ellipsoid.kind == "velocity":
        return f"velocity for joint rates of norm 1: up to {longest} m/s" + (f", none along {lost}" if lost else "")
    return f"force for joint torques of norm 1: up to {longest} N" + (f", any along {lost}" if lost else "")


def direction(vector: Floats) -> str:
    """A unit vector in few words: the name of its axis, or its components; the first that counts is positive."""
    first = vector[np.argmax(np.abs(vector) > 1e-9)]
    turned = np.where(np.abs(vector) < 5e-4, 0.0, vector * np.sign(first))
    if np.count_nonzero(turned) == 1:
        return "xyz"[int(np.argmax(turned))]
    return "(" + ", ".join(f"{x:.3g}" for x in turned) + ")"
