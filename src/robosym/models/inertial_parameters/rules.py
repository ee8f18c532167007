"""Which inertial parameters of a link have an effect, and which belong as well to its antecedent.

The energy of link j depends on q_j. A combination of its parameters whose energy does *not* depend on q_j and its
velocity can be given to the antecedent i, as if joint j were locked; and only such combinations can: if a combination
over all links has no effect on any torque, the part of an outermost link j does not depend on q_j, since the rest of
the sum does not. So going from the tips to the base and moving these parts gives a minimum set, in trees too. Written
out for one joint (w, v, g: what the antecedent can do, seen from frame j), that is:

revolute
    a needle on the axis (XX = YY, MZ, M) moves to i;
    w always along z: XX, XY, XZ, YZ have no effect; nor MX, MY if v and g are always along z too;
    w never along z: the link's own speed is alone in w3, and Ia joins ZZ;
    a point p z of the axis never moves, g always along z: MX and MY join XZ and YZ about that point.
prismatic
    the inertia matrix moves to i;
    w always along z: MX and MY move to i, MZ has no effect; if v and g have no component along z, Ia joins M;
    w always along one other direction a: MS along a has no effect.

These are the rules of Gautier and Khalil (1990) and Khalil and Bennis (1994) with r1 and r2 (the first revolute joint
and the first one not parallel to it), in terms of what they mean, and with gravity of any direction, or none. The rules in
this form, and that they give a minimum set, are derived here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...expr import CONSTANT, Expr, evaluate, number, substitute
from ...expr.generic import negligible
from ...robot import FIXED, PRISMATIC, REVOLUTE, Robot
from ...spatial.rotations import Turn, into
from ...spatial.vectors import Vector
from ..places import place
from .moved import Ten, added, body, moved_back
from .reach import TOLERANCE, Reach, antecedent_reaches

ZERO = number(0)
_LENGTHS = ("MX", "MY", "MZ")
# A component of a unit vector that is divided by costs as many digits as it is small. The papers' choice stands unless it
# costs more than three; where no other choice costs less than six, nothing is divided.
GOOD, USABLE = 1e-3, 1e-6


@dataclass(frozen=True)
class Kept:
    """What stays of a link: the names of its base parameters and their expressions (Ia among them).

    ``pivots`` are what these divide by, components of unit vectors; ``fewest`` is False where nothing could be divided by.
    """

    names: tuple[str, ...]
    values: Mapping[str, Expr]
    pivots: tuple[Expr, ...] = ()
    fewest: bool = True


@dataclass(frozen=True)
class _Split:
    """A link's parameters after its rules: what stays, and what the antecedent receives (None: no effect there)."""

    kept: Kept
    moved: Ten | None


def apply_rules(
    robot: Robot,
    links: Mapping[int, Ten],
    rotors: Mapping[int, Expr],
    base_turns: bool,
    tied: Mapping[int, Reach] | None = None,
) -> dict[int, Kept]:
    """The base parameters of every moving link, and of the base if it is one of the ``links``. ``rotors`` holds the Ia that
    take part; ``tied`` is what the antecedents can do where joints follow others, if that is less than with free joints."""
    free = antecedent_reaches(robot, base_turns)
    reaches = free if tied is None else tied
    total = dict(links)
    found: dict[int, Kept] = {}
    for j in reversed(robot.order):
        frame, geometry = robot.frame(j), _at_zero(robot, j)
        if frame.sigma == FIXED:
            moved: Ten | None = total[j]
        else:
            rule = _placed if _is_placed(robot, j) else _prismatic if frame.sigma == PRISMATIC else _revolute
            split = rule(robot, j, total[j], rotors.get(j), reaches[j], free[j])
            found[j], moved = split.kept if j in robot.links else _not_zero(split.kept), split.moved
        if frame.antecedent in total and moved is not None:
            total[frame.antecedent] = added(total[frame.antecedent], moved_back(moved, geometry))
    if 0 in total:  # a free base: all of its parameters have effects of their own
        found[0] = Kept(tuple(total[0]), total[0])
    return found


def _not_zero(kept: Kept) -> Kept:
    """Of a massless link inside of a joint: what other links brought there."""
    return replace(kept, names=tuple(name for name in kept.names if not kept.values[name].is_zero))


def _is_placed(robot: Robot, j: int) -> bool:
    """Whether a joint has its positions in the place of its frame, as a ball joint has its orientation."""
    return j in robot.chains and bool(robot.chains[j].placement)


def _placed(robot: Robot, j: int, link: Ten, rotor: Expr | None, reach: Reach, free: Reach) -> _Split:
    """A link that turns in any way: where its joint holds a point, the mass may as well be in that point of the antecedent."""
    slides = any(step.slides for step in robot.chains[j].steps)
    names = tuple(name for name in link if name != "M" or slides)
    kept = Kept(names, {name: link[name] for name in names}, fewest=reach.full and free.full)
    return _Split(kept, None if slides else body(M=link["M"]))


