"""The laws by their names on the command line, and the one function that makes a model of any of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from ..generated import Model
from ..options.validate import validated
from ..robot import Robot
from .adaptive import adaptive
from .compliance import compliance
from .computed_torque import computed_torque
from .feed_forward import feed_forward
from .impedance import impedance
from .law import ControlError, Law
from .passive import passive
from .pd_gravity import pd_gravity
from .pid import pid
from .resolved_acceleration import resolved_acceleration
from .task_pid import task_pid

LawName = Literal[
    "computed-torque",
    "feed-forward",
    "pd-gravity",
    "pid",
    "passive",
    "adaptive",
    "task-pid",
    "resolved-acceleration",
    "impedance",
    "compliance",
]

LAWS: dict[str, Callable[..., Law]] = {
    "computed-torque": computed_torque,
    "feed-forward": feed_forward,
    "pd-gravity": pd_gravity,
    "pid": pid,
    "passive": passive,
    "adaptive": adaptive,
    "task-pid": task_pid,
    "resolved-acceleration": resolved_acceleration,
    "impedance": impedance,
    "compliance": compliance,
}


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
    return law_named(law)(robot, **options).model


def law_named(name: Any) -> Callable[..., Law]:
    """Function that makes the control law of a name."""
    found = LAWS.get(name) if isinstance(name, str) else None
    if found is None:
        raise ControlError(f"law: got {name!r:.60}, expected {', '.join(LAWS)}")
    return found
