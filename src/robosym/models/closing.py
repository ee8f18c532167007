"""Models of robots with closed loops: of the tree that the robot is assembled to.

``closing`` is put on every function from a robot to a model. It gives it the options ``mode``, ``near`` and ``structure``, and
puts the tree with closed loops in the place of the robot; in a position that cannot be assembled the model's output
``assembled`` is 0.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, wraps
from typing import Any, Concatenate, Literal, ParamSpec, Protocol, TypeVar, cast

from ..arguments import strictly
from ..generated import Model
from ..program import Program
from ..program.routine import Routine
from ..robot import Robot, RobotError
from ..robot.problems import Problem
from .common import ASSEMBLED, PLATFORM, require_robot

Structure = Literal["closed", "tree"]  # with its loops closed, or the tree that is left without the cut joints
Near = Mapping[str, float] | None  # positions of joints by name

P = ParamSpec("P")
Made = TypeVar("Made")


class Solver(Protocol):
    """Who closes the loops: a room above those whose models need it."""

    def assembled(self, robot: Robot, mode: str | None, near: Near) -> Robot:
        """The tree of a robot with loops, in a mode."""

    def iterated(self, robot: Robot, tree: Robot, program: Program) -> tuple[Routine, list[str]]:
        """A program of the tree, of positions that an iteration finds before, and how it does."""


_solver: list[Solver] = []


def loops_are_closed_by(solver: Solver) -> None:
    """Said once, where all rooms are known."""
    _solver[:] = [solver]


class Platforms(Protocol):
    """Who knows robots with platforms on legs: a room above those whose models need it."""

    def hybrid(self, robot: Robot) -> Robot | None:
        """Modules on modules, and legs that contain loops, as closed loops; None for one platform, which has models of its own."""

    def model(self, name: str, robot: Robot, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """The model of this name, of such a robot."""


_platforms: list[Platforms] = []


def platforms_are_known_to(door: Platforms) -> None:
    """Said once, where all rooms are known."""
    _platforms[:] = [door]


def of_platform(name: str, robot: Robot, **options: Any) -> Any:
    """What a function gives of a robot with a platform, where ``closing`` is not put on it."""
    return _platforms[0].model(name, robot, (), options)


def as_read(robot: Robot) -> Robot:
    """The robot that models are of: a hybrid one as closed loops, any other as it is."""
    if not isinstance(robot, Robot) or not robot.platforms:
        return robot
    return _platforms[0].hybrid(robot) or robot


PASSIVE, START = "passive", "start"  # positions that an iteration finds, and where it begins
Coordinates = Literal["platform", "motors"]  # of a platform on legs: its pose, or the positions of its motors
CHOICES: dict[str, Any] = {"mode": str | None, "near": Near, "structure": Structure, "coordinates": Coordinates | None}


def closing(function: Callable[Concatenate[Robot, P], Made]) -> Callable[..., Made]:
    """The same function, for robots with closed loops too.

    ``mode`` names the assembly mode, ``near`` gives positions of joints by name to choose it by; by default it is the one
    of the positions in the description, else the first. ``structure`` "tree" leaves the loops open. Of a platform on legs these
    are working modes of its legs, and ``coordinates`` says what its models take: its pose, or positions of its motors.
    """

    @wraps(function)
    def of_any_structure(
        robot: Robot,
        *args: Any,
        mode: str | None = None,
        near: Near = None,
        structure: Structure = "closed",
        **options: Any,
    ) -> Made:
        require_robot(robot)
        read = as_read(robot)
        if read.platforms:
            asked = {"mode": mode, "near": near, "structure": structure}
            return cast(Made, _platforms[0].model(function.__name__, read, args, {**asked, **options}))
        _without_platform(robot, options)
        robot = read
        loops = _asked(robot, mode, near, structure)
        if not loops:
            return function(robot, *args, **options)
        if structure == "tree":
            return function(robot.equivalent_tree, *args, **options)
        made = function(_solver[0].assembled(robot, mode, near), *args, **options)
        return cast(Made, of_described(robot, made)) if isinstance(made, Model) else made

    return _choosing(function, of_any_structure)


def _choosing(function: Callable[..., Any], made: Callable[..., Made]) -> Callable[..., Made]:
    """``made`` with the signature of a function, and the options that say how loops are assembled."""
    signature = inspect.signature(function)
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default="closed" if name == "structure" else None)
        for name in CHOICES
    ]
    own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
    made = strictly(made)
    made.__signature__ = signature.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
    made.__annotations__ = {**function.__annotations__, **CHOICES}
    return made


def passing_on(function: Callable[..., Made]) -> Callable[..., Made]:
    """The same function, which passes the options of closed loops on (``**closed``) to the models it is put together from."""

    @wraps(function)
    def with_choices(robot: Robot, *args: Any, **options: Any) -> Made:
        return function(robot, *args, **options)

    return _choosing(function, with_choices)


def closed_or_tree(
    robot: Robot, mode: str | None = None, near: Near = None, structure: Structure = "closed"
) -> tuple[Robot, dict[str, Any], str | None]:
    """For what makes several models of a robot: the robot they are of, the options that choose how its loops are assembled, and
    the name of that mode (None: nothing is closed)."""
    robot = as_read(robot)
    _no_tree(robot)
    tree = _tree(robot, mode, near, structure)
    return (tree, {}, None) if tree.closure is None else (robot, {"mode": mode, "near": near}, tree.closure.mode)


def as_tree(robot: Robot, mode: str | None = None, near: Near = None, structure: Structure = "closed") -> Robot:
    """The tree whose models are those of the robot: itself, or the one that its closed loops make of it. Loops that are closed by
    iteration make none."""
    robot = as_read(robot)
    _no_tree(robot)
    tree = _tree(robot, mode, near, structure)
    if isinstance(tree, Robot) and tree.closure is not None and tree.closure.found:
        raise RobotError([Problem("loops", f"{NO_CLOSED_FORM}: this function needs a closed form")], robot.name)
    return tree


def _no_tree(robot: object) -> None:
    if isinstance(robot, Robot) and robot.platforms:
        raise RobotError([Problem("platform", PLATFORM)], robot.name)


def _tree(robot: Robot, mode: str | None, near: Near, structure: Structure) -> Robot:
    if not _asked(robot, mode, near, structure):
        return robot
    if structure == "tree":
        return robot.equivalent_tree
    return _solver[0].assembled(robot, mode, near)


NO_CLOSED_FORM = "they have no closed form and are closed by iteration"


def _without_platform(robot: object, options: dict[str, Any]) -> None:
    """What only a platform on legs has is an error for other robots, unless it asks for nothing."""
    coordinates = options.pop("coordinates", None)
    if isinstance(robot, Robot) and robot.platforms and coordinates == "motors":
        return
    if isinstance(robot, Robot) and robot.platforms and coordinates is not None:
        problem = f"got {coordinates!r:.40}: modules on modules and legs with loops have models in the motors' coordinates only"
        raise RobotError([Problem("coordinates", problem)], robot.name)
    if coordinates is not None:
        problem = f"got {coordinates!r:.40}: only a platform on legs has other coordinates than q"
        raise RobotError([Problem("coordinates", problem)], _name(robot))


def _asked(robot: object, mode: str | None, near: Near, structure: str) -> bool:
    """Whether there are closed loops, once it is known that what is requested of them makes sense."""
    if structure not in ("closed", "tree"):
        raise RobotError([Problem("structure", f"got {structure!r}, expected 'closed' or 'tree'")], _name(robot))
    loops = isinstance(robot, Robot) and bool(robot.loops)
    if mode is not None and near is not None:
        raise RobotError([Problem("near", "give a mode or a position near which it is, not both")], _name(robot))
    if (mode is not None or near is not None) and (not loops or structure == "tree"):
        what = "mode" if mode is not None else "near"
        problem = "there is no closed loop, so nothing to choose" if not loops else "the loops are left open"
        raise RobotError([Problem(what, problem)], _name(robot))
    if isinstance(robot, Robot) and loops and structure == "tree" and robot.regrouping is not None:
        problem = "the robot is written in base parameters that are good for its closed loops only"
        raise RobotError([Problem("structure", problem)], robot.name)
    return loops


def mode_text(mode: str) -> str:
    """The mode in a sentence."""
    return f"Closed loops assembled in mode: {mode}" if mode else "Closed loops assembled in their only mode"


def _name(robot: object) -> str:
    return robot.name if isinstance(robot, Robot) else ""


def of_described(robot: Robot, made: Model) -> Model:
    """The model of the robot as it was described, with the mode it is assembled in, from that of the tree."""
    closure = made.robot.closure
    assert closure is not None
    code: Any = made.made
    notes = [mode_text(closure.mode), *_words(robot, code)]
    more: dict[str, Any] = {"of_tree": made}
    if isinstance(code, Program) and any(array.name == PASSIVE for array in code.inputs):
        code, how = _solver[0].iterated(robot, made.robot, code)
        notes += how
        used = {symbol.name for symbol in code.parameter_symbols}
        more["values"] = {key: value.number for key, value in robot.values.items() if key in used} | dict(made.values)
        more["centre"] = {"q": [closure.at.get(symbol, 0.0) for symbol in made.robot.coordinates]}
        if closure.start is not None:
            more["defaults"] = {**made.defaults, START: closure.start}
    code = _noted(code, notes) if isinstance(code, (Program, Routine)) else partial(_made_and_noted, code, notes)
    return replace(made, robot=robot, made=code, options={**made.options, "mode": closure.mode}, **more)


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
