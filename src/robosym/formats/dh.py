"""Standard (distal) Denavit-Hartenberg tables, as ROBMAT's DefineManipulator takes them, converted exactly.

Standard frame i sits at the far end of link i (ROBMAT 1994, section 2.4):

    A_i = Rz(theta_i) Tz(d_i) Tx(l_i) Rx(alpha_i)

Modified frame j has its z axis on joint j. Tx and Rx commute, so regrouping the same product gives

    A_1 ... A_n = [Rz(theta_1) Tz(d_1)] [Rx(alpha_1) Tx(l_1) Rz(theta_2) Tz(d_2)] ... [Rx(alpha_n) Tx(l_n)]

that is alpha_j = alpha_{j-1}, d_j = l_{j-1}, theta_j, r_j = d_j of the standard table, and a fixed frame at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from ..expr import Expr, cos, number, sin, variable
from ..robot import FIXED, INERTIA, PRISMATIC, REVOLUTE, Frame, Joint, Link, Robot, Value
from ..robot.angles import as_meant
from ..robot.checks import checked
from ..robot.entries import Entries, shown
from ..robot.parts import ZERO, Vector3

Matrix3 = tuple[Vector3, Vector3, Vector3]
ROW = "(type, l, alpha, d or theta[, mass[, inertia 3 x 3][, centre of mass]])"


class StandardRow(NamedTuple):
    """One link of a standard table. ``fixed`` is d of a revolute joint, theta of a prismatic one."""

    sigma: int
    l: Expr
    alpha: Expr
    fixed: Expr
    mass: Expr
    inertia: Matrix3  # about the centre of mass, axes of standard frame i
    centre: Vector3  # in standard frame i


def from_standard_dh(
    name: str,
    rows: Sequence[Sequence[Any]],
    *,
    variables: Sequence[str] | None = None,
    gravity: Sequence[Any] = (0, 0, "G3"),
    values: Mapping[str, float] | None = None,
    tool: str = "tool",
) -> Robot:
    """The robot of a standard DH table: one row ("R" or "P", l, alpha, d or theta, mass, inertia, centre) a link.

    Mass, inertia and centre may be left out, as in ROBMAT: a point mass at the origin of the link's standard frame.
    Entries are numbers or expressions as text. The last standard frame is the fixed frame ``tool``; it is left out when
    it is the last joint's frame anyway.

    >>> from_standard_dh("double-pendulum", [("R", "L1", 0, 0, "M1"), ("R", "L2", 0, 0, "M2")]).frame(2).d
    L1
    """
    names = [f"q{j}" for j in range(1, len(rows) + 1)] if variables is None else list(variables)
    entries = Entries(names)
    if len(names) != len(rows):
        entries.problem("variables", f"expected {len(rows)} names, one for each row, got {len(names)}")
        names = [f"q{j}" for j in range(1, len(rows) + 1)]
    if not rows:
        entries.problem("frames", "expected at least one frame, found none")
    table = [_row(entries, j, row) for j, row in enumerate(rows, 1)]
    alpha = d = ZERO
    frames: list[Frame] = []
    for j, (row, own) in enumerate(zip(table, map(variable, names), strict=True), 1):
        theta, r = (own, row.fixed) if row.sigma == REVOLUTE else (row.fixed, own)
        joint = Joint(own.name, own)
        frames.append(Frame(f"frame{j}", j - 1, joint, row.sigma, ZERO, ZERO, alpha, d, theta, r, _link(row)))
        alpha, d = row.alpha, row.l
    if not (alpha.is_zero and d.is_zero):
        frames.append(Frame(tool, len(frames), Joint(f"{tool}_joint"), FIXED, alpha=alpha, d=d))
    robot = Robot(
        name,
        tuple(frames),
        gravity=cast(Vector3, entries.vector("gravity", gravity, (ZERO, ZERO, ZERO))),
        values={key: Value(value) for key, value in (values or {}).items()},
    )
    return checked(as_meant(robot), name, entries.problems)


def _row(entries: Entries, j: int, raw: Sequence[Any]) -> StandardRow:
    where = f"frame {j}"
    if isinstance(raw, str) or not isinstance(raw, Sequence) or not 4 <= len(raw) <= 7:
        entries.problem(where, f"expected {ROW}, got {shown(raw)}")
        raw = ("R", 0, 0, 0)
    kind, l, alpha, fixed, *body = raw
    sigma = {"R": REVOLUTE, "P": PRISMATIC}.get(kind, -1) if isinstance(kind, str) else -1
    if sigma < 0:
        entries.problem(f"{where}, type", f"expected 'R' or 'P', got {shown(kind)}")
        sigma = REVOLUTE
    mass = body.pop(0) if body else 0
    inertia = body.pop(0) if body and _is_matrix(body[0]) else [[0] * 3] * 3
    centre = body.pop(0) if body else [0] * 3
    if body:
        entries.problem(where, f"expected {ROW}: the sixth of seven entries is a 3 x 3 matrix")
    tensor = [entries.vector(f"{where}, inertia", _listed(line), (ZERO, ZERO, ZERO)) for line in inertia]
    if any(tensor[i][k] is not tensor[k][i] for i, k in ((0, 1), (0, 2), (1, 2))):
        entries.problem(f"{where}, inertia", "the inertia matrix is not symmetric")
    return StandardRow(
        sigma,
        entries.expression(f"{where}, l", l, ZERO),
        entries.expression(f"{where}, alpha", alpha, ZERO),
        entries.expression(f"{where}, {'d' if sigma == REVOLUTE else 'theta'}", fixed, ZERO),
        entries.expression(f"{where}, mass", mass, ZERO),
        cast(Matrix3, tuple(tensor)),
        cast(Vector3, entries.vector(f"{where}, centre", _listed(centre), (ZERO, ZERO, ZERO))),
    )


def _is_matrix(raw: Any) -> bool:
    lines = _listed(raw)
    return isinstance(lines, list) and len(lines) == 3 and all(isinstance(_listed(line), list) for line in lines)


def _listed(raw: Any) -> Any:
    """A tuple, array or other row of entries as a list; anything else as it is."""
    return list(raw) if hasattr(raw, "__len__") and not isinstance(raw, str) else raw


def _link(row: StandardRow) -> Link:
    """The ten parameters about modified frame j, from those about the centre of mass in standard frame j.

    The standard frame is Tx(l) Rx(alpha) from the modified one, so the centre is c = l x + Rx(alpha) s, and
    J = Rx I Rx^T + M (c.c 1 - c c^T).
    """
    C, S = cos(row.alpha), sin(row.alpha)
    R: list[list[Expr]] = [[number(1), ZERO, ZERO], [ZERO, C, -S], [ZERO, S, C]]
    axes = range(3)
    c = [sum((R[i][k] * row.centre[k] for k in axes), row.l if i == 0 else ZERO) for i in axes]
    square = sum((x * x for x in c), ZERO)

    def J(i: int, k: int) -> Expr:
        turned = sum((R[i][m] * row.inertia[m][n] * R[k][n] for m in axes for n in axes), ZERO)
        return turned + row.mass * ((square if i == k else ZERO) - c[i] * c[k])

    tensor = [J(i, k) for i, k in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))]
    inertial: dict[str, Any] = dict(zip(INERTIA, (*tensor, *(row.mass * x for x in c), row.mass), strict=True))
    return Link(**inertial)
