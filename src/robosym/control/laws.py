"""Control laws by name, as the modules of this folder declare them, and the function that makes a model of any of them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Annotated, Any

from ..generated import Model
from ..options.markers import OneOf
from ..options.validate import validated
from ..robot import Robot
from .declaration import DECLARED
from .law import ControlError, Law

for _module in iter_modules([str(Path(__file__).parent)]):
    import_module(f"{__package__}.{_module.name}")

DECLARATIONS = {one.name: one for one in sorted(DECLARED, key=lambda one: one.rank)}
LAWS: dict[str, Callable[..., Law]] = {name: one.function for name, one in DECLARATIONS.items()}
LawName = Annotated[str, OneOf(lambda: LAWS)]


@validated
def controller(robot: Robot, law: LawName = "computed-torque", **options: Any) -> Model:
    """Control law as a model: count, print, compile or call its code.

    Parameters
    ----------
    robot
        Robot.
    law
        Control law, by name.
    **options
        Options of the control law, by name.

    Returns
    -------
    Model
        One call of the law as a model named "controller".
    """
    return LAWS[law](robot, **options).model


def law_named(name: Any) -> Callable[..., Law]:
    """Function that makes the control law of a name."""
    found = LAWS.get(name) if isinstance(name, str) else None
    if found is None:
        raise ControlError(f"law: got {name!r:.60}, expected {', '.join(LAWS)}")
    return found
