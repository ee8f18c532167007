"""Which models a robot has, and which options of them."""

from __future__ import annotations

from ..generated.declaration import Declaration, Parallel
from ..options.signatures import Option
from ..options.validate import validated
from ..robot import Robot
from .catalogue import declaration_of, declarations
from .resolve import ASSEMBLY, as_loops, hybrid_as_loops


@validated
def models_of(robot: Robot) -> list[str]:
    """Names of the models that a robot of this structure has.

    Parameters
    ----------
    robot
        Robot.

    Returns
    -------
    list of str
        Names as on the command line: by family, the most used first.
    """
    tree = as_loops(robot)
    return [one.name for one in declarations() if one.has(tree) or platform_model(robot, one) is not None]


def platform_models(robot: Robot) -> list[str]:
    """Names of the models that are written from the pose of a parallel robot's platform."""
    return [one.name for one in declarations() if platform_model(robot, one) is not None]


def platform_model(robot: Robot, declared: Declaration) -> Parallel | None:
    """How a model is written from the pose of the platform; None where it is that of closed loops, or of a tree."""
    parallel = declared.parallel if hybrid_as_loops(robot).platforms else None
    return None if parallel is None or (robot.flexible and not parallel.flexible) else parallel


def options_for(robot: Robot, name: str) -> dict[str, Option]:
    """The options that a model has for this robot, by name."""
    declared = declaration_of(name)
    parallel = platform_model(robot, declared)
    if parallel is not None:
        here = {*parallel.every_option}
    else:
        here = {*declared.options} - {"coordinates", *declared.parallel_only}
        here -= set() if as_loops(robot).loops else set(ASSEMBLY)
    return {option: one for option, one in declared.options.items() if option in here}
