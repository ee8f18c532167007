"""How a platform can move: its own motion space, found at closed positions in numbers and not assumed.

At each position the closure of the legs leaves the platform some twists. Where these are the same at all positions tried and
lie along axes of frame 0 (a Delta: three translations; a planar robot: two, and the rotation across the plane), the models
have these components alone, and the others are zero. Else the platform's twists change with its pose, and the models keep all six
with the rows of the constraints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...caches import Kept
from ...expr import VARIABLE, Expr, evaluate, expr, free_symbols, number
from ...program import Unmarked
from ...robot import RobotError
from ...robot.problems import Problem
from ...spatial.screws import frame_motions, from_left, joined
from ...spatial.vectors import AXES, Columns
from .places import Place, nearby, with_other_numbers
from .structure import Module

_SPACES: Kept[Space] = Kept()
_FIXED: Kept[frozenset[str]] = Kept()

ALIGNED = 1e-6  # of a direction of length one
STANDS = 1e-7  # what is held in place differs by less from position to position, over the size
WORDS = ("vx", "vy", "vz", "wx", "wy", "wz")


@dataclass(frozen=True)
class Space:
    """``places``: the components of the twist that are free. ``constant``: that these are all that is to be said; else the legs
    say how they hang together. ``orientation`` of a platform that never turns, ``axis`` of one that turns about one axis of
    frame 0 only, ``held`` the coordinates of its origin that never change."""

    dimension: int
    places: tuple[int, ...] = tuple(range(6))
    constant: bool = True
    orientation: Columns | None = None
    axis: int | None = None
    held: Mapping[int, Expr] = field(default_factory=dict)

    @property
    def known(self) -> bool:
        """Whether a pose tells by its numbers that it is one of the space; else the legs have to."""
        turns_at_will = all(k in self.places for k in (3, 4, 5))
        return self.constant and (turns_at_will or self.orientation is not None or self.axis is not None)

    @property
    def words(self) -> str:
        """For people."""
        if self.dimension == 6:
            return "all six"
        if not self.constant:
            return f"{self.dimension} of six, which change with the pose"
        return ", ".join(WORDS[k] for k in self.places)


def space_of(module: Module) -> Space:
    """Found once; a RobotError if the motors do not determine the platform, or a leg is loose."""
    return _SPACES.of(module.robot, (), lambda: _checked_space(module))


def _checked_space(module: Module) -> Space:
    places = nearby(module)
    _check(module, places)
    return _space(places)


TRIES = 3  # other numbers with which a space is looked for again


def fixed_parameters(module: Module) -> frozenset[str]:
    """The parameters of the geometry that keep the robot's own values, if the platform moves as it does because of them: with
    other numbers it was found to move otherwise, or its legs were not found to reach. None, if it moves so with any."""
    return _FIXED.of(module.robot, (), lambda: _fixed(module))


def _fixed(module: Module) -> frozenset[str]:
    own = space_of(module)
    if own.dimension == 6 or any(_same(own, with_other_numbers(module, seed)) for seed in range(TRIES)):
        return frozenset()
    symbols = free_symbols(*(x for frame in module.robot.frames for x in frame.geometry))
    return frozenset(s.name for s in symbols if s.kind == "parameter")


def _same(own: Space, places: Sequence[Place]) -> bool:
    if not places:
        return False
    other = _space(places)
    pairs = [(s.dimension, s.places, s.constant, s.axis, s.orientation is None) for s in (own, other)]
    return pairs[0] == pairs[1]


def _check(module: Module, places: Sequence[Place]) -> None:
    robot = module.robot

    def refused(where: str, problem: str) -> RobotError:
        return RobotError([Problem(where, problem)], robot.name)

    always = [leg for leg in module.legs if all(leg in place.loose() for place in places)]
    if always:
        leg = always[0]
        problem = (
            f"can move while the platform stands still: the {'point' if leg.in_a_point else 'pose'} of its end leaves "
            f"some of {leg.joint_names()} free (a leg has at most {leg.rows} joints, and no rotation about its own axis)"
        )
        raise refused(f"leg {leg.leg.name}", problem)
    free = max(place.twists.shape[1] for place in places)
    driven, motors = max(place.driven_rank for place in places), len(module.motors)
    if free == 0:
        raise refused("legs", "the platform cannot move: the legs hold it in all directions")
    if driven < motors and motors <= free:
        problem = "at every position that was tried the platform can move with all of them held: it is always singular"
        raise refused("motors", problem)
    if driven < motors:
        problem = (
            f"over-actuated by {motors - driven}: the platform moves in {free} ways, and {motors} joints are driven"
        )
        raise refused("motors", problem)
    if motors < free:
        idle = [leg.leg.name for leg in module.legs if not leg.motors and len(leg.joints) == leg.rows]
        word = f"; {', '.join(idle)} neither drives nor constrains the platform" if idle else ""
        problem = (
            f"under-actuated by {free - motors}: the platform moves in {free} ways, and {motors} joints are driven"
        )
        raise refused("motors", problem + word)
    if min(place.undriven for place in places):
        raise refused("motors", "with all motors held the platform can still move: drive other joints")


def _space(places: Sequence[Place]) -> Space:
    dimension = max(place.twists.shape[1] for place in places)
    if dimension == 6:
        return Space(6)
    generic = [place for place in places if place.twists.shape[1] == dimension]
    along = _along_axes(generic)
    if along is None:
        return Space(dimension, constant=False)
    turning = [k - 3 for k in along if k > 2]
    held = {k: _held(generic, k) for k in range(3) if k not in along}
    fixed = {k: _in_symbols(generic[0], k, value) for k, value in held.items() if value is not None}
    orientation = _orientation(generic) if not turning else None
    axis = turning[0] if len(turning) == 1 and _upright(generic, turning[0]) else None
    return Space(dimension, along, True, orientation, axis, fixed)


def _along_axes(places: Sequence[Place]) -> tuple[int, ...] | None:
    """The components that are free, if the space is spanned by them at all places."""
    found: tuple[int, ...] | None = None
    for place in places:
        reach = np.linalg.norm(place.twists, axis=1)  # of each axis in the space: one if it lies within
        here = tuple(int(k) for k in np.flatnonzero(reach > 1 - ALIGNED))
        if len(here) != place.twists.shape[1] or found not in (None, here):
            return None
        found = here
    return found


def _held(places: Sequence[Place], k: int) -> float | None:
    """A coordinate of the origin that is the same at all places; None if it is not (the origin may move by turning)."""
    size = places[0].mechanism.size
    values = [float(place.T[k, 3]) for place in places]
    same = max(values) - min(values) < STANDS * size
    return _clean(values[0], size) if same else None


def _in_symbols(place: Place, k: int, value: float) -> Expr:
    """The same in the parameters of the robot, if the first leg tells: the place of its end less that of its seat."""
    leg = place.mechanism.module.legs[0]
    motions = [m for j in leg.frames for m in frame_motions(leg.robot.geometry(j), j)]
    _, end = from_left(joined(motions), Unmarked())
    found = expr(end[k] - leg.seat[1][k])
    if found.level == VARIABLE:
        return number(value)
    (here,) = evaluate([found], dict(place.mechanism.values))
    return found if abs(float(here) - value) < STANDS * place.mechanism.size else number(value)


def _clean(value: float, size: float) -> float:
    """Without the rounding of the iteration."""
    return 0.0 if abs(value) < 1e-9 * size else float(f"{value:.12g}")


def _orientation(places: Sequence[Place]) -> Columns | None:
    """Of a platform that never turns: the axes of frame 0, if it stands that way; else it is taken from the pose."""
    return AXES if _turned(places) < STANDS else None


def _turned(places: Sequence[Place]) -> float:
    return max(float(np.abs(place.T[:3, :3] - np.eye(3)).max()) for place in places)


def _upright(places: Sequence[Place], axis: int) -> bool:
    """Whether the platform turns from the orientation of frame 0: this axis of it stays along that of frame 0."""
    return max(float(abs(place.T[axis, axis] - 1)) for place in places) < STANDS**2
