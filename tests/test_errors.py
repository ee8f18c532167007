"""Errors arrive from other processes as they were raised."""

from __future__ import annotations

import pickle

from robosym.identification.data.recipe import RecipeError
from robosym.identification.data.recording_errors import RecordingError
from robosym.robot.problems import Problem


def test_errors_with_parts_of_their_own_can_be_sent() -> None:
    problems = [Problem("torque", "expected columns"), Problem("data", "expected files")]
    for error in (RecordingError("a.csv", "is empty"), RecipeError(problems, "recipe.toml")):
        found = pickle.loads(pickle.dumps(error))
        assert type(found) is type(error)
        assert str(found) == str(error)
        assert vars(found) == vars(error)
