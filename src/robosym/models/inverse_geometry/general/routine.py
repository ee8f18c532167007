"""The general method as a ``Routine``, so that every language prints it: elimination, eigenvalues, Newton.

The numbers of the arm (set up by ``solver.Plan``) are constants in the code. For each elimination: the pencil A x + B of the pose,
the eigenvalues of B^-1 A, and for each that is nearly real its eigenvector, the joints it means, and the iteration of
``special_poses`` to the pose. A spare elimination runs where the result looks incomplete, as in ``solver.py``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....errors import RobosymError
from ....expr import (
    Expr,
    absolute,
    atan2,
    cos,
    expr,
    floor,
    log,
    logical_and,
    logical_or,
    maximum,
    number,
    select,
    sin,
)
from ....program import Program
from ....program.routine import Each, Emit, Kernel, Routine, Run, Slot, Stage, When
from ....robot import PRISMATIC
from ..special_poses.expression_arrays import numeric_stages, program_of
from ..special_poses.iteration import Iteration, measures
from ..special_poses.stages import SAME, special_stages
from .arm import JOINTS
from .invariants import ONE, PL, PP, PXL, SIZE, L, P, W
from .labelling import inverse
from .roots import REAL, Elimination
from .solver import MOST, GeneralSolver, Plan

Entries = NDArray[Any]  # expressions and numbers
TINY = 1e-15  # a constant below this is rounding


def general_routine(solver: GeneralSolver, parameters: Mapping[str, float] | None = None) -> Routine:
    """The routine of an arm with the robot's values, or those given in their place."""
    robot, chain = solver.robot, solver.chain
    notes = (
        f"all solutions of the inverse geometric model of {robot.name}",
        "Method: general (Raghavan and Roth 1993): elimination, eigenvalues of a matrix, Levenberg and Marquardt.",
        "Every solution is checked by forward geometry. Angles are in radians, between -pi and pi; joint limits are not",
        "looked at; of a self-motion, at a singular pose, the position nearest to zero is given.",
    )
    turns = tuple(not joint.prismatic for joint in chain.joints)
    return Routine(
        robot.name,
        (Slot("T", (4, 4)),),
        general_stages(solver, parameters),
        MOST,
        turns,
        same=SAME,
        units=chain.units,
        columns=tuple(f"{joint.name}{' (a length)' if joint.prismatic else ''}" for joint in chain.joints),
        notes=notes,
    )


def general_stages(
    solver: GeneralSolver, parameters: Mapping[str, float] | None = None, seeded: bool = False
) -> tuple[Stage, ...]:
    """Every elimination at the pose; those that are spare, where the result looks incomplete; and where two solutions
    meet or the arm can move with its frame at rest, all of them at the neighbours of the pose."""
    plan, chain = solver.plan(parameters), solver.chain
    strategy = plan.strategy
    methods = [method for method in (*strategy.always, *strategy.spare) if isinstance(method, Elimination)]
    if not methods:
        raise RobosymError(f"{solver.robot.name}: with three prismatic joints there is no elimination to print")
    parts = [_Parts(_pencil(method), _chosen(method), _joints(plan, method), method.pencil.size) for method in methods]
    made = Iteration(chain, "pose")
    found = (
        Run(made.scaled()),
        made.iteration("x"),
        Run(made.checked()),
        Run(made.slack()),
        Run(_judged(plan), {"doubt_now": "doubt"}),
        Emit("q", "firm"),
    )
    stages: list[Stage] = [Run(_start(plan)), Run(measures(chain, "pose"))]
    for k, part in enumerate(parts):
        one = _elimination(part, found)
        stages += one if k < len(strategy.always) else [Run(_incomplete(plan)), When("again", tuple(one))]

    def candidates(refine: tuple[Stage, ...]) -> list[Stage]:
        near = [stage for part in parts for stage in _elimination(part, refine)]
        return [Run(_start(plan), {"T": "Y", "doubt": "doubt_there"}), *near]

    special = When("special", special_stages(chain, "pose", candidates, seeded))
    return numeric_stages((*stages, Run(_special()), special), solver.numbers(parameters))


class _Parts(NamedTuple):
    """The programs of an elimination, and the size of its matrices."""

    pencil: Program
    chosen: Program
    joints: Program
    size: int


def _elimination(part: _Parts, found: tuple[Stage, ...]) -> list[Stage]:
    """The stages of one elimination, on the reduced pose X, and of what is done with each candidate ``row``."""
    n = part.size
    rows = (Kernel("eigenvector", (f"M{n}", "root"), (f"v{n}",)), Run(part.joints), *found)
    return [
        Run(part.pencil),
        Kernel("solve", (f"B{n}", f"A{n}"), (f"M{n}",)),
        Kernel("eigenvalues", (f"M{n}",), (f"roots{n}",)),
        Each(f"roots{n}", "root", (Run(part.chosen), When("near", rows))),
    ]


# --- programs --------------------------------------------------------------------------------------------------------


