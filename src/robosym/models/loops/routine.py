"""A model of a robot whose loops have no closed form: the iteration that closes them, then the model's program."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...expr import Expr
from ...program import Array, Program
from ...program.routine import Fill, Routine, Run, Slot, Stage, When
from ...robot import PRISMATIC, Robot
from ...robot.parts import Closure
from ..common import ASSEMBLED, PASSIVE, RESIDUAL, START
from ..mechanism.newton import INEXACT
from ..tree.coordinates import coordinates
from .mechanism import mechanism_of
from .newton import CLOSED, OPEN, Iteration, begun, judged, size_of
from .path import followed
from .structure import driven, loops_of, variable_of

WHAT = "after an iteration that closes the loops"


def closed_routine(robot: Robot, tree: Robot, program: Program) -> Routine:
    """The program's inputs with the ``start`` of the iteration in place of the positions it finds; its outputs and how well the
    loops are closed. Where they are not, nothing is a number."""
    assert tree.closure is not None
    q = replace(coordinates(tree).inputs(("q",))[0], rate=None)
    iterations = _iterations(robot, tree, q)
    reference = None if tree.closure.start is None else [tree.closure.at.get(x, 0.0) for x in q.entries]
    stages: list[Stage] = [begun(iterations), *followed(iterations, q, reference)]
    still = program.replace(
        name=program.name.removeprefix(f"{robot.name} "),
        inputs=tuple(replace(array, rate=None) for array in program.inputs),
    )
    made = [Slot(array.name, array.shape) for array in program.outputs]
    names = [robot.frame(j).joint.name for one in iterations for j in one.frames]
    passive = Slot(PASSIVE, (len(names),), f"positions found: {', '.join(names)}")
    nothing = tuple(Fill(one.name, one.shape, math.nan) for one in (*made, passive))
    stages += [judged(iterations, q, tree.closure.exists, _tolerance(tree)), Run(still), When(OPEN, nothing)]
    results = (
        passive,
        Slot(RESIDUAL, (), "what is left of the closure of the loops, lengths over their size"),
        Slot(ASSEMBLED, (), "1 where the loops are closed, else 0"),
    )
    notes = (f"{program.name}, {WHAT}", *program.notes)
    return Routine(program.name, _inputs(program, passive), (*made, *results), tuple(stages), notes)


def _tolerance(tree: Robot) -> float:
    """What may be left of the closure: rounding, or what the lengths leave where the mode was found."""
    assert tree.closure is not None
    at = tree.closure.at
    mechanism = mechanism_of(tree, {s: x for s, x in at.items() if s.kind == "parameter"})
    left = mechanism.residual(np.array([[at[mechanism.variable(j)] for j in mechanism.joints]]))[0]
    return CLOSED if left < mechanism.tolerance else INEXACT


def _iterations(robot: Robot, tree: Robot, q: Array) -> list[Iteration]:
    """One for each group of loops that are solved together."""
    closure = tree.closure
    assert closure is not None
    by_cut = {loop.cut: loop for loop in loops_of(robot)}
    groups = [(tuple(by_cut[cut] for cut in cuts), frames) for cuts, frames in closure.iterated]
    size = size_of(robot, [loop for loops, _ in groups for loop in loops])
    lengths: dict[Expr, Expr] = {}
    for j, symbol in zip((j for _, frames in groups for j in frames), closure.found, strict=True):
        if robot.frame(j).sigma == PRISMATIC:
            lengths[symbol] = size * symbol
    found: list[Iteration] = []
    for k, (loops, frames) in enumerate(groups, 1):
        before = (q, *(one.unknown for one in found))
        found.append(Iteration(k, tree, loops, frames, closure.at, size, lengths, before))
    return found


def _inputs(program: Program, passive: Slot) -> tuple[Slot, ...]:
    """Those of the program; the start last, which may be left out."""
    own = [Slot(array.name, array.shape) for array in program.inputs if array.name != PASSIVE]
    return (*own, Slot(START, passive.shape, "where the iteration begins: the positions found last, or near"))


def how(robot: Robot, closure: Closure) -> list[str]:
    """What was done about loops without a closed form, for people: a line each."""
    names = ", ".join(robot.frame(j).joint.name for _, frames in closure.iterated for j in frames)
    lines = [f"Found by iteration from start, and given back as passive: {names}"]
    for cut, reason in closure.reasons.items():
        lines.append(f"The loop of joint {robot.frame(cut).joint.name} has no closed form: {reason}")
    if closure.start is not None:
        at = ", ".join(
            f"{robot.frame(j).joint.name} = {closure.at.get(variable_of(robot, j), 0.0)!r}" for j in driven(robot)
        )
        lines.append(f"Start of this mode, found at {at}: {', '.join(map(repr, closure.start))}")
    return lines
