"""The time derivative of the Jacobian matrix: the derivative of its columns, all shared steps differentiated once."""

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
    """JD (6 x nv): the derivative of every entry of the Jacobian matrix with the same options, for given q and qd.

    A base with a given motion turns the world's axes seen from it: then only the robot's own axes are possible.
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
