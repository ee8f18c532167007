"""The time derivative of the Jacobian matrix: the derivative of its columns, all shared steps differentiated once."""

from __future__ import annotations

from ...expr import tangents
from ...generated import Model
from ...program import Array, Graph, optimised
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.scalar import is_zero
from ..common import model
from ..tree.coordinates import coordinates
from ..tree.paths import WORLD
from ..tree.state import state_inputs
from .columns import Joints, Lever
from .frames import ConventionName, FrameName
from .jacobian import asked, jacobian_graphs, matrix_of
from .tools import Tool


def jacobian_rate(
    robot: Robot,
    frame: FrameName | None = None,
    convention: ConventionName | None = None,
    projection: FrameName | None = None,
    tool: Tool | None = None,
) -> Model:
    """JD (6 x nv): the derivative of every entry of the Jacobian matrix in the same convention, for given q and qd.

    A base with a given motion turns the world's axes seen from it: then only the robot's own axes are possible.
    """
    wanted = asked(robot, frame, convention, projection, tool)
    if wanted.projection == WORLD and not all(is_zero(x) for x in (*robot.base.velocity, *robot.base.angular_velocity)):
        problem = "moves as the description says, which qd does not tell: ask for convention 'local' or projection 0"
        raise RobotError([Problem("base", problem)], robot.name)

    def outputs(joints: Joints, lever: Lever) -> list[Array]:
        return [matrix_of(joints.columns(wanted.projection, wanted.point, lever))]

    own = coordinates(robot)
    rates = dict(zip(own.q, own.rates, strict=True))
    graphs = []
    for graph in jacobian_graphs(robot, wanted.frame, outputs):
        entries = tuple(tangents(graph.roots, rates))
        derived = (Array("JD", graph.outputs[0].shape, entries),)
        graphs.append(Graph(f"{robot.name} jacobian-rate", state_inputs(robot, ("q", "qd")), derived, graph.names))
    options = {"frame": wanted.frame, "projection": wanted.projection, "convention": wanted.convention}
    return model(robot, "jacobian-rate", optimised(*graphs), options)
