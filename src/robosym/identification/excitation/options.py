"""The options of exciting motions in groups: waveform, objective, motion limits, region and search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from ...models.regressors.terms import FrictionTerms
from ...models.tool import Tool
from ...models.tree.paths import FrameName
from ...options.groups import OptionGroup
from ...options.markers import BOX, Count, Finite, OneOf, Positive, Range, Seed
from .criterion import criterion_names
from .families import shape_names
from .limits import PerJoint

FRICTION = ("viscous", "coulomb", "offset")


@dataclass(frozen=True)
class Waveform(OptionGroup):
    """Course of an exciting motion in time.

    Parameters
    ----------
    shape
        Shape of the motion: "fourier" (a periodic series) or "spline" (a quintic B-spline, at rest at both ends).
    duration
        Duration of the motion, or of its period [s].
    harmonics
        Number of harmonics of a Fourier series, at least 2 with ``rest``. The first has the frequency 1 / duration.
    segments
        Number of segments of a spline.
    rest
        Whether velocity and acceleration of a Fourier series are zero where a period begins. A controller can then
        start the motion from rest, and stop there.
    start
        Joint positions at the start [rad or m], one number per joint. None: selected by the search.
    """

    shape: Annotated[str, OneOf(shape_names)] = "fourier"
    duration: Positive = 10.0
    harmonics: Annotated[int, Range(1, 100)] = 5
    segments: Annotated[int, Range(3, 200)] = 10
    rest: bool = True
    start: Sequence[float] | None = None


@dataclass(frozen=True)
class Objective(OptionGroup):
    """Criterion that the search makes small, and the columns of the regressor that it counts.

    Parameters
    ----------
    criterion
        Criterion: "condition", "raw", "both" or "determinant". "condition" is the condition number of the stacked
        regressor D with columns of length one, "raw" that with columns in SI units, "both" their geometric mean.
        "determinant" is that of D^T D.
    friction
        Friction columns of the regressor: False (none), True (friction of the description) or a list of friction
        terms. Terms are "viscous", "coulomb", "offset", "asymmetric" and "coupled".
    rotor_inertia
        Whether rotor inertias are columns of the regressor.
    noise
        Standard deviation of the measured torques [N m or N]: one number, or values by joint. The rows of a joint are
        divided by it. None: 1.
    """

    criterion: Annotated[str, OneOf(criterion_names)] = "both"
    friction: FrictionTerms = FRICTION
    rotor_inertia: bool = True
    noise: PerJoint = None


@dataclass(frozen=True)
class MotionLimits(OptionGroup):
    """Limits of the joints. Those that are None, or leave a joint out, are the limits of the description.

    Parameters
    ----------
    limits
        Position limits [rad or m], by joint, each a pair (lower, upper).
    velocity
        Velocity limit [rad/s or m/s]: one number, or values by joint. None: that of the description.
    acceleration
        Acceleration limit [rad/s^2 or m/s^2]: one number, or values by joint. None: that of the description.
    torque
        Torque limit [N m or N]: one number, or values by joint. None: that of the description.
    reserve
        Part of each joint limit that stays free for the errors of a controller, such as 0.05. Margins are to the rest.
    """

    limits: Mapping[str, Any] | None = None
    velocity: PerJoint = None
    acceleration: PerJoint = None
    torque: PerJoint = None
    reserve: Annotated[float, Range(least=0, below=1)] = 0.0


@dataclass(frozen=True)
class Region(OptionGroup):
    """Region in which points of the robot stay.

    Parameters
    ----------
    box
        Box in world axes [m] in which the points stay: three pairs (lower, upper) along x, y and z. None in place of a
        bound or of a pair leaves that side open.
    height
        Height above which the points stay [m], along z of the world.
    frame
        Frame whose origin is such a point, by number or name. None: the tip frame.
    tool
        Tool in the frame, whose origin is the point instead. It is a pose, or a position in the frame [m].
    all_frames
        Whether the origins of all moving frames are such points.
    """

    box: Annotated[Any, BOX] = None
    height: Finite | None = None
    frame: FrameName | None = None
    tool: Tool | None = None
    all_frames: bool = False


@dataclass(frozen=True)
class SearchOptions(OptionGroup):
    """Effort of the search.

    Parameters
    ----------
    seed
        Seed of the random motions that the search starts from. The same seed and number of evaluations give the same
        motion.
    evaluations
        Largest number of motions that the search evaluates.
    seconds
        Time after which the search ends [s]. The result then depends on the computer. None: no time limit.
    """

    seed: Seed = 0
    evaluations: Count = 600
    seconds: Positive | None = None
