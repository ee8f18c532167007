"""Random positions of a chain with all their numbers: what vanishes at all of them vanishes everywhere."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....expr import Expr, evaluate, free_symbols, number, postorder, text, variable
from ....expr.generic import opaque_functions
from ....robot import RobotError
from ....robot.problems import Problem
from .chain import Chain, ConstantRows, given_symbol
from .pose import pose_symbols

COUNT = 4

Floats = np.ndarray[Any, np.dtype[np.float64]]


def symbol_of(atom: str) -> Expr:
    """The symbol of a joint found: sine and cosine of an absolute angle (S2, C2) or a length (r3)."""
    return variable(f"{atom[0]}_{atom[1:]}")


@dataclass(frozen=True)
class Sample:
    """Numbers for the parameters, the joints (their atoms by name) and the pose they make."""

    numbers: Mapping[Expr, float]
    q: tuple[float, ...]
    T: Floats


def samples(chain: Chain, count: int = COUNT, seed: int = 0, values: Mapping[str, float] | None = None) -> list[Sample]:
    """Random positions. Parameters have the robot's values; those without get random ones, as long as an arm.

    What depends on them by a function that one number says nothing about (max, floor, sqrt ...) must have values.
    """
    draw = random.Random(seed)
    constants = [x for rows in (chain.start, chain.end, *chain.between) for row in rows for x in row]
    own = values or {name: value.number for name, value in chain.robot.values.items()}
    entries = [x for group in chain.groups for x in (*group.turns, *(y for shift in group.shifts for y in shift))]
    entries += [joint.offset for joint in chain.joints]
    every = sorted(free_symbols(*constants, *entries), key=lambda symbol: symbol.name)
    _require_values(chain, opaque_functions(postorder([*constants, *entries])), own)
    known = {s: own.get(s.name, draw.uniform(0.3, 1.2)) for s in every if s.kind == "parameter"}
    found = []
    for _ in range(count):
        given = {given_symbol(j): draw.uniform(-2, 2) for j in chain.given}
        found.append(_sample(chain, known | given, [draw.uniform(-3, 3) for _ in chain.joints]))
    return found


def _require_values(chain: Chain, opaque: Sequence[Expr], own: Mapping[str, float]) -> None:
    for function in opaque:
        missing = [s.name for s in free_symbols(function) if s.kind == "parameter" and s.name not in own]
        if missing:
            problem = (
                f"its structure cannot be decided: {text(function)} depends on {', '.join(missing)}, without a value"
            )
            raise RobotError([Problem("", problem)], chain.robot.name)


def _sample(chain: Chain, known: Mapping[Expr, float], q: Sequence[float]) -> Sample:
    numbers = {**known, **_atoms(chain, known, q)}
    T = forward(chain, known, q)
    for row, values in zip(pose_symbols(), T, strict=False):
        numbers.update(zip(row, map(float, values), strict=True))
    return Sample(numbers, tuple(q), T)


def _atoms(chain: Chain, known: Mapping[Expr, float], q: Sequence[float]) -> dict[Expr, float]:
    """Sine and cosine of the absolute angles in the groups, and the lengths of the joints that slide."""
    found: dict[Expr, float] = {}
    positions = iter(q)
    for group in chain.groups:
        angle = 0.0
        for joint, turn in zip(group.joints, evaluate([number(0), *group.turns], known), strict=True):
            moved = joint.sign * next(positions) + float(evaluate([joint.offset], known)[0])
            angle += float(turn)
            if joint.prismatic:
                found[symbol_of(f"r{joint.number}")] = moved
            else:
                angle += moved
                found[symbol_of(f"S{joint.number}")] = math.sin(angle)
                found[symbol_of(f"C{joint.number}")] = math.cos(angle)
    return found


@dataclass(frozen=True)
class Poses:
    """Many random positions (N, n) at the same numbers of the parameters, the joints given (N, k), and the poses they make."""

    numbers: Mapping[Expr, float]
    q: Floats
    given: Floats
    T: Floats


def many(chain: Chain, count: int, seed: int) -> Poses:
    """Random positions, all at once."""
    known = samples(chain, 1, seed)[0].numbers
    rng = np.random.default_rng(seed)
    q = rng.uniform(-np.pi, np.pi, (count, len(chain.joints)))
    given = rng.uniform(-2, 2, (count, len(chain.given)))
    values: dict[Expr, Any] = {**known, **{given_symbol(j): given[:, k] for k, j in enumerate(chain.given)}}
    return Poses(known, q, given, frames(chain, values, q)[-1])


def forward(chain: Chain, known: Mapping[Expr, float], q: Sequence[float]) -> Floats:
    """The pose a position makes."""
    return np.asarray(frames(chain, known, np.array([q]))[-1][0])


def frames(chain: Chain, values: Mapping[Expr, Any], q: Floats) -> list[Floats]:
    """The frames that the joints turn or slide in, before each moves, and at last the pose: (N, 4, 4) each, of positions (N, n)."""
    pieces = [stacked(rows, values, len(q)) for rows in chain.pieces]
    found = [pieces[0]]
    for joint, own, piece in zip(chain.joints, q.T, pieces[1:], strict=True):
        moved = joint.sign * own + np.broadcast_to(evaluate([joint.offset], values)[0], len(q))
        motion = np.tile(np.eye(4), (len(q), 1, 1))
        if joint.prismatic:
            motion[:, 2, 3] = moved
        else:
            c, s = np.cos(moved), np.sin(moved)
            motion[:, 0, 0], motion[:, 0, 1], motion[:, 1, 0], motion[:, 1, 1] = c, -s, s, c
        found.append(found[-1] @ motion @ piece)
    return found


def stacked(rows: ConstantRows, values: Mapping[Expr, Any], count: int) -> Floats:
    """A constant motion as matrices (N, 4, 4)."""
    made = np.zeros((count, 4, 4))
    made[:, 3, 3] = 1.0
    for k, x in enumerate(evaluate([x for row in rows for x in row], values)):
        made[:, k // 4, k % 4] = x
    return made
