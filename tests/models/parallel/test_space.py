"""How platforms can move, as found in numbers: against the null space of Pinocchio's closures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.parallel import reference
from models.parallel.platform_cases import BUILT_IN, case_of
from models.parallel.random_platforms import EXPECTED, KINDS, VARYING, random_platform

from robosym import models
from robosym.expr import number, parameter
from robosym.models.parallel.space import Space, fixed_parameters, space_of
from robosym.models.parallel.structure import module_of
from robosym.program import ProgramError
from robosym.robot import Robot, Value

TOLERANCE = 1e-10


def space(robot: Robot) -> Space:
    return space_of(module_of(robot))


@pytest.mark.parametrize("kind", KINDS)
def test_dimension_and_components(kind: str) -> None:
    """The components that are called free span the admissible twists, or these change with the pose."""
    robot, states = case_of(kind)
    found = space(robot)
    assert found.dimension == EXPECTED[kind]
    assert found.constant == (kind not in VARYING)
    if found.constant:
        basis = reference.admissible(robot, states[0].pose, states[0].legs).platform
        rest = [k for k in range(6) if k not in found.places]
        assert np.abs(basis[rest]).max(initial=0) < TOLERANCE


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gough-stewart", "all six"),
        ("delta", "vx, vy, vz"),
        ("orthoglide", "vx, vy, vz"),
        ("planar-3rrr", "vx, vy, wz"),
    ],
)
def test_built_in_robots(name: str, words: str) -> None:
    assert name in BUILT_IN
    assert space(case_of(name)[0]).words == words


def test_what_never_changes_is_known() -> None:
    assert space(case_of("delta")[0]).orientation is not None
    planar = space(case_of("planar-3rrr")[0])
    assert planar.axis == 2
    assert planar.held[2].is_zero
    assert float(space(case_of("planar-3-RRR")[0]).held[2].value) == pytest.approx(0.2)


def test_a_platform_that_stands_otherwise_than_the_base_is_not_taken_for_upright() -> None:
    """Random Deltas have an orientation of their own: poses have to have it, and no other."""
    found = space(case_of("3-UPU")[0])
    assert found.constant
    assert found.orientation is None
    assert not found.known


def tilting(tilt: float) -> Robot:
    """A planar robot whose base plate is inclined about x by a parameter."""
    robot = case_of("planar-3rrr")[0]
    frames = tuple(
        replace(f, alpha=f.alpha + parameter("TILT")) if f.antecedent == 0 and f.sigma != 3 else f for f in robot.frames
    )
    return robot.replace(frames=frames, values={**robot.values, "TILT": Value(tilt)})


def test_parameters_that_change_how_the_platform_moves_keep_their_values() -> None:
    """A zero that is a parameter is no structure: with another number the planes of the legs are others."""
    robot = tilting(0.0)
    assert "TILT" in fixed_parameters(module_of(robot))
    model, state = models.gravity(robot), case_of("planar-3rrr")[1][0]
    with pytest.raises(ProgramError, match="this model was found with TILT = 0"):
        model.evaluate(pose=state.pose, parameters={"TILT": 0.1})
    with pytest.raises(ProgramError, match="this model was found with TILT = 0"):
        model.compile()(pose=state.pose, parameters={"TILT": 0.1})


def test_parameters_of_lengths_alone_are_free() -> None:
    for name in ("delta", "orthoglide", "planar-3rrr"):
        assert not fixed_parameters(module_of(case_of(name)[0]))


def test_numbers_in_place_of_parameters_are_the_same_space() -> None:
    robot, _, _ = random_platform("planar-3-RPR", 0, named=True)
    plain, _, _ = random_platform("planar-3-RPR", 0)
    assert space(robot).words == space(plain).words
    assert number(space(plain).held[2].value) is not None
