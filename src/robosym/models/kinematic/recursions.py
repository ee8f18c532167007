"""The recursions of velocities and accelerations: in the frames of the links, in those of the base, and in the world's.

All give the same motions and run on any scalars; which costs least depends on the robot, on the requested frames and on the
axes of the result. Rotations about z alone are deferred (see ``tree/deferred.py``). Equation numbers are those of SYMORO+ 1997;
the recursions inwards, and those of twists about the origin of the world, are derived here.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ...program import Graph, Program, Scope, optimised
from ...program.graph import Link
from ...robot import Robot
from ...spatial.scalar import Scalar
from ...spatial.screws import Motion, from_left, from_right, turned
from ...spatial.vectors import ZERO, Vector, apply, cross, plus, times
from .. import limits
from ..request import ALIGNED, Convention
from ..tree.bodies import Body
from ..tree.deferred import Deferred, at_once
from ..tree.deferred import cross as deferred_cross
from ..tree.motion import Motion as LinkMotion
from ..tree.motion import Recursion as LinkRecursion
from ..tree.motion import base_motion, next_motion
from ..tree.moving import Kind, Moving
from ..tree.paths import Poses, Ways
from ..tree.paths import Way as Path
from .links import Links

Twists = tuple[Deferred, Deferred, Deferred, Deferred]  # v, w, a, wd
STEMS = ("V", "W", "VP", "WP")


@dataclass(frozen=True)
class Found:
    """The motion of a frame's origin, or of the point that is at the world's, and where the frame is."""

    moving: Moving
    position: Vector = ZERO


def _along(k: Scalar) -> Deferred:
    return at_once((0, 0, k))


def _scaled(k: Scalar, a: Deferred) -> Deferred:
    return a.each(lambda v: times(k, v))


def _ready(scope: Scope, stem: str, j: Link, a: Deferred) -> Deferred:
    return at_once(scope.vector(stem, j, a.vector))


def _closed(scope: Scope, stem: str, j: Link, a: Deferred) -> Deferred:
    return _ready(scope, stem, j, a) if len(a.parts) > limits.MOST_PARTS else a


def _moving(scope: Scope, j: int, vectors: Sequence[Vector], kind: Kind) -> Moving:
    """v, w, a, wd of a link, named."""
    v, w, a, wd = (scope.vector(stem, j, x) for stem, x in zip(STEMS, vectors, strict=True))
    return Moving(v, w, a, wd, kind)


# --- outwards, in the frames of the links ----------------------------------------------------------------------------


def outward_twists(links: Links, scope: Scope, add_angles: bool = True, linear_too: bool = True) -> dict[int, Moving]:
    """Twists and their rates: equation (6), and its derivative component by component (Featherstone's recursion).

    ``linear_too`` as for ``speeds``.
    """
    base = links.base.of_kind("spatial")
    deferred: dict[int, Twists] = {0: (at_once(base.v), at_once(base.w), at_once(base.a), at_once(base.wd))}
    for body in links.tree.bodies:
        v, w, a, wd = deferred[body.parent]
        P = at_once(body.position)
        v, a = v + deferred_cross(w, P), a + deferred_cross(wd, P)  # (6c), and its derivative
        lead = body.rotation_before
        if lead or not add_angles:
            w, wd = (_ready(scope, stem, body.j, x.into(lead)) for stem, x in (("WA", w), ("WPA", wd)))
        if lead or not (add_angles and linear_too):
            v, a = (_ready(scope, stem, body.j, x.into(lead)) for stem, x in (("VA", v), ("VPA", a)))
        v, w, a, wd = (x.turned(-body.turn) for x in (v, w, a, wd))
        qd, qdd = body.speed, _along(body.acceleration)
        if body.prismatic:
            v, a = v + _along(qd), a + -_scaled(qd, w.quarter) + qdd  # (6c), and its derivative
        else:
            a, wd = a + -_scaled(qd, v.quarter), wd + -_scaled(qd, w.quarter) + qdd  # derivative of (6c); (8)
            w = w + _along(qd)  # (6b)
        v, w, a, wd = (_closed(scope, stem, body.j, x) for stem, x in zip(STEMS, (v, w, a, wd), strict=True))
        deferred[body.j] = (v, w, a, wd)
    return {j: _moving(scope, j, [x.vector for x in deferred[j]], "spatial") for j in links.asked}


def outward_accelerations(
    links: Links, scope: Scope, add_angles: bool = True, from_wd: Container[int] = ()
) -> dict[int, Moving]:
    """Equations (8) to (10), without velocities of the origins; ``from_wd`` are the links where U is made from wd.

    Elsewhere wd comes from the third column of U, by rotation (see ``motion.py``).
    """
    motions: dict[int, LinkMotion] = {0: base_motion(links.tree)}
    for body in links.tree.bodies:
        recursion = LinkRecursion(classical=body.j in from_wd, add_angles=add_angles)
        motions[body.j] = next_motion(links.tree, body, motions[body.parent], scope, recursion)
    return {j: Moving(w=motions[j].w, a=motions[j].vd, wd=motions[j].wd) for j in links.asked}


# --- inwards, from the frame to the base -----------------------------------------------------------------------------


def inward_points(links: Links, scope: Scope, add_angles: bool = True) -> dict[int, Found]:
    """How the origin of each frame moves as seen from one link after another, down to the base; in the world's axes.

    Seen from before a revolute joint, a point p with velocity v also turns about the axis: v' = v + qd z x p and
    a' = a + qdd z x p + qd z x (v + v').
    """
    return {j: _in_world(links, *_seen_from_base(links, j, scope, add_angles), scope, j) for j in links.asked}


def _seen_from_base(links: Links, tip: int, scope: Scope, add_angles: bool) -> tuple[Vector, Moving]:
    p = v = w = a = wd = Deferred()
    stems = ("L", *STEMS)
    for body in reversed(links.way(tip)):
        qd, qdd = body.speed, body.acceleration
        if body.prismatic:
            v, a = v + _along(qd), a + _along(qdd)
        else:
            after = v + _scaled(qd, p.quarter)
            a = a + _scaled(qdd, p.quarter) + _scaled(qd, (v + after).quarter)
            wd = wd + _scaled(qd, w.quarter) + _along(qdd)
            v, w = after, w + _along(qd)
        p = p + _along(body.slide)
        parts = [x.turned(body.turn) for x in (p, v, w, a, wd)]
        if body.rotation_before or not add_angles:
            ready = (_ready(scope, f"{stem}A", (tip, body.j), x) for stem, x in zip(stems, parts, strict=True))
            parts = [x.through(body.rotation_before) for x in ready]
        parts[0] = parts[0] + at_once(body.arm)
        p, v, w, a, wd = (_closed(scope, stem, (tip, body.j), x) for stem, x in zip(stems, parts, strict=True))
    return scope.vector("L", tip, p.vector), _moving(scope, tip, [x.vector for x in (v, w, a, wd)], "classical")


def _in_world(links: Links, p: Vector, seen: Moving, scope: Scope, tip: int) -> Found:
    """What the base's own motion adds (Coriolis), in the world's axes."""
    base = links.base.of_kind("classical")
    carried = base.at(p)
    coriolis = cross(base.w, times(2, seen.v))
    total = Moving(
        plus(carried.v, seen.v),
        plus(base.w, seen.w),
        plus(plus(carried.a, coriolis), seen.a),
        plus(plus(base.wd, cross(base.w, seen.w)), seen.wd),
    )
    return Found(_turned_to_world(links, total, scope, tip), from_right(links.place, p, True, scope, "L", of=tip))


def _turned_to_world(links: Links, m: Moving, scope: Scope, of: int | None = None) -> Moving:
    return _turned_along(links.place, m, scope, of)


def _turned_along(path: Path | Sequence[Motion], m: Moving, scope: Scope, of: int | None = None) -> Moving:
    v, w, a, wd = (
        from_right(path, x, False, scope, stem, of=of) for stem, x in zip(STEMS, (m.v, m.w, m.a, m.wd), strict=True)
    )
    return Moving(v, w, a, wd, m.kind)


def inward_twists(links: Links, scope: Scope, add_angles: bool = True) -> dict[int, Found]:
    """The same with twists about the origin of one link after another: at last about the world's."""
    return {j: Found(_twist_in_world(links, j, scope, add_angles)) for j in links.asked}


