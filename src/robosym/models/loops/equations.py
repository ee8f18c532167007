"""The constraint equations of a robot in the frames of its cut joints (SYMORO+ 1997, equations 11, 12 and 14).

On the way to the cut joint k of a loop the twist of its frame is V_k, through the twin k + B it is V_(k+B). Both are the same,
six equations a loop in the axes of frame k, where one of them alone, along or about z, has the speed of the cut joint:

    [W_a  W_p  0 ; W_ac W_pc W_c] [qd ; xd_p ; xd_c] = 0,    the same of the accelerations + [psi ; phi] = 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ...expr import Expr, evaluate
from ...program import Scope
from ...program.graph import Link
from ...reals import Floats
from ...robot import FIXED, PRISMATIC, Robot, RobotError
from ...robot.problems import Problem
from ...spatial.ranks import null_space, rank
from ...spatial.scalar import Scalar
from .assembled import places_of
from .constraints import Turn, drifts_of, numbers_of, row_sizes, rows_of, steady_rows, turns
from .modes import Mode
from .positions import closed_positions
from .structure import Loop, loop_over

T = TypeVar("T")
COMPONENTS = ("vx", "vy", "vz", "wx", "wy", "wz")
UNTOUCHED = 1e-6  # what a redundant constraint does to others, of the size of one, that is rounding
RANK = 1e-6  # of the largest singular value
SAME = 1e-6  # positions in closed form and in numbers


@dataclass(frozen=True)
class Equations:
    """Of the joints of the tree, driven and passive, and the cut ones. A row is (loop, component of the twist)."""

    driven: tuple[int, ...]
    tree: tuple[int, ...]  # all of the equivalent tree, in the order of its q
    loops: tuple[Loop, ...]
    around: tuple[tuple[Turn, ...], ...]
    kept: tuple[int, ...]  # rows of the first kind that determine the passive joints
    released: tuple[int, ...]  # rows of the first kind that follow from these
    cut_rows: tuple[int, ...]  # rows of the second kind, one a loop
    undetermined: tuple[int, ...]  # rows of the first kind, along which forces may be any

    def matrix(self, rows: Sequence[int], frames: Sequence[int]) -> list[list[Scalar]]:
        """Rows of W, with a column for each of these joints."""
        every = rows_of(self.around, frames)
        return [every[i] for i in rows]

    def drifts(self, speeds: Mapping[int, Scalar], scope: Scope) -> list[Scalar]:
        """psi and phi, of all rows."""
        return drifts_of(self.around, speeds, scope)

    @property
    def cuts(self) -> tuple[int, ...]:
        return tuple(loop.cut for loop in self.loops)

    @property
    def passive(self) -> tuple[int, ...]:
        return tuple(j for j in self.tree if j not in self.driven)

    def names(self, robot: Robot, rows: Sequence[int], components: Sequence[str] = COMPONENTS) -> tuple[str, ...]:
        """The cut joint and the component of each row."""
        return tuple(f"{robot.frame(self.loops[i // 6].cut).joint.name} {components[i % 6]}" for i in rows)


def equations(robot: Robot, scope: Scope) -> Equations:
    """Of an assembled robot. Which rows are redundant is seen from their rank at a generic position with closed loops; of
    those that could be kept, some that keep their rank at special positions too."""
    assert robot.closure is not None
    cuts = {frame for pair in robot.closure.cuts for frame in pair}
    loops = tuple(loop_over(robot, cut, twin) for cut, twin in robot.closure.cuts)
    driven = robot.moving
    tree = tuple(j for j in robot.order if robot.frame(j).sigma != FIXED and j not in cuts)
    passive = [j for j in tree if j not in driven]
    around = tuple(tuple(turns(robot, loop, _at_the_cut(loop), SeenFrom(scope, loop.cut))) for loop in loops)
    axial = tuple(2 if robot.frame(loop.cut).sigma == PRISMATIC else 5 for loop in loops)
    cut_rows = tuple(6 * i + row for i, row in enumerate(axial))
    others = [i for i in range(6 * len(loops)) if i not in cut_rows]
    places = closed_places(robot)
    at = places[0]
    every = rows_of(around, passive)
    sizes = row_sizes(robot, loops, at)
    kept = tuple(others[i] for i in steady_rows([every[i] for i in others], [sizes[i] for i in others], places)[0])
    both = rows_of(around, tree)
    numbers = _scaled(numbers_of([both[i] for i in others], at))
    if len(kept) < len(passive) or rank(numbers, RANK) > len(passive):
        problem = "the driven joints do not determine the others (see robosym.mobility)"
        raise RobotError([Problem("joints", problem)], robot.name)
    free = null_space(numbers.T, RANK)
    loose = np.abs(free).max(axis=1, initial=0.0) > UNTOUCHED
    return Equations(
        driven,
        tree,
        loops,
        around,
        kept,
        tuple(i for i in others if i not in kept),
        cut_rows,
        tuple(i for i, one in zip(others, loose, strict=True) if one),
    )


class SeenFrom(Scope):
    """A scope whose names say from which frame: loops share links, and see them from their own cut joints."""

    def __init__(self, scope: Scope, frame: int) -> None:
        super().__init__(scope.names)
        self._scope, self._frame = scope, frame

    def scalar(self, stem: str, link: Link, value: T, *components: int) -> T:
        links = link if isinstance(link, tuple) else (link,)
        return self._scope.scalar(stem, (*links, self._frame), value, *components)


def _at_the_cut(loop: Loop) -> int:
    """The place on the way around where the frame of the cut joint is reached."""
    return next(k for k, one in enumerate(loop.around) if one.frame == loop.cut) + 1


def _scaled(matrix: Floats) -> Floats:
    """With rows of length one, so that lengths and angles count alike; rows of zeros stay."""
    sizes = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(np.where(sizes > UNTOUCHED * sizes.max(initial=0.0), matrix / np.maximum(sizes, 1e-300), 0.0))


def closed_places(robot: Robot) -> list[dict[Expr, float]]:
    """Numbers for all symbols of an assembled robot with which its loops are closed: a generic position first."""
    closure = robot.closure
    assert closure is not None
    if not closure.found:
        return places_of(robot, Mode(closure.mode, closure.positions, closure.exists))
    made = closed_positions(robot.replace(loops=len(closure.cuts), closure=None))
    for x in made.positions:
        values = made.mechanism.values_at(x)
        exists, *numbers = evaluate([closure.exists, *closure.positions.values()], values)
        own = [values[v] for j in closure.positions if (v := robot.frame(j).joint.variable) is not None]
        # What is solved in closed form beside the iteration has to be in the mode that was chosen.
        if exists and all(abs(math.remainder(a - b, math.tau)) < SAME for a, b in zip(numbers, own, strict=True)):
            return [values]
    raise RobotError(
        [Problem("loops", f"cannot be assembled in mode '{closure.mode}': no position was found")], robot.name
    )
