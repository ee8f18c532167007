"""A free base: what a small motion of it in its own axes, and its speeds there, do to the torques (derived here).

Turned by dphi, the base sees gravity turned the other way, and nothing else changes: dvd = dphi x g. Its acceleration is given as the
rates of its speeds (spatial), so that vd = a + w x v - g changes with both speeds; where it is given as that of its origin (classical)
with neither. With w the angular acceleration stays as it is: e = w x dw.
"""

from __future__ import annotations

from ...spatial import symmetric
from ...spatial.scalar import Scalar
from ...spatial.vectors import AXES, ZERO, Vector, apply, cross, dot, plus, times
from ...spatial.wrenches import Wrench
from ..tree.bodies import Tree
from ..tree.coordinates import BASE_AXES, Axis
from .beyond import Beyond
from .carriers import Moving
from .changes import Row

LINEAR, ANGULAR = BASE_AXES[:3], BASE_AXES[3:]


def on_base(tree: Tree, base: Moving, row: Row) -> tuple[dict[Axis, Scalar], dict[Axis, Scalar]]:
    """The derivatives of a torque by the place of the base and by its speeds, from its row there."""
    spatial = tree.root.moving.kind == "spatial"
    by_w = plus(row.b, cross(row.m, base.w))
    by_v = cross(row.f, base.w) if spatial else ZERO
    if spatial:
        by_w = plus(by_w, cross(tree.root.moving.v, row.f))
    by_place = dict(zip(ANGULAR, cross(tree.gravity, row.f), strict=True))
    return by_place, dict(zip(BASE_AXES, (*by_v, *by_w), strict=True))


def base_columns(tree: Tree, base: Moving, x: Beyond) -> tuple[dict[Axis, Wrench], dict[Axis, Wrench]]:
    """The derivatives of the wrench on the base with all it carries, by its place and by its speeds."""
    spatial = tree.root.moving.kind == "spatial"
    v = tree.root.moving.v
    by_place = {axis: _lifted(x, cross(unit, tree.gravity)) for axis, unit in zip(ANGULAR, AXES, strict=True)}
    by_speed = {}
    for linear, angular, unit in zip(LINEAR, ANGULAR, AXES, strict=True):
        by_speed[linear] = _lifted(x, cross(base.w, unit) if spatial else ZERO)
        by_speed[angular] = _turned(base, x, unit, cross(unit, v) if spatial else ZERO)
    return by_place, by_speed


def _lifted(x: Beyond, dvd: Vector) -> Wrench:
    return times(x.inertia.mass, dvd), cross(x.inertia.moment, dvd)


def _turned(base: Moving, x: Beyond, dw: Vector, dvd: Vector) -> Wrench:
    """By dw, with e = w x dw: M dvd + e x MS + 2 dw x (w x MS) + dw x P, and MS x dvd + J e - 2 w x Sigma dw + K dw."""
    force, moment = _lifted(x, dvd)
    e, ms = cross(base.w, dw), x.inertia.moment
    around = plus(times(dot(dw, ms), base.twice), times(-dot(dw, base.twice), ms))
    force = plus(plus(force, cross(e, ms)), plus(around, cross(dw, x.momentum)))
    inertial = plus(symmetric.apply(x.inertia.matrix, e), cross(symmetric.apply(x.inertia.sigma, dw), base.twice))
    rates = plus(times(x.trace, dw), times(-1, apply(x.gamma, dw)))
    return force, plus(plus(moment, inertial), rates)
