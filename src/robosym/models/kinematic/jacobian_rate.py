"""The time derivative of the Jacobian matrix: the derivative of its columns, with every shared step differentiated once."""

from __future__ import annotations

from ...expr import tangents
from ...generated import Model
from ...generated.checks import STATE, Check
from ...generated.declaration import declare
from ...generated.documentation.arrays import by_velocity
from ...generated.documentation.units import ACCELERATION, TWIST, six
from ...program import Array, optimised
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.scalar import is_zero
from ..common import graph_of, model
from ..request import ALIGNED, AxesName
from ..resolve import Near, OfPlatform, Structure, resolve
from ..tool import Tool
from ..tree.coordinates import coordinates as coordinates_of
from ..tree.paths import WORLD, FrameName
from ..tree.state import state_inputs
from .columns import Joints, Lever
from .jacobian import asked, jacobian_graphs, matrix_of


@declare(
    title="Rate of the Jacobian matrix",
    family="kinematic",
    rank=40,
    inputs="q, qd",
    outputs="JD",
    about=lambda case: f"Rate of the Jacobian matrix of {case.frame} {case.axes}",
    arrays={
        "JD": lambda case: by_velocity(
            case, "derivative in time of every entry of J, V = J qd", six(ACCELERATION, TWIST)
        )
    },
    checks=[
        Check(
            lambda task: task.drift, STATE, frame=True, value=lambda o, task: o["JD"] @ task.state["qd"], note="JD qd"
        )
    ],
)
def jacobian_rate(
    robot: Robot,
    *,
    frame: FrameName | None = None,
    axes: AxesName = ALIGNED,
    tool: Tool | None = None,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Time derivative of the Jacobian matrix.

    Every entry is the derivative of the entry of ``jacobian`` with the same options. If the description prescribes the
    motion of the base, ``axes`` must be "local" or a frame of the robot.

    Parameters
    ----------
    robot
        Robot.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame.
    axes
        Axes of the linear and angular components: "local-world-aligned", "local", "world" or a frame by name or number.
        "local-world-aligned" (or "mixed"): world axes, at the origin of the target frame. "local" (or "body"): axes of
        the target frame, at its origin. "world" (or "spatial"): world axes, at the point of the body that coincides
        with the world origin. A frame: axes of that frame, at the origin of the target frame; 0 is the base frame. If a
        frame has the name of a convention, pass its number.
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. The tool replaces the target frame. Its axes
        count with ``axes`` "local" only.
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
        Inputs ``q`` and ``qd``. Output ``JD`` (6, nv): linear, then angular part. With a floating base its six
        components come first: linear, then angular, in its own axes. Closed-loop and parallel robots: status
        ``assembled`` is 1 where the state is possible, else 0 and the values are NaN. Loops closed by iteration add the
        input ``start`` and the status ``passive`` and ``residual``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    wanted = asked(robot, frame, axes, tool)
    if wanted.axes == WORLD and not all(is_zero(x) for x in (*robot.base.velocity, *robot.base.angular_velocity)):
        problem = "moves as the description says, which qd does not tell: ask for axes 'local' or 0"
        raise RobotError([Problem("base", problem)], robot.name)

    def outputs(joints: Joints, lever: Lever) -> list[Array]:
        return [matrix_of(joints.columns(wanted.axes, wanted.point, lever))]

    rates = coordinates_of(robot).motion
    graphs = []
    for graph in jacobian_graphs(wanted.robot, wanted.frame, outputs):
        (matrix, *_) = graph.outputs
        derived = (Array("JD", matrix.shape, tuple(tangents(matrix.entries, rates))),)
        graphs.append(graph_of(robot, "jacobian-rate", state_inputs(robot, ("q", "qd")), derived, graph.names))
    return resolved.finished(model(robot, "jacobian-rate", optimised(*graphs), wanted.options, more=wanted.symbols))
