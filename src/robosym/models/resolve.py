"""From a robot to the trees that models are written for.

A model function calls ``resolve`` first. For a robot with closed loops, in the requested assembly mode, it gives the tree whose
passive joints follow from the actuated ones. ``finished`` turns the model of that tree into a model of the robot as it was described,
preceded by the iteration that closes loops without closed form. For a parallel robot ``resolve`` gives the working modes of the legs,
and whether the model is written from the pose of the platform or from the actuators. Algorithms take trees and their coordinates
(``tree/coordinates.py``, ``parallel/coordinates.py``) and are independent of loops and legs. A model that is not written from the pose
of a platform treats the parallel robot as closed loops, with the actuated joints as coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, TypeVar

from ..generated import Model
from ..program import Program
from ..program.routine import Routine
from ..robot import Robot, RobotError
from ..robot.chains import elementary
from ..robot.parts import Closure
from ..robot.problems import Problem
from .common import ASSEMBLED, PASSIVE, RESIDUAL, START, require_robot
from .tool import Tool

Structure = Literal["closed", "tree"]  # with its loops closed, or the tree that is left without the cut joints
Near = Mapping[str, float] | None  # positions of joints by name
OfPlatform = (
    Literal["platform", "motors"] | None
)  # coordinates of a platform on legs: its pose, or the positions of its motors

PLATFORM: tuple[str, ...] = ("platform",)  # coordinates in which a parallel robot has a model
BOTH: tuple[str, ...] = ("platform", "motors")
Acting = Literal["motors", "platform"]  # what the torques of a parallel robot act on

# The options of every model that say how the loops of a robot are assembled.
ASSEMBLY: dict[str, Any] = {"mode": None, "near": None, "structure": "closed", "coordinates": None}
NO_CLOSED_FORM = "they have no closed form and are closed by iteration"

Made = TypeVar("Made", bound=Model)


@dataclass(frozen=True)
class Resolved:
    """A robot, and the tree that its models are written for: itself, if it has no loops or these are left open."""

    robot: Robot
    tree: Robot
    choice: dict[str, Any] = field(
        default_factory=dict
    )  # options with which other models are of the same assembly mode
    closed: bool = False  # whether loops of the robot are closed in the tree
    branches: tuple[int, ...] | None = None  # the working mode of each leg of a parallel robot
    by_motors: bool = False  # whether its coordinates are the positions of its motors, not the pose of its platform
    recorded: dict[str, Any] = field(default_factory=dict)  # what the options of its models say besides

    @property
    def mode(self) -> str | None:
        """The assembly mode."""
        return self.tree.closure.mode if self.closed and self.tree.closure is not None else None

    @property
    def parallel(self) -> bool:
        """Whether it is a platform on legs, with coordinates of its own."""
        return self.branches is not None

    @property
    def legs(self) -> tuple[int, ...]:
        """The working modes of the legs of a parallel robot."""
        assert self.branches is not None
        return self.branches

    def finished(self, made: Made) -> Made:
        """The model of the robot as it was described, from that of the tree."""
        if self.recorded:
            made = replace(made, options={**made.options, **self.recorded})
        if self.tree.chains:
            made = replace(made, robot=self.robot)
        return of_described(self.robot, made) if self.closed else made

    def only_of_trees(self, model: str, /, **options: tuple[object, object]) -> None:
        """Refuse options that a model does not have of a parallel robot: values, and what they are by default."""
        for name, (value, default) in options.items():
            if self.parallel and value != default:
                problem = f"got {value!r:.40}, which is no option of {model} for a platform on legs"
                raise RobotError([Problem(name, problem)], self.robot.name)

    def only_of_platforms(self, **options: object) -> None:
        """Refuse options that only models of parallel robots have."""
        for name, value in options.items():
            if not self.parallel and value is not None:
                problem = f"got {value!r:.40}: only models of a platform on legs have this option"
                raise RobotError([Problem(name, problem)], self.robot.name)


def resolve(
    robot: Robot,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
    tool: Tool | None = None,
    parallel: Sequence[str] = (),
) -> Resolved:
    """Resolve the assembly mode and the coordinates that a model is written for.

    A robot with closed loops becomes a tree whose passive joints follow from the actuated ones. A parallel robot gets
    its working mode. Parallel robots with stacked platforms or loops in the legs are treated as closed loops.

    Parameters
    ----------
    robot
        Robot.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. A robot in base parameters keeps the
        mode of these parameters.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration). Parallel robots:
        positions of leg joints; the others keep the position of the description, or zero.
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``. Parallel robots support "closed" only.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "platform", or "motors" if ``parallel`` is empty.
    tool
        Parallel robots only: tool pose on the platform [m], a point (3), x y z qx qy qz qw (7) or a matrix (4, 4).
        Entries are numbers, expressions or text such as "LT/2"; lengths are in metres. Pose and twist of the platform
        are then given for the tool.
    parallel
        Parallel robots only: coordinates that the model supports. Without any the robot is resolved as closed loops.

    Returns
    -------
    Resolved
        The robot, the tree that the model is written for, and the mode.
    """
    require_robot(robot)
    read = hybrid_as_loops(robot)
    if read.platforms and parallel:
        return _resolved_platform(read, mode, near, structure, coordinates, tool, parallel)
    _check_coordinates(robot, coordinates)
    robot = as_loops(read)
    _check_choice(robot, mode, near, structure)
    robot_tree = elementary(robot)
    if robot_tree is not robot:
        return Resolved(robot, robot_tree)
    if not robot.loops:
        return Resolved(robot, robot)
    if structure == "tree":
        tree = robot.equivalent_tree
        return Resolved(tree, tree)
    from .loops.assembled import assembled  # a robot without loops does not need it

    return Resolved(robot, assembled(robot, mode, near), {"mode": mode, "near": near}, closed=True)


def _resolved_platform(
    robot: Robot,
    mode: str | None,
    near: Near,
    structure: str,
    coordinates: str | None,
    tool: Tool | None,
    parallel: Sequence[str],
) -> Resolved:
    if structure != "closed":
        raise RobotError([Problem("structure", "a platform on legs has no tree: expected 'closed'")], robot.name)
    if coordinates is not None and coordinates not in parallel:
        expected = " or ".join(map(repr, parallel))
        raise RobotError([Problem("coordinates", f"got {coordinates!r:.40}, expected {expected}")], robot.name)
    from .parallel.kinematics import modes_of
    from .parallel.tool import tool_on_platform

    robot, recorded = tool_on_platform(robot, tool)
    branches = modes_of(robot).named(mode, near)
    by_motors = coordinates == "motors"
    if by_motors:
        recorded = {**recorded, "coordinates": "motors"}
    return Resolved(
        robot, robot, {"mode": mode, "near": near}, branches=branches, by_motors=by_motors, recorded=recorded
    )


def tree_of(robot: Robot, mode: str | None = None, near: Near = None, structure: Structure = "closed") -> Robot:
    """The tree of a robot, for what needs the positions of all joints in closed form."""
    tree = resolve(robot, mode, near, structure).tree
    if tree.closure is not None and tree.closure.found:
        raise RobotError([Problem("loops", f"{NO_CLOSED_FORM}: this function needs a closed form")], robot.name)
    return tree


def hybrid_as_loops(robot: Robot) -> Robot:
    """A robot with platforms on platforms, or with loops in the legs of one, as closed loops; any other as it is."""
    if not isinstance(robot, Robot) or not robot.platforms:
        return robot
    from .parallel.structure import as_closed_loops, is_hybrid

    return as_closed_loops(robot) if is_hybrid(robot) else robot


def as_loops(robot: Robot) -> Robot:
    """A robot with platforms on legs as closed loops; any other as it is."""
    require_robot(robot)
    if not robot.platforms:
        return robot
    from .parallel.structure import as_closed_loops

    return as_closed_loops(robot)


def with_loops(robot: Robot) -> Robot:
    """The robot, if it is one and has loops; one with platforms on legs as closed loops."""
    robot = as_loops(robot)
    if not robot.loops:
        raise RobotError([Problem("loops", "there is none: every joint is a coordinate")], robot.name)
    return robot


def _check_coordinates(robot: Robot, coordinates: OfPlatform) -> None:
    """Only a platform on legs has a choice of coordinates."""
    if coordinates is None or (robot.platforms and coordinates == "motors"):
        return
    only = "only a platform on legs has other coordinates than q"
    if robot.platforms:
        only = "this model of the robot is in the motors' coordinates only"
    raise RobotError([Problem("coordinates", f"got {coordinates!r:.40}: {only}")], robot.name)


def _check_choice(robot: Robot, mode: str | None, near: Near, structure: str) -> None:
    """Whether what is asked of the closed loops makes sense."""

    def refused(field: str, problem: str) -> RobotError:
        return RobotError([Problem(field, problem)], robot.name)

    if mode is not None and near is not None:
        raise refused("near", "give a mode or a position near which it is, not both")
    if (mode is not None or near is not None) and (not robot.loops or structure == "tree"):
        why = "the loops are left open" if robot.loops else "there is no closed loop, so nothing to choose"
        raise refused("mode" if mode is not None else "near", why)
    if robot.loops and structure == "tree" and robot.regrouping is not None:
        raise refused("structure", "the robot is written in base parameters that are good for its closed loops only")


# --- the model of the robot as it was described ------------------------------------------------------------------------


def of_described(robot: Robot, made: Made) -> Made:
    """The model of a robot with closed loops, from that of its tree."""
    closure = made.robot.closure
    assert closure is not None
    code: Any = made.made
    notes = [mode_text(closure.mode), *_words(robot, code)]
    more: dict[str, Any] = {"of_tree": made}
    if isinstance(code, Program) and any(array.name == PASSIVE for array in code.inputs):
        code, how = _iterated(robot, made.robot, closure, code)
        notes += how
        more["reached"] = (PASSIVE, RESIDUAL)
        used = {symbol.name for symbol in code.parameter_symbols}
        more["values"] = {key: value.number for key, value in robot.values.items() if key in used} | dict(made.values)
        more["centre"] = {"q": [closure.at.get(symbol, 0.0) for symbol in made.robot.coordinates]}
        if closure.start is not None:
            more["defaults"] = {**made.defaults, START: closure.start}
    code = _noted(code, notes) if isinstance(code, (Program, Routine)) else partial(_made_and_noted, code, notes)
    return replace(made, robot=robot, made=code, options={**made.options, "mode": closure.mode}, **more)


def _iterated(robot: Robot, tree: Robot, closure: Closure, program: Program) -> tuple[Routine, list[str]]:
    """The iteration that closes the loops, then the program; and what is said of it."""
    from .loops.routine import closed_routine, how

    return closed_routine(robot, tree, program), list(how(robot, closure))


def mode_text(mode: str) -> str:
    """The mode in a sentence."""
    return f"Closed loops assembled in mode: {mode}" if mode else "Closed loops assembled in their only mode"


def _words(robot: Robot, code: object) -> list[str]:
    """What q and ``assembled`` are, where a program has them."""
    if not isinstance(code, Program):
        return []
    motors = f"the driven joint{'s' if len(robot.joint_names) > 1 else ''} {', '.join(robot.joint_names)}"
    words = {
        "q": f"q: {'the free base, then ' if robot.base.floating else ''}{motors}",
        ASSEMBLED: "assembled: 1 where the loops close and all rates are defined, else 0, and the other outputs mean nothing",
    }
    return [text for name, text in words.items() if any(one.name == name for one in (*code.inputs, *code.outputs))]


def _noted(code: Program | Routine, notes: Sequence[str]) -> Program | Routine:
    first = () if isinstance(code, Program) else code.notes[:1]  # of a routine: what it does
    return replace(code, notes=(*first, *notes, *code.notes[len(first) :]))


def _made_and_noted(make: Callable[[], Routine], notes: Sequence[str]) -> Program | Routine:
    """Of a model whose code is made when it is first needed."""
    return _noted(make(), notes)
