"""The inputs of a model: the coordinates and their rates, torques, and the wrenches of the links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from ...expr import VARIABLE, Expr, variable
from ...program import Array
from ...robot import FIXED, WRENCH, Robot, RobotError
from ...robot.problems import Problem
from .coordinates import coordinates

Wrenches = Literal["terminal", "all", "none"]  # the links whose wrench on the environment is an input


def wrench_symbols(j: int) -> tuple[Expr, ...]:
    return tuple(variable(f"{name}{j}") for name in WRENCH)


def wrench_links(robot: Robot, which: str) -> tuple[int, ...]:
    """The links whose wrench is an input: none, the terminal ones (and those the description makes symbolic), or all."""
    cuts = {cut for pair in robot.closure.cuts for cut in pair} if robot.closure is not None else set()
    moving = [j for j in robot.order if robot.frame(j).sigma != FIXED and j not in cuts]
    if which == "none":
        return ()
    if which == "all":
        return tuple(moving)
    if which == "terminal":
        carriers = {robot.carrier(robot.frame(j).antecedent) for j in moving}
        symbolic = {j for j in moving if any(x.level == VARIABLE for x in robot.frame(j).link.wrench)}
        ends = [j for j in moving if j not in carriers]
        in_loops = {robot.carrier(robot.frame(cut).antecedent) for cut in cuts}
        terminal = [j for j in ends if j not in in_loops] or ends  # the ends of the tree where loops were cut are none
        return tuple(j for j in moving if j in terminal or j in symbolic)
    raise RobotError([Problem("wrench", f"got {which!r}, expected 'terminal', 'all' or 'none'")], robot.name)


def state_inputs(
    robot: Robot, names: tuple[str, ...], wrenches: str = "none", more: Sequence[Array] = ()
) -> tuple[Array, ...]:
    """The input arrays of a dynamic model: q, qd, qdd, tau as requested, ``more``, and the wrenches, one row a link.

    Where the description sets a velocity, an acceleration or a torque to a number, the array still has its place, unread.
    """
    found = [*coordinates(robot).inputs(names), *more]
    links = wrench_links(robot, wrenches)
    if links:
        found.append(Array("wrench", (len(links), 6), tuple(s for j in links for s in wrench_symbols(j))))
    seen: set[Expr] = set()
    for array in found:
        for entry in array.entries:
            if entry in seen:
                problem = f"'{entry}' stands for two things in the state: give one of them another name"
                raise RobotError([Problem(array.name, problem)], robot.name)
            seen.add(entry)
    return tuple(found)


def zero_unless_given(robot: Robot, wrench: str) -> Mapping[str, tuple[str, ...]]:
    """The inputs a call may leave out, with the names of their rows: the wrenches, by link."""
    links = wrench_links(robot, wrench)
    return {"wrench": tuple(robot.frame(j).name for j in links)} if links else {}
