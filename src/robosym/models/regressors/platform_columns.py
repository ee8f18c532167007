"""What the dynamic parameters of a platform on legs are multiplied by, column by column (Khalil 2010, equations 59 to 62).

    Gamma = J_p^T F_p + sum (d qd_i / d qd_a)^T Gamma_i                                                                  (59)

Legs and platform have columns of their own: the torques of a leg's joints for one parameter 1, the wrench on the platform. The
matrices by which they are brought to the motors are the same for all columns: one linear system has the rows of all joints that are
not driven and the columns of the platform as its right-hand sides, and each column of a leg is then a few products.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...expr import expr
from ...program import Scope
from ...program.choice import estimate
from ...spatial.scalar import Scalar, is_zero
from ...spatial.vectors import apply, plus, times
from ..parallel.coordinates import PlatformCoordinates
from ..parallel.owners import Owners
from ..parallel.rates import LegRates, on_platform
from ..parallel.trees import leg_tree, platform_tree
from ..tree.bodies import Tree, halves
from ..tree.coordinates import BASE_AXES, Axis
from ..tree.motion import Recursion
from .dynamic import Way, dynamic_columns
from .parameters import Inertial
from .terms import FrictionTerms, Term, terms

PLAIN = Recursion(add_angles=False, add_angles_back=False)
WAYS: tuple[tuple[Way, Recursion], ...] = tuple(
    (way, recursion) for way in ("forth", "meet") for recursion in (Recursion(), PLAIN)
)
Columns = dict[str, list[Scalar]]  # of each parameter, its rows


@dataclass
class Parts:
    """Every parameter's torques in the joints of legs and on the platform, and its wrench on the platform."""

    joints: dict[str, dict[int, Scalar]] = field(default_factory=dict)
    wrenches: dict[str, list[Scalar]] = field(default_factory=dict)
    terms: dict[str, Term] = field(default_factory=dict)

    def add(self, name: str, torques: Mapping[int, Scalar], wrench: Sequence[Scalar] | None = None) -> None:
        own = self.joints.setdefault(name, {})
        for j, x in torques.items():
            own[j] = own.get(j, 0) + x
        if wrench is not None:
            before = self.wrenches.get(name, [0] * 6)
            self.wrenches[name] = [a + b for a, b in zip(before, wrench, strict=True)]


def parts_of(motion: PlatformCoordinates, owners: Owners, own: Inertial, friction: FrictionTerms) -> Parts:
    """Legs that share a parameter add to the same column."""
    found = Parts()
    _platform(motion, owners, own, friction, found)
    ways: dict[object, tuple[Way, Recursion]] = {}
    for leg in motion.legs:
        bodies = _leg_bodies(motion, leg)
        key = (leg.path.kind, leg.solved.branch)
        if key not in ways:
            ways[key] = min(WAYS, key=lambda way: _cost(bodies, own, way))
        way, recursion = ways[key]
        for name, torques in dynamic_columns(bodies, own, motion.scope, way, recursion).items():
            found.add(name, _by_frame(torques))
        alone = motion.module.only(leg.path.all_frames)
        _add_terms(found, owners, own, terms(alone, bodies, own, friction, True, {}))
    return found


def on_motors(motion: PlatformCoordinates, parts: Parts) -> Columns:
    """Of the motors, in the order of q."""
    moving = motion.module.robot.moving
    passive = [j for leg in motion.legs for j in leg.path.joints if j not in leg.path.motors and _used(parts, j)]
    rows = _rows(motion, passive)
    wrenches = {name: wrench for name, wrench in parts.wrenches.items() if not all(map(is_zero, wrench))}
    right = [[*(rows[j][k] for j in passive), *(w[k] for w in wrenches.values())] for k in motion.space.places]
    solved = motion.to_motors(right) if right[0] else []
    motors = motion.module.motors
    follow = {j: dict(zip(motors, (row[k] for row in solved), strict=False)) for k, j in enumerate(passive)}
    pushed = {
        name: dict(zip(motors, (row[k] for row in solved), strict=False))
        for k, name in enumerate(wrenches, len(passive))
    }
    found: Columns = {}
    for name, torques in parts.joints.items():
        entries = []
        for m in moving:
            total = torques.get(m, 0) + pushed.get(name, {}).get(m, 0)
            for j, x in torques.items():
                total = total + x * follow[j].get(m, 0) if j in follow else total
            entries.append(total)
        found[name] = entries
    return found