def _twist_in_world(links: Links, tip: int, scope: Scope, add_angles: bool) -> Moving:
    v = w = a = wd = Deferred()
    for body in reversed(links.way(tip)):
        qd, qdd = body.speed, _along(body.acceleration)
        if body.prismatic:
            v, a = v + _along(qd), a + _scaled(qd, w.quarter) + qdd
        else:
            a, wd = a + _scaled(qd, v.quarter), wd + _scaled(qd, w.quarter) + qdd
            w = w + _along(qd)
        v, a = v + _scaled(body.slide, w.quarter), a + _scaled(body.slide, wd.quarter)
        parts = [x.turned(body.turn) for x in (v, w, a, wd)]
        if body.rotation_before or not add_angles:
            ready = (_ready(scope, f"{stem}A", (tip, body.j), x) for stem, x in zip(STEMS, parts, strict=True))
            parts = [x.through(body.rotation_before) for x in ready]
        v, w, a, wd = parts
        arm = at_once(body.arm)
        parts = [v + deferred_cross(arm, w), w, a + deferred_cross(arm, wd), wd]
        v, w, a, wd = (_closed(scope, stem, (tip, body.j), x) for stem, x in zip(STEMS, parts, strict=True))
    seen = _moving(scope, tip, [x.vector for x in (v, w, a, wd)], "spatial")
    base = links.base.of_kind("spatial")
    total = Moving(
        plus(base.v, seen.v),
        plus(base.w, seen.w),
        plus(plus(base.a, seen.a), plus(cross(base.w, seen.v), cross(base.v, seen.w))),
        plus(plus(base.wd, seen.wd), cross(base.w, seen.w)),
        "spatial",
    )
    _, origin = from_left(links.place, scope)
    return _turned_to_world(links, total, scope, tip).at(times(-1, origin))


