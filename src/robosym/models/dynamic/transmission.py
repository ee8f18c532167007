"""``transmission``: conversion between joints and motors (Khalil, course 2014, section 7.3.7 and equation 9.4).

    q = J q_m,   qd = J qd_m,   tau_m = J^T Gamma   [7.31] to [7.33],      tau_m = KT i,   i = Ka u   [9.4]

The power is the same on both sides: Gamma . qd = tau_m . qd_m.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...brief import one_line
from ...expr import number, variable
from ...generated import Model
from ...generated.declaration import declare
from ...generated.documentation.case import Case, Said
from ...generated.documentation.units import FORCE, POSITION, SPEED, UNITS, of_joint, of_joints
from ...options.validate import validated
from ...program import Array, Graph, optimised
from ...program.documentation import Described, Entries, Entry
from ...robot import PRISMATIC, Robot
from ...robot.joint_entries import require_single_axes, speed_entries
from ..common import model, open_tree, vector
from ..resolve import Near, OfPlatform, Structure, resolve
from ..tree.drives import (
    Transmission,
    motor_arrays,
    motor_constants,
    times,
    transmission_of,
    transposed,
)
from ..tree.state import state_inputs

Given = Literal["joints", "motors", "currents", "amplifiers"]
TORQUES = {"motors": "tau_m", "currents": "i", "amplifiers": "u"}


def of_motors(robot: Robot, kind: str) -> Entries:
    """Motors in the order of q: one that turns a joint turns; one that slides it through a reduction may do either."""
    coupled = {j for coupling in robot.couplings for j in coupling.frames}
    found = []
    for j in robot.moving:
        frame = robot.frame(j)
        geared = j in coupled or frame.actuator.ratio is not None
        either = " or ".join(UNITS[kind]) if frame.sigma == PRISMATIC and geared else ""
        found += [Entry(one.name, either or one.unit) for one in of_joint(robot, j, kind)]
    return tuple(found)


def of_drives(kind: str, what: str) -> Said:
    """Of motors, on their own side of the transmission."""
    return lambda case: Described(
        f"{what} of the motors, on their own side of the transmission", of_motors(case.robot, kind)
    )


def amperes(case: Case) -> Described:
    return Described("currents of the motors", tuple(Entry(name, "A") for name in case.robot.joint_names))


def amplifiers(case: Case) -> Described:
    names = tuple(map(Entry, case.robot.joint_names))
    return Described("inputs of the amplifiers, i = Ka u, in the unit that Ka has it in", names)


def _of_joints(case: Case) -> Described:
    return Described("q = J q_m", of_joints(case.robot, POSITION), of_drives(POSITION, "")(case).rows)


def _of_motors(case: Case) -> Described:
    return Described("q_m = J_inverse q", of_drives(POSITION, "")(case).rows, of_joints(case.robot, POSITION))


def _about(case: Case) -> str:
    if case.option("given") != "joints":
        return "Positions, speeds and torques of the joints from those of the motors"
    return "Positions, speeds and torques of the motors from those of the joints"


DRIVES = {
    "q_m": of_drives(POSITION, "positions"),
    "qd_m": of_drives(SPEED, "speeds"),
    "tau_m": of_drives(FORCE, "torques"),
    "i": amperes,
    "u": amplifiers,
    "J": _of_joints,
    "J_inverse": _of_motors,
}
NOT_IN_REFERENCE = "motors and their transmission are not in the reference"


@declare(
    title="Transmission between joints and motors",
    family="kinematic",
    rank=140,
    inputs="q, qd, tau",
    outputs="q_m, qd_m, tau_m, J, J_inverse",
    about=_about,
    arrays=DRIVES,
    unchecked=NOT_IN_REFERENCE,
    section="Khalil, course 2014, section 7.3.7",
)
def transmission(
    robot: Robot,
    *,
    given: Given = "joints",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Positions, velocities and torques of motors and joints, converted either way.

    Friction and rotors are not included; ``motor_torques`` includes them.

    Parameters
    ----------
    robot
        Robot.
    given
        Known quantities: "joints", "motors", "currents" or "amplifiers". "joints" takes ``q``, ``qd`` and ``tau`` of
        the joints. "motors" takes ``q_m``, ``qd_m`` and ``tau_m`` of the motors. "currents" and "amplifiers" take the
        currents ``i`` or the amplifier inputs ``u`` in place of ``tau_m``.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. This model treats a parallel robot as
        closed loops, whose assembly modes have names of their own.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration).
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "motors", the only choice for this model.

    Returns
    -------
    Model
        Outputs, in the order of ``q`` without a floating base:

        - ``q_m``, ``qd_m`` and ``tau_m`` from the joints, with ``i`` where motors have torque constants, and ``u``
          where amplifiers have gains.
        - ``q``, ``qd`` and ``tau`` from the motors.
        - ``J`` and ``J_inverse`` (n, n): matrices of ``q = J q_m``.

        A joint without a motor has neither current nor amplifier input.

    Notes
    -----
    ``q = J q_m``, ``qd = J qd_m`` and ``tau_m = J^T tau``, ``tau_m = KT i`` and ``i = Ka u``. Khalil, course 2014,
    section 7.3.7 and equation 9.4.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    require_single_axes(resolved.robot, "a transmission")
    drive = transmission_of(open_tree(robot))
    inputs, outputs = _from_joints(robot, drive) if given == "joints" else _from_motors(robot, drive, given)
    n = len(robot.moving)
    for name, matrix in (("J", drive.J), ("J_inverse", drive.inverse)):
        outputs.append(Array(name, (n, n), tuple(x for row in matrix for x in row)))
    # Whether closed loops can be assembled makes no difference to the motors: there is no output for it.
    graph = Graph(f"{robot.name} transmission", tuple(inputs), tuple(outputs))
    return resolved.finished(model(robot, "transmission", optimised(graph), {"given": given}))


def _from_joints(robot: Robot, drive: Transmission) -> tuple[Sequence[Array], list[Array]]:
    inputs = [array for array in state_inputs(robot, ("q", "qd", "tau")) if array.name in ("q", "qd", "tau")]
    base = robot.nv - len(robot.moving)
    speeds, torques = (array.entries[base:] for array in inputs[1:])
    positions = inputs[0].entries[robot.nq - len(robot.moving) :]
    outputs = [vector("q_m", times(drive.inverse, positions)), vector("qd_m", times(drive.inverse, speeds))]
    return inputs, outputs + motor_arrays(robot, drive, torques)


def _from_motors(robot: Robot, drive: Transmission, given: str) -> tuple[Sequence[Array], list[Array]]:
    names = ("q_m", "qd_m", TORQUES[given])
    inputs = [vector(name, [variable(f"{name}{j}") for j in robot.moving]) for name in names]
    positions, speeds, torques = (array.entries for array in inputs)
    for name in {"motors": (), "currents": ("KT",), "amplifiers": ("KT", "Ka")}[given]:
        constants = motor_constants(robot, name, required=True)
        torques = tuple(number(0) if c is None else x * c for x, c in zip(torques, constants, strict=True))
    outputs = [
        vector("q", times(drive.J, positions)),
        vector("qd", times(drive.J, speeds)),
        vector("tau", times(transposed(drive.inverse), torques)),
    ]
    return inputs, outputs


# --- limits ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class DriveLimits:
    """What the motors can do, in the order of q: infinite where it is not limited or not known."""

    __repr__ = one_line

    torque: NDArray[np.float64]
    speed: NDArray[np.float64]
    current: NDArray[np.float64]


@validated
def motor_limits(robot: Robot) -> DriveLimits:
    """Limits of the motors: torque, velocity and current.

    The limits are comparable with ``tau_m``, ``qd_m`` and ``i`` of ``motor_torques`` and ``transmission``.

    Parameters
    ----------
    robot
        Robot.

    Returns
    -------
    DriveLimits
        Arrays ``torque``, ``speed`` and ``current`` in the order of ``qd``, infinite where there is no limit.
    """
    motors = [robot.frame(entry.frame).actuator.motor.limits for entry in speed_entries(robot)]
    named: dict[str, Any] = {
        name: np.array([np.inf if (x := getattr(one, name)) is None else x for one in motors], dtype=float)
        for name in ("torque", "speed", "current")
    }
    return DriveLimits(**named)
