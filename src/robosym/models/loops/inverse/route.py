"""The way to a frame of a robot with closed loops: a chain of joints, driven or not, that is solved as any arm is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....expr import VARIABLE, Expr, evaluate, free_symbols, logical_and, number, substitute
from ....robot import FIXED, PRISMATIC, Robot, RobotError
from ....robot.parts import Closure
from ....robot.problems import Problem
from ....spatial.ranks import rank
from ...draws import Draws, values_at
from ...inverse_geometry.chain.chain import Chain, Unknown, rows_of
from ...inverse_geometry.chain.features import directions
from ...inverse_geometry.chain.task import Task, chain_for, joint_frame, position_slopes, requested_task
from ...mechanism.chain import variable_of
from ...tree.paths import motions

STEP = 1e-6  # of a joint, to see how the frame follows: it leaves an error of some 1e-10
STILL = 1e-7  # what moves less does not move
TRIES = 800


@dataclass(frozen=True)
class Motors:
    """The columns of the solutions: the driven joints that move the frame."""

    robot: Robot
    joints: tuple[Unknown, ...]
    unit: float = 1.0

    @property
    def units(self) -> tuple[float, ...]:
        """What their positions are measured with: radians, or units of the arm's length."""
        return tuple(self.unit if joint.prismatic else 1.0 for joint in self.joints)


@dataclass(frozen=True)
class Route:
    """``chain`` has the joints of the way to the frame, which are all free in its robot; ``robot`` is the assembled one."""

    robot: Robot
    frame: int
    base: int | str
    chain: Chain
    end: int  # the frame at the end of the chain, in the chain's robot
    task: Task
    motors: Motors

    @property
    def closure(self) -> Closure:
        assert self.robot.closure is not None
        return self.robot.closure

    @property
    def free(self) -> Robot:
        """The robot with every joint free, as the loops are written with."""
        return self.robot.replace(closure=None)

    @property
    def known(self) -> tuple[int, ...]:
        """The frames of the joints that the chain and the call give."""
        return (*(joint.frame for joint in self.chain.joints), *self.chain.given)

    @property
    def exists(self) -> Expr:
        """Where the mode is defined, as far as the motors that move the frame and those given tell: not so of loops that others
        drive."""
        told = {variable_of(self.robot, j) for j in (*(joint.frame for joint in self.motors.joints), *self.chain.given)}
        found = number(1)
        for one in _conditions(self.closure.exists):
            if all(symbol in told for symbol in free_symbols(one) if symbol.level == VARIABLE):
                found = logical_and(found, one)
        return found

    def position(self, j: int) -> Expr:
        """Where a joint is, of the variables of the driven ones."""
        return self.closure.positions[j] if j in self.closure.positions else variable_of(self.robot, j)


def route_of(robot: Robot, frame: int, base: int | str, task: str, given: Sequence[str | int]) -> Route:
    """The way to a frame of an assembled robot. A cut joint has two frames, which are one: the way with more motors, or else the
    shorter one, is taken."""
    held = [joint_frame(robot, frame, one) for one in given]
    moving = _movers(robot, frame, held)
    chosen = requested_task(robot, task, len(moving), lambda: _position_rank(robot, frame, base, moving))
    ways = []
    for other, end in _ways(robot, frame):
        chain = _chain(other, end, base, chosen, given)
        spare = len(chain.joints) - directions(chain, chosen == "position")
        beside = len(set(moving) - {joint.frame for joint in chain.joints})
        ways.append(((spare, beside, len(chain.joints)), chain, end))
    (spare, _, count), chain, end = min(ways, key=lambda way: way[0])
    if spare:
        names = ", ".join(joint.name for joint in chain.joints)
        problem = f"{names} lead to it, and its {chosen} leaves {spare} of these {count} free"
        more = ": request the whole pose (task 'pose')" if chosen == "position" else ": give a driven one (given=[...])"
        raise RobotError([Problem("frame", problem + more)], robot.name)
    columns = [_column(robot, k, j) for k, j in enumerate(moving, 1)]
    return Route(robot, frame, base, chain, end, chosen, Motors(robot, tuple(columns), chain.unit))


def _conditions(all_of_them: Expr) -> list[Expr]:
    """The conditions that have to hold together."""
    if all_of_them.op != "and":
        return [all_of_them]
    return [one for part in all_of_them.args for one in _conditions(part)]


