"""The recipe of an identification: which columns of which files mean what, how they are processed, and what is estimated.

It is a TOML file (``Recipe.read``; ``recipe_file`` reads its tables) or made of these frozen parts in Python. Lists have an entry
for each joint, in the order of q; one entry stands for all joints.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

from ...brief import brief
from ...errors import RobosymError
from ...models.regressors.regressor import Kind
from ...robot import Robot
from ...robot.problems import MOST_SHOWN, Problem
from .recording import Recording

Numbers = tuple[float, ...]

ANGLES = {"rad": 1.0, "deg": 0.017453292519943295, "rev": 6.283185307179586, "m": 1.0, "mm": 1e-3}
UNITS = {
    "position": {**ANGLES, "count": 1.0},
    "velocity": {**{f"{unit}/s": factor for unit, factor in ANGLES.items()}, "rpm": 0.10471975511965977, "count": 1.0},
    "acceleration": {**{f"{unit}/s^2": factor for unit, factor in ANGLES.items()}, "count": 1.0},
    "torque": {"N m": 1.0, "mN m": 1e-3, "kN m": 1e3, "N": 1.0, "A": 1.0, "mA": 1e-3, "%": 0.01, "count": 1.0},
}
OF_MOTORS = ("A", "mA", "%", "count")  # units that a gain turns into a torque
TIME_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
SIDES = ("joint", "motor")
ROLES = ("train", "validate")
KINDS = get_args(Kind)
METHODS = ("ordinary", "weighted", "reweighted", "huber", "total", "instrumental")


class RecipeError(RobosymError):
    """Recipe that cannot be followed, with all its problems."""

    def __init__(self, problems: Iterable[Problem], source: str = "") -> None:
        self.problems = list(problems)
        self.source = source
        at = f"{source}: " if source else ""
        more = len(self.problems) - MOST_SHOWN
        lines = [f"{at}{problem}" for problem in self.problems[:MOST_SHOWN]]
        super().__init__("\n".join(lines + ([f"{at}and {more} more problems"] if more > 0 else [])))


@dataclass(frozen=True)
class Data:
    """Recordings, each of one file or of several side by side, and their time.

    Attributes
    ----------
    recordings
        Files of each recording, or recordings in memory.
    rate
        Sampling rate [Hz].
    time
        Column of time stamps, instead of a rate.
    time_unit
        Unit of the time stamps: "s", "ms", "us" or "ns".
    role
        Role of each recording: "train" or "validate". Recordings without a role are for training.
    missing
        Treatment of missing numbers: "error", or "drop" (their rows do not count, and are bridged for the filter).
    resample
        Whether samples with jittered time stamps are resampled; False takes them as evenly spaced.
    start
        Start of the used part, from the first sample of each recording [s].
    stop
        End of the used part, from the first sample of each recording [s].
    """

    recordings: tuple[tuple[Path, ...] | Recording, ...]
    rate: float | None = None
    time: str | None = None
    time_unit: str = "s"
    role: tuple[str, ...] = ()  # of each recording: train or validate; train unless given
    missing: str = "error"  # "drop": rows with missing numbers do not count, and are bridged for the filter
    resample: bool = True  # jittered stamps are resampled; false: the samples are taken as evenly spaced
    start: float = 0.0  # s from the first sample of each recording
    stop: float | None = None


@dataclass(frozen=True)
class Signal:
    """Columns of positions, velocities or accelerations, and their conversion.

    The value is sign * scale * unit * column (+ offset at the joint). Lists have one entry per joint; one entry
    stands for all.

    Attributes
    ----------
    columns
        Columns, one per joint.
    side
        Side of the transmission: "joint" or "motor".
    unit
        Units of the columns, such as "rad", "deg", "rev", "m", "mm" or "count", with "/s" for velocities.
    scale
        Scale factors.
    sign
        Signs.
    offset
        Offsets at the joints.
    """

    columns: tuple[str, ...]
    side: str = "joint"
    unit: tuple[str, ...] = ("rad",)
    scale: Numbers = (1.0,)
    sign: Numbers = (1.0,)
    offset: Numbers = (0.0,)


@dataclass(frozen=True)
class Torque:
    """Columns of torques, currents or percentages, and their conversion to torques.

    Lists have one entry per joint; one entry stands for all.

    Attributes
    ----------
    columns
        Columns, one per joint.
    side
        Side of the transmission: "joint" or "motor".
    unit
        Units of the columns: "N m", "mN m", "kN m", "N", "A", "mA", "%" or "count".
    scale
        Scale factors.
    sign
        Signs.
    gain
        Factors to torques: N m/A for currents, the rated torque for percentages. None: the torque constants of the
        robot (KT).
    delay
        Delays of the torque with respect to the position [s], or "estimate".
    limit
        Saturation limits of the columns, in their unit: rows at a limit are saturated.
    """

    columns: tuple[str, ...]
    side: str = "joint"
    unit: tuple[str, ...] = ("N m",)
    scale: Numbers = (1.0,)
    sign: Numbers = (1.0,)
    gain: Numbers | None = None  # None: the robot's KT
    delay: Numbers | str = (0.0,)  # s, of the torque with respect to the position; or "estimate"
    limit: Numbers | None = None  # of the columns, in their unit: rows there are saturated


@dataclass(frozen=True)
class Transmission:
    """Transmission between motors and joints, where the description does not have it.

    Motor angles are coupling @ joint angles.

    Attributes
    ----------
    ratio
        Gear ratios: the diagonal of the coupling.
    coupling
        Rows of the coupling matrix.
    """

    ratio: Numbers | None = None
    coupling: tuple[Numbers, ...] | None = None


@dataclass(frozen=True)
class Processing:
    """Processing of the columns to samples.

    The last five attributes serve to reproduce published identifications.

    Attributes
    ----------
    cutoff
        Cut-off frequency of the zero-phase Butterworth filter of the motion [Hz]; 0 for no filter. None: ``identify``
        chooses it.
    order
        Order of the filter.
    trim
        Number of samples that are dropped at each end. None: as many as half a period of the cut-off frequency.
    decimation
        Decimation factors of the stages; their product counts. Empty: ``identify`` chooses them.
    where
        Place of the decimation: "signals" (q, qd, qdd and tau), or "columns" (of the regressor and tau).
    low_speed
        Velocity of each joint below which its rows do not count [rad/s or m/s]. None: ``identify`` chooses it.
    outliers
        Number of robust standard deviations beyond which a row is an outlier. None: no row is an outlier.
    differences
        Differentiation: "central" or "forward".
    decimation_filter
        Filter of the decimation: "fir" or "chebyshev".
    padding
        Number of samples by which the filter continues the motion beyond its ends.
    rows_short
        Number of missing rows in a stack of the columns of all joints, so that they shift from joint to joint.
    no_acceleration
        Joints, from 1, whose acceleration is taken as zero.
    """

    cutoff: float | None = (
        None  # Hz, zero-phase Butterworth on the motion; 0: none; identify chooses one if it is left open
    )
    order: int = 4
    trim: int | None = None  # samples at each end; half a period of the cut-off unless given
    decimation: tuple[int, ...] = ()  # the product of the stages; left open, the same
    where: str = "signals"  # decimate q, qd, qdd and tau; or "columns" of the regressor and tau
    low_speed: Numbers | None = None  # rows of a joint below it do not count; the same
    outliers: float | None = None  # robust standard deviations
    differences: str = "central"  # or "forward"
    decimation_filter: str = "fir"  # or "chebyshev"
    padding: int | None = None  # samples that the filter continues the motion beyond its ends
    rows_short: int = 0  # columns of all joints in one stack with so many rows too few: they shift from joint to joint
    no_acceleration: tuple[int, ...] = ()  # joints, from 1, whose acceleration is taken as zero

    @property
    def factor(self) -> int:
        product = 1
        for stage in self.decimation:
            product *= stage
        return product


@dataclass(frozen=True)
class ModelChoice:
    """Identification model: options of ``robosym.models.regressor``.

    Attributes
    ----------
    kind
        Kind of the model: "dynamic", "filtered", "energy" or "power".
    friction
        Friction terms: some of "viscous", "coulomb", "offset", "asymmetric" and "coupled".
    rotor_inertia
        Whether rotor inertias are identified.
    extra
        Further columns: expressions by joint, by the name of the column.
    without
        Columns that are left out, with the parameter zero.
    """

    kind: str = "dynamic"
    friction: tuple[str, ...] = ("viscous", "coulomb", "offset")
    rotor_inertia: bool = True
    extra: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # columns of one's own
    without: tuple[str, ...] = ()  # columns that are left out, taken as zero


@dataclass(frozen=True)
class Payload:
    """Known payload that a frame carries in some recordings, and the robot does not.

    Attributes
    ----------
    frame
        Frame that carries it.
    values
        Mass, first moments and inertias about the origin of the frame, by name. Without inertias it is a point mass.
    recordings
        Recordings with the payload, from 1. Empty: all recordings.
    """

    frame: str
    values: Mapping[
        str, float
    ]  # by the names of INERTIA: the mass and first moments; without inertias it is a point mass
    recordings: tuple[int, ...] = ()


@dataclass(frozen=True)
class Estimation:
    """Method of the estimation.

    Attributes
    ----------
    method
        Method: "ordinary", "weighted", "reweighted", "huber", "total" or "instrumental".
    physical
        Whether physically consistent standard parameters are computed too.
    rise
        Rise of chi-squared that nearness to the prior can cost, relative to the best possible robot. None: 0.02.
    essential
        Largest relative standard deviation of an essential parameter, as a multiple of the smallest.
    block
        Length of the blocks of the bootstrap and of cross-validation [s].
    folds
        Number of folds of cross-validation.
    """

    method: str = "weighted"
    physical: bool = False
    rise: float | None = None  # of chi-squared that nearness to the prior may cost, from the best possible robot; 2 %
    essential: float = 30.0
    block: float = 0.5  # s, of the bootstrap and of cross-validation
    folds: int = 4


@dataclass(frozen=True, repr=False)
class Recipe:
    """Recipe of an identification: meaning of the columns, processing, estimation.

    All problems of a recipe are raised together when it is made.

    Attributes
    ----------
    robot
        Robot.
    data
        Recordings.
    position
        Columns of positions.
    torque
        Columns of torques.
    velocity
        Columns of velocities. None: derivatives of the positions.
    acceleration
        Columns of accelerations. None: derivatives of the positions or velocities.
    transmission
        Transmission between motors and joints. None: that of the description.
    processing
        Processing of the columns to samples.
    model
        Identification model.
    estimate
        Method of the estimation.
    payload
        Known payload of some recordings.
    prior
        File of a robot with standard parameters known beforehand. None: the values of the description.
    source
        Name of the recipe file, for messages.
    """

    robot: Robot
    data: Data
    position: Signal
    torque: Torque
    velocity: Signal | None = None
    acceleration: Signal | None = None
    transmission: Transmission | None = None
    processing: Processing = field(default_factory=Processing)
    model: ModelChoice = field(default_factory=ModelChoice)
    estimate: Estimation = field(default_factory=Estimation)
    payload: Payload | None = None
    prior: Path | None = None
    source: str = ""

    def __post_init__(self) -> None:
        from .recipe_checks import problems_of

        problems = list(problems_of(self))
        if problems:
            raise RecipeError(problems, self.source)

    def __repr__(self) -> str:
        return brief(f"Recipe {self.source or self.robot.name}: {len(self.data.recordings)} recording(s)")

    @classmethod
    def read(cls, path: str | Path, data: str | Path | None = None) -> Recipe:
        """Recipe of a TOML file.

        Parameters
        ----------
        path
            Path of the recipe file.
        data
            Folder of the recordings. None: the folder that the recipe names.
        """
        from .recipe_file import read

        return read(Path(path), None if data is None else Path(data))

    @classmethod
    def from_text(cls, text: str, robot: Robot, files: Mapping[str, Path | Recording]) -> Recipe:
        """Recipe of a TOML text that came without files; nothing else is opened.

        Parameters
        ----------
        text
            Text of the recipe.
        robot
            Robot, instead of the one that the recipe names.
        files
            Recordings or their files, by the names in the recipe.
        """
        from .recipe_file import from_text

        return from_text(text, robot, files)

    def recordings(self) -> tuple[Recording, ...]:
        """Recordings, opened."""
        return tuple(one if isinstance(one, Recording) else Recording.read(*one) for one in self.data.recordings)

    @property
    def loaded(self) -> tuple[bool, ...]:
        """Whether the robot carries the known payload, for each recording."""
        listed = self.payload.recordings if self.payload is not None else ()
        count = len(self.data.recordings)
        return tuple(self.payload is not None and (not listed or k in listed) for k in range(1, count + 1))

    @property
    def roles(self) -> tuple[str, ...]:
        """Role of each recording: "train" or "validate"."""
        return self.data.role or ("train",) * len(self.data.recordings)

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints."""
        return self.robot.joint_names
