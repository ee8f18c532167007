"""``passive_regressor``: tau = Y(q, qd, v, a) chi, the regressor of adaptive passivity-based control (Slotine and Li 1987).

Column by column Y is ``passive_dynamics`` with one parameter 1 and all others 0, as D is the inverse dynamic model
(``dynamic.py``). The wrench of a link is linear in its ten parameters, with the products of velocities from
``tree/reference.py``. The columns are the same as in ``regressor``.
"""

from __future__ import annotations

from ...generated.checks import Check
from ...generated.declaration import declare
from ...generated.documentation.arrays import REFERENCE_MOTION
from ...robot import Robot
from ..common import open_tree
from ..inertial_parameters.sets import Parameters
from ..resolve import Near, OfPlatform, Structure, resolve
from ..tree.bodies import Tree
from ..tree.reference import PairScope, reference_inputs, referred
from ..tree.rotors import RotorsOfJoints
from .regressor import (
    Asked,
    Form,
    Regressor,
    Way,
    entries_in_words,
    model_in_words,
    torques_of_parameters,
    ways_of_dynamic,
    written,
)
from .terms import Extra, FrictionTerms


@declare(
    title="Regressor of adaptive control",
    family="identification",
    rank=30,
    inputs="q, qd, v, a",
    outputs="Y",
    about=model_in_words,
    arrays={"Y": entries_in_words, **REFERENCE_MOTION},
    gravity=True,
    checks=[
        Check(
            lambda task: task.torques,
            ("q", "qd", "v", "a"),
            of_model=torques_of_parameters,
            note="Y times the parameters, v = qd, a = qdd",
        )
    ],
)
def passive_regressor(
    robot: Robot,
    *,
    parameters: Parameters = "base",
    friction: FrictionTerms = False,
    rotor_inertia: RotorsOfJoints = True,
    extra: Extra | None = None,
    customised: bool = False,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Regressor:
    """Regressor of passivity-based control, for adaptive control laws.

    With v = qd and a = qdd the matrix is the dynamic regressor ``D`` of ``regressor``, with the same columns.

    Parameters
    ----------
    robot
        Robot.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Each parameter has a column. Only
        base parameters can all be identified.
    friction
        Friction columns: False (none), True (friction of the description) or a list of friction terms. Terms, for every
        actuated joint: "viscous", "coulomb", "offset", "asymmetric" (coefficients by direction) and "coupled" (motors
        that move several joints). "offset" and "asymmetric" exclude each other. Friction acts at the reference
        velocity: ``Fv v + Fs sign(v)``.
    rotor_inertia
        Rotor inertias of the motors: True (included) or False (excluded).
    extra
        Additional columns: by name, the torque on each joint for a parameter value of 1. Example: {"balancer":
        {"joint2": "sin(q2)"}}. Expressions contain q, qd, v, a and parameters of the robot.
    customised
        Omission of the inertial parameters that are zero in the description. By default each link has all ten
        parameters.
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
    Regressor
        Inputs ``q``, ``qd``, the reference velocity ``v`` and its rate ``a``. Output ``Y``. Entries that are zero at
        every state are not stored. ``places`` gives row and column of the others, ``dense`` the full matrix.
        Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values
        are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    ``tau = A(q) a + C(q, qd) v + Q(q) = Y chi`` (Slotine and Li 1987), with chi the parameters.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    return resolved.finished(
        written(open_tree(robot), PASSIVE, Asked(parameters, friction, rotor_inertia, extra or {}, customised))
    )


def _ways(bodies: Tree) -> list[Way]:
    return ways_of_dynamic(bodies, "Y", PairScope)


def _motion(bodies: Tree) -> tuple[Tree, Tree]:
    motion = referred(bodies)
    return motion.reference, motion.paired


PASSIVE = Form(reference_inputs, _ways, name="passive-regressor", torques=_ways, motion=_motion)
