"""Platforms on legs: their models take the pose of the platform, or positions of its motors."""

from __future__ import annotations

from collections.abc import Mapping

from ...program.documentation import Described, Entry
from ...robot.parts import FIXED
from .arrays import flag, number, torque_word
from .case import Case, Said
from .units import ACCELERATION, FORCE, POSITION, SPEED, TWIST, of_joints, place, six, wrench

AXES = "at its origin, in the axes of frame 0"
HERE = "linear then angular, at its origin, in the axes of frame 0"


def _pose(about: str) -> Described:
    return Described(f"{about}: x y z and a unit quaternion of the platform in frame 0", place())


def motors(case: Case, kind: str, count: int | None = None) -> tuple[Entry, ...]:
    """``count`` joints, by default as many as the array has: the motors of the legs, or with the joints on the platform."""
    carried = _on_the_platform(case)
    of_legs = [j for j in case.robot.moving if j not in carried]
    return of_joints(case.robot, kind, of_legs if len(of_legs) == (case.size if count is None else count) else None)


def _on_the_platform(case: Case) -> list[int]:
    """The joints that stand on the platform: a wrist."""
    robot, platforms = case.robot, {one.frame for one in case.robot.platforms}
    return [j for j in robot.moving if platforms & set(robot.path(j))]


def _of_motors(what: str, kind: str) -> Said:
    def said(case: Case) -> Described:
        if case.array in case.inputs and "pose" in case.inputs:  # the pose says where the motors of the legs are
            return Described(
                f"{what} of the joints on the platform", of_joints(case.robot, kind, _on_the_platform(case))
            )
        return Described(f"{what} of the motors", motors(case, kind))

    return said


def forces(case: Case) -> Described:
    return Described(f"{torque_word(case)} of the motors", motors(case, FORCE))


def _wrench(case: Case) -> Described:
    about = "force and moment of the platform on the environment, about its origin, in the axes of the platform"
    if len(case.shape) == 1:
        return Described(about, wrench())
    return Described(about, tuple(map(Entry, case.wrench_frames)), wrench())


def _legs(case: Case) -> Described:
    others = _leg_joints(case, POSITION)
    return Described("positions of all joints of the legs at this pose", others if len(others) == case.size else ())


def _leg_joints(case: Case, kind: str, passive: bool = False) -> tuple[Entry, ...]:
    """Leg by leg, from the base on."""
    robot = case.robot
    found = [
        j
        for platform in robot.platforms
        for leg in platform.legs
        for j in robot.path(leg.end)
        if robot.frame(j).sigma != FIXED and not (passive and j in robot.moving)
    ]
    return of_joints(robot, kind, dict.fromkeys(found))


def _passive(case: Case) -> Described:
    kind = ACCELERATION if case.model.name == "accelerations" else SPEED
    others = _leg_joints(case, kind, passive=True)
    return Described(f"{kind}s of the other joints of the legs", others if len(others) == case.size else ())


def jacobian(case: Case) -> Described:
    return Described(f"twist = J qd, {HERE}", six(SPEED, TWIST), motors(case, SPEED))


def jacobian_inverse(case: Case) -> Described:
    return Described(f"qd = J_inv twist, {HERE}", motors(case, SPEED, case.shape[0]), six(SPEED, TWIST))


def inertia(case: Case) -> Described:
    if case.shape[0] != 6 or case.option("of", "motors") == "motors":
        return Described(
            "inertia matrix of the motors, tau = A qdd + ...", motors(case, FORCE), motors(case, ACCELERATION)
        )
    about = f"inertia matrix of the platform, {AXES}: the wrench W = A twist_rate + ... on it"
    return Described(about, wrench(), six(ACCELERATION))


def platform_wrench(case: Case) -> Described:
    return Described(f"force and moment on the platform that do what the motors do, {AXES}", wrench())


COMMON: Mapping[str, Said] = {
    "q": _of_motors("positions", POSITION),
    "qd": _of_motors("speeds", SPEED),
    "qdd": _of_motors("accelerations", ACCELERATION),
    "tau": forces,
    "pose": lambda case: _pose("pose"),
    "start": lambda case: _pose("pose where the iteration begins, the one found last, or near"),
    "twist": lambda case: Described(f"velocity of the platform, {HERE}", six(SPEED)),
    "twist_rate": lambda case: Described(f"acceleration of the platform, {HERE}", six(ACCELERATION)),
    "wrench": _wrench,
    "legs": _legs,
    "passive": _passive,
    "residual": number("what is left of the positions of the motors, lengths over the size of the robot"),
    "assembled": flag(
        "1 where the legs reach the platform and it moves as they let it, else 0, and the other outputs mean nothing"
    ),
}
