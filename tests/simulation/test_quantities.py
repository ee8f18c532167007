"""Models along motions: whole batches at once, and nan where there is nothing to say."""

from __future__ import annotations

import numpy as np
import pytest
from simulation.sample_runs import loaded, swinging

from robosym import caches
from robosym.expr import expr, parameter
from robosym.program.of_arrays import program_of
from robosym.robot import Robot
from robosym.runtime import compile_program
from robosym.simulation import quantities
from robosym.simulation.quantities import AlongMotion


def kept_by(robot: Robot) -> list[int]:
    """All results that are kept with a robot, by their identities."""
    return [id(result) for results in vars(robot)[caches.PLACE].values() for result in results.values()]


def test_what_does_not_close_or_is_no_number_is_nan() -> None:
    """A model of q and a parameter that does not close where q is above one."""
    program = program_of(
        "p", {"q": (2,)}, lambda q: {"y": [parameter("a") * x for x in q], "assembled": expr(q[0] <= 1)}
    )
    f = compile_program(program, values={"a": 1.0}, status=("assembled",))
    q = np.array([[[0.5, 1], [2, 1], [np.nan, 1]], [[0.1, np.inf], [1, 1], [0, 0]]])
    found = quantities._in_batch(f, {"q": q}, {"a": np.array([1.0, 10.0])})
    assert list(found) == ["y"]
    expected = [[[0.5, 1], [np.nan] * 2, [np.nan] * 2], [[np.nan] * 2, [10, 10], [0, 0]]]
    assert np.array_equal(found["y"], expected, equal_nan=True)


def test_no_state_at_all() -> None:
    along = AlongMotion(loaded("planar-2r"), {}, {})
    nothing = np.full((2, 3, 2), np.nan)
    assert np.isnan(along.energies(nothing, nothing)["total"]).all()
    assert along.pose(nothing, None).shape == (2, 3, 4, 4)
    assert along.pose(np.empty((0, 2)), None).shape == (0, 4, 4)


def test_frames_of_a_robot_with_one_frame() -> None:
    robot = loaded("planar-2r")
    single = robot.replace(frames=robot.frames[:1])
    q = np.array([[0.3], [0.7]])
    poses = AlongMotion(single, {}, {}).frames(q)
    assert sorted(poses) == [0, 1]
    assert poses[1][:, 0, 0] == pytest.approx(np.cos(q[:, 0]))


def test_models_are_compiled_once_for_a_robot() -> None:
    run = swinging("planar-2r", 3)
    _ = run.energy
    before = kept_by(run.robot)
    assert before
    _ = swinging(run.robot, 5).energy
    assert kept_by(run.robot) == before
