"""The friction torque of a joint (Khalil, course 2014, section 7.3.4).

With s = sign(qd), and |qd| = s qd,

    Gamma_f = offset + Fv qd + (F(|qd|) + curve(|qd|)) s,    F(v) = Fs + (Fst - Fs) exp(-B v)    [7.26]

where the curve is the piecewise linear one of figure 7.2d. A coefficient with another value backwards is
(F+ + F-)/2 + s (F+ - F-)/2: F+ for qd > 0, F- for qd < 0. Everything is then a function of s and qd. The smooth variant is
the same with s = tanh(qd / width); the corners of the curve are rounded over the same width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from ...brief import one_line
from ...expr import PARAMETER, Expr, absolute, exp, expr, free_symbols, maximum, number, sign, tanh
from ...options.validate import validated
from ...robot import FIXED, Frame, Friction, Robot, RobotError
from ...robot.parts import Points
from ...robot.problems import Problem
from ..common import open_tree
from .bodies import NO_MORE, Body, Tree, tree
from .drives import Shaft

FrictionKind = bool | Literal["smooth"]  # none, as described, or smooth

ZERO, ONE = number(0), number(1)


def friction_asked(robot: Robot, friction: FrictionKind) -> None:
    """Raise an error for the smooth friction of a joint whose description has no width for it."""
    if friction != "smooth":
        return
    without = [j for j, frame in enumerate(robot.frames, 1) if jumps(frame) and frame.actuator.friction.width is None]
    if without:
        expected = "expected the speed over which smooth friction changes its sign: friction = {width = ...}"
        raise RobotError([Problem(f"frame {j}, friction width", expected) for j in without], robot.name)


def has_friction(robot: Robot) -> bool:
    """Whether the description has any."""
    actuators = [frame.actuator for frame in robot.frames if frame.sigma != FIXED]
    plain = [x for one in actuators for x in (one.Fv, one.Fs, one.motor.Fv, one.motor.Fs, one.friction.offset)]
    return any(not x.is_zero for x in plain) or any(one.friction.Fst or one.friction.points for one in actuators)


def has_jumps(robot: Robot) -> bool:
    """Whether friction changes with the sign of a speed: joints may stick."""
    return any(jumps(frame) for frame in robot.frames)


def jumps(frame: Frame) -> bool:
    """Whether the friction of the joint or of its motor's shaft has a sign to replace."""
    return joint_jumps(frame) or (frame.sigma != FIXED and not frame.actuator.motor.Fs.is_zero)


def joint_jumps(frame: Frame) -> bool:
    """Whether the friction of the joint itself has a sign to replace."""
    actuator, friction = frame.actuator, frame.actuator.friction
    other = (friction.Fst, friction.Fv_negative, friction.Fs_negative)
    return frame.sigma != FIXED and (
        not actuator.Fs.is_zero or any(x is not None for x in other) or bool(friction.points)
    )


# --- the torque --------------------------------------------------------------------------------------------------------


def joint_friction(bodies: Tree, body: Body, kind: FrictionKind = True, slip: Expr | None = None) -> Expr:
    """Gamma_f of one joint, with its part of the friction of motors: J^-T (Fv qd_m + Fs sign(qd_m)).

    ``slip`` stands for the sign of its speed where that is known otherwise: which way a joint slips that is still at rest.
    """
    total = friction_torque(body, kind, slip)
    for shaft in bodies.shafts:
        if body.j in shaft.row:
            speed = _shaft_speed(bodies, shaft)
            way = _shaft_sign(shaft, speed, kind) if slip is None else sign(shaft.row[body.j]) * slip
            total = total + shaft.row[body.j] * (shaft.viscous * speed + shaft.coulomb * way)
    return total


def shaft_friction(shaft: Shaft, speed: Expr, kind: FrictionKind = True, slip: Expr | None = None) -> Expr:
    """The friction of the shaft of a motor that moves one joint, on the joint's side, at a ``speed`` of the motor on that side.

    ``slip`` stands for the sign of that speed where it is known otherwise.
    """
    turning = shaft.own * speed
    way = _shaft_sign(shaft, turning, kind) if slip is None else sign(shaft.own) * slip
    return shaft.own * (shaft.viscous * turning + shaft.coulomb * way)


