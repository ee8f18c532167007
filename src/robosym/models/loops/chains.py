"""What of a loop is unknown, as a chain of inverse geometry: the rest of the loop says where its end has to be."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from ...robot import FIXED, Robot
from ...spatial.screws import Motion, joined
from ..inverse_geometry.chain.chain import Chain, ConstantRows, Unknown, assembled, parted, rows_of
from .structure import Loop, Passage, motions_of


@dataclass(frozen=True)
class Open:
    """A loop opened where its unknown joints begin and end: ``chain`` of these brings its end to ``target``, which what is
    known makes. The joints ``given`` are known too, but stand between unknown ones."""

    chain: Chain
    target: list[Motion]


def opened(robot: Robot, loop: Loop, known: Collection[int]) -> Open:
    """The loop with these joints known."""
    around = _unknown_first(robot, loop, known)
    last = max(k for k, one in enumerate(around) if _is_unknown(robot, one, known))
    first, rest = around[: last + 1], around[last + 1 :]
    pieces: list[list[Motion]] = [[]]
    joints: list[Unknown] = []
    given = []
    for one in first:
        held = one.frame in known and robot.frame(one.frame).sigma != FIXED
        given += [one.frame] if held else []
        before, own, after = parted(robot, one.frame, len(joints) + 1, held)
        if one.back:
            before, after = ([screw.inverse for screw in reversed(part)] for part in (after, before))
            own = None if own is None else replace(own, sign=-own.sign, offset=-own.offset)
        pieces[-1] += before
        if own is not None:
            joints.append(own)
            pieces.append([])
        pieces[-1] += after
    target = [screw.inverse for one in reversed(rest) for screw in reversed(motions_of(robot, one))]
    return Open(assembled(robot, joints, pieces, given), joined(target))


def target_rows(one: Open) -> ConstantRows:
    """The pose of the chain's end, of the joints that are known."""
    return rows_of(one.target)


def _is_unknown(robot: Robot, one: Passage, known: Collection[int]) -> bool:
    return robot.frame(one.frame).sigma != FIXED and one.frame not in known


def _unknown_first(robot: Robot, loop: Loop, known: Collection[int]) -> list[Passage]:
    """The passages from where the unknown joints begin: before the longest way without any."""
    around = list(loop.around)
    n = len(around)
    unknown = [_is_unknown(robot, one, known) for one in around]
    best, start = -1, 0
    for k in range(n):
        if unknown[k] and not unknown[k - 1]:
            free = next(i for i in range(1, n + 1) if unknown[(k - i) % n]) - 1 if sum(unknown) else 0
            if free > best:
                best, start = free, k
    return around[start:] + around[:start]
