"""Modes that are found in numbers: how they are named, chosen and started from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.loops.iterated_linkages import chained, seven_revolutes, sliding_ring, stephenson
from sweeps import some

from robosym import models
from robosym.robot import Robot, RobotError


@pytest.mark.slow
@pytest.mark.parametrize("make", [seven_revolutes, stephenson, sliding_ring, chained])
def test_modes_differ_and_each_closes_at_the_reference(make) -> None:
    robot = make()
    made = models.loop_geometry(robot)
    q = [made.reference[name] for name in robot.joint_names]
    rows = []
    for mode in made.modes:
        one = models.loop_geometry(robot, mode=mode)
        assert one.mode == mode
        found = one.evaluate(q=q)
        assert found["assembled"] == 1
        rows.append(np.exp(1j * found["positions"]))
    assert len(rows) > 1
    assert all(np.abs(a - b).max() > 1e-4 for k, a in enumerate(rows) for b in rows[:k])


@pytest.mark.slow
def test_numbers_follow_the_first_passive_joint_and_names_of_closed_forms_stand_before() -> None:
    robot = stephenson()
    made = models.loop_geometry(robot)
    assert made.modes == tuple(str(k + 1) for k in range(len(made.modes)))
    first = [models.loop_geometry(robot, mode=mode).defaults["start"][0] for mode in made.modes]
    assert first == sorted(first)
    assert all(name[-1].isdigit() and ", " in name for name in models.loop_geometry(chained()).modes)


def described(robot: Robot, positions: dict[str, float]) -> Robot:
    """The robot with positions in its description."""
    joints = [replace(one.joint, position=positions.get(one.joint.name)) for one in robot.frames]
    frames = tuple(replace(one, joint=joint) for one, joint in zip(robot.frames, joints, strict=True))
    return robot.replace(frames=frames)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("mode", some(["1", "2", "3", "4"], every=2))
def test_a_mode_is_chosen_by_positions_in_the_description_or_near_them(mode: str) -> None:
    robot = stephenson()
    made = models.loop_geometry(robot, mode=mode)
    found = made.by_name(made.evaluate(q=list(made.reference.values())))
    about = {name: float(x) + 0.02 for name, x in found.items()}
    expected = np.exp(1j * np.array(made.defaults["start"]))
    near = models.loop_geometry(robot, near=about)
    assert near.mode == "near"
    assert np.abs(np.exp(1j * np.array(near.defaults["start"])) - expected).max() < 0.2
    own = models.loop_geometry(described(robot, {name: float(x) for name, x in found.items()}))
    assert own.reference["far_pivot"] == pytest.approx(made.reference["far_pivot"])
    assert np.abs(np.exp(1j * np.array(own.defaults["start"])) - expected).max() < 1e-9


def test_what_is_not_a_mode() -> None:
    with pytest.raises(RobotError, match="mode: got '9', expected one of '1', '2'"):
        models.loop_geometry(stephenson(), mode="9")
    with pytest.raises(RobotError, match="near: the loops cannot be assembled at far_pivot = "):
        models.loop_geometry(stephenson(), near={"far_pivot": 0.1, "crank_pivot": 0.0})


def test_near_takes_the_motors_at_the_reference() -> None:
    made = models.loop_geometry(stephenson())
    found = made.by_name(made.compile()(q=list(made.reference.values())))
    near = models.loop_geometry(stephenson(), near={"crank_pivot": float(found["crank_pivot"])})
    np.testing.assert_allclose(near.defaults["start"], made.defaults["start"], atol=1e-9)


def test_without_numbers_the_start_is_given() -> None:
    robot = stephenson()
    made = models.loop_geometry(robot)
    bare = models.loop_geometry(robot.replace(values={}))
    assert bare.modes == ("as started",)
    assert "start" not in bare.defaults
    assert not bare.reference
    q, values = list(made.reference.values()), {name: one.number for name, one in robot.values.items()}
    found = bare.evaluate(q=q, start=made.defaults["start"], parameters=values)
    assert found["assembled"] == 1
    np.testing.assert_allclose(found["positions"], made.evaluate(q=q)["positions"])
    with pytest.raises(RobotError, match="near: no value for A, B, C"):
        models.loop_geometry(robot.replace(values={}), near={"crank_pivot": 1.0})


def test_what_is_said_of_it() -> None:
    made = models.loop_geometry(stephenson())
    assert set(made.reasons) == {"pin_b", "pin_c"}
    text = made.explain()
    assert "the loop cut at pin_b has no closed form" in text
    assert "modes found in numbers at far_pivot" in text
    notes = " ".join(models.inverse_dynamics(stephenson(), mode="2").routine.notes)
    assert "Closed loops assembled in mode: 2" in notes
    assert "has no closed form" in notes
    assert f"Start of this mode, found at far_pivot = {made.reference['far_pivot']!r}: " in notes
