"""Control laws: their arrays say what they are; here are their entries and units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...program.documentation import Described, Entry
from ...program.routine import Routine
from .arrays import OWN_AXES, base_place
from .case import Case, Said, Words
from .kinematics import POSE
from .units import ACCELERATION, FORCE, POSITION, SPEED, TWIST, coordinates, moving, of_joints, six, wrench

if TYPE_CHECKING:
    from ..model import Model

CONTROLLER = "controller"


def is_law(model: Model) -> bool:
    return model.name == CONTROLLER


def _told(case: Case) -> str:
    """What the law itself says of an array."""
    code = case.model.code
    slots = (*code.inputs, *code.outputs) if isinstance(code, Routine) else ()
    return next((slot.about for slot in slots if slot.name == case.array), "")


def _entries(kind: str) -> Said:
    """Of the joints, or of all coordinates."""

    def said(case: Case) -> Described:
        return Described(_told(case), moving(case.robot, kind, case.size))

    return said


def _q(case: Case) -> Described:
    base = case.robot.base.floating and case.size != len(case.robot.moving)
    where = f" (pose of {base_place(case)}: x y z and a unit quaternion)" if base else ""
    return Described(f"{_told(case)}{where}", coordinates(case.robot, case.size))


def _qd(case: Case) -> Described:
    base = case.robot.base.floating and case.size != len(case.robot.moving)
    where = f" (of the base linear then angular, {OWN_AXES})" if base else ""
    return Described(f"{_told(case)}{where}", moving(case.robot, SPEED, case.size))


def _plain(case: Case) -> Described:
    return Described(_told(case))


def _six(kind: str) -> Said:
    return lambda case: Described(_told(case), six(kind, TWIST))


def _about(case: Case) -> str:
    return f"Control law {case.option('law')}: torques for the measured and the wanted state, called once a period"


ARRAYS: Mapping[str, Callable[[Case], Described]] = {
    **dict.fromkeys(("q", "q_before"), _q),
    **dict.fromkeys(("qd", "qd_before"), _qd),
    "q_d": _entries(POSITION),
    "qd_d": _entries(SPEED),
    "qdd_d": _entries(ACCELERATION),
    **dict.fromkeys(("tau", "tau_before"), _entries(FORCE)),
    "T_d": lambda case: Described(f"{_told(case)}, as a {POSE}"),
    "V_d": _six(SPEED),
    "A_d": _six(ACCELERATION),
    "wrench": lambda case: Described(_told(case), wrench()),
}
TABLE: Mapping[str, Words] = {CONTROLLER: Words(_about, ARRAYS)}
__all__ = ["ARRAYS", "TABLE", "Entry", "is_law", "of_joints"]