def _shaft_speed(bodies: Tree, shaft: Shaft) -> Expr:
    return sum((c * expr(bodies.body(j).speed) for j, c in shaft.row.items()), ZERO)


def _shaft_sign(shaft: Shaft, speed: Expr, kind: FrictionKind) -> Expr:
    """sign(qd_m); the smooth one is as wide as that of the motor's own joint."""
    if kind != "smooth" or shaft.width is None:
        return sign(speed)
    return sign(shaft.own) * tanh(speed / (shaft.own * shaft.width))


def friction_torque(body: Body, kind: FrictionKind = True, slip: Expr | None = None) -> Expr:
    """Gamma_f of one joint by itself."""
    law, qd = body.friction, expr(body.speed)
    if law == NO_MORE:
        return expr(body.viscous * body.speed + body.coulomb * (sign(body.speed) if slip is None else slip))  # [7.27]
    way = _way(law, qd, kind) if slip is None else _Way(slip * qd, slip, lambda x: maximum(x, ZERO))
    viscous = _one_way(expr(body.viscous), law.Fv_negative, way.s)
    level = _one_way(expr(body.coulomb), law.Fs_negative, way.s)
    if law.Fst is not None and law.B is not None:
        level = level + (_one_way(law.Fst, law.Fst_negative, way.s) - level) * way.decay(law.B)  # [7.26]
    if law.points:
        ahead = _curve(law.points, way)
        level = level + (_one_way(ahead, _curve(law.points_negative, way) if law.points_negative else None, way.s))
    return law.offset + viscous * qd + level * way.s


@dataclass(frozen=True)
class _Way:
    """How fast a joint moves and which way: all that friction depends on."""

    speed: Expr  # |qd|
    s: Expr  # sign(qd)
    ramp: Callable[[Expr], Expr]  # max(x, 0)

    def decay(self, B: Expr) -> Expr:
        return exp(-B * self.speed)


def _way(law: Friction, qd: Expr, kind: FrictionKind) -> _Way:
    if kind != "smooth" or law.width is None:
        return _Way(absolute(qd), sign(qd), lambda x: maximum(x, ZERO))
    width = law.width
    s = tanh(qd / width)
    return _Way(qd * s, s, lambda x: x * (1 + tanh(x / width)) / 2)


def _one_way(ahead: Expr, back: Expr | None, s: Expr) -> Expr:
    """A coefficient that may be another one backwards."""
    return ahead if back is None else (ahead + back) / 2 + s * ((ahead - back) / 2)


def _curve(points: Points, way: _Way) -> Expr:
    """The straight lines through the points: each corner bends the line that came there."""
    corners = _from_origin(points)
    total, slope = corners[0][1], ZERO
    for (v, f), (next_v, next_f) in pairwise(corners):
        bend = (next_f - f) / (next_v - v) - slope
        total = total + bend * (way.speed if v.is_zero else way.ramp(way.speed - v))
        slope = slope + bend
    return total


def _from_origin(points: Points) -> Points:
    return points if points[0][0].is_zero else ((ZERO, ZERO), *points)


# --- what is linear ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class FrictionTerm:
    """One term of the friction of a joint: ``parameter`` times ``factor``. Their sum is the torque of friction."""

    __repr__ = one_line

    frame: int
    joint: str
    name: str  # of the parameter in the description: Fv, Fs, Fst, offset, points 2 ..., or the same with _negative
    parameter: Expr
    factor: Expr  # of the joint's speed
    within: tuple[str, ...]  # parameters the factor depends on: the term is linear where these are known
    beside: Mapping[int, Expr] = field(
        default_factory=dict
    )  # of a motor that turns with several: factors of other joints


