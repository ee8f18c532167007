"""Wrenches, a force and the moment about the origin of a frame, carried from frame to frame."""

from __future__ import annotations

from .rotations import Rotation, back
from .vectors import Vector, cross, plus

Wrench = tuple[Vector, Vector]  # force, moment


def added(a: Wrench, b: Wrench) -> Wrench:
    return plus(a[0], b[0]), plus(a[1], b[1])


def turned_back(rotation: Rotation, wrench: Wrench) -> Wrench:
    """A wrench of the turned frame in the axes of the antecedent frame: R f and R m."""
    return back(rotation, wrench[0]), back(rotation, wrench[1])


def shifted(wrench: Wrench, position: Vector) -> Wrench:
    """The same wrench about an origin from which its own is at ``position``: m + P x f.

    The whole way to the antecedent frame is the two together, with the turned vectors named in between, so that P x f
    is made of the named force.
    """
    force, moment = wrench
    return force, plus(moment, cross(position, force))