def at_platform(motion: PlatformCoordinates, parts: Parts) -> Columns:
    """As wrenches on the platform; those along directions in which it never moves are zero."""
    joints = [j for leg in motion.legs for j in leg.path.joints if _used(parts, j)]
    rows = _rows(motion, joints)
    found: Columns = {}
    for name, torques in parts.joints.items():
        total = list(parts.wrenches.get(name, [0] * 6))
        for j, x in torques.items():
            if j in rows:
                total = [a + x * b for a, b in zip(total, rows[j], strict=True)]
        found[name] = [x if k in motion.space.places else 0 for k, x in enumerate(total)]
    return found


def _used(parts: Parts, j: int) -> bool:
    return any(not is_zero(torques.get(j, 0)) for torques in parts.joints.values())


def _rows(motion: PlatformCoordinates, joints: Sequence[int]) -> dict[int, list[Scalar]]:
    """The speeds of joints as products with the platform's twist (equations 61 and 65)."""
    found = {}
    for leg in motion.legs:
        for j in leg.path.joints:
            if j in joints:
                row = on_platform(leg.row(j), leg.solved.arm)
                found[j] = [motion.scope.scalar("G", (j, k), expr(x)) for k, x in enumerate(row, 1)]
    return found


# --- the legs ----------------------------------------------------------------------------------------------------------


def _leg_bodies(motion: PlatformCoordinates, leg: LegRates) -> Tree:
    """Not regrouped: every parameter has its own column. No joint follows another but by the platform."""
    bodies = leg_tree(motion, leg)
    rows = tuple((j, ((place, 1),)) for place, j in enumerate(leg.path.joints))
    return replace(bodies, coordinates=replace(bodies.coordinates, rows=rows))


def _cost(bodies: Tree, own: Inertial, way: tuple[Way, Recursion]) -> int:
    found = dynamic_columns(bodies, own, Scope(), *way)
    return estimate(expr(x) for torques in found.values() for x in torques.values())


def _by_frame(torques: Mapping[Axis, Scalar]) -> dict[int, Scalar]:
    return {j: x for j, x in torques.items() if isinstance(j, int) and not is_zero(x)}


def _add_terms(found: Parts, owners: Owners, own: Inertial, more: Sequence[Term]) -> None:
    """Rotors, springs and friction; what legs share has the name that it has in the first of them."""
    for one in more:
        j = next(axis for axis in one.torques if isinstance(axis, int))
        label = owners.labels[owners.first_drive[j]]
        name = one.name if one.name in own.meaning else f"{one.name.removesuffix(str(j))}{label}"
        found.terms.setdefault(name, replace(one, name=name))
        found.add(name, _by_frame(one.torques))


# --- the platform ------------------------------------------------------------------------------------------------------


def _platform(
    motion: PlatformCoordinates, owners: Owners, own: Inertial, friction: FrictionTerms, found: Parts
) -> None:
    """The platform is the free base of what it carries; a wrench is turned into the axes of frame 0."""
    frame, R = motion.module.platform.frame, motion.state.columns
    bodies = platform_tree(motion)
    names = {**own.names, **{(0, stem): name for (j, stem), name in own.names.items() if j == frame}}
    columns = dynamic_columns(bodies, replace(own, names=names), motion.scope, "back")
    mass = own.names.get((frame, "M"))
    for name, torques in columns.items():
        force, moment = halves([torques.get(axis, 0) for axis in BASE_AXES])
        wrench: list[Scalar] = [*apply(R, force), *apply(R, moment)]
        if name == mass:  # a force along the acceleration, without turning that into the platform and back
            down = motion.module.robot.gravity
            wrench = [*plus(motion.state.acceleration, times(-1, down)), 0, 0, 0]
        found.add(name, _by_frame(torques), wrench)
    _add_terms(found, owners, own, terms(motion.module.carrier, bodies, own, friction, True, {}))
