"""What all kinds have in common."""

from __future__ import annotations

import numpy as np
import pytest
from random_joint_kinds import KINDS
from robot.joints.chain_motion import turn

from robosym.expr import evaluate, variable
from robosym.robot.joints import KINDS as BY_NAME
from robosym.robot.joints import JointKind
from robosym.robot.joints.kind import about_next


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_symbols_and_their_stem(kind: JointKind) -> None:
    symbols = kind.symbols("hip")
    assert len(set(symbols)) == kind.nq
    assert kind.stem(symbols) is variable("hip")
    assert BY_NAME[kind.name] is type(kind)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_speed_moves_an_axis(kind: JointKind) -> None:
    steps = kind.steps(kind.symbols("x"), [variable(f"v{k}") for k in range(kind.nv)])
    assert {place for step in steps for place, _ in step.row} == set(range(kind.nv))
    assert not list(kind.problems())


def test_axes_follow_in_turn() -> None:
    step = about_next(False, 0, ())
    R = turn("z", evaluate([step.gamma], {})[0]) @ turn("x", evaluate([step.alpha], {})[0])
    np.testing.assert_allclose(R[:3, :3] @ [0, 0, 1], [1, 0, 0], atol=1e-15)
    np.testing.assert_allclose(R[:3, :3] @ [1, 0, 0], [0, 1, 0], atol=1e-15)
