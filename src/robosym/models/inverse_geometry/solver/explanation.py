"""A solver in words: the chain, the moves in their order, the branches, the special cases."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ....expr import VARIABLE, Expr, expr, free_symbols
from ....expr.algebra import power_product, split_coefficient
from ....expr.node import PROD
from ....expr.text import readable
from ..chain.chain import Chain
from ..closed_form.derivation import ClosedForm
from ..closed_form.equation_types import Move

if TYPE_CHECKING:
    from .inverse_geometric import InverseGeometric

# The types of ``closed_form.equation_types`` in words, and how many values they give.
KINDS = {
    "length": ("X r + Z = 0", "one value"),
    "square": ("A r^2 + B r + C = 0", "two values"),
    "one angle": ("X S + Y C + Z = 0", "two values"),
    "two": ("X1 S + Y1 C + Z1 = 0, X2 S + Y2 C + Z2 = 0", "one value"),
    "quartic": ("A0 + A1 C + A2 S + A3 C^2 + A4 C S = 0", "up to four values"),
}
METHODS = {
    "paul": "closed form by Paul's method",
    "pieper": "closed form by Pieper's method",
    "general": "general method, by numbers",
}
TASKS = {"pose": "the whole pose", "position": "the position alone"}


def explain(solver: InverseGeometric) -> str:
    """The derivation, a few lines a joint."""
    chain = solver.chain
    frame = chain.robot.frame(solver.frame).name
    lines = [
        f"{solver.robot.name}: inverse geometric model of frame '{frame}', {TASKS[solver.task]}",
        f"{METHODS[solver.method]}, up to {solver.branches} solutions",
        f"chain: {chain_text(chain)}",
        *(f"given: {name}" for name in solver.given),
        *(one.text(chain) for one in solver.features),
    ]
    if solver.closed_form is None:
        return "\n".join([*lines, "", *GENERAL, ""])
    lines += ["", *notation(chain), ""]
    for k, move in enumerate(solver.closed_form.plan.moves, 1):
        lines += move_lines(chain, k, move)
    factors = " x ".join(str(move.branches) for move in solver.closed_form.plan.moves)
    total = math.prod(move.branches for move in solver.closed_form.plan.moves)
    left = "" if total == solver.branches else f" values, of which {solver.branches} are branches of their own"
    lines += [
        "",
        f"branches: {factors} = {total}{left}",
        f"operations for all of them: {solver.closed_form.program.operations}",
    ]
    special = special_cases(solver)
    lines += ["", "special cases:", *(f"   {one}" for one in special)] if special else []
    return "\n".join([*lines, ""])


GENERAL = (
    "Five of the six joints are eliminated (Raghavan and Roth 1993): what is left is an eigenvalue problem in the",
    "half-angle tangent of one joint, of degree 16 at most. Its real eigenvalues give the other joints by linear",
    "equations, and Levenberg and Marquardt's iteration removes what rounding has left.",
)


def as_dict(solver: InverseGeometric) -> dict[str, Any]:
    """The same facts as data."""
    moves = solver.closed_form.plan.moves if solver.closed_form is not None else ()
    return {
        "robot": solver.robot.name,
        "frame": solver.chain.robot.frame(solver.frame).name,
        "method": solver.method,
        "task": solver.task,
        "joint_names": list(solver.joint_names),
        "given": list(solver.given),
        "groups": [[joint.name for joint in group.joints] for group in solver.chain.groups],
        "features": [one.text(solver.chain) for one in solver.features],
        "moves": [_move_as_dict(solver.chain, move) for move in moves],
        "branches": solver.most,
        "special_cases": special_cases(solver),
    }


def chain_text(chain: Chain) -> str:
    """The joints, those with parallel axes in brackets."""
    groups = [", ".join(joint.name for joint in group.joints) for group in chain.groups]
    return ", ".join(
        f"({one})" if len(group.joints) > 1 else one for one, group in zip(groups, chain.groups, strict=True)
    )


def notation(chain: Chain) -> list[str]:
    lines = ["T = [s n a P] is the pose; Sj and Cj are the sine and cosine of the angle of joint j, rj its length."]
    for group in chain.groups:
        turning = [joint.number for joint in group.joints if not joint.prismatic]
        for k, j in enumerate(turning[1:], 2):
            sum_ = " + ".join(str(i) for i in turning[:k])
            lines.append(f"S{j} and C{j} are those of the sum of the angles {sum_}: their axes are parallel.")
    return [*lines, "A joint that is known is written with a line: S_1, C_1, r_3."]


def _name(chain: Chain, move: Move) -> str:
    return chain.joints[int(move.joint) - 1].name


def _values(move: Move) -> str:
    if move.kind == "one angle" and move.coefficients[2].is_zero:
        return "two values, half a turn apart"
    return KINDS[move.kind][1]


def move_lines(chain: Chain, k: int, move: Move) -> list[str]:
    source = ";  ".join(move.sources)
    head = f"{k}. {_name(chain, move)} (joint {move.joint}): {move.kind}, {KINDS[move.kind][0]}: {_values(move)}"
    return [head, f"   from {source}", *(f"   {one.strip()}" for one in move.equation.split(";"))]


def _move_as_dict(chain: Chain, move: Move) -> dict[str, Any]:
    return {
        "joint": _name(chain, move),
        "number": int(move.joint),
        "type": move.kind,
        "form": KINDS[move.kind][0],
        "values": move.branches,
        "from": list(move.sources),
        "equations": [one.strip() for one in move.equation.split(";")],
    }


def special_cases(solver: InverseGeometric) -> list[str]:
    """Where an equation leaves its joint free: where all that multiplies it vanishes."""
    found = []
    for move in solver.closed_form.plan.moves if solver.closed_form is not None else ():
        conditions = _vanishing(move)
        if conditions:
            where = " and ".join(f"{readable(one)} = 0" for one in conditions)
            found.append(f"the equation of {_name(solver.chain, move)} leaves it free where {where}")
    return found


def _vanishing(move: Move) -> list[Expr]:
    c = move.coefficients
    parts = {"length": c[:1], "one angle": c[:2], "two": (c[0] * c[4] - c[3] * c[1],) if len(c) == 6 else ()}
    entries = [one for one in parts.get(move.kind, ()) if not one.is_zero]
    return [_moving(one) for one in entries] if all(one.level >= VARIABLE for one in entries) else []


def _moving(one: Expr) -> Expr:
    """An expression without its constant factors."""
    _, node = split_coefficient(one)
    if node.op != PROD:
        return node
    kept = [base for base in node.args if base.level >= VARIABLE]
    return power_product([(base, 1) for base in kept])


# --- for the head of generated source --------------------------------------------------------------------------------


def closed_notes(form: ClosedForm) -> list[str]:
    """How a closed form finds the solutions."""
    chain = form.chain
    moves = ", ".join(f"{chain.joints[int(move.joint) - 1].name} ({move.kind})" for move in form.plan.moves)
    part = "all of it" if form.task == "pose" else "only its position is used"
    return [
        f"all solutions of the inverse geometric model of {chain.robot.name}",
        f"Method: closed form, joint by joint: {moves}. Of T {part}.",
        *common_notes(chain),
    ]


def general_notes(chain: Chain) -> list[str]:
    return [
        f"all solutions of the inverse geometric model of {chain.robot.name}",
        "Method: general (Raghavan and Roth 1993): elimination, eigenvalues of a matrix, Levenberg and Marquardt. The "
        "numbers of the arm stand in the code.",
        *common_notes(chain),
    ]


def common_notes(chain: Chain) -> list[str]:
    """What is true of every method: units, checks, the limits of the robot."""
    limits = [chain.robot.frame(joint.frame).joint.limits for joint in chain.joints]
    low, high = (
        ", ".join("none" if x is None else f"{float(x):.9g}" for x in side)
        for side in ([one.lower for one in limits], [one.upper for one in limits])
    )
    lines = []
    if not all(joint.prismatic for joint in chain.joints):
        lines.append("Angles are in radians, between -pi and pi unless there are limits.")
    lines.append(
        "Every solution is checked by forward geometry. At a singular pose one position of each self-motion is given."
    )
    if any(one.lower is not None or one.upper is not None for one in limits):
        lines.append(f"The limits of {chain.robot.name}: from {low} to {high}.")
    values = [f"{key} = {value.number!r}" for key, value in chain.robot.values.items() if key in _geometry(chain)]
    if values:
        lines.append(f"Parameters of {chain.robot.name}: {', '.join(values)}.")
    return lines


def _geometry(chain: Chain) -> set[str]:
    """The names of the parameters that the chain is made of."""
    entries = [expr(x) for rows in chain.pieces for row in rows for x in row]
    entries += [expr(joint.offset) for joint in chain.joints]
    return {symbol.name for symbol in free_symbols(*entries)}