@validated
def friction_terms(robot: Robot, *, friction: FrictionKind = True) -> tuple[FrictionTerm, ...]:
    """Joint friction as a sum of terms that are linear in one parameter each.

    The terms are for a regressor or an identification. Parameters that are not linear are part of the factors: B, the
    velocities of the points of a curve and the width.

    Parameters
    ----------
    robot
        Robot.
    friction
        Joint friction of the description: False (excluded), True (included) or "smooth" (its smooth variant). "smooth"
        replaces the sign of the velocity by a hyperbolic tangent. It requires a width in the description of every joint
        whose friction jumps. False gives no terms.

    Returns
    -------
    tuple[FrictionTerm, ...]
        The terms: each has a ``parameter`` and a ``factor``, whose products add up to the friction torque of the joint.
        The torques of joints that depend on others are not yet projected onto the independent joints.

    Notes
    -----
    Khalil, course 2014, section 7.3.4.
    """
    open_tree(robot)
    friction_asked(robot, friction)
    return () if friction is False else friction_terms_of(robot, tree(robot), friction)


def friction_terms_of(robot: Robot, bodies: Tree, kind: FrictionKind) -> tuple[FrictionTerm, ...]:
    """The same at the speeds that these bodies of the robot have."""
    joints = [term for body in bodies.links for term in _terms(robot.frame(body.j), body.j, expr(body.speed), kind)]
    return (*joints, *_shaft_terms(robot, bodies, kind))


def _shaft_terms(robot: Robot, bodies: Tree, kind: FrictionKind) -> Iterator[FrictionTerm]:
    for shaft in bodies.shafts:
        speed = _shaft_speed(bodies, shaft)
        for name, parameter, factor in (
            ("motor Fv", shaft.viscous, speed),
            ("motor Fs", shaft.coulomb, _shaft_sign(shaft, speed, kind)),
        ):
            if not parameter.is_zero:
                factors = {j: c * factor for j, c in shaft.row.items()}
                first = shaft.motor if shaft.motor in factors else next(iter(factors))
                own = factors.pop(first)
                within = tuple(s.name for s in free_symbols(own, *factors.values()) if s.level == PARAMETER)
                yield FrictionTerm(first, robot.frame(first).joint.name, name, parameter, own, within, factors)


def _terms(frame: Frame, j: int, qd: Expr, kind: FrictionKind) -> Iterator[FrictionTerm]:
    actuator, law = frame.actuator, frame.actuator.friction
    way = _way(law, qd, kind)
    decay = way.decay(law.B) if law.Fst is not None and law.B is not None else ZERO
    found = [("offset", law.offset, ONE)]
    found += _both("Fv", actuator.Fv, law.Fv_negative, qd, way.s)
    found += _both("Fs", actuator.Fs, law.Fs_negative, way.s * (1 - decay), way.s)
    if law.Fst is not None:
        found += _both("Fst", law.Fst, law.Fst_negative, way.s * decay, way.s)
    for name, points, half in _curves(law, way.s):
        for k, (_, torque) in enumerate(points, 1):
            unit = tuple((v, number(int(k == i))) for i, (v, _) in enumerate(points, 1))
            found.append((f"{name} {k}", torque, half * _curve(unit, way) * way.s))
    for name, parameter, factor in found:
        if not parameter.is_zero:
            within = tuple(s.name for s in free_symbols(factor) if s.level == PARAMETER)
            yield FrictionTerm(j, frame.joint.name, name, parameter, factor, within)


def _both(name: str, ahead: Expr, back: Expr | None, factor: Expr, s: Expr) -> list[tuple[str, Expr, Expr]]:
    if back is None:
        return [(name, ahead, factor)]
    return [(name, ahead, factor * (1 + s) / 2), (f"{name}_negative", back, factor * (1 - s) / 2)]


def _curves(law: Friction, s: Expr) -> Iterator[tuple[str, Points, Expr]]:
    """The curves with what they are multiplied by: one for both ways, or one for each."""
    if law.points_negative:
        yield "points", law.points, (1 + s) / 2
        yield "points_negative", law.points_negative, (1 - s) / 2
    elif law.points:
        yield "points", law.points, ONE
