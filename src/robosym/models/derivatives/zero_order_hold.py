"""``discrete``: the linearised model from sample to sample, with torques that are constant in between (zero-order hold).

For x' = A x + B u + f with u and f constant over a time h, x+ = Ad x + Bd u + dx exactly, with

    [Ad Bd dx] = [1 0 0] + Z,      Z = P + M P / 2 + M^2 P / 6 + ...,      M = A h,  P = [A B f] h,

the first rows of the exponential of a larger matrix (Van Loan, Computing integrals involving the matrix exponential, IEEE
Transactions on Automatic Control 23, 1978). It is scaled and squared: h is halved until M is small, Horner's rule sums Z, and each
doubling of h replaces Z by 2 Z + Z_A Z, with Z_A the first columns of Z.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...expr import absolute, expr, floor, log, maximum
from ...expr.functions import power
from ...generated import Model
from ...generated.declaration import declare
from ...generated.stages import stages_of
from ...program import Program
from ...program.of_arrays import program_of
from ...program.routine import Copy, Fill, Record, Repeat, Routine, Run, Slot, Stage, Take, verified_routine
from ...robot import Robot
from ..inertial_parameters.sets import Parameters
from ..request import ALIGNED, AxesName
from ..resolve import Near, OfPlatform, Structure
from ..tool import Tool
from ..tree.friction import FrictionKind
from ..tree.paths import FrameName
from ..tree.state import Wrenches
from .linearised import IN_TIME, Outputs, linearised

TERMS = 14  # of the series after the first: what is left is below rounding where |M| is a half
SMALL = 0.5
SOON = 0.2  # a time at which a model can be tried
PREFIX = "hold_"  # of the arrays that are made on the way


@declare(
    title="Linear model in discrete time",
    family="dynamic",
    rank=200,
    inputs="q, qd, tau, wrench?, dt",
    outputs="Ad, Bd, dx",
    about="Equations of motion about a state over a time dt with torques held, of small deviations",
    arrays=IN_TIME,
    gravity=True,
    rotors=True,
)
def discrete(
    robot: Robot,
    *,
    outputs: Outputs = (),
    frame: FrameName | None = None,
    axes: AxesName = ALIGNED,
    tool: Tool | None = None,
    parameters: Parameters = "standard",
    friction: FrictionKind = False,
    wrench: Wrenches = "terminal",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Discrete-time linear model between samples, with constant torques.

    The model is exact for the linearised equations of ``linearised`` over the time ``dt``, with u and the drift held
    constant. The state x holds small deviations of ``[q; qd]``, or of ``[q; q_motor; qd; qd_motor]`` with flexible
    joints. The input u holds deviations of ``tau``. Deviations are measured from the state at the start.

    Parameters
    ----------
    robot
        Robot.
    outputs
        Outputs y of the linear model: names of quantities, or models of the same robot. Names: "pose" (small motion of
        the frame), "velocity", "acceleration", "energy", "kinetic", "potential" and "centre-of-mass". All outputs of a
        model are used.
    frame
        Frame of the outputs "pose", "velocity" and "acceleration", by name or number; by default the tip frame. The tip
        frame is the end of the kinematic chain. Robots with several ends require a frame.
    axes
        Axes of the outputs "pose", "velocity" and "acceleration": "local-world-aligned", "local", "world" or a frame.
        "local-world-aligned" (or "mixed"): world axes, at the origin of the frame of the outputs. "local" (or "body"):
        axes of the frame of the outputs, at its origin. "world" (or "spatial"): world axes, at the point of the body
        that coincides with the world origin. A frame: axes of that frame, at the origin of the frame of the outputs; 0
        is the base frame. If a frame has the name of a convention, pass its number.
    tool
        Tool pose in the frame of the outputs [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. The tool replaces the frame of the outputs.
        Its axes count with ``axes`` "local" only.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    friction
        Joint friction of the description: False (excluded), True (included) or "smooth" (its smooth variant). "smooth"
        replaces the sign of the velocity by a hyperbolic tangent. It requires a width in the description of every joint
        whose friction jumps.
    wrench
        Links that exert a wrench on the environment: "terminal", "all", "none" or a list of frames by name. Each is a
        row of the input ``wrench`` (k, 6), zero by default. A row is force [N], then moment [N m], in the axes of the
        frame at its origin. "terminal" are the last links of the kinematic chains, "all" every moving link. A listed
        frame can be fixed to a moving link.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. This model treats a parallel robot as
        closed loops, whose assembly modes have names of their own.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration).
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "motors", the only choice for this model.

    Returns
    -------
    Model
        Inputs as ``linearised``, and the sampling time ``dt`` [s]. Outputs:

        - ``Ad`` and ``Bd``: ``x+ = Ad x + Bd u``.
        - ``dx``: change of the state in this time without deviations.
        - ``C`` and ``D`` with ``outputs``: ``y = C x + D u``.

        Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values
        are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    Matrix exponential by scaling and squaring (Van Loan, IEEE Transactions on Automatic Control 23, 1978).
    """
    linear = linearised(
        robot,
        outputs=outputs,
        frame=frame,
        axes=axes,
        tool=tool,
        parameters=parameters,
        friction=friction,
        wrench=wrench,
        mode=mode,
        near=near,
        structure=structure,
        coordinates=coordinates,
    )
    made = {array.name: array.shape for array in linear.code.outputs}
    n, m = made["B"]
    kept = {name: shape for name, shape in made.items() if name not in ("A", "B", "xd")}
    inputs = tuple(Slot(array.name, array.shape) for array in linear.code.inputs)
    places = {slot.name: slot.name for slot in inputs} | {name: name for name in made}
    stages = (*stages_of(linear, "linear", places), *held(n, m))
    results = (Slot("Ad", (n, n)), Slot("Bd", (n, m)), Slot("dx", (n,)))
    outside = (*results, *(Slot(name, shape) for name, shape in kept.items()))
    about = f"{linear.robot.name} discrete, its linearised model over dt with the torques held"
    notes = (about, *linear.code.notes[isinstance(linear.code, Routine) :])
    given = (*inputs, Slot("dt", (), "the time between samples"))
    routine = Routine(f"{linear.robot.name} discrete", given, outside, stages, notes)
    centre = {**linear.centre, "dt": SOON}
    return replace(linear, name="discrete", made=verified_routine(routine), centre=centre, of_tree=None)


