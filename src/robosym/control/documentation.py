"""Control laws in words: their arrays say what they are; here are the entries of these and their units."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..generated.documentation.arrays import OWN_AXES, POSE, base_place, torque_word
from ..generated.documentation.case import Case, Said
from ..generated.documentation.units import (
    ACCELERATION,
    FORCE,
    POSITION,
    SPEED,
    TWIST,
    coordinates,
    moving,
    six,
    wrench,
)
from ..generated.documentation.words import WORDS, WORDS_OF_PLATFORMS, Words
from ..program.documentation import Described, Entry
from ..program.routine import Routine
from ..robot.joint_entries import speed_frames

CONTROLLER, OBSERVER = "controller", "momentum-observer"


def told(case: Case) -> str:
    """What the law itself says of an array."""
    code = case.model.code
    slots = (*code.inputs, *code.outputs) if isinstance(code, Routine) else ()
    return next((slot.about for slot in slots if slot.name == case.array), "")


def as_told(case: Case) -> Described | None:
    """An array without an entry here."""
    return Described(words) if (words := told(case)) else None


def _with_base(case: Case) -> bool:
    return case.robot.base.floating and case.size != len(speed_frames(case.robot))


def _q(case: Case) -> Described:
    where = f" (pose of {base_place(case)}: x y z and a unit quaternion)" if _with_base(case) else ""
    return Described(f"{told(case)}{where}", coordinates(case.robot, case.size))


def _qd(case: Case) -> Described:
    where = f" (of the base linear then angular, {OWN_AXES})" if _with_base(case) else ""
    return Described(f"{told(case)}{where}", moving(case.robot, SPEED, case.size))


def _entries(kind: str, more: str = "") -> Said:
    """Of the joints, or of all coordinates; ``more`` is what their units have beside those of this kind."""

    def said(case: Case) -> Described:
        entries = moving(case.robot, kind, case.size)
        return Described(told(case), tuple(Entry(one.name, f"{one.unit}{more}") for one in entries))

    return said


def _tau(case: Case) -> Described:
    what = told(case)
    where = f"; force and moment on the base {OWN_AXES}" if _with_base(case) else ""
    return Described(f"{what}: {torque_word(case)}{where}", moving(case.robot, FORCE, case.size))


def _integral(case: Case) -> Described:
    rows = case.option("task")
    if not rows:
        return _entries(POSITION, " s")(case)
    every = {one.name: one for one in six(POSITION, TWIST)}
    return Described(told(case), tuple(Entry(name, f"{every[name].unit} s") for name in rows))


def _joints(case: Case) -> Described:
    """Something of each joint that has no unit."""
    return Described(told(case), tuple(Entry(one.name) for one in moving(case.robot, POSITION, case.size)))


def _parameters(case: Case) -> Described:
    return Described(told(case), tuple(map(Entry, case.option("columns") or ())))


def _six(kind: str) -> Said:
    return lambda case: Described(told(case), six(kind, TWIST))


def _about(case: Case) -> str:
    frame = f" of {case.frame}" if case.option("frame") is not None else ""
    return (
        f"Control law {case.option('law')}{frame}: torques from the measured and the wanted state, called once a period"
    )


ARRAYS: Mapping[str, Said] = {
    **dict.fromkeys(("q", "q_before"), _q),
    **dict.fromkeys(("qd", "qd_before"), _qd),
    "q_d": _entries(POSITION),
    "qd_d": _entries(SPEED),
    "qdd_d": _entries(ACCELERATION),
    **dict.fromkeys(("tau", "tau_before"), _tau),
    **dict.fromkeys(("beta_before", "disturbance"), _entries(FORCE)),
    "p_before": _entries(FORCE, " s"),
    "started": _joints,
    "integral": _integral,
    **dict.fromkeys(("chi", "chi_moved"), _parameters),
    "T_d": lambda case: Described(f"{told(case)}, as a {POSE}"),
    "V_d": _six(SPEED),
    "A_d": _six(ACCELERATION),
    "F": lambda case: Described(told(case), wrench()),
}


def _describe(name: str, about: str | Callable[[Case], str]) -> None:
    of_law = "gains of the law, and parameters of the robot"
    words = Words(about, ARRAYS, {}, as_told, parameters=of_law, gravity=True, inertia=True)
    WORDS[name] = WORDS_OF_PLATFORMS[name] = words


_describe(CONTROLLER, _about)
_describe(OBSERVER, "Observer of disturbances from the momentum, called once a period")
