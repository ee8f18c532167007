"""Models of loops without a closed form: their arrays, and nothing where the loops stay open."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from models.loops.described_places import opening, values_at
from models.loops.iterated_linkages import stephenson

from robosym import models
from robosym.models.geometry.loop_geometry import LoopGeometry
from robosym.models.loops.assembled import assembled
from robosym.models.loops.newton import CLOSED
from robosym.models.loops.routine import _tolerance, how
from robosym.models.mechanism.newton import INEXACT
from robosym.robot import Robot


@cache
def geometry() -> tuple[Robot, LoopGeometry]:
    robot = stephenson()
    return robot, models.loop_geometry(robot)


def test_arrays_and_what_they_say() -> None:
    robot, made = geometry()
    routine = made.code
    assert [slot.name for slot in routine.inputs] == ["q", "start"]
    assert [slot.name for slot in routine.outputs] == ["positions", "passive", "residual", "assembled"]
    assert any("after an iteration that closes the loops" in note for note in routine.notes)
    tree = assembled(robot)
    assert tree.closure is not None
    names = [robot.frame(j).joint.name for _, frames in tree.closure.iterated for j in frames]
    lines = how(robot, tree.closure)
    assert lines[0] == f"Found by iteration from start, and given back as passive: {', '.join(names)}"
    assert [line.split(" has no")[0] for line in lines[1:3]] == ["The loop of joint pin_b", "The loop of joint pin_c"]
    assert lines[-1].startswith("Start of this mode, found at far_pivot = ")
    assert lines[-1].endswith(", ".join(map(repr, tree.closure.start)))


def test_closed_or_nothing() -> None:
    robot, made = geometry()
    q = [made.reference["far_pivot"]]
    found = made.evaluate(q=q)
    assert found["assembled"] == 1
    assert found["residual"] < CLOSED
    at = {name: float(x) for name, x in made.by_name(found).items()}
    assert opening(robot, values_at(robot, at)) < 1e-10
    again = made.evaluate(q=q, start=found["passive"])
    np.testing.assert_allclose(again["positions"], found["positions"], atol=1e-12)
    nowhere = made.evaluate(q=q, parameters={"G": 50.0})
    assert nowhere["assembled"] == 0
    assert np.isnan(nowhere["positions"]).all()
    assert np.isnan(nowhere["passive"]).all()


@pytest.mark.parametrize("tolerance", [CLOSED, INEXACT])
def test_how_well_loops_have_to_close(tolerance: float) -> None:
    robot, _ = geometry()
    tree = assembled(robot)
    if tolerance == INEXACT:  # a place written with few digits
        assert tree.closure is not None
        at = {s: (x + 1e-8 if s.kind == "variable" else x) for s, x in tree.closure.at.items()}
        tree = tree.replace(closure=replace(tree.closure, at=at))
    assert _tolerance(tree) == tolerance
