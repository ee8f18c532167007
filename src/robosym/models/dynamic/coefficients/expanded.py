"""The Lagrange model written out, element by element, for small robots: to read, not to run."""

from __future__ import annotations

from ....expr.fourier import expanded as multiplied_out
from ....generated import Model
from ....generated.declaration import declare
from ....program import Array, Unmarked, written_out
from ....robot import Robot, RobotError
from ....robot.problems import Problem
from ...common import graph_of
from ...inertial_parameters.sets import Parameters
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.bodies import at_rest_without_quaternions
from ...tree.rotors import RotorInertia
from ...tree.state import state_inputs
from ..request import Request
from .lagrange import COEFFICIENTS, Layout, check_of, differentiated, equations_in_words, lagrange_outputs

# With more joints the elements fill pages: they are unreadable.
MOST_JOINTS = 4


@declare(
    title="Lagrange equations written out",
    family="dynamic",
    rank=80,
    inputs="q",
    outputs="A, coriolis_coefficients, centrifugal_coefficients, Q",
    about=equations_in_words,
    arrays=COEFFICIENTS,
    gravity=True,
    section="SYMORO+ 1997, section 5.5",
    checks=[check_of(3)],
)
def expanded(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    form: Layout = "symoro",
    simplify: bool = True,
    rotor_inertia: RotorInertia = True,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Lagrange model with every element written out, for small robots.

    Robots have four coordinates at most, and loops at constant ratios only. A floating base or a prescribed motion of
    the base raises ``RobotError``.

    Parameters
    ----------
    robot
        Robot.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    form
        Names of the outputs and scale of the Coriolis coefficients: "symoro" or "robmat". "symoro": ``A``,
        ``coriolis_coefficients``, ``centrifugal_coefficients`` and ``Q``. "robmat": ``M``, ``B``, ``C`` and ``G``; B is
        half of the Coriolis coefficients.
    simplify
        Expansion of products and cancellation of terms, with sines and cosines of sums of angles. Otherwise the
        elements stay as the recursion gives them.
    rotor_inertia
        Rotor inertias of the motors: False (excluded), True (included) or "gyroscopic" (with gyroscopic torques).
        "gyroscopic" adds the torques of rotors that moving links carry along, and requires motor axes in the
        description.
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
        Input ``q``. Outputs (names of "symoro"):

        - ``A`` (n, n): inertia matrix.
        - ``coriolis_coefficients`` (n, n (n - 1) / 2): coefficients of ``qd_j qd_k``, in the order qd1 qd2, qd1 qd3,
          ..., qd2 qd3, ...
        - ``centrifugal_coefficients`` (n, n): coefficients of ``qd_j^2``.
        - ``Q`` (n): gravity vector [N m, N].

        Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values
        are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    asked = Request(parameters, rotor_inertia=rotor_inertia).prepare(resolved)
    used, bodies = asked.robot, at_rest_without_quaternions(asked.robot, asked.bodies)
    if used.nv > MOST_JOINTS:
        problem = f"has {used.nv} joints: only models of up to {MOST_JOINTS} are written out (use lagrange)"
        raise RobotError([Problem("", problem)], robot.name)
    if bodies.coordinates.curved:
        problem = "its closed loops make it no polynomial of sines and cosines: it cannot be written out (use lagrange)"
        raise RobotError([Problem("", problem)], robot.name)
    outputs = lagrange_outputs(used, bodies, differentiated, form, False, Unmarked())
    if simplify:
        outputs = tuple(Array(a.name, a.shape, tuple(multiplied_out(a.entries))) for a in outputs)
    graph = graph_of(used, "expanded", state_inputs(used, ("q",)), outputs)
    return asked.model("expanded", written_out(graph), options={"form": form, "simplify": simplify})