# --- outwards, in the axes of the world ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Placed:
    """Where a frame is in the world: its axes before the last turns about z, the angle of those, its origin."""

    x: Vector
    y: Vector
    z: Vector
    turn: Scalar
    position: Vector
    step: Vector = ZERO  # from the origin of the frame that carries it


def _placed(body: Body, i: Placed, scope: Scope, add_angles: bool) -> Placed:
    x, y = turned(i.x, i.y, i.turn)
    z, turn = i.z, body.turn
    step = apply((scope.vector("sI", body.j, x), scope.vector("nI", body.j, y), z), body.arm)  # axes of the antecedent
    if body.rotation_before or not add_angles:
        for left, one in zip(reversed(range(len(body.rotation_before))), body.rotation_before, strict=True):
            if one.axis == "z":
                x, y = turned(x, y, one.angle)
            else:
                y, z = turned(y, z, one.angle)
            marks = ("sT", "nT", "a")  # a T for each turn to come; the last one is about z
            x, y, z = (scope.vector(m + "T" * left, body.j, c) for m, c in zip(marks, (x, y, z), strict=True))
    else:
        x, y, turn = i.x, i.y, i.turn + body.turn
    step = scope.vector("DP", body.j, plus(step, times(body.slide, z)))
    return Placed(x, y, z, turn, scope.vector("P", body.j, plus(i.position, step)), step)


def _base_in_world(links: Links, base: Moving, scope: Scope) -> tuple[Placed, Moving]:
    (x, y, z), position = from_left(links.place, scope)
    return Placed(x, y, z, 0, position), _turned_to_world(links, base, scope)


def world_points(links: Links, scope: Scope, add_angles: bool = True) -> dict[int, Found]:
    """Equations (6), (8) and (10) with every vector in the axes of the world: what many frames share is made once."""
    place, moving = _base_in_world(links, links.base.of_kind("classical"), scope)
    found = {0: (place, moving)}
    for body in links.tree.bodies:
        before, i = found[body.parent]
        here = _placed(body, before, scope, add_angles)
        # V_i + w_i x P of (6c), vd_i + U_i P of (10)
        m, z, qd, qdd = i.at(here.step), here.z, body.speed, body.acceleration
        spin = times(qd, cross(i.w, z))
        v, w, a, wd = m.v, m.w, m.a, m.wd
        if body.prismatic:
            v, a = plus(v, times(qd, z)), plus(a, plus(times(qdd, z), times(2, spin)))  # (6c), (10)
        else:
            w, wd = plus(w, times(qd, z)), plus(wd, plus(times(qdd, z), spin))  # (6b), (8)
        found[body.j] = (here, _moving(scope, body.j, (v, w, a, wd), "classical"))
    return {j: Found(found[j][1], found[j][0].position) for j in links.asked}


