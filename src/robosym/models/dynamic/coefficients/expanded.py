"""The dynamic model written out, element by element, for people to read: small robots only."""

from __future__ import annotations

from ....expr.fourier import expanded as multiplied_out
from ....generated import Model
from ....generated.declaration import declare
from ....program import Array, Unmarked, written_out
from ....robot import Robot, RobotError
from ....robot.problems import Problem
from ...common import graph_of
from ...inertial_parameters.sets import Parameters
from ...request import truths
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.bodies import at_rest
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
    """A, coriolis_coefficients, centrifugal_coefficients and Q (or ROBMAT's M, B, C, G), every element in full.

    ``simplify`` multiplies out, cancels what cancels and joins terms into sines and cosines of sums of angles; without it
    the elements stand as the recursion leaves them.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    truths(robot, simplify=simplify)
    asked = Request(parameters, rotor_inertia=rotor_inertia).prepare(resolved)
    used, bodies = asked.robot, at_rest(asked.robot, asked.bodies)
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
