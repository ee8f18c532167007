"""Whether a model of a platform means anything at a state: its legs reach, and it moves as its legs let it.

A Delta does not turn, a planar robot stays in its plane: a pose, a twist or an acceleration that says otherwise is no state of
the robot, and ``assembled`` is 0 there.
"""

from __future__ import annotations

from ...expr import CONSTANT, Expr, absolute, expr, maximum, number
from ...program import Array
from ..common import ASSEMBLED
from .coordinates import PlatformCoordinates
from .legs import all_of
from .pose import pose_symbols, rate_symbols, twist_symbols

ALLOWED = 1e-9  # of a component that has to be zero: of a quaternion, of a speed, of lengths over the size
LENGTH = 1e-6  # by which the square of the length of a quaternion may differ from one


def status(motion: PlatformCoordinates) -> Expr:
    """1 where the state is one of the robot; the number 1 where every state is."""
    found = [motion.exists, *_pose(motion)]
    for order, symbols in ((1, twist_symbols), (2, rate_symbols)):
        if order <= motion.state.order:
            found += _rates(motion, symbols, order)
    there = all_of(found)
    return there if there.level == CONSTANT else all_of([there, *_of_length_one(motion)])


def status_array(motion: PlatformCoordinates) -> tuple[Array, ...]:
    """The output that says so, if it is not always 1."""
    found = status(motion)
    return (Array(ASSEMBLED, (), (found,)),) if found.level > CONSTANT else ()


def _pose(motion: PlatformCoordinates) -> list[Expr]:
    space, bound = motion.space, number(ALLOWED)
    qx, qy, qz, qw = pose_symbols[3:]
    still = []
    if space.orientation is not None:
        still = [qx, qy, qz, expr(absolute(qw) - 1)]
    elif space.axis is not None:
        still = [x for k, x in enumerate((qx, qy, qz)) if k != space.axis]
    found = [expr(absolute(x) <= bound) for x in still]
    length = number(ALLOWED * motion.size)
    found += [expr(absolute(expr(pose_symbols[k] - value)) <= length) for k, value in space.held.items()]
    if not space.known:
        found += [expr(absolute(x) <= length) for x in openings(motion)]
    return found


def openings(motion: PlatformCoordinates) -> list[Expr]:
    """All that has to be zero where the legs are joined to the platform, as lengths."""
    found = []
    for way, turned in motion.openings:
        found += [expr(x) for x in (*way, *(motion.size * y for y in turned))]
    return [x for x in found if not x.is_zero]


def _of_length_one(motion: PlatformCoordinates) -> list[Expr]:
    """Of a quaternion of another length no model would be right; where it has to be that of frame 0, this is said already."""
    if motion.space.orientation is not None:
        return []
    a, b, c, w = pose_symbols[3:]
    turned = [a, b, c] if motion.space.axis is None else [(a, b, c)[motion.space.axis]]
    square = expr(sum((x * x for x in turned), w * w))
    return [expr(absolute(expr(square - 1)) <= LENGTH)]


def _rates(motion: PlatformCoordinates, symbols: tuple[Expr, ...], order: int) -> list[Expr]:
    """What has to be zero: components; or what the constraints say of them, beside the largest of all."""
    if motion.space.constant:
        return [expr(absolute(x) <= ALLOWED) for k, x in enumerate(symbols) if k not in motion.space.places]
    size = number(1)
    for x in symbols:
        size = maximum(size, absolute(x))
    bound = expr(ALLOWED * size)
    rows = motion.constraint_values(order)
    return [expr(absolute(expr(x)) <= expr(bound * motion.size)) for x in rows]
