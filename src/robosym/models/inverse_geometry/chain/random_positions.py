"""Random positions of a chain with all their numbers: what vanishes at all of them vanishes everywhere."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....expr import Expr, evaluate, free_symbols, postorder, text, variable
from ....expr.generic import opaque_functions
from ....robot import RobotError
from ....robot.problems import Problem
from .chain import Chain, ConstantRows, Group, given_symbol
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
    numbers = dict(known)
    T = numeric(chain.start, known)
    place = 0
    for k, group in enumerate(chain.groups):
        if k:
            T = T @ numeric(chain.between[k - 1], known)
        T = T @ _group(group, q[place : place + len(group.joints)], known, numbers)
        place += len(group.joints)
    T = T @ numeric(chain.end, known)
    for row, values in zip(pose_symbols(), T, strict=False):
        numbers.update(zip(row, map(float, values), strict=True))
    return Sample(numbers, tuple(q), T)


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
    pieces = [_stacked(rows, values, count) for rows in chain.pieces]
    T = pieces[0]
    for k, joint in enumerate(chain.joints):
        moved = joint.sign * q[:, k] + np.broadcast_to(evaluate([joint.offset], values)[0], count)
        motion = np.tile(np.eye(4), (count, 1, 1))
        if joint.prismatic:
            motion[:, 2, 3] = moved
        else:
            c, s = np.cos(moved), np.sin(moved)
            motion[:, 0, 0], motion[:, 0, 1], motion[:, 1, 0], motion[:, 1, 1] = c, -s, s, c
        T = T @ motion @ pieces[k + 1]
    return Poses(known, q, given, T)


def _stacked(rows: ConstantRows, values: Mapping[Expr, Any], count: int) -> Floats:
    flat = evaluate([x for row in rows for x in row], values)
    made = np.zeros((count, 4, 4))
    made[:, 3, 3] = 1.0
    for k, x in enumerate(flat):
        made[:, k // 4, k % 4] = x
    return made


def forward(chain: Chain, known: Mapping[Expr, float], q: Sequence[float]) -> Floats:
    """The pose a position makes."""
    return _sample(chain, known, q).T


def numeric(rows: ConstantRows, known: Mapping[Expr, float]) -> Floats:
    flat = evaluate([x for row in rows for x in row], known)
    return np.vstack([np.array(flat, dtype=float).reshape(3, 4), [0, 0, 0, 1]])


def _group(group: Group, q: Sequence[float], known: Mapping[Expr, float], numbers: dict[Expr, float]) -> Floats:
    """A group's motion joint by joint, and its atoms on the way."""
    T, angle = np.eye(4), 0.0
    for k, (joint, position) in enumerate(zip(group.joints, q, strict=True)):
        moved = joint.sign * position + float(evaluate([joint.offset], known)[0])
        if k:
            turn = float(evaluate([group.turns[k - 1]], known)[0])
            shift = [float(x) for x in evaluate(list(group.shifts[k - 1]), known)]
            T, angle = T @ about_z(0.0, shift) @ about_z(turn), angle + turn
        if joint.prismatic:
            T = T @ about_z(0.0, [0.0, 0.0, moved])
            numbers[symbol_of(f"r{joint.number}")] = moved
        else:
            T, angle = T @ about_z(moved), angle + moved
            numbers[symbol_of(f"S{joint.number}")] = math.sin(angle)
            numbers[symbol_of(f"C{joint.number}")] = math.cos(angle)
    return T


def about_z(angle: float, shift: Sequence[float] = (0.0, 0.0, 0.0)) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0, shift[0]], [s, c, 0, shift[1]], [0, 0, 1, shift[2]], [0, 0, 0, 1]])
