"""The parts of a robot: frames with their joints, links and actuators, the base, and the numbers of symbols.

Frozen data in the notation of Khalil and Kleinfinger (SYMORO+ 1997, section 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real

from ..brief import one_line
from ..expr import Expr, number
from ..options.numbers import is_bool
from ..spatial.screws import Motion
from .fields import Part
from .frozen import freeze
from .joints.kind import JointKind, Step
from .problems import Problem, RobotError

ZERO = number(0)
REVOLUTE, PRISMATIC, FIXED, FREE = 0, 1, 2, 3  # FREE: of a platform, which only its legs hold
COMPOUND = 4  # a joint of several axes, or of a rate that changes: its kind says which
KINDS = {FIXED: "fixed frame", FREE: "platform"}  # frames whose joint has no variable

Vector3 = tuple[Expr, Expr, Expr]
ZERO3: Vector3 = (ZERO, ZERO, ZERO)
IDENTITY16: tuple[Expr, ...] = tuple(number(int(i % 5 == 0)) for i in range(16))

GEOMETRY = ("gamma", "b", "alpha", "d", "theta", "r")
INERTIA = ("XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M")
PAYLOAD = "payload"  # the source of values that are those of a payload
WRENCH = ("FX", "FY", "FZ", "CX", "CY", "CZ")


@dataclass(frozen=True, repr=False)
class Limits:
    """What the joint can do, in its own units (rad or m, per second, s^2 and s^3, N m or N). None: not limited or not known."""

    __repr__ = one_line

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None
    acceleration: float | None = None
    jerk: float | None = None


@dataclass(frozen=True)
class Mimic(Part):
    """A dependent joint: its position is ratio * (position of the frame's joint) + offset."""

    frame: int
    ratio: Expr = field(default_factory=lambda: number(1))
    offset: Expr = ZERO


@dataclass(frozen=True)
class Closure:
    """How the passive joints of a robot with closed loops follow from the driven ones, in one way of assembling it.

    By the frame of the joint: its position, its row of G (place in qd and coefficient), the rates of these coefficients, and
    its drift, the acceleration without qdd. ``exists`` is 1 where the loops close and the rates are defined. Where there is no
    closed form, the positions are those in ``found`` and come with the state. A position may be whole turns off, which its sine
    and cosine do not show; ``angles`` are continuous and next to the described position, of the joints that have a spring.
    """

    mode: str
    positions: Mapping[int, Expr]
    rows: Mapping[int, tuple[tuple[int, Expr], ...]]
    rates: Mapping[int, tuple[tuple[int, Expr], ...]]
    drifts: Mapping[int, Expr]
    exists: Expr
    cuts: tuple[tuple[int, int], ...] = ()  # the two frames of each cut joint, which are one and the same
    found: tuple[Expr, ...] = ()
    # How these are found: loops that are solved together by Newton's iteration, by their cut joints, with the joints they
    # determine; numbers for all symbols with which they close; where the iteration starts unless it is told; and why there
    # is no closed form, by the cut joint.
    iterated: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    at: Mapping[Expr, float] = field(default_factory=dict)
    start: tuple[float, ...] | None = None
    reasons: Mapping[int, str] = field(default_factory=dict)
    angles: Mapping[int, Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        freeze(self, "positions", "rows", "rates", "drifts", "at", "reasons", "angles")


@dataclass(frozen=True, repr=False)
class Spring(Part):
    """A spring and a damper on a joint: -stiffness (q - rest) - damping qd acts on it (Khalil 2010, equation 69)."""

    __repr__ = one_line

    stiffness: Expr
    damping: Expr = ZERO
    rest: Expr = ZERO


@dataclass(frozen=True, repr=False)
class Joint(Part):
    """The joint of a frame. ``variable`` is its position symbol inside theta or r; None when sigma is FIXED or FREE."""

    __repr__ = one_line

    name: str
    variable: Expr | None = None
    active: bool = True
    kind: JointKind | None = None  # of a joint whose sigma is COMPOUND
    variables: tuple[Expr, ...] = ()  # its entries of q
    limits: Limits = Limits()
    mimic: Mimic | None = None
    spring: Spring | None = None
    # The user's own symbols or numbers for velocity, acceleration and torque; None: the default symbol.
    # A numeric zero customises the models.
    velocity: Expr | None = None
    acceleration: Expr | None = None
    torque: Expr | None = None
    # Where it is when the robot stands as described: says which way round its closed loops are assembled.
    position: float | None = None


@dataclass(frozen=True, repr=False)
class Link(Part):
    """The ten standard inertial parameters about the frame's origin, J = [XX XY XZ; XY YY YZ; XZ YZ ZZ] with
    XY = -int xy dm, and the wrench [FX FY FZ CX CY CZ] the link exerts on the environment."""

    __repr__ = one_line

    XX: Expr = ZERO
    XY: Expr = ZERO
    XZ: Expr = ZERO
    YY: Expr = ZERO
    YZ: Expr = ZERO
    ZZ: Expr = ZERO
    MX: Expr = ZERO
    MY: Expr = ZERO
    MZ: Expr = ZERO
    M: Expr = ZERO
    wrench: tuple[Expr, ...] = (ZERO,) * 6

    @property
    def inertial(self) -> tuple[Expr, ...]:
        """The ten parameters in the order of INERTIA."""
        return tuple(getattr(self, name) for name in INERTIA)


@dataclass(frozen=True)
class Chain:
    """The elementary joints of a joint of several axes (``chains.py``): their frames, the last one that of the joint itself, and the
    motions that place the frame before the first one."""

    kind: JointKind
    q: tuple[Expr, ...]
    qd: tuple[Expr, ...]
    frames: tuple[int, ...]
    placed: int = 0  # the frame that is placed by the positions, 0: none is
    placement: tuple[Motion, ...] = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.kind.steps(self.q, self.qd)

    @property
    def inner(self) -> tuple[int, ...]:
        """The frames that the description does not have."""
        return (*((self.placed,) if self.placed else ()), *self.frames[:-1])


Points = tuple[tuple[Expr, Expr], ...]  # speeds and torques


@dataclass(frozen=True, repr=False)
class Friction(Part):
    """Friction of a joint beyond Fv qd + Fs sign(qd) of its actuator (Khalil, course 2014, section 7.3.4).

    ``Fst`` and ``B`` make it [7.26]: the torque from rest falls from Fst to Fs as exp(-B |qd|). ``points`` are added: a curve
    of straight lines through (speed, torque), speeds from 0 on, the same backwards; from the origin if the first is not at
    speed 0; the last line goes on. The ``_negative`` ones are for qd < 0, where they differ. ``width`` is that of the smooth
    variant, in which tanh(qd / width) stands for sign(qd).
    """

    __repr__ = one_line

    Fst: Expr | None = None
    B: Expr | None = None
    Fv_negative: Expr | None = None
    Fs_negative: Expr | None = None
    Fst_negative: Expr | None = None
    points: Points = ()
    points_negative: Points = ()
    offset: Expr = ZERO  # a torque that is always there
    width: Expr | None = None


@dataclass(frozen=True, repr=False)
class MotorLimits:
    """What a motor and its amplifier can do: N m (or N), rad/s (or m/s), A. None: not limited or not known."""

    __repr__ = one_line

    torque: float | None = None
    speed: float | None = None
    current: float | None = None


@dataclass(frozen=True, repr=False)
class Motor(Part):
    """A motor on its own side of the transmission: its torque is KT i, and its current i = Ka u.

    ``axis`` is the direction about which the rotor turns forwards, in the axes of the frame ``link``; its length does not count.
    ``link`` is the frame that carries the stator, by number: 0 is the base, None the antecedent of the joint's frame.
    """

    __repr__ = one_line

    Jm: Expr = ZERO  # inertia of the rotor, and of what of the transmission turns with it
    KT: Expr | None = None  # torque constant
    Ka: Expr | None = None  # current gain of the amplifier
    Fv: Expr = ZERO  # viscous and Coulomb friction on its shaft, beside that of the joints
    Fs: Expr = ZERO
    limits: MotorLimits = MotorLimits()
    axis: Vector3 | None = None
    link: int | None = None


@dataclass(frozen=True, repr=False)
class Flexibility(Part):
    """A flexible joint: stiffness (q - q_motor) + damping (qd - qd_motor) acts between the motor and the link, each of which has
    a position of its own (Khalil, course 2014, equations 7.34 and 7.35). q_motor is the motor's, on the side of the joint."""

    __repr__ = one_line

    stiffness: Expr
    damping: Expr = ZERO


@dataclass(frozen=True, repr=False)
class Actuator(Part):
    """Rotor inertia referred to the joint, viscous and Coulomb friction, further friction, the reduction, the motor and the
    flexibility of the transmission (None: rigid)."""

    __repr__ = one_line

    Ia: Expr = ZERO
    Fv: Expr = ZERO
    Fs: Expr = ZERO
    ratio: Expr | None = None  # reduction: motor speed / joint speed
    friction: Friction = Friction()
    motor: Motor = Motor()
    flexibility: Flexibility | None = None


@dataclass(frozen=True, repr=False)
class Coupling(Part):
    """Joints that several motors move together: q = J q_m (Khalil, course 2014, equation 7.31).

    The motors are those of the ``frames``, in their order; ``matrix`` is J by rows, reductions included.
    """

    __repr__ = one_line

    frames: tuple[int, ...]
    matrix: tuple[tuple[Expr, ...], ...]


@dataclass(frozen=True, repr=False)
class Frame(Part):
    """Frame j with respect to its antecedent: Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r)."""

    __repr__ = one_line

    name: str
    antecedent: int
    joint: Joint
    sigma: int = REVOLUTE
    gamma: Expr = ZERO
    b: Expr = ZERO
    alpha: Expr = ZERO
    d: Expr = ZERO
    theta: Expr = ZERO
    r: Expr = ZERO
    link: Link = Link()
    actuator: Actuator = Actuator()

    @property
    def geometry(self) -> tuple[Expr, ...]:
        """gamma, b, alpha, d, theta, r."""
        return (self.gamma, self.b, self.alpha, self.d, self.theta, self.r)


SPHERICAL, RIGID = "spherical", "rigid"  # how the end of a leg is joined to its seat: in a point, or as one body


@dataclass(frozen=True, repr=False)
class Leg:
    """A leg of a platform: the frames from the base of the module to the frame ``end``, by number.

    The end is joined to the frame ``seat``, which is fixed to the platform: "spherical", the origins are one point, or
    "rigid", the frames are one. Other joints with the platform are joints of the leg, the last ones before a rigid seat.
    """

    __repr__ = one_line

    name: str
    end: int
    seat: int
    joint: str = SPHERICAL


@dataclass(frozen=True, repr=False)
class Platform(Part):
    """A parallel module: ``frame`` is that of the platform, whose joint is FREE; its antecedent is the base of the module."""

    __repr__ = one_line

    frame: int
    legs: tuple[Leg, ...]


@dataclass(frozen=True, repr=False)
class Base(Part):
    """Where the base is (Z: world to frame 0, 16 entries by rows) and how it moves, in frame 0 at its origin."""

    __repr__ = one_line

    name: str = "base"
    location: tuple[Expr, ...] = IDENTITY16
    angular_velocity: Vector3 = ZERO3
    angular_acceleration: Vector3 = ZERO3
    velocity: Vector3 = ZERO3
    acceleration: Vector3 = ZERO3
    mobile: bool = False  # the .par files' is_mobile
    floating: bool = False  # a free base: q begins with x y z qx qy qz qw of frame 0 in world
    link: Link = Link()


@dataclass(frozen=True, repr=False)
class Value:
    """The number of a symbol, with its unit and where it was published or measured."""

    __repr__ = one_line

    number: float
    unit: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        if is_bool(self.number) or not isinstance(self.number, Real):
            raise RobotError([Problem("values", f"got {self.number!r:.60}, expected a number")])
        object.__setattr__(self, "number", float(self.number))


@dataclass(frozen=True, repr=False)
class Regrouping:
    """Where the parameters of a regrouped robot come from: their expressions, and the numbers of what is in them.

    ``pivots`` are what they were regrouped by dividing by: of the size of one, and zero for some values of the symbols.
    """

    __repr__ = one_line

    expressions: Mapping[str, Expr]
    values: Mapping[str, Value]
    symbols: frozenset[str] = frozenset()  # of the robot as it was described, also those that matter no more
    pivots: tuple[Expr, ...] = ()
    mode: str | None = None  # the assembly mode of closed loops in which they give the torques
    referred: bool = False  # Ia holds all that the rotors are to one joint; the motors' Jm only what couples joints
    fixed: frozenset[str] = frozenset()  # symbols whose values they were found with: they hold for no others

    def __post_init__(self) -> None:
        freeze(self, "expressions", "values")
