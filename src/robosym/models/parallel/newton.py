"""Direct geometry by iteration: the pose of the platform from the positions of its motors, from a pose near it.

With q(X) the motors' positions at pose X, in closed form leg by leg, and M its slope by the twist, X moves by -M^-1 (q(X) - q): the
error is squared at each step. Where the legs constrain the platform, what they miss their seats by stands in the rows after the
motors'. A quaternion is moved by half its product with the rotation, and made of length one again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from ...expr import Expr, absolute, expr, logical_and, maximum, minimum, number, sqrt, step, substitute, variable
from ...program import Array, Program, Scope, optimised
from ...program.routine import Copy, Fill, Repeat, Run, Stage
from ...robot import PRISMATIC, Robot
from ...spatial.scalar import Scalar
from ..inverse_geometry.special_poses.linear_algebra import wrapped
from .coordinates import PlatformCoordinates, platform_coordinates
from .pose import POSE, pose_symbols, quaternion_rates
from .status import openings, status

STEPS = 60
LONGEST = 0.2  # a step: radians, or parts of the size
STILL, RESTED = 1e-11, 1e-9  # a step that is the last, and the longest that may be the last of all
MADE = 1e-10  # what may be left of a motor's position, lengths over the size
PREFIX = "platform_"
MOVED, DONE, FOUND = f"{PREFIX}moved", f"{PREFIX}done", f"{PREFIX}pose"


def iteration(robot: Robot, branches: Sequence[int]) -> tuple[PlatformCoordinates, tuple[Stage, ...], Program]:
    """The stages from ``q`` and the pose to start from to the pose found, which is ``platform_pose``; and the program that judges
    it: the outputs pose, residual and assembled."""
    motion = platform_coordinates(robot, branches, Scope(), 0)
    stages: tuple[Stage, ...] = (
        Copy(POSE, FOUND),
        Fill(DONE),
        Fill(MOVED, (), 1.0),
        Repeat(STEPS, (Run(_step(motion), {POSE: FOUND, "next": FOUND}),), until=DONE),
    )
    return motion, stages, _judged(robot, branches)


def motor_inputs(motion: PlatformCoordinates) -> tuple[Expr, ...]:
    return tuple(variable(f"q_{k}") for k in range(len(motion.module.motors)))


def _missed(motion: PlatformCoordinates) -> list[Scalar]:
    """What the motors' positions at the pose are off, then what the legs that constrain it miss."""
    found: list[Scalar] = []
    legs = {j: leg for leg in motion.legs for j in leg.path.motors}
    for j, wanted in zip(motion.module.motors, motor_inputs(motion), strict=True):
        off = expr(legs[j].solved.positions[j] - wanted)
        found.append(off if motion.module.robot.frame(j).sigma == PRISMATIC else wrapped(step(off)))
    gaps = motion.gaps if not motion.space.constant else []
    return found + [gaps[i] for i in motion.kept_constraints]


def _normalised() -> dict[Expr, Expr]:
    """The quaternion of length one, for that which a step has left."""
    length = step(1 / sqrt(expr(sum((x * x for x in pose_symbols[3:]), number(0)))))
    return {x: step(expr(x * length)) for x in pose_symbols[3:]}


def _step(motion: PlatformCoordinates) -> Program:
    """One step: the next pose, how far it is, and whether it is the last."""
    missed, m = _missed(motion), len(motion.module.motors)
    twist = motion.whole([row[0] for row in motion.twist_from([[x] for x in missed[:m]], missed[m:])])
    size = number(motion.size)
    far = reduce(maximum, [absolute(expr(x / size if k < 3 else x)) for k, x in enumerate(twist)], number(0))
    shorter = step(minimum(1, expr(LONGEST / maximum(far, LONGEST))))
    less = [expr(-x * shorter) for x in twist]
    turned = quaternion_rates((less[3], less[4], less[5]))
    after = [expr(x + y) for x, y in zip(pose_symbols, [*less[:3], *turned], strict=True)]
    after = _in_space(motion, after)
    finite = expr(far < 1e300)  # false for what is no number
    outputs = [
        Array("next", (7,), tuple(after)),
        Array(MOVED, (), (far,)),
        Array(DONE, (), (expr(1 - logical_and(finite, far > STILL)),)),
    ]
    graph = motion.graph("step", [_q(motion), Array(POSE, (7,), pose_symbols)], outputs)
    roots = substitute(graph.roots, _normalised())
    return optimised(graph.with_roots(roots, {})).replace(name="step of the platform")


def _in_space(motion: PlatformCoordinates, pose: list[Expr]) -> list[Expr]:
    """What the platform cannot do is as it has to be."""
    found, space = list(pose), motion.space
    for k, value in space.held.items():
        found[k] = value
    if space.orientation is not None:
        found[3:] = [number(0), number(0), number(0), number(1)]
    elif space.axis is not None:
        for k in range(3):
            found[3 + k] = found[3 + k] if k == space.axis else number(0)
    return found


def _q(motion: PlatformCoordinates) -> Array:
    entries = motor_inputs(motion)
    return Array("q", (len(entries),), entries)


def _judged(robot: Robot, branches: Sequence[int]) -> Program:
    """The pose with a quaternion of length one, what is left, and whether it is a pose of the robot with these motors."""
    motion = platform_coordinates(robot, branches, Scope(), 0)
    left: Expr = number(0)
    for j, x in zip(motion.module.motors, _missed(motion), strict=False):
        left = maximum(left, absolute(expr(x / motion.size if robot.frame(j).sigma == PRISMATIC else x)))
    for x in openings(motion) if not motion.space.known else []:
        left = maximum(left, absolute(expr(x / motion.size)))
    moved = Array(MOVED, (), (variable(MOVED),))
    made = logical_and(expr(left <= MADE), expr(moved.entries[0] <= RESTED))
    there = status(motion)
    assembled = made if there.is_number else logical_and(made, there)
    outputs = [
        Array("pose_found", (7,), pose_symbols),
        Array("residual", (), (left,)),
        Array("assembled", (), (assembled,)),
        Array(f"{PREFIX}open", (), (expr(1 - assembled),)),
    ]
    graph = motion.graph("result", [_q(motion), Array(POSE, (7,), pose_symbols), moved], outputs)
    roots = substitute(graph.roots, _normalised())
    return optimised(graph.with_roots(roots, {})).replace(name="result of the platform")
