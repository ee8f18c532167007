"""The general method as stages of a routine: elimination, eigenvalues, iteration.

The numbers of the arm (set up by ``solver.Plan``) are constants in the code. For each elimination: the pencil A x + B of the pose,
the eigenvalues of B^-1 A, and for each that is nearly real its eigenvector and the joints it means. From these ``starts``
the iteration of ``special_poses`` goes to the pose. Spare eliminations are tried where the result looks incomplete; where
two solutions meet or the arm can move with its frame at rest, all of them at the neighbours of the pose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....expr import Expr, absolute, expr, floor, logical_and, logical_not, logical_or, maximum, number, select, step
from ....program import Program
from ....program.of_arrays import program_of, run_over
from ....program.routine import Collect, Each, Fill, Kernel, Repeat, Run, Stage, When
from ....robot import PRISMATIC
from ..chain.chain import Chain
from ..special_poses.iteration import Iteration
from ..special_poses.scalars import Entries, as_steps, constants, dot
from ..special_poses.self_motion import SelfMotion, faint_damping
from ..special_poses.stages import begun, candidate, solution, special_stages
from .arm import JOINTS
from .invariants import Floats
from .labelling import Labelling, inverse
from .plan import Plan
from .roots import Elimination
from .strategy import Strategy
from .three_prismatic import ThreePrismatic

MOST = 16
STEPS = 50  # of the iteration, which starts farther away than from a closed form

Shared = dict[
    tuple[int, Labelling], Program
]  # the joints of an arm and a labelling, whatever the zero of the hidden angle


def general_stages(plan: Plan, chain: Chain) -> tuple[Stage, ...]:
    """The stages from the pose T (4, 4), the position ``seed`` (n,) that is zero where none is given, ``seeded`` (), and
    ``limits`` (2, n), to the ``solutions`` (most, n), their ``count`` (), and whether one of them within limits is
    ``moving`` (): then it is the position of a self-motion nearest to the seed."""
    strategy = plan.strategy
    iteration = Iteration(chain, "pose", STEPS)
    methods = (*strategy.always, *strategy.spare)
    shared: Shared = {}
    proposals = [_proposed(plan, method, k, shared) for k, method in enumerate(methods, 1)]
    room = sum(method.pencil.size if isinstance(method, Elimination) else 2 for method in methods)
    reduced, parted = _reduced(plan), _parted()
    every = [stage for proposal in proposals for stage in proposal]
    rows = (Run(parted), candidate("row", "always"))
    near = (Run(reduced, {"T": "Y"}), Fill("start_count"), *every, Each("starts", "start", rows, "start_count"))
    return (
        *begun(MOST, JOINTS),
        Run(iteration.measures),
        faint_damping(),
        Fill("starts", (room, JOINTS + 1)),
        Fill("always", (), 1.0),
        Fill("doubt"),
        Run(reduced),
        _attempts(strategy, proposals, _found(strategy, iteration, parted)),
        Run(_special()),
        When("special", special_stages(iteration, near, room)),
    )


def _attempts(strategy: Strategy, proposals: Sequence[tuple[Stage, ...]], found: tuple[Stage, ...]) -> Repeat:
    """What is always run, then the spares, until the result looks complete."""
    first = len(strategy.always)
    groups = [tuple(stage for one in proposals[:first] for stage in one), *proposals[first:]]
    turns: list[Stage] = [When(f"attempt_{k}", group) for k, group in enumerate(groups)]
    one: tuple[Stage, ...] = (
        Run(_attempted(len(groups))),
        Fill("start_count"),
        *turns,
        Each("starts", "start", found, "start_count"),
    )
    return Repeat(len(groups), (*one, Run(_complete(strategy.usual))), "attempt", "complete")


def _found(strategy: Strategy, iteration: Iteration, parted: Program) -> tuple[Stage, ...]:
    """What is done with each start: a solution that no other is near to is kept."""
    return (
        Run(parted),
        Run(iteration.scaled),
        iteration.iteration("x"),
        *iteration.checked("x"),
        Fill("slack"),
        When("ok", SelfMotion(iteration).slack()),
        run_over(_weighed(strategy)),
        solution(iteration.chain, "q", "firm"),
    )


# --- what proposes solutions -----------------------------------------------------------------------------------------


def _proposed(plan: Plan, method: Elimination | ThreePrismatic, k: int, shared: Shared) -> tuple[Stage, ...]:
    """The stages that append the starts of one method at the reduced pose X."""
    if isinstance(method, ThreePrismatic):
        return _three_prismatic(plan, method)
    same = (id(method.arm), method.labelling)
    if same not in shared:
        shared[same] = _joints(plan, method, k)
    return _eliminated(method, k, shared[same])


def _start(where: str) -> Collect:
    return Collect("start", where, "starts", "start_count")


def _eliminated(method: Elimination, k: int, joints: Program) -> tuple[Stage, ...]:
    n = method.pencil.size
    A, B, M, v, roots = f"A{n}", f"B{n}", f"M{n}", f"v{n}", f"roots{n}"
    hidden = Run(_hidden(method, k))
    row = (Kernel("eigenvector", (M, "root"), (v,)), Run(joints, {"v": v}), _start("near"))
    return (
        Run(_pencil(method, k), {"A": A, "B": B}),
        Kernel("solve", (B, A), (M,)),
        Kernel("eigenvalues", (M,), (roots,)),
        Each(roots, "root", (hidden, When("near", row))),
    )


def _pencil(method: Elimination, k: int) -> Program:
    made = method.pencil

    def body(X: Entries) -> dict[str, Any]:
        features = as_steps(method.features(_rigid(X)))
        known: dict[tuple[float, ...], tuple[Expr, float]] = {}
        A, B = (_linear(features, forms, known) for forms in (made.A, made.B))
        shape = (made.size, made.size)
        return {"A": A.reshape(shape) + constants(made.A0, A), "B": B.reshape(shape) + constants(made.B0, B)}

    return program_of(f"pencil_{k}", {"X": (3, 4)}, body)


def _linear(features: Entries, forms: Floats, known: dict[tuple[float, ...], tuple[Expr, float]]) -> Entries:
    """Linear forms (m, count) of the features. Those that differ by a factor, of which a pencil has many, are made once;
    ``known`` are those made, each with its largest coefficient."""
    entries = []
    for form in forms.T:
        largest = float(form[np.abs(form).argmax()])
        if not largest:
            entries.append(number(0))
            continue
        shape = tuple(np.round(form / largest, 13).tolist())
        if shape not in known:
            known[shape] = (step(expr(dot(features, constants(form, features)))), largest)
        value, first = known[shape]
        entries.append(value * constants(largest / first, features)[()])
    return np.array(entries, dtype=object)


def _hidden(method: Elimination, k: int) -> Program:
    """The hidden angle of an eigenvalue, and whether it is real or nearly so."""

    def body(root: Entries) -> dict[str, Any]:
        found = method.root(root[0], root[1])
        return {"near": found.near, "sure": found.sure, "hidden": found.angle}

    return program_of(f"hidden_{k}", {"root": (2,)}, body)


def _joints(plan: Plan, method: Elimination, k: int) -> Program:
    def body(X: Entries, hidden: Expr, v: Entries, sure: Expr) -> dict[str, Any]:
        return {"start": [*method.joints(_rigid(X), hidden, v) * _units(plan), sure]}

    inputs = {"X": (3, 4), "hidden": (), "v": (method.pencil.size,), "sure": ()}
    return program_of(f"joints_{k}", inputs, body)


def _three_prismatic(plan: Plan, method: ThreePrismatic) -> tuple[Stage, ...]:
    def turned(X: Entries) -> dict[str, Any]:
        angles, possible = method.angles(_rigid(X))
        return {"angles": angles, "possible": possible}

    def missing(X: Entries, angle: Entries) -> dict[str, Any]:
        directions, way = method.lengths_equation(_rigid(X), angle)
        return {"directions": directions, "way": way}

    def joined(angle: Entries, lengths: Entries) -> dict[str, Any]:
        return {"start": [*method.joints(angle, lengths) * _units(plan), 1]}

    row = (
        Run(program_of("missing", {"X": (3, 4), "angle": (3,)}, missing)),
        Kernel("solve", ("directions", "way"), ("lengths",)),
        Run(program_of("joined", {"angle": (3,), "lengths": (3,)}, joined)),
        _start("possible"),
    )
    return (Run(program_of("turned", {"X": (3, 4)}, turned)), When("possible", (Each("angles", "angle", row),)))


# --- programs --------------------------------------------------------------------------------------------------------


def _rigid(X: Entries) -> Entries:
    return np.vstack([X, np.array([[0, 0, 0, 1]], dtype=object)])


def _units(plan: Plan) -> Entries:
    """Of the joints of the reduced arm."""
    return constants([plan.whole.length if kind == PRISMATIC else 1 for kind in plan.arm.kinds], np.array(None))


def _reduced(plan: Plan) -> Program:
    """The pose in units of the arm, without base and tool."""

    def body(T: Entries) -> dict[str, Any]:
        first, last = (constants(inverse(plan.whole.constants[i]), T) for i in (0, -1))
        X = (first @ _rigid(T[:3]) @ last)[:3]
        return {"X": X * np.array([1, 1, 1, number(1 / plan.whole.length)])}

    return program_of("reduced", {"T": (4, 4)}, body)


def _parted() -> Program:
    """The position of a start, and whether its root is surely real."""
    return program_of("parted", {"start": (JOINTS + 1,)}, lambda start: {"row": start[:-1], "sure": start[-1]})


def _attempted(count: int) -> Program:
    def body(attempt: Expr) -> dict[str, Any]:
        return {f"attempt_{k}": absolute(attempt - k) < 0.5 for k in range(count)}

    return program_of("attempted", {"attempt": ()}, body)


def _complete(usual: int) -> Program:
    """Whether the result looks complete: complex solutions come in pairs."""

    def body(count: Expr, doubt: Expr) -> dict[str, Any]:
        return {"complete": logical_not(logical_or(logical_or(_is_odd(count), doubt), count < usual))}

    return program_of("complete", {"count": (), "doubt": ()}, body)


def _special() -> Program:
    """Whether two solutions may meet, or the arm may move with its frame at rest."""

    def body(count: Expr, doubt: Expr) -> dict[str, Any]:
        return {"special": logical_or(_is_odd(count), doubt)}

    return program_of("special", {"count": (), "doubt": ()}, body)


def _is_odd(count: Expr) -> Expr:
    return count - 2 * floor(count / 2) > 0.5


def _weighed(strategy: Strategy) -> Program:
    """What is a solution that no other is near to. Another one, or a real root that led nowhere where the elimination is
    regular, casts doubt on the pose."""

    def body(doubt: Expr, sure: Expr, ok: Expr, arrived: Expr, slack: Expr) -> dict[str, Any]:
        firm = logical_and(logical_and(ok, arrived), 1 - slack)
        lost = sure if strategy.regular else number(0)
        return {"firm": firm, "doubt_now": maximum(doubt, select(ok, slack, lost))}

    return program_of("weighed", dict.fromkeys(("doubt", "sure", "ok", "arrived", "slack"), ()), body)