def held(n: int, m: int) -> tuple[Stage, ...]:
    """From the arrays A (n, n), B (n, m), xd (n,) and dt to Ad, Bd and dx."""
    width = n + m + 1
    M, whole, Z, new, i = (f"{PREFIX}{name}" for name in ("M", "P", "Z", "new", "i"))
    a, b, z, row, turn, times = (f"{PREFIX}{name}" for name in ("a", "b", "z", "row", "turn", "times"))
    a_term = Run(_summed(n, width), {"a": a, "b": b, "Z": Z, "turn": turn, "row": row})
    doubled = Run(_doubled(n, width), {"z": z, "Z": Z, "row": row})
    # Each row of Z anew, from all of it as it is.
    summing = (Take(M, i, a), Take(whole, i, b), a_term, Record(row, new, i))
    doubling = (Take(Z, i, z), doubled, Record(row, new, i))
    return (
        Run(_scaled(n, m), {"M": M, "P": whole, "times": times}),
        Copy(whole, Z),
        Fill(new, (n, width)),
        Repeat(TERMS, (Repeat(n, summing, turn=i), Copy(new, Z)), turn=turn),
        Repeat(times, (Repeat(n, doubling, turn=i), Copy(new, Z))),
        Run(_parted(n, m), {"Z": Z}),
    )


def _scaled(n: int, m: int) -> Program:
    def body(A: Any, B: Any, xd: Any, dt: Any) -> dict[str, Any]:
        norm = expr(0)
        for row in A:
            norm = maximum(norm, sum((absolute(x) for x in row), start=expr(0)))
        norm = maximum(norm * absolute(dt), SMALL)
        times = floor(log(norm) / log(2)) + 1
        h = dt * power(2, -times)
        whole = [[*(x * h for x in row), *(x * h for x in more), f * h] for row, more, f in zip(A, B, xd, strict=True)]
        return {"M": A * h, "P": whole, "times": times}

    return program_of("scaled", {"A": (n, n), "B": (n, m), "xd": (n,), "dt": ()}, body)


def _summed(n: int, width: int) -> Program:
    """b + a Z / k, k from TERMS + 1 down to 2."""

    def body(a: Any, b: Any, Z: Any, turn: Any) -> dict[str, Any]:
        part = 1 / (TERMS + 1 - turn)
        return {"row": [b[k] + part * sum((a[i] * Z[i][k] for i in range(n)), start=expr(0)) for k in range(width)]}

    return program_of("a term more", {"a": (n,), "b": (width,), "Z": (n, width), "turn": ()}, body)


def _doubled(n: int, width: int) -> Program:
    """2 z + z_A Z."""

    def body(z: Any, Z: Any) -> dict[str, Any]:
        return {"row": [2 * z[k] + sum((z[i] * Z[i][k] for i in range(n)), start=expr(0)) for k in range(width)]}

    return program_of("twice the time", {"z": (width,), "Z": (n, width)}, body)


def _parted(n: int, m: int) -> Program:
    def body(Z: Any) -> dict[str, Any]:
        Ad = [[Z[i][k] + int(i == k) for k in range(n)] for i in range(n)]
        return {"Ad": Ad, "Bd": Z[:, n : n + m], "dx": Z[:, n + m]}

    return program_of("held", {"Z": (n, n + m + 1)}, body)