def _start(plan: Plan) -> Program:
    """The pose in units of the arm, without base and tool; no doubt yet."""

    def body(T: Entries) -> dict[str, Any]:
        X = _clean(inverse(plan.whole.constants[0])) @ _rigid(T) @ _clean(inverse(plan.whole.constants[-1]))
        X = X[:3].copy()
        X[:, 3] = X[:, 3] * (1 / plan.whole.length)
        return {"X": X, "doubt": number(0)}

    return program_of("start", {"T": (4, 4)}, body)


def _incomplete(plan: Plan) -> Program:
    """Whether the result looks incomplete, so that a spare elimination is run."""

    def body(count: Expr, doubt: Expr) -> dict[str, Any]:
        return {"again": logical_or(logical_or(_is_odd(count), doubt), count < plan.usual)}

    return program_of("incomplete", {"count": (), "doubt": ()}, body)


def _special() -> Program:
    """Whether two solutions may meet, or the arm may move with its frame at rest."""

    def body(count: Expr, doubt: Expr) -> dict[str, Any]:
        return {"special": logical_or(_is_odd(count), doubt)}

    return program_of("special", {"count": (), "doubt": ()}, body)


def _is_odd(count: Expr) -> Expr:
    return count - 2 * floor(count / 2) > 0.5


def _pencil(method: Elimination) -> Program:
    made = method.pencil
    n = made.size

    def body(X: Entries) -> dict[str, Any]:
        features = (_representation(_gap(method, X)) @ _clean(made.vectors)).ravel()
        A, B = (
            ((features @ _clean(part)).reshape(n, n) + _clean(rest))
            for part, rest in ((made.A, made.A0), (made.B, made.B0))
        )
        return {f"A{n}": A, f"B{n}": B}

    return program_of("pencil", {"X": (3, 4)}, body)


def _chosen(method: Elimination) -> Program:
    """The hidden angle phi + pi + 2 atan(root), and whether it is real or nearly so."""

    def body(root: Entries) -> dict[str, Any]:
        a, b = root
        above, below = a * a + (1 + b) * (1 + b), a * a + (1 - b) * (1 - b)
        imaginary = log(maximum(above, 1e-300) / maximum(below, 1e-300)) / 2
        angle = method.phi + math.pi + atan2(2 * a, 1 - a * a - b * b)
        near = logical_and(b >= 0, imaginary <= method.real)
        sure = logical_and(near, imaginary < REAL)
        if method.pencil.infinite:
            sure = logical_and(sure, absolute(cos((angle - method.phi) / 2)) > 1e-5)
        return {"near": near, "sure": sure, "hidden": angle}

    return program_of("chosen", {"root": (2,)}, body)


def _joints(plan: Plan, method: Elimination) -> Program:
    """All six joints from the hidden one and the monomials of joints 4 and 5 (``Elimination._joints``)."""
    arm, labelling, n = method.arm, method.labelling, method.pencil.size
    kinds = labelling.kinds(arm)

    def body(X: Entries, hidden: Expr, **v: Entries) -> dict[str, Any]:
        gaps: list[Entries] = [_gap(method, X) if gap is None else _clean(gap) for gap in labelling.gaps(arm.constants)]
        q3 = hidden
        q4, q5 = _unknowns(method, v[f"v{n}"], kinds)
        left = _product([_motion(kinds[i], q) @ gaps[i] for i, q in ((2, q3), (3, q4), (4, q5))])
        q1, q2 = _eliminated(method, left, kinds)
        right = _product([gaps[5], _motion(kinds[0], q1), gaps[0], _motion(kinds[1], q2), gaps[1]])
        last = _inverse(right @ left)  # J6
        q6 = _angle(last[1, 0] - last[0, 1], last[0, 0] + last[1, 1])
        sign = -1 if labelling.reverse else 1
        q: dict[int, Expr] = dict(zip(labelling.order, (q1, q2, q3, q4, q5, q6), strict=True))
        units = [plan.whole.length if kind == PRISMATIC else 1 for kind in plan.arm.kinds]
        return {"row": [int(sign * arm.signs[j]) * q[j] * units[j] for j in range(JOINTS)]}

    return program_of("joints", {"X": (3, 4), "hidden": (), f"v{n}": (n,)}, body)


def _unknowns(method: Elimination, v: Entries, kinds: Sequence[int]) -> list[Expr]:
    """Joints 4 and 5: v / u from all pairs of monomials that differ by v / u."""
    made = method.pencil
    weights = [math.sqrt(math.comb(made.degrees[0], a) * math.comb(made.degrees[1], b)) for a, b in made.monomials]
    plain = {key: v[i] * (1 / weight) for i, (key, weight) in enumerate(zip(made.monomials, weights, strict=True))}
    found = []
    for i, (da, db) in enumerate(((1, 0), (0, 1))):
        pairs = [(plain[a, b], plain[a + da, b + db]) for a, b in made.monomials if (a + da, b + db) in plain]
        uu, uv, vv = (_sum(x * y for x, y in zip(*one, strict=True)) for one in _squares(pairs))
        prismatic = kinds[3 + i] == PRISMATIC
        found.append(uv / maximum(uu, 1e-300) if prismatic else _angle(2 * uv, uu - vv))
    return found


