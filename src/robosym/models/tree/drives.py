"""Motors and joints: the transmission q = J q_m, and what the rotors are to the joints (Khalil, course 2014, 7.3.5, 7.3.7).

J is 1/N on the diagonal for a joint with a motor of its own, N its reduction, and the matrix of the coupling for joints that
several motors move. The rotors have the energy 1/2 qd_m^T Jm qd_m, which is 1/2 qd^T (J^-T Jm J^-1) qd: N^2 Jm for one joint
[7.29], and a full matrix over coupled ones. As they turn with their joint only, this is all there is; rotors that moving links
carry along have gyroscopic torques too (``rotors.py``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ...expr import Expr, expr, number, step
from ...program import Array, Unmarked
from ...robot import Coupling, Robot, RobotError
from ...robot.joint_entries import speed_entries
from ...robot.problems import Problem
from ...spatial.minors import Minors
from ...spatial.scalar import Scalar
from ..common import vector

Matrix = list[list[Expr]]
ZERO, ONE = number(0), number(1)


@dataclass(frozen=True)
class Transmission:
    """J and its inverse for the joints that are coordinates, in the order of q (without a free base)."""

    J: Matrix
    inverse: Matrix


def transmission_of(robot: Robot) -> Transmission:
    frames = [entry.frame for entry in speed_entries(robot)]
    places = {j: place for place, j in enumerate(frames)}
    n = len(frames)
    J, inverse = ([[ZERO] * n for _ in range(n)] for _ in range(2))
    for k, j in enumerate(frames):
        N = robot.frame(j).actuator.ratio
        J[k][k], inverse[k][k] = (ONE, ONE) if N is None else (1 / N, N)
    for coupling in robot.couplings:
        _place(J, [places[j] for j in coupling.frames], coupling.matrix)
        _place(inverse, [places[j] for j in coupling.frames], inverse_of(coupling))
    return Transmission(J, inverse)


def _place(matrix: Matrix, places: Sequence[int], part: Sequence[Sequence[Expr]]) -> None:
    for i, row in zip(places, part, strict=True):
        for k, entry in zip(places, row, strict=True):
            matrix[i][k] = entry


def inverse_of(coupling: Coupling) -> Matrix:
    """J^-1 by cofactors: nothing is divided by but the determinant, which a coupling has."""
    minors = Minors(coupling.matrix, Unmarked())
    n, determinant = len(coupling.frames), expr(minors.determinant)
    return [[expr(minors.cofactor(k, i)) / determinant for k in range(n)] for i in range(n)]


def motor_speed(robot: Robot, j: int) -> dict[int, Expr]:
    """The row of J^-1 of the motor of frame j: its speed as a combination of those of joints, by their frames."""
    for coupling in robot.couplings:
        if j in coupling.frames:
            row = inverse_of(coupling)[coupling.frames.index(j)]
            return dict(zip(coupling.frames, row, strict=True))
    N = robot.frame(j).actuator.ratio
    return {j: ONE if N is None else N}


def times(matrix: Matrix, vector: Sequence[Scalar]) -> list[Expr]:
    """M x."""
    return [sum((entry * x for entry, x in zip(row, vector, strict=True)), ZERO) for row in matrix]


def transposed(matrix: Matrix) -> Matrix:
    return [list(column) for column in zip(*matrix, strict=True)]


# --- torques, currents and amplifiers ----------------------------------------------------------------------------------


def motor_arrays(robot: Robot, drive: Transmission, torques: Sequence[Expr]) -> list[Array]:
    """tau_m of the joints' torques, and the currents and inputs of the amplifiers where the motors' constants are known."""
    values = [step(x) for x in times(transposed(drive.J), torques)]
    found = [vector("tau_m", values)]
    for name, constant in (("i", "KT"), ("u", "Ka")):
        constants = motor_constants(robot, constant)
        if not constants:
            break
        values = [ZERO if c is None else x / c for x, c in zip(values, constants, strict=True)]
        found.append(vector(name, values))
    return found


def motor_constants(robot: Robot, name: str, required: bool = False) -> list[Expr | None]:
    """KT or Ka of every motor, None for a joint that has none; an empty list if no motor has such a constant."""
    driven = [j for j in robot.moving if robot.frame(j).joint.active]
    found = [getattr(robot.frame(j).actuator.motor, name) if j in driven else None for j in robot.moving]
    missing = [j for j in driven if getattr(robot.frame(j).actuator.motor, name) is None]
    if missing and (required or len(missing) < len(driven)):
        what = {"KT": "the torque constant of the motor", "Ka": "the gain of the amplifier"}[name]
        problems = [Problem(f"frame {j}, motor {name}", f"expected {what}") for j in missing]
        raise RobotError(problems, robot.name)
    return [] if missing else found


# --- friction on the shafts of motors -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shaft:
    """A motor whose shaft has friction: its speed is that of the joints times the row of J^-1, by frame."""

    motor: int
    row: Mapping[int, Expr]
    viscous: Expr
    coulomb: Expr
    width: Expr | None = None  # of the smooth variant, as a speed of the motor's own joint

    @property
    def own(self) -> Expr:
        """Turns of the motor for one of its own joint (or of the first that it turns with)."""
        return self.row.get(self.motor, next(iter(self.row.values())))


def shafts_of(robot: Robot) -> tuple[Shaft, ...]:
    """The motors that have friction of their own."""
    rows: dict[int, dict[int, Expr]] = {}
    for coupling in robot.couplings:
        for m, entries in zip(coupling.frames, inverse_of(coupling), strict=True):
            rows[m] = {j: x for j, x in zip(coupling.frames, entries, strict=True) if not x.is_zero}
    found = []
    for j, frame in enumerate(robot.frames, 1):
        motor, N = frame.actuator.motor, frame.actuator.ratio
        if not (motor.Fv.is_zero and motor.Fs.is_zero):
            row = rows.get(j, {j: ONE if N is None else N})
            found.append(Shaft(j, row, motor.Fv, motor.Fs, frame.actuator.friction.width))
    return tuple(found)


# --- rotors ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rotors:
    """The inertia of the rotors on the side of the joints, by frame: of one joint each, and between two of them."""

    own: Mapping[int, Expr]
    coupled: tuple[tuple[tuple[int, int], Expr], ...] = ()  # each pair once


def rotors_of(robot: Robot, spinning: Collection[int] = ()) -> Rotors:
    """Ia + N^2 Jm [7.29], with J^-T Jm J^-1 for coupled joints. In base parameters Ia holds all but what couples joints.

    Without the ``spinning`` ones, by the frames of their motors: they are bodies of their own.
    """
    own = {j: frame.actuator.Ia for j, frame in enumerate(robot.frames, 1)}
    between: dict[tuple[int, int], Expr] = {}
    referred = robot.regrouping is not None and robot.regrouping.referred
    in_couplings = {j for coupling in robot.couplings for j in coupling.frames}
    for j, frame in enumerate(robot.frames, 1):
        N, Jm = frame.actuator.ratio, frame.actuator.motor.Jm
        if not (referred or j in in_couplings or j in spinning or Jm.is_zero):
            own[j] = own[j] + (Jm if N is None else N**2 * Jm)
    for coupling in robot.couplings:
        for pair, entry in _coupled(robot, coupling, spinning).items():
            if pair[0] != pair[1]:
                between[pair] = entry
            elif not referred:
                own[pair[0]] = own[pair[0]] + entry
    return Rotors(own, tuple((pair, entry) for pair, entry in between.items() if not entry.is_zero))


def _coupled(robot: Robot, coupling: Coupling, spinning: Collection[int]) -> dict[tuple[int, int], Expr]:
    """J^-T Jm J^-1, each pair of joints once."""
    inverse = inverse_of(coupling)
    found: dict[tuple[int, int], Expr] = {}
    for a, i in enumerate(coupling.frames):
        for b, j in enumerate(coupling.frames[: a + 1]):
            motors = (
                robot.frame(m).actuator.motor.Jm * row[a] * row[b]
                for m, row in zip(coupling.frames, inverse, strict=True)
                if m not in spinning
            )
            found[j, i] = sum(motors, ZERO)
    return found