def world_twists(links: Links, scope: Scope, add_angles: bool = True) -> dict[int, Found]:
    """The same with twists about the origin of the world: V_j = V_i + qd S and A_j = A_i + qdd S + qd V_i x S."""
    place, moving = _base_in_world(links, links.base.of_kind("spatial"), scope)
    found = {0: (place, moving.at(times(-1, place.position)))}
    for body in links.tree.bodies:
        before, i = found[body.parent]
        here = _placed(body, before, scope, add_angles)
        z, qd, qdd = here.z, body.speed, body.acceleration
        if body.prismatic:
            linear, angular = z, ZERO
        else:
            linear, angular = scope.vector("SL", body.j, cross(here.position, z)), z
        a = plus(times(qdd, linear), times(qd, plus(cross(i.w, linear), cross(i.v, angular))))
        wd = plus(times(qdd, angular), times(qd, cross(i.w, angular)))
        total = (plus(i.v, times(qd, linear)), plus(i.w, times(qd, angular)), plus(i.a, a), plus(i.wd, wd))
        found[body.j] = (here, _moving(scope, body.j, total, "spatial"))
    return {j: Found(found[j][1]) for j in links.asked}


# --- which of them ---------------------------------------------------------------------------------------------------

Way = Callable[[Scope], dict[int, Moving]]
Recursion = Callable[[Links, Scope, bool], dict[int, Found]]

# What is deferred over parallel axes (add_angles, linear_too): all vectors, those of the rotation only, none.
SUMS = ((True, True), (True, False), (False, False))


def world_ways(links: Links, convention: Convention, kind: Kind) -> list[Way]:
    """The recursions worth trying for a result in the axes of the world, with and without sums of angles."""
    single = len(links.asked) == 1
    inward = single or sum(len(links.way(j)) for j in links.asked) <= limits.MOST_MET
    found: list[Recursion] = []
    if convention == "world":
        found += [inward_twists] if inward else []
        found += [] if single else [world_points, world_twists]
    else:
        found += [inward_points, world_points] if inward else [world_points]
    return [partial(_written, links, convention, kind, one, sums) for one in found for sums in (True, False)]


def frame_ways(links: Links, robot: Robot, k: int, kind: Kind, local: Sequence[Way]) -> list[Way]:
    """For a result in the axes of frame k: the recursions that end in the axes of the base, turned; of one frame also the
    ``local`` ones, which end in its own."""
    in_base = world_ways(replace(links, place=()), ALIGNED, kind)
    if k == 0:
        return in_base
    between = Ways(robot)
    if len(links.asked) > 1:
        return [partial(_by_columns, one, between(k, 0)) for one in in_base]
    (j,) = links.asked
    return [partial(_turned, one, between(k, i)) for i, several in ((0, in_base), (j, local)) for one in several]


def _turned(way: Way, path: Path, scope: Scope) -> dict[int, Moving]:
    """Motions in the axes at the end of a path, in those at its beginning."""
    return {j: _turned_along(path, m, scope) for j, m in way(scope).items()}


def _by_columns(way: Way, path: Path, scope: Scope) -> dict[int, Moving]:
    """The same by an orientation matrix: of many frames it is made once."""
    columns, _ = Poses(scope)(path)
    found = {}
    for j, m in way(scope).items():
        v, w, a, wd = (apply(columns, x) for x in (m.v, m.w, m.a, m.wd))
        found[j] = Moving(v, w, a, wd, m.kind)
    return found


def cheapest(graphs: Sequence[Graph]) -> Program:
    """The cheapest way. Sums of angles pay after the passes only: several that come near the best go through them."""
    return optimised(*graphs, wide=True)


def _written(
    links: Links, convention: Convention, kind: Kind, recursion: Recursion, add_angles: bool, scope: Scope
) -> dict[int, Moving]:
    found = recursion(links, scope, add_angles)
    return {j: written(one, convention, kind) for j, one in found.items()}


def written(found: Found, convention: Convention, kind: Kind) -> Moving:
    """A motion in the axes of the world, of the frame's origin or of the world's, with the requested acceleration."""
    m = found.moving.of_kind(kind)
    return m.at(times(-1, found.position)) if convention == "world" else m