def _squares(pairs: Sequence[tuple[Expr, Expr]]) -> list[tuple[list[Expr], list[Expr]]]:
    u, v = [a for a, _ in pairs], [b for _, b in pairs]
    return [(u, u), (u, v), (v, v)]


def _eliminated(method: Elimination, left: Entries, kinds: Sequence[int]) -> tuple[Expr, Expr]:
    """Joints 1 and 2 from their monomials, which the left side's invariants give linearly."""
    p, l = left[:3, 3], left[:3, 2]
    pp, pl = p @ p, p @ l
    f = np.array([*p, *l, pp, pl, *_cross(p, l), *(pp * l - 2 * pl * p), number(1)], dtype=object)
    terms = [number(1), *(_clean(method.side.inverse) @ (f - _clean(method.side.constant)))]
    present = np.array(method.side.present).reshape(3, 3)
    table = np.array(terms, dtype=object).reshape(3, 3)
    return -_position(kinds[0], table.T, present.T), -_position(kinds[1], table, present)


def _position(kind: int, table: Entries, present: NDArray[Any]) -> Expr:
    one, first, second = (table[i] * present[i].astype(int) for i in range(3))
    if kind != PRISMATIC:
        return _angle(one @ second, one @ first)
    return expr((one @ first) / maximum(one @ (one * present[1].astype(int)), 1e-300))


def _judged(plan: Plan) -> Program:
    """What is a solution that no other is near to. Another one, or a real root that led nowhere where the elimination is
    regular, casts doubt on the pose."""

    def body(doubt: Expr, sure: Expr, ok: Expr, arrived: Expr, slack: Expr) -> dict[str, Any]:
        firm = logical_and(logical_and(ok, arrived), 1 - slack)
        lost = sure if plan.strategy.regular else number(0)
        return {"firm": firm, "doubt_now": maximum(doubt, select(ok, slack, lost))}

    return program_of("judged", {"doubt": (), "sure": (), "ok": (), "arrived": (), "slack": ()}, body)


# --- matrices of expressions -----------------------------------------------------------------------------------------


def _clean(constants: Any) -> Entries:
    """Constants as objects, rounding errors made zero."""
    exact: Entries = np.array([_tidy(x) for x in np.ravel(constants)], dtype=object).reshape(np.shape(constants))
    return exact


def _tidy(x: float) -> Expr:
    nearest = round(x)
    return number(nearest if abs(x - nearest) < TINY else float(x))


def _rigid(rows: Entries) -> Entries:
    return np.vstack([rows[:3], _clean([[0, 0, 0, 1]])])


def _gap(method: Elimination, X: Entries) -> Entries:
    """The constant matrix that stands for the pose; the reduced arm has neither base nor tool."""
    return _rigid(X) if method.labelling.reverse else _inverse(_rigid(X))


def _inverse(motion: Entries) -> Entries:
    R = motion[:3, :3].T
    return _rigid(np.column_stack([R, -(R @ motion[:3, 3])]))


def _product(matrices: Sequence[Entries]) -> Entries:
    return reduce(np.matmul, matrices)


def _motion(kind: int, q: Expr) -> Entries:
    motion = _clean(np.eye(4))
    if kind == PRISMATIC:
        motion[2, 3] = q
    else:
        motion[0, 0], motion[0, 1], motion[1, 0], motion[1, 1] = cos(q), -sin(q), sin(q), cos(q)
    return motion


def _representation(motion: Entries) -> Entries:
    """rho of a rigid motion on the fifteen invariants of a line (``invariants.representation``)."""
    R, t = motion[:3, :3], motion[:3, 3]
    tt = t @ t
    cross = np.array([[0, -t[2], t[1]], [t[2], 0, -t[0]], [-t[1], t[0], 0]], dtype=object)
    rho = _clean(np.zeros((SIZE, SIZE)))
    for block in (P, L, PXL, W):
        rho[block, block] = R
    rho[PP, PP] = rho[PL, PL] = rho[ONE, ONE] = number(1)
    rho[P, ONE], rho[PP, ONE] = t, tt
    rho[PP, P], rho[PL, L] = 2 * (t @ R), t @ R
    rho[PXL, L], rho[W, PXL] = cross @ R, -2 * (cross @ R)
    rho[W, L], rho[W, PL] = tt * R - 2 * np.outer(t, t @ R), -2 * t
    return rho


def _cross(a: Entries, b: Entries) -> Entries:
    found = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    return np.array(found, dtype=object)


def _angle(sine: Any, cosine: Any) -> Expr:
    return atan2(expr(sine), expr(cosine))


def _sum(terms: Any) -> Expr:
    return expr(sum(terms, number(0)))
