"""The symbols of the state: velocities, accelerations, torques and wrenches, and the input arrays made of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ...expr import VARIABLE, Expr, variable
from ...program import Array
from ...robot import FIXED, WRENCH, Robot, RobotError
from ...robot.problems import Problem
from ...spatial.rotations import quaternion_columns
from ...spatial.vectors import apply

Wrenches = Literal["terminal", "all", "none"]  # the links whose wrench on the environment is an input


def speed_symbol(robot: Robot, j: int) -> Expr:
    """qd_j, or what the user set for it: a numeric zero customises the models."""
    own = robot.frame(j).joint.velocity
    return own if own is not None else variable(f"qd{j}")


def acceleration_symbol(robot: Robot, j: int) -> Expr:
    own = robot.frame(j).joint.acceleration
    return own if own is not None else variable(f"qdd{j}")


def torque_symbol(robot: Robot, j: int) -> Expr:
    own = robot.frame(j).joint.torque
    return own if own is not None else variable(f"tau{j}")


def joint_speed(robot: Robot, j: int) -> Expr:
    """The speed of the joint of frame j: its own qd, or its master's times their ratio."""
    master, ratio = robot.master(j)
    return ratio * speed_symbol(robot, master)


def joint_acceleration(robot: Robot, j: int) -> Expr:
    master, ratio = robot.master(j)
    return ratio * acceleration_symbol(robot, master)


def free_base(robot: Robot, name: str) -> tuple[Expr, ...]:
    """The first six entries of qd, qdd or tau when the base is free: linear, then angular, in the axes of frame 0."""
    return tuple(variable(f"{name}_base{i}") for i in range(1, 7)) if robot.base.floating else ()


def coordinate_rates(robot: Robot) -> dict[Expr, Expr]:
    """The time derivative of every coordinate: qd, and what it makes of a free base's position and quaternion."""
    rates = dict(
        zip(
            robot.coordinates[len(robot.coordinates) - len(robot.moving) :],
            (speed_symbol(robot, j) for j in robot.moving),
            strict=True,
        )
    )
    if not robot.base.floating:
        return rates
    a, b, c, w = robot.coordinates[3:7]
    vx, vy, vz, wx, wy, wz = free_base(robot, "qd")
    columns = quaternion_columns(a, b, c, w)
    moved = apply(columns, (vx, vy, vz))
    turned = (w * wx + b * wz - c * wy, w * wy + c * wx - a * wz, w * wz + a * wy - b * wx, -(a * wx + b * wy + c * wz))
    own = (*moved, *(x / 2 for x in turned))
    return dict(zip(robot.coordinates[:7], own, strict=True)) | rates


def _entry(robot: Robot, name: str, j: int) -> Expr:
    """The input symbol of one joint: the description's own, if it names one."""
    own = {"qd": speed_symbol, "qdd": acceleration_symbol, "tau": torque_symbol}[name](robot, j)
    if own.kind == "variable":
        return own
    if own.level == VARIABLE:
        where = f"frame {j}, { ({'qd': 'velocity', 'qdd': 'acceleration', 'tau': 'torque'}[name]) }"
        raise RobotError([Problem(where, f"got '{own}', expected one symbol or a number")], robot.name)
    return variable(f"{name}{j}")


def wrench_symbols(j: int) -> tuple[Expr, ...]:
    return tuple(variable(f"{name}{j}") for name in WRENCH)


def wrench_links(robot: Robot, which: str) -> tuple[int, ...]:
    """The links whose wrench is an input: none, the terminal ones (and those the description makes symbolic), or all."""
    moving = [j for j in robot.order if robot.frame(j).sigma != FIXED]
    if which == "none":
        return ()
    if which == "all":
        return tuple(moving)
    if which == "terminal":
        carriers = {robot.carrier(robot.frame(j).antecedent) for j in moving}
        symbolic = {j for j in moving if any(x.level == VARIABLE for x in robot.frame(j).link.wrench)}
        return tuple(j for j in moving if j not in carriers or j in symbolic)
    raise RobotError([Problem("wrench", f"got {which!r}, expected 'terminal', 'all' or 'none'")], robot.name)


def state_inputs(robot: Robot, names: tuple[str, ...], wrenches: str = "none") -> tuple[Array, ...]:
    """The input arrays of a dynamic model: q, qd, qdd, tau as asked, and the wrenches, one row a link.

    Where the description sets a velocity, an acceleration or a torque to a number, the array still has its place, unread.
    """
    found = []
    for name in names:
        if name == "q":
            found.append(Array("q", (robot.nq,), robot.coordinates))
        else:
            own = tuple(_entry(robot, name, j) for j in robot.moving)
            found.append(Array(name, (robot.nv,), (*free_base(robot, name), *own)))
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
