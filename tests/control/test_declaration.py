"""Declarations of control laws."""

from __future__ import annotations

import pytest

from robosym.control.declaration import DECLARED, law
from robosym.control.laws import DECLARATIONS
from robosym.options.errors import ArgumentError
from robosym.robot import Robot


def test_laws_are_listed_by_rank_and_their_ranks_differ() -> None:
    ranks = [one.rank for one in DECLARATIONS.values()]
    assert ranks == sorted(set(ranks))


def test_a_declared_function_is_listed_and_its_arguments_are_validated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("robosym.control.declaration.DECLARED", [])

    @law("constant", rank=7, reference="task")
    def constant(robot: Robot, *, torque: float = 0.0) -> float:  # type: ignore[misc]
        return torque

    from robosym.control import declaration

    (one,) = declaration.DECLARED
    assert one not in DECLARED
    assert (one.name, one.rank, one.reference) == ("constant", 7, "task")
    robot = Robot("none", ())
    assert one.function(robot, torque=2.0) == constant(robot, torque=2.0) == 2.0
    with pytest.raises(ArgumentError, match="torque: got 'x', expected a number"):
        constant(robot, torque="x")  # type: ignore[arg-type]