def _revolute(robot: Robot, j: int, link: Ten, rotor: Expr | None, reach: Reach, free: Reach) -> _Split:
    values = {name: link[name] for name in ("XX", "XY", "XZ", "YZ", "ZZ", "MX", "MY")}
    values["XX"] = link["XX"] - link["YY"]
    names = ["XX", "XY", "XZ", "YZ", "ZZ", "MX", "MY"]
    pivots: tuple[Expr, ...] = ()
    fewest = True
    if not reach.tilts:  # w always along z
        names = ["ZZ"] if not reach.drifts and not reach.gravity_across else ["ZZ", "MX", "MY"]
    elif not free.gravity_across and free.has_fixed_point_on_z:  # a point p z of the axis never moves
        found = _fixed_point(robot, j)
        if found is None:
            fewest = False
        else:
            p, pivots = found
            names = ["XX", "XY", "XZ", "YZ", "ZZ"]
            values["XZ"], values["YZ"] = link["XZ"] + p * link["MX"], link["YZ"] + p * link["MY"]
    if rotor is not None and reach.spins:
        names.append("Ia")
        values["Ia"] = rotor
    elif rotor is not None:  # w never along z
        values["ZZ"] = link["ZZ"] + rotor
    needle = body(XX=link["YY"], YY=link["YY"], MZ=link["MZ"], M=link["M"])
    kept = Kept(tuple(names), {name: values[name] for name in names}, pivots, fewest)
    return _Split(kept, None if reach.still else needle)


def _prismatic(robot: Robot, j: int, link: Ten, rotor: Expr | None, reach: Reach, free: Reach) -> _Split:
    values = {name: link[name] for name in (*_LENGTHS, "M")}
    moved = {**link, **dict.fromkeys((*_LENGTHS, "M"), ZERO)}
    names = [*_LENGTHS, "M"]
    axis = free.axis  # ties may leave one that is no joint's
    pivots: tuple[Expr, ...] = ()
    joins = not reach.tilts and not reach.rises and not reach.gravity_along
    if not reach.tilts:  # w always along z
        names = ["M"]
        moved["MX"], moved["MY"] = link["MX"], link["MY"]
    elif axis is not None:  # w always along one other direction
        gone, pivots = _first_moment_along(robot, j, axis, values)
        names.remove(gone)
    if rotor is not None and joins:
        values["M"] = link["M"] + rotor
        moved["M"] = -rotor  # the rotor does not weigh in the antecedent's own motion
    elif rotor is not None:
        names.append("Ia")
        values["Ia"] = rotor
    kept = Kept(tuple(names), {name: values[name] for name in names}, pivots)
    return _Split(kept, None if reach.still else moved)


def _first_moment_along(
    robot: Robot, j: int, axis: np.ndarray, values: dict[str, Expr]
) -> tuple[str, tuple[Expr, ...]]:
    """Take the first moment along the one axis of rotation out of MX, MY, MZ; the one that vanishes, and the pivot.

    It is MZ unless the axis is normal to z, then MY unless the axis is x; and none with which digits would be lost.
    """
    first = next(k for k in robot.path(j) if robot.frame(k).sigma == REVOLUTE)
    exact, _ = _seen_from(robot, first, j)
    a = [
        ZERO if negligible(size, tolerance=TOLERANCE) else component
        for component, size in zip(exact, axis, strict=True)
    ]
    sizes = _sizes(robot, a)
    gone = next(k for k in (2, 1, 0) if sizes[k] > GOOD)  # a unit vector has one
    for k in range(3):
        if k != gone:
            values[_LENGTHS[k]] = values[_LENGTHS[k]] - a[k] / a[gone] * values[_LENGTHS[gone]]
    return _LENGTHS[gone], _changing(a[gone])


def _fixed_point(robot: Robot, j: int) -> tuple[Expr, tuple[Expr, ...]] | None:
    """Where on z_j the axes of all revolute joints before j meet, and the pivot: an axis c + m a that crosses z_j gives it.

    The nearest one before j, or that with the largest component across z_j if digits would be lost with it; None if all
    are too small.
    """
    crossing: list[tuple[float, int, Vector, Vector]] = []
    for k in reversed(robot.path(j)[:-1]):
        if robot.frame(k).sigma == REVOLUTE:
            a, c = _seen_from(robot, k, j)
            sizes = _sizes(robot, a[:2])
            across = max((0, 1), key=lambda i: sizes[i])
            crossing.append((sizes[across], across, a, c))
            if sizes[across] > GOOD:
                break
    size, across, a, c = max(crossing, key=lambda one: one[0])
    return (c[2] - a[2] * (c[across] / a[across]), _changing(a[across])) if size > USABLE else None


def _changing(pivot: Expr) -> tuple[Expr, ...]:
    """The pivot, if it is not the same for all values."""
    return () if pivot.level == CONSTANT else (pivot,)


def _sizes(robot: Robot, entries: Sequence[Expr]) -> list[float]:
    """How large they are with the robot's values."""
    return [abs(float(value)) for value in evaluate(entries, place(robot, entries))]


def _seen_from(robot: Robot, k: int, j: int) -> tuple[Vector, Vector]:
    """The axis of joint k and the origin of frame k, seen from frame j, with all joints between at zero."""
    axis: Vector = (ZERO, ZERO, number(1))
    point: Vector = (ZERO, ZERO, ZERO)
    path = robot.path(j)
    for frame in path[path.index(k) + 1 :]:
        gamma, b, alpha, d, theta, r = _at_zero(robot, frame)
        for name, angle, shift in (("z", gamma, b), ("x", alpha, d), ("z", theta, r)):
            turn = (Turn(name, angle),)
            axis = into(turn, axis)
            x, y, z = into(turn, point)
            point = (x, y, z - shift) if name == "z" else (x - shift, y, z)
    return axis, point


def _at_zero(robot: Robot, j: int) -> list[Expr]:
    """The geometry of frame j at q_j = 0, its own joint taken as independent."""
    frame = robot.frame(j)
    own = frame.joint.variable
    return substitute(frame.geometry, {own: ZERO}) if own is not None else list(frame.geometry)
