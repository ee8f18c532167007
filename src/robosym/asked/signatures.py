"""The options of a model function: everything after the robot."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..robot import Robot

EXTRA_KINDS = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


def parameters(function: Callable[..., Any]) -> dict[str, Any]:
    """The names and types of a model function's options."""
    hints = typing.get_type_hints(function)
    return {name: hints.get(name, str) for name in list(inspect.signature(function).parameters)[1:]}


def named(function: Callable[..., Any]) -> dict[str, Any]:
    """The same without what stands for options of any name."""
    given = inspect.signature(function).parameters
    return {name: kind for name, kind in parameters(function).items() if given[name].kind not in EXTRA_KINDS}


def options_of(robot: Robot, model: str) -> dict[str, tuple[Any, Any]]:
    """Type and default of every option that the model has of this robot; those of closed loops only where there are any."""
    from ..models import MODELS
    from ..models.parallel import available
    from ..models.resolve import ASSEMBLY, as_loops, hybrid_as_loops

    function = MODELS[model]
    from_platform = available.available(robot, function.__name__) if hybrid_as_loops(robot).platforms else None
    if from_platform is not None:
        here = {*from_platform.every_option}
    else:
        here = {*named(function)} - {"coordinates", *available.ONLY}
        here -= set() if as_loops(robot).loops else set(ASSEMBLY)
        here -= {"tool"} if function.__name__ in available.TOOL_ONLY else set()
    defaults = {name: one.default for name, one in inspect.signature(function).parameters.items()}
    return {name: (kind, defaults[name]) for name, kind in named(function).items() if name in here}
