"""Choice of the solution method of the inverse kinematics (SYMORO+ 1997, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from ...options.validate import validated
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..common import open_tree
from ..request import reference_named, target
from ..tool import Tool, mounted
from ..tree.paths import WORLD, FrameName
from .chain.chain import Chain
from .chain.features import directions, features
from .chain.task import Task, TaskName, chain_for, task_for
from .closed_form.derivation import derive
from .closed_form.plan import NoClosedFormError
from .closed_form.swivel import swivel_form
from .solver.inverse_geometric import InverseGeometric, inverse_geometric_model
from .solver.redundant import RedundantArm

if TYPE_CHECKING:
    from .general import GeneralSolver

Method = Literal["auto", "pieper", "paul", "general"]
MOST_JOINTS = 6  # that a pose determines


def of_an_arm(
    robot: Robot,
    frame: FrameName | None,
    reference: FrameName,
    tool: Tool | None,
    method: Method,
    task: TaskName,
    given: Sequence[str | int] | str,
) -> InverseGeometric:
    """The solver of an arm, with the options of ``models.inverse_geometric``."""
    robot, n, base = requested(open_tree(robot), frame, reference, tool)
    if given in ("swivel", ["swivel"], ("swivel",)):
        chain = chain_for(robot, n, base)
        return inverse_geometric_model(
            chain, n, base, "pose", "pieper", tuple(features(chain)), swivel_form(chain), None
        )
    chain = chain_for(robot, n, base, [given] if isinstance(given, (str, int)) else given)
    chosen = task_for(chain, task)
    if directions(chain, chosen == "position") < len(chain.joints):
        raise RobotError([Problem("", _redundant(chain, chosen == "position"))], robot.name)
    return solver_of(chain, n, base, chosen, method)


def requested(
    robot: Robot, frame: FrameName | None, reference: FrameName, tool: Tool | None
) -> tuple[Robot, int, FrameName]:
    """The robot with its tool, the frame that is meant, and the one its pose is given in."""
    if reference == WORLD and robot.base.floating:
        raise RobotError([Problem("reference", "a free base has no fixed place in the world: expected 0")], robot.name)
    n, base = target(robot, frame), reference_named(robot, reference)
    return (*mounted(robot, n, tool), base)


def solver_of(chain: Chain, frame: int, base: int | str, task: Task, method: str = "auto") -> InverseGeometric:
    """The solver of a chain whose joints the task determines, by the method named or the one that fits."""
    robot = chain.robot
    found = features(chain)
    if method == "pieper" and not found:
        raise NoClosedFormError([Problem("method", NO_FEATURE)], robot.name)
    if method == "general":
        return inverse_geometric_model(
            chain, frame, base, task, "general", tuple(found), None, _general(chain, frame, base, task)
        )
    try:
        closed = derive(chain, task, method)
    except NoClosedFormError as error:
        if method != "auto":
            raise
        general = _general(chain, frame, base, task, str(error).removeprefix(f"{robot.name}: ") + "; ")
        return inverse_geometric_model(chain, frame, base, task, "general", tuple(found), None, general)
    kind = "pieper" if any(move.kind == "quartic" for move in closed.plan.moves) else "paul"
    return inverse_geometric_model(
        chain, frame, base, task, kind if method == "auto" else method, tuple(found), closed, None
    )


@validated
def inverse_geometric_redundant(
    robot: Robot,
    *,
    frame: FrameName | None = None,
    reference: FrameName = 0,
    tool: Tool | None = None,
    task: TaskName = "auto",
) -> RedundantArm:
    """Numerical inverse kinematics of a redundant robot.

    The solver starts from a seed and finds one solution numerically. It then moves along the null space towards a
    posture, if one is given.

    Parameters
    ----------
    robot
        Robot.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame.
    reference
        Frame in which the pose is given: 0 (the base frame) or "world".
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. The tool replaces the target frame.
    task
        Part of the pose that is solved for: "pose", "position" or "auto". "auto" solves for the position alone if it
        determines all joints (three at most), otherwise for the pose.

    Returns
    -------
    RedundantArm
        Callable solver: ``solver(T, seed=q0, posture=q1)`` returns the configuration reached from q0, as near to q1 as
        the pose allows [rad, m].
    """
    n = target(open_tree(robot), frame)
    robot, n = mounted(robot, n, tool)
    base = reference_named(robot, reference)
    chain = chain_for(robot, n, base)
    return RedundantArm(chain, n, base, task_for(chain, task))


NO_FEATURE = (
    "'pieper' looks for three revolute axes one after the other that meet in a point or are parallel, or for three prismatic "
    "joints, and this arm has none of them (method 'general' solves any six joints)"
)


def _redundant(chain: Chain, position: bool) -> str:
    """What to do about an arm with more joints than a pose determines."""
    n, rank = len(chain.joints), directions(chain, position)
    spare = [joint.name for k, joint in enumerate(chain.joints) if directions(chain, position, without=k) == rank]
    example = f'given=["{spare[-1]}"], then solver(T, given=[0.3])'
    what = "position" if position else "pose"
    return f"{n} joints move the frame in {rank} directions, and its {what} leaves {n - rank} free: give a joint, as in {example} (or use inverse_geometric_redundant, which solves numerically from a seed)"


def _general(chain: Chain, frame: int, base: int | str, task: Task, why: str = "") -> GeneralSolver:
    """The general solver, for the arms it is made for."""
    n = len(chain.joints)
    problem = ""
    if n != MOST_JOINTS:
        problem = f"the general method is for six joints, and {n} move the frame"
    elif chain.given:
        problem = "the general method takes no given joints"
    elif task != "pose":
        problem = "the general method solves for the whole pose, not for the position alone"
    if problem:
        kind = NoClosedFormError if why else RobotError
        raise kind([Problem("method", why + problem)], chain.robot.name)
    from .general import GeneralSolver

    return GeneralSolver(chain.robot, frame, base)
