"""Random states of closed loops: all of them close, by matrices multiplied here, and none is near a singular one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.inertial_parameters.tied_robots import tied
from models.loops.closed_reference import Closed
from models.loops.closed_states import named
from models.loops.iterated_linkages import stephenson

from robosym.expr import Expr, evaluate, number, parameter
from robosym.models.loops import states
from robosym.models.loops.assembled import assembled
from robosym.models.loops.states import random_numbers
from robosym.models.tree.coordinates import coordinates
from robosym.robot import Robot, RobotError

SAMPLES = 15


def drawn(robot: Robot, seed: int = 0) -> dict[Expr, np.ndarray]:
    """States of an assembled robot."""
    own = coordinates(robot)
    return random_numbers(robot, [*own.q, *own.qd], {}, np.random.default_rng(seed), SAMPLES)


def positions_at(robot: Robot, found: dict[Expr, np.ndarray]) -> dict[int, np.ndarray]:
    """Of all joints, in closed form."""
    closure = robot.closure
    assert closure is not None
    known = {parameter(name): value.number for name, value in robot.values.items()} | found
    positions = {j: evaluate([x], known)[0] for j, x in closure.positions.items()}
    return positions | {j: found[robot.frame(j).joint.variable] for j in robot.moving}


@pytest.mark.parametrize("name", ["four-bar", "slider-crank", "five-bar"])
def test_loops_close(name: str) -> None:
    robot, reference = tied(name), Closed(named(name))
    found = drawn(robot)
    positions = positions_at(robot, found)
    assert all(x.shape == (SAMPLES,) for x in found.values())
    X = np.column_stack([np.broadcast_to(positions[j], SAMPLES) for j in reference.frames])
    assert reference.residuals(X).max() < 1e-9
    own = coordinates(robot)
    for x in own.qd:  # speeds anywhere between -2 and 2
        assert np.abs(found[x]).max() <= 2
        assert np.abs(found[x]).max() > 1
        assert len(np.unique(found[x])) == SAMPLES
    for x in own.q:
        assert np.ptp(found[x]) > 0.3
    again, other = drawn(robot), drawn(robot, 1)
    assert all(np.array_equal(again[x], found[x]) for x in found)
    assert not any(np.array_equal(other[x], found[x]) for x in found)


@pytest.mark.slow
def test_loops_closed_by_iteration_are_on_the_walk_from_the_mode() -> None:
    plain = stephenson()
    robot, reference = assembled(plain), Closed(plain)
    found = drawn(robot)
    X = np.column_stack([found[robot.frame(j).joint.variable] for j in reference.frames])
    assert len(X) == SAMPLES
    assert reference.residuals(X).max() < 1e-7
    assert np.ptp(X, axis=0).max() > 0.1


def test_too_few_states_raise_an_error() -> None:
    robot = tied("four-bar")
    closure = robot.closure
    assert closure is not None
    nowhere = robot.replace(closure=replace(closure, exists=number(0)))
    with pytest.raises(RobotError, match=r"at least 5 random positions of the driven joints .* got 0"):
        random_numbers(nowhere, [], {}, np.random.default_rng(0), 5)


@pytest.mark.parametrize(("each", "rounds"), [(1, 2 * SAMPLES), (0, states.EMPTY_ROUNDS)])
def test_draws_go_on_while_some_close(each: int, rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until there are twice as many as wanted; where none closes they end sooner."""
    calls = []

    def judged(self: object, drawn: dict[Expr, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        count = len(next(iter(drawn.values())))
        calls.append(count)
        return np.arange(count) < each, np.ones(count)

    monkeypatch.setattr(states._Positions, "judged", judged)
    robot = tied("four-bar")
    if each:
        assert all(len(x) == SAMPLES for x in drawn(robot).values())
    else:
        with pytest.raises(RobotError, match="loops"):
            drawn(robot)
    assert len(calls) == rounds
