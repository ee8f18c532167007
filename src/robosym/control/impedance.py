"""Impedance control (Hogan 1985): the frame gives way to forces as a mass on a spring and a damper would."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..models.inertial_parameters.sets import Parameters
from ..models.resolve import Near
from ..models.tool import Tool
from ..models.tree.friction import FrictionKind
from ..models.tree.paths import FrameName
from ..robot import Robot
from .assembly import Period
from .computed_torque import positive
from .declaration import law
from .law import Gains, Law, setting
from .parts import not_negative
from .redundancy import resolution
from .resolved_acceleration import accelerating_law
from .saturation import TauLimits
from .task_error import TaskError
from .task_pid import Numbers, gain
from .task_space import Task, task_space
from .velocity import Velocity


@law("impedance", rank=9, reference="task")
def impedance(
    robot: Robot,
    *,
    inertia: Numbers,
    stiffness: Numbers,
    damping: Numbers | None = None,
    force: bool = False,
    frame: FrameName | None = None,
    tool: Tool | None = None,
    task: Task | None = None,
    friction: FrictionKind = False,
    posture: Numbers = 5.0,
    rest: Sequence[float] | None = None,
    singular_damping: float | None = None,
    singular_below: float | None = None,
    velocity: Velocity = "measured",
    period: Period = 1e-3,
    limits: TauLimits = True,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """Impedance control (Hogan): the frame moves as a mass on a spring and a damper.

    With a measured contact force the frame has exactly the chosen inertia, stiffness and damping. Without one the
    free motion is as chosen, but contact forces meet the inertia of the robot. It needs a fixed base and a motor for
    every coordinate.

    Parameters
    ----------
    robot
        Robot.
    inertia
        Inertia of the frame in world axes [kg, kg m^2]: one number, or one per component of the task.
    stiffness
        Stiffness of the frame in world axes [N/m, N m/rad]: one number, or one per component of the task.
    damping
        Damping of the frame in world axes [N s/m, N m s/rad]: one number, or one per component of the task. None:
        critical damping, 2 sqrt(inertia stiffness).
    force
        Measured contact wrench: the law has the input F. F is the wrench of the environment on the frame: force and
        moment about its origin, in world axes.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame.
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. None: no tool.
    task
        Controlled components: "pose", "position", "orientation", "planar", or some of vx vy vz wx wy wz. The
        components are along and about the world axes. "planar" is x, y and the rotation about z. None: the components
        that the joints can move independently. The orientation then counts with all rotations that the joints can
        make, or not at all.
    friction
        Joint friction that the law compensates: False (none), True (as described) or "smooth" (its smooth variant).
        "smooth" requires a width in the description of every joint whose friction jumps.
    posture
        Bandwidth of the posture of redundant joints [rad/s]: one number, or one per joint. Redundant joints go to the
        rest position with this bandwidth and damping ratio 1, without moving the frame. Near singularities it also
        damps joint motions that the frame does not show.
    rest
        Rest position of redundant joints [rad or m]: one number per joint. None: the position in the description,
        else the middle of the joint limits, else zero. Only for tasks that leave joints free.
    singular_damping
        Largest damping of the inverse Jacobian at singularities; 0 for none. Its unit is that of the singular values
        of the Jacobian. Damped accelerations do not follow the error equation exactly. Without damping torques have
        no bound near singularities. None: equal to singular_below.
    singular_below
        Distance from singularity below which the inverse Jacobian is damped; 0 for no damping. The distance is ``1 /
        |J^+|``, the inverse of the Frobenius norm of the pseudo-inverse. None: 5 % of the largest distance found at
        sampled positions of the robot.
    velocity
        Source of the joint velocities: "measured", or the cut-off of a filter of positions [rad/s]. With a cut-off,
        velocities are low-pass filtered differences of the positions from call to call. A floating base always
        measures its twist.
    period
        Time between two calls [s]. At most 10 s.
    limits
        Torque limits [N m or N]: True as described, False for none, one number, or one per actuated joint. Torques
        are cut off at these limits. An effort limit that is missing or 0 in the description is no limit.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects
        the mode of the joint positions in the description, otherwise the first mode. Control takes a parallel robot
        as closed loops, so that its modes are assembly modes.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of
        its name.

    Returns
    -------
    Law
        Inputs q, qd, T_d (4, 4), V_d (6,), A_d (6,) and, with force, F (6,), in world axes; output tau.

    Notes
    -----
    Hogan (1985): ``M e'' + D e' + K e = -F``.

    With force the equation holds exactly: ``tau = A J^-1 (V' - J' qd) + H - J^T F``, with V' from ``e'' = -M^-1 (D e'
    + K e + F)``.

    Without force: ``e'' + M^-1 (D e' + K e) = -(J A^-1 J^T) F``. At rest the frame yields by ``M^-1 K e = -(J A^-1
    J^T) F``. The law named compliance has the stiffness it is given, without a force measurement.
    """
    space = task_space(robot, "impedance", frame, tool, task, mode, near)
    count = len(space.rows)
    settings = {
        "inertia": setting("inertia", inertia, count),
        "stiffness": setting("stiffness", stiffness, count, least=0.0),
    }
    positive("inertia", settings["inertia"])
    critical = 2 * np.sqrt(settings["inertia"] * settings["stiffness"])
    settings["damping"] = critical if damping is None else setting("damping", damping, count, least=0.0)

    def second_rate(error: TaskError, F: Any = None) -> Sequence[Any]:
        pushed = [0] * count if F is None else error.force(F)
        each = zip(space.suffixes, error.e, error.ed, pushed, strict=True)
        return [-gain("Mi", s) * (gain("D", s) * ed + gain("K", s) * e + f) for s, e, ed, f in each]

    return accelerating_law(
        "impedance",
        space,
        resolution(space, posture, rest, singular_damping, singular_below, float(period)),
        second_rate,
        settings,
        _gains,
        ("Mi", "D", "K"),
        friction=friction,
        parameters=parameters,
        velocity=velocity,
        period=period,
        limits=limits,
        force=force,
        notes=() if force else ("No force is measured: the inertia that is felt is that of the robot",),
    )


def _gains(inertia: Any, stiffness: Any, damping: Any) -> Gains:
    positive("inertia", inertia)
    not_negative(stiffness=stiffness, damping=damping)
    return {"Mi": 1 / np.asarray(inertia), "D": damping, "K": stiffness}
