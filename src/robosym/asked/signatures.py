"""The options of a model function: everything after the robot."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from importlib import import_module
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


def function_of(robot: Robot, model: str) -> Callable[..., Any]:
    """The function whose options a model of this robot has: a platform on legs has functions of its own."""
    from ..models import MODELS
    from ..models.parallel.doors import WHERE
    from ..models.resolve import hybrid_as_loops

    function = MODELS[model]
    if not hybrid_as_loops(robot).platforms or function.__name__ not in WHERE:
        return function
    own: Callable[..., Any] = getattr(
        import_module(f"robosym.models.parallel.{WHERE[function.__name__]}"), function.__name__
    )
    return own


def options_of(robot: Robot, model: str) -> dict[str, tuple[Any, Any]]:
    """Type and default of every option that the model has of this robot; those of closed loops only where there are any."""
    from ..models import MODELS
    from ..models.parallel.doors import BY_MOTORS
    from ..models.resolve import ASSEMBLY, hybrid_as_loops

    usual, own = MODELS[model], function_of(robot, model)
    read = hybrid_as_loops(robot)
    kinds = {**named(usual), **named(own)}
    defaults = {
        name: one.default for function in (usual, own) for name, one in inspect.signature(function).parameters.items()
    }
    here = {*named(own)}
    if own is usual:
        here -= set() if read.loops else set(ASSEMBLY)
        here -= {"coordinates"}
    else:
        here |= {"coordinates"} if usual.__name__ in BY_MOTORS else set()
        here |= {"tool"} & set(named(usual))
        here -= {"structure"}
    return {name: (kind, defaults.get(name)) for name, kind in kinds.items() if name in here}
