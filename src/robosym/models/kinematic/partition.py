"""The intermediate frame in which a Jacobian matrix falls into the smallest blocks.

In the axes of the forearm and at the centre of the wrist, the matrix of an arm with a wrist is block triangular: three
joints move the centre, three turn about it. Three parallel axes, an arm with an inner wrist or crossing axes split in
other frames. Determinant and inverse both start from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...expr import PARAMETER, Expr, number, postorder
from ...expr.count import tally
from ...expr.fourier import expanded
from ...program import Unmarked
from ...robot import Robot
from ...spatial.blocks import Block, SingularPatternError, blocks
from .columns import Joints, Lever
from .jacobian import Middle, Wanted, middles, rows_of
from .task import NEGLIGIBLE, at_random

Matrix = list[list[Expr]]


@dataclass(frozen=True)
class Partition:
    """A square inner matrix with its diagonal blocks; none if it is singular everywhere."""

    middle: Middle
    lever: Lever
    zeros: frozenset[tuple[int, int]]
    blocks: tuple[Block, ...]

    def matrix(self, joints: Joints, rows: Sequence[int], columns: Sequence[int]) -> Matrix:
        """The inner matrix on these joints, its zeros as numbers."""
        found = part_of(joints, self.middle, self.lever, rows, columns)
        return [[number(0) if (i, j) in self.zeros else x for j, x in enumerate(row)] for i, row in enumerate(found)]


def partition(robot: Robot, wanted: Wanted, rows: Sequence[int], columns: Sequence[int]) -> Partition:
    """The best split of the matrix with these rows and columns of the whole one.

    All six rows may be written in any intermediate frame, for the two outer factors have determinant one; fewer rows
    are those of the axes and the point asked for.
    """
    joints = Joints(robot, wanted.frame, Unmarked())
    whole = len(rows) == 6
    tried = middles(robot, wanted.frame) if whole else [Middle(wanted.projection, wanted.point)]
    levers: tuple[Lever, ...] = ("across", "carried")
    found = [_split(robot, joints, middle, lever, rows, columns) for middle in tried for lever in levers]
    return min(found, key=lambda one: one[0])[1]


def part_of(joints: Joints, middle: Middle, lever: Lever, rows: Sequence[int], columns: Sequence[int]) -> Matrix:
    whole = rows_of(joints.columns(middle.axes, middle.origin, lever))
    return [[whole[i][j] for j in columns] for i in rows]


def _split(
    robot: Robot, joints: Joints, middle: Middle, lever: Lever, rows: Sequence[int], columns: Sequence[int]
) -> tuple[tuple[list[int], int], Partition]:
    """A partition with its price: the sizes of the blocks, the largest first, then the operations of the entries."""
    matrix = part_of(joints, middle, lever, rows, columns)
    zeros = _zeros(robot, matrix)
    pattern = [[0 if (i, j) in zeros else 1 for j in range(len(columns))] for i in range(len(rows))]
    try:
        found = tuple(blocks(pattern))
    except SingularPatternError:
        found = ()
    sizes = sorted((len(block.rows) for block in found), reverse=True) if found else [0]
    cost = tally(postorder([entry for row in matrix for entry in row], leaves=PARAMETER)).total
    return (sizes, cost), Partition(middle, lever, zeros, found)


def _zeros(robot: Robot, matrix: Matrix) -> frozenset[tuple[int, int]]:
    """The entries that are zero at every position, also where that takes sin^2 + cos^2 = 1 to see."""
    numbers = at_random(robot, matrix)
    scale = max((abs(x) for row in numbers for x in row), default=0.0)
    small = [(i, j) for i, row in enumerate(numbers) for j, x in enumerate(row) if abs(x) <= NEGLIGIBLE * scale]
    return frozenset((i, j) for i, j in small if matrix[i][j].is_zero or expanded([matrix[i][j]])[0].is_zero)
