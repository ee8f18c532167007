"""A frame held by a spring and a damper: what the robot touches feels these, and the robot's own inertia."""

from __future__ import annotations

from ..models.resolve import Near
from ..models.tool import Tool
from ..models.tree.paths import FrameName
from ..robot import Robot
from .assembly import Period
from .declaration import law
from .law import Law, setting
from .saturation import TauLimits
from .task_pid import Numbers, spring_law
from .task_space import Task, task_space
from .velocity import Velocity


@law("compliance", rank=10, reference="task")
def compliance(
    robot: Robot,
    *,
    stiffness: Numbers,
    damping: Numbers,
    frame: FrameName | None = None,
    tool: Tool | None = None,
    task: Task | None = None,
    joint_damping: Numbers | None = None,
    velocity: Velocity = "measured",
    period: Period = 1e-3,
    limits: TauLimits = True,
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """Compliance control: a spring and a damper hold the frame.

    Pushed by a force F, the frame yields by F over the stiffness. The inertia that the environment feels is that of
    the robot. The robot is passive towards its environment, at any orientation error below half a turn and with any
    stiffness. It needs a fixed base and a motor for every coordinate.

    Parameters
    ----------
    robot
        Robot.
    stiffness
        Stiffness of the frame in world axes [N/m, N m/rad]: one number, or one per component of the task.
    damping
        Damping of the frame in world axes [N s/m, N m s/rad]: one number, or one per component of the task.
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
    joint_damping
        Damping of joint motions that do not move the task [N m s/rad or N s/m]: one number, or one per joint.
        Required if the task leaves joint motions free; 0 leaves them without damping. The term acts on all joint
        velocities.
    velocity
        Source of the joint velocities: "measured", or the cut-off of a filter of positions [rad/s]. With a cut-off,
        velocities are low-pass filtered differences of the positions from call to call. A floating base always
        measures its twist.
    period
        Time between two calls [s]. At most 10 s.
    limits
        Torque limits [N m or N]: True as described, False for none, one number, or one per actuated joint. Torques
        are cut off at these limits. An effort limit that is missing or 0 in the description is no limit.
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
        Inputs q, qd, T_d (4, 4) and V_d (6,) in world axes; output tau.

    Notes
    -----
    ``tau = J^T [K e + D e'] + Q``, with Q the torques of gravity and springs. The wrench derives from the energy 1/2
    e^T K e.
    """
    space = task_space(robot, "compliance", frame, tool, task, mode, near)
    count = len(space.rows)
    settings = {
        "stiffness": setting("stiffness", stiffness, count, least=0.0),
        "damping": setting("damping", damping, count, least=0.0),
    }
    given = {"joint_damping": joint_damping, "velocity": velocity, "limits": limits}
    return spring_law("compliance", space, settings, period=period, gravity=True, **given)