def _column(robot: Robot, k: int, j: int) -> Unknown:
    frame = robot.frame(j)
    return Unknown(k, j, frame.joint.name, frame.sigma == PRISMATIC, 1, number(0))


def _movers(robot: Robot, frame: int, held: Sequence[int]) -> list[int]:
    """The driven joints on which the pose of the frame depends, in the order of q, without those given."""
    assert robot.closure is not None
    positions = robot.closure.positions
    passive = [robot.frame(j).joint.name for j in held if j in positions]
    if passive:
        problem = f"{', '.join(passive)} is not driven: it follows from the loops"
        raise RobotError([Problem("given", problem)], robot.name)
    path = [j for j in robot.path(frame) if robot.frame(j).sigma != FIXED]
    used = set(free_symbols(*(positions[j] if j in positions else variable_of(robot, j) for j in path)))
    found = [j for j in robot.moving if variable_of(robot, j) in used and j not in held]
    if not found:
        raise RobotError([Problem("frame", "no joint moves it: there is nothing to solve")], robot.name)
    return found


# --- the chain -------------------------------------------------------------------------------------------------------


def _ways(robot: Robot, frame: int) -> Iterator[tuple[Robot, int]]:
    """The robot with all joints free, and the same with what the frame has beyond a cut joint on the joint's other frame."""
    assert robot.closure is not None
    free = robot.replace(closure=None)
    yield free, frame
    path = robot.path(frame)
    for pair in robot.closure.cuts:
        for here, there in (pair, pair[::-1]):
            if here == frame:
                yield free, there
            elif here in path:
                next_ = path[path.index(here) + 1]
                yield _changed(free, {next_: {"antecedent": there}}), frame


def _changed(robot: Robot, changes: Mapping[int, Mapping[str, object]]) -> Robot:
    frames = tuple(
        replace(frame, **changes[j]) if j in changes else frame  # type: ignore[arg-type]
        for j, frame in enumerate(robot.frames, 1)
    )
    return robot.replace(frames=frames)


def _chain(robot: Robot, frame: int, base: int | str, task: Task, given: Sequence[str | int]) -> Chain:
    """Without the joints that turn about the position, where that is all that is requested."""
    chain = chain_for(robot, frame, base, given)
    idle = _idle(chain) if task == "position" else []
    if not idle or len(idle) == len(chain.joints):
        return chain
    changes = {}
    for j in idle:
        own = robot.frame(j)
        theta, r = substitute([own.theta, own.r], {variable_of(robot, j): number(0)})
        changes[j] = {"sigma": FIXED, "theta": theta, "r": r}
    return chain_for(_changed(robot, changes), frame, base, given)


def _idle(chain: Chain) -> list[int]:
    """The frames of the joints that do not move the end of the chain."""
    pairs = zip(chain.joints, position_slopes(chain), strict=True)
    return [joint.frame for joint, slope in pairs if np.abs(slope).max() < STILL]


# --- what is requested ------------------------------------------------------------------------------------------------


def _position_rank(robot: Robot, frame: int, base: int | str, moving: Sequence[int]) -> int:
    """In how many directions the motors move the origin of the frame, at a random position."""
    place = [row[3] for row in rows_of(motions(robot, base, frame))]
    here = sample(robot, place)
    columns = []
    for j in moving:
        own = variable_of(robot, j)
        ends = [evaluate(place, here | {own: here[own] + s * STEP}) for s in (1, -1)]
        columns.append([(float(a) - float(b)) / (2 * STEP) for a, b in zip(*ends, strict=True)])
    return rank(np.array(columns), 1e-6)


def sample(robot: Robot, entries: Sequence[Expr]) -> dict[Expr, float]:
    """Numbers for the symbols of these expressions, where the loops close: well inside what they allow."""
    closure = robot.closure
    assert closure is not None
    symbols = {*free_symbols(closure.exists, *entries), *(variable_of(robot, j) for j in robot.moving)}
    ordered = sorted(symbols, key=lambda one: one.name)
    draws = Draws(robot, 17)
    for _ in range(TRIES):
        at = draws.numbers(ordered)
        numbers = values_at([closure.exists, *entries], at)
        if numbers is not None and numbers[0]:
            return at
    raise RobotError(
        [Problem("loops", f"no random position was found at which they close in mode '{closure.mode}'")], robot.name
    )
