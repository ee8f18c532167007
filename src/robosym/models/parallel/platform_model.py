"""The models of a parallel robot around their programs: from the pose of its platform, or from the positions of its motors.

From the motors the pose is found first, by iteration from a pose near it, and then the model there. The input ``start`` is the pose
where the iteration begins, by default that of the description; the outputs ``pose`` (the start of the next call), ``residual`` and
``assembled`` say what was found. Where nothing was, no output is a number.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...generated import Model
from ...program import Array, Graph, optimised
from ...program.routine import Fill, Routine, Run, Slot, When
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..common import ASSEMBLED, RESIDUAL, model
from .coordinates import PlatformCoordinates
from .direct_geometry import START, model_of, renamed_start
from .newton import FOUND, PREFIX, iteration
from .notes import home_pose, notes_of, with_notes
from .pose import POSE
from .status import status_array
from .structure import CLOSED_LOOPS, Module

OPEN = f"{PREFIX}open"
ABOUT = {
    "qd": "speeds of the motors",
    "qdd": "accelerations of the motors",
    "tau": "forces and torques of the motors",
    "wrench": "force and moment of the platform on the environment, about its origin, in its axes",
}


def platform_graph(
    own: PlatformCoordinates,
    name: str,
    state: Sequence[str],
    outputs: Sequence[Array],
    more: Sequence[Array] = (),
    carried: bool = True,
) -> Graph:
    """One way of writing a model: its inputs are what stands for these of q, qd, qdd and tau, also of joints that the platform
    ``carried``. The output ``assembled`` says whether the state is one of the robot, where it may be none."""
    judged = () if own.by_motors else status_array(own)
    return own.graph(name, [*own.inputs(state, carried), *more], [*outputs, *judged])


def platform_model(
    own: PlatformCoordinates,
    branches: Sequence[int],
    name: str,
    code: Graph | Routine,
    options: Mapping[str, Any],
    optional: Mapping[str, tuple[str, ...]] | None = None,
    parameters: str = "standard",
    described: Robot | None = None,
) -> Model:
    """The model of a graph, or of a routine from the pose of the platform."""
    robot, chosen = own.module.robot, {**options, "mode": own.mode}
    if own.by_motors:
        assert isinstance(code, Graph)
        routine = _from_motors(own, branches, name, code)
        driven = model_of(own, name, routine, chosen, home_pose(own), parameters, described)
        return replace(driven, optional={**(optional or {})}, reached=(POSE, RESIDUAL))
    made = optimised(code) if isinstance(code, Graph) else code
    return with_notes(model(robot, name, made, chosen, parameters, optional, described=described), own)


def _from_motors(own: PlatformCoordinates, branches: Sequence[int], name: str, graph: Graph) -> Routine:
    """The iteration that finds the pose, then the model there."""
    robot = own.module.robot
    _, stages, judged = iteration(robot, branches)
    program = optimised(graph).replace(name=name)
    results = [Slot(array.name, array.shape) for array in graph.outputs]
    inputs = [array for array in graph.inputs if array.name != POSE]
    nothing = [Fill(slot.name, slot.shape, math.nan) for slot in (*results, Slot(POSE, (7,)))]
    return Routine(
        f"{robot.name} {name}",
        (
            Slot("q", (len(own.module.motors),), "positions of the motors"),
            *(Slot(array.name, array.shape, ABOUT.get(array.name, "")) for array in inputs),
            Slot(START, (7,), "the pose where the iteration begins: the one found last, or near"),
        ),
        (
            *results,
            Slot(POSE, (7,), "x y z qx qy qz qw of the platform in frame 0, as found"),
            Slot(RESIDUAL, (), "what is left of the positions of the motors, lengths over the size of the robot"),
            Slot(ASSEMBLED, (), "1 where the platform was found there, else 0"),
        ),
        (
            *renamed_start(stages),
            Run(judged, {POSE: FOUND, "pose_found": POSE}),
            Run(program),
            When(OPEN, tuple(nothing)),
        ),
        (f"{robot.name} {name} from its motors, by iteration", *notes_of(own)),
    )


def require_none_carried(module: Module) -> None:
    """Refuse joints on the platform where a model does not know them."""
    joints = module.carried_joints
    if joints:
        names = ", ".join(module.robot.frame(j).joint.name for j in joints)
        problem = f"{names} stand on the platform, which inverse_dynamics, bias and gravity know; {CLOSED_LOOPS}"
        raise RobotError([Problem("platform", problem)], module.robot.name)
