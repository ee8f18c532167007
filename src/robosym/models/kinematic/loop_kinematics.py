"""``loop_kinematics``: velocities and accelerations of all joints from the actuated ones, and the constraint equations
(SYMORO+ 1997, section 4.5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ...generated import Model
from ...generated.checks import STATE, Check
from ...generated.declaration import declare
from ...generated.documentation.arrays import named_joints
from ...generated.documentation.case import Case
from ...generated.documentation.units import ACCELERATION, SPEED, moving
from ...program import Array, Scope, optimised
from ...program.documentation import Described, Entry
from ...robot import Robot
from ...robot.parts import Closure
from ...spatial.scalar import Scalar
from ..common import graph_of, has_loops, matrix, model, vector
from ..loops.equations import Equations, equations
from ..resolve import Near, resolve, with_loops
from ..tree.coordinates import Coordinates, coordinates
from ..tree.state import state_inputs

Output = Literal["all", "rates", "constraints"]


@dataclass(frozen=True, repr=False, kw_only=True)
class LoopKinematics(Model):
    """``f(q=..., qd=...)`` gives the matrices; the names say what their rows and columns are.

    ``rows`` are the equations of W_a and W_p: a cut joint and a component of the twist over it, in its frame. ``redundant``
    are those that follow from them and were left out.
    """

    driven_names: tuple[str, ...]
    passive_names: tuple[str, ...]
    cut_names: tuple[str, ...]
    joint_names: tuple[str, ...]
    rows: tuple[str, ...]
    redundant: tuple[str, ...]

    @property
    def mode(self) -> str:
        return str(self.options["mode"])


def _sized(about: str, rows: tuple[Entry, ...], columns: tuple[Entry, ...], case: Case) -> Described:
    """Rows and columns where they are as many as the array has."""
    fits = (len(rows), len(columns))[: len(case.shape)] == case.shape
    return Described(about, rows, columns) if fits else Described(f"{about}, in rad and m, of the driven joints too")


def _rates_in_words(case: Case) -> Described:
    about, whose = {
        "W": ("speeds of the passive joints of the tree: W qd", "passive_names"),
        "G": ("speeds of all joints of the tree: G qd", "joint_names"),
        "G_c": ("speeds of the cut joints: G_c qd", "cut_names"),
    }[case.array]
    return _sized(about, named_joints(case, whose, SPEED), moving(case.robot, SPEED), case)


def _drifts(case: Case) -> Described:
    about, whose = {
        "drift": ("accelerations of all joints of the tree without qdd", "joint_names"),
        "drift_c": ("accelerations of the cut joints without qdd", "cut_names"),
    }[case.array]
    return _sized(about, named_joints(case, whose, ACCELERATION), (), case)


CONSTRAINTS = {
    "W_a": "of W_a qd + W_p xd_p = 0, the relative velocities at the cut joints that must be zero: by the driven joints",
    "W_p": "of W_a qd + W_p xd_p = 0: by the passive joints of the tree",
    "W_ac": "of W_ac qd + W_pc xd_p + W_c xd_c = 0, which gives the speeds of the cut joints: by the driven joints",
    "W_pc": "of W_ac qd + W_pc xd_p + W_c xd_c = 0: by the passive joints of the tree",
    "W_c": "of W_ac qd + W_pc xd_p + W_c xd_c = 0: by the cut joints",
    "psi": "of W_a qdd + W_p xdd_p + psi = 0: what is there without accelerations",
    "phi": "of W_ac qdd + W_pc xdd_p + W_c xdd_c + phi = 0: what is there without accelerations",
}


def _constraint(case: Case) -> Described:
    unit = "m/s2 of the linear, rad/s2 of the angular components" if case.array in ("psi", "phi") else ""
    end = f", {unit}" if unit else ", in m/s (linear) and rad/s (angular components) per rad/s or m/s of the joint"
    return Described(f"{CONSTRAINTS[case.array]}, in the frames of the cut joints{end}")


@declare(
    title="Kinematics of the closed loops",
    family="kinematic",
    rank=100,
    inputs="q, qd",
    outputs="W, G, G_c, drift, drift_c, W_a, W_p, W_ac, W_pc, W_c, psi, phi",
    about="Kinematic constraints of closed loops: speeds xd_p of passive, xd_c of cut joints",
    arrays={
        **dict.fromkeys(("W", "G", "G_c"), _rates_in_words),
        **dict.fromkeys(("drift", "drift_c"), _drifts),
        **dict.fromkeys(CONSTRAINTS, _constraint),
    },
    available=has_loops,
    section="SYMORO+ 1997, section 4.5",
    checks=[Check(lambda task: task.tree_rates, STATE, value=lambda o, task: o["G"], note="G")],
)
def loop_kinematics(
    robot: Robot, *, output: Output = "all", mode: str | None = None, near: Near = None
) -> LoopKinematics:
    """Kinematic constraints of closed loops: velocities of all joints.

    Parameters
    ----------
    robot
        Robot with closed loops.
    output
        Matrices to return: "rates" (solved for the joints), "constraints" (the equations) or "all".
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. This model treats a parallel robot as
        closed loops, whose assembly modes have names of their own.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration).

    Returns
    -------
    LoopKinematics
        Inputs ``q`` and ``qd`` of the actuated joints. With x_p the passive and x_c the cut joints, "rates" gives

        - ``W`` (passive x actuated): passive joints, ``xd_p = W qd``;
        - ``G`` (tree x actuated): joints of the spanning tree in the order of ``joint_names``, ``xd = G qd``;
        - ``G_c`` (cut x actuated): cut joints, ``xd_c = G_c qd``;
        - ``drift`` and ``drift_c``: accelerations of these joints without ``qdd``, ``xdd = G qdd + drift``.

        "constraints" gives the matrices and vectors of the constraint equations, in the frames of the cut joints:

        - ``W_a qd + W_p xd_p = 0`` and ``W_ac qd + W_pc xd_p + W_c xd_c = 0``;
        - ``W_a qdd + W_p xdd_p + psi = 0`` and ``W_ac qdd + W_pc xdd_p + W_c xdd_c + phi = 0``.

        The order of ``joint_names`` is that of ``q`` of the equivalent tree. Closed-loop and parallel robots: status
        ``assembled`` is 1 where the state is possible, else 0 and the values are NaN. Loops closed by iteration add the
        input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    SYMORO+ 1997, section 4.5, equations 12 to 14, with ``W = -W_p^-1 W_a``. ``W_p`` is square: redundant equations are
    omitted and listed in ``redundant``.
    """
    resolved = resolve(with_loops(robot), mode, near)
    return resolved.finished(_kinematics(resolved.tree, output))


def _kinematics(robot: Robot, output: Output) -> LoopKinematics:
    """Of the assembled tree."""
    scope = Scope()
    own = equations(robot, scope)
    assert robot.closure is not None
    arrays = [] if output == "constraints" else _rates(robot.closure, own)
    if output != "rates":
        arrays += _constraints(own, coordinates(robot), scope)
    graph = graph_of(robot, "loop-kinematics", state_inputs(robot, ("q", "qd")), arrays, scope.names)
    driven, passive, cuts, joints = (_names(robot, frames) for frames in (own.driven, own.passive, own.cuts, own.tree))
    rows = own.names(robot, own.kept)
    program = optimised(graph).replace(notes=_notes(passive, cuts, joints, rows, output))
    made = model(robot, "loop-kinematics", program, {"output": output})
    return LoopKinematics(
        **{name: getattr(made, name) for name in made.__dataclass_fields__},
        driven_names=driven,
        passive_names=passive,
        cut_names=cuts,
        joint_names=joints,
        rows=rows,
        redundant=own.names(robot, own.released),
    )


def _notes(
    passive: Sequence[str], cuts: Sequence[str], joints: Sequence[str], rows: Sequence[str], output: Output
) -> tuple[str, ...]:
    """What the rows and columns are, for the head of generated source."""
    rates = {"Rows of W": passive, "Rows of G": joints, "Rows of G_c": cuts}
    constraints = {"Rows of W_a and W_p": rows, "Columns of W_p": passive, "Rows and columns of W_c": cuts}
    said = {**(rates if output != "constraints" else {}), **(constraints if output != "rates" else {})}
    return tuple(f"{what}: {', '.join(names) or 'none'}" for what, names in said.items())


def _names(robot: Robot, frames: Sequence[int]) -> tuple[str, ...]:
    return tuple(robot.frame(j).joint.name for j in frames)


def _rates(closure: Closure, own: Equations) -> list[Array]:
    """W, G and the drifts, from how the loops were solved."""
    n = len(own.driven)

    def row(j: int) -> list[Scalar]:
        if j in own.driven:
            return [int(j == i) for i in own.driven]
        found = dict(closure.rows[j])
        return [found.get(k, 0) for k in range(n)]

    def drifts(frames: Sequence[int]) -> list[Scalar]:
        return [closure.drifts.get(j, 0) for j in frames]

    return [
        matrix("W", [row(j) for j in own.passive], n),
        matrix("G", [row(j) for j in own.tree], n),
        matrix("G_c", [row(j) for j in own.cuts], n),
        vector("drift", drifts(own.tree)),
        vector("drift_c", drifts(own.cuts)),
    ]


def _constraints(own: Equations, joints: Coordinates, scope: Scope) -> list[Array]:
    """(12) and (14)."""
    speeds = joint_speeds(own, joints, scope)
    drifts = own.drifts(speeds, scope)
    found = []
    for rows, names in ((own.kept, ("W_a", "W_p")), (own.cut_rows, ("W_ac", "W_pc"))):
        for name, frames in zip(names, (own.driven, own.passive), strict=True):
            found.append(matrix(name, own.matrix(rows, frames), len(frames)))
    found.append(matrix("W_c", own.matrix(own.cut_rows, own.cuts), len(own.cuts)))
    found.append(vector("psi", [drifts[i] for i in own.kept]))
    found.append(vector("phi", [drifts[i] for i in own.cut_rows]))
    return found


def joint_speeds(own: Equations, joints: Coordinates, scope: Scope) -> Mapping[int, Scalar]:
    """Of all joints around the loops."""
    return {
        j: joints.speed(j) if j in own.driven else scope.scalar("QP", j, joints.speed(j))
        for j in (*own.tree, *own.cuts)
    }
