"""Bad data is named with the column and the remedy, and good data is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from identification.data.motions import moving, recipe_of

import robosym
from robosym.identification.data.preparing import prepare
from robosym.identification.data.recipe import Data, Processing, Recipe, Signal, Torque, Transmission
from robosym.identification.data.recording import Recording
from robosym.identification.data.recording_errors import RecordingError


def warnings(columns: dict[str, Any], n: int = 2, **changes: Any) -> list[str]:
    ready = prepare(recipe_of(columns, n, Processing(cutoff=10.0), **changes))
    return [text for one in ready for text in one.notes.warnings]


@pytest.mark.parametrize("seed", range(5))
def test_good_data_raises_no_warning(seed: int) -> None:
    assert warnings(moving(seed=seed)) == []


def test_constant_columns() -> None:
    columns = moving()
    found = warnings(columns | {"q2": np.full(6000, 0.3), "tau1": np.zeros(6000)})
    assert len(found) == 2
    assert found[0].startswith("column 'q2' is constant (0.3)")
    assert found[1].startswith("column 'tau1' is constant (0)")


def test_degrees_for_radians() -> None:
    columns = moving()
    (text,) = (t for t in warnings(columns | {"q1": np.rad2deg(columns["q1"])}) if "degrees" in t)
    assert text.startswith("column 'q1' (joint q1) goes from ")
    assert text.endswith('it looks like degrees; set unit = "deg"')


def test_degrees_beyond_limits() -> None:
    robot = robosym.load("puma560")
    columns = moving(6)
    recipe = recipe_of(columns | {"q5": np.rad2deg(columns["q5"]) / 2}, 6, robot=robot)
    found = [text for text in prepare(recipe)[0].notes.warnings if "degrees" in text]
    assert len(found) == 1
    assert "'q5'" in found[0]
    assert "beyond its limits of -1.745 and 1.745" in found[0]


def test_a_factor_of_a_thousand() -> None:
    columns = moving()
    found = warnings(columns | {"q1": 1000 * columns["q1"]})
    assert any("column 'q1'" in text and "a thousand times too large" in text for text in found)
    found = warnings(columns | {"q1": columns["q1"] / 1000})
    assert any("column 'q1'" in text and "too little to estimate" in text for text in found)


def test_torques_against_the_limits_of_the_joints() -> None:
    rows = [{"d": 0, "limits": {"effort": 5.0}}, {"d": 1, "limits": {"effort": 5.0}}]
    robot = robosym.Robot.from_table("two", rows)
    columns = moving()
    found = warnings(columns | {"tau1": 1e3 * columns["tau1"], "tau2": 1e-4 * columns["tau2"]}, robot=robot)
    assert any("'tau1'" in text and "is it in mN m?" in text for text in found)
    assert any("'tau2'" in text and "are unit, gain and side right?" in text for text in found)


def test_motor_angles_for_joint_angles() -> None:
    columns = moving()
    recipe_changes = {"position": Signal(("q1", "q2")), "transmission": Transmission(ratio=(100.0,))}
    scaled = columns | {"q1": 100 * columns["q1"]}
    found = warnings(scaled, torque=Torque(("tau1", "tau2")), **recipe_changes)
    assert any("'q1'" in text and ("degrees" in text or 'side = "motor"' in text) for text in found)


def test_a_rate_wrong_by_a_thousand() -> None:
    columns = moving()
    fast = warnings(columns, data=Data((Recording.from_arrays(columns),), rate=200_000.0))
    assert any("column 'q1'" in text and "are rate, time_unit, unit and ratio right?" in text for text in fast)
    slow = recipe_of(columns, 2, data=Data((Recording.from_arrays(columns),), rate=0.2))
    assert any("are rate and time_unit right?" in text for text in prepare(slow)[0].notes.warnings)


def test_stamps_that_disagree_with_the_rate() -> None:
    columns = moving()
    found = warnings(columns, data=Data((Recording.from_arrays(columns),), rate=250.0, time="t"))
    assert any("the stamps disagree with the rate of 250 Hz" in text for text in found)


def test_time_that_goes_back_or_stands() -> None:
    columns = moving()
    t = columns["t"].copy()
    t[3000:] -= 10
    data = Data((Recording.from_arrays(columns | {"t": t}),), time="t")
    with pytest.raises(RecordingError, match="column 't': time goes back 1 times"):
        prepare(recipe_of(columns, 2, data=data))
    (ready,) = prepare(recipe_of(columns, 2, data=replace(data, missing="drop")))
    assert (np.diff(ready.whole().time) > 0).all()
    with pytest.raises(RecordingError, match="expected time stamps that increase"):
        prepare(recipe_of(columns, 2, data=Data((Recording.from_arrays(columns | {"t": 0 * t}),), time="t")))


def test_gaps_are_named_and_do_not_count() -> None:
    columns = {name: np.delete(x, np.arange(2000, 2200)) for name, x in moving().items()}
    (ready,) = prepare(recipe_of(columns, 2, data=Data((Recording.from_arrays(columns),), time="t")))
    assert any("1 gaps longer than 3 samples" in text for text in ready.notes.warnings)
    samples = ready.whole()
    assert len(samples) == 6000
    assert not samples.keep[2000:2200].any()
    assert ready.notes.left_out["near a gap in time"] >= 200


def test_held_rows() -> None:
    columns = {name: np.repeat(x[::4], 4) for name, x in moving().items() if name != "t"}
    assert any("about 4 rows for each sample" in text for text in warnings(columns))


def test_the_wrong_sign_of_a_torque() -> None:
    columns = moving()
    found = warnings(columns | {"tau2": -columns["tau2"]})
    assert [text[:52] for text in found] == ["column 'tau2' (joint q2): friction comes out negativ"]


def test_missing_columns_suggest_the_right_one() -> None:
    with pytest.raises(robosym.RobosymError, match=r"no column 'tau_2' \(did you mean 'tau2'"):
        warnings(moving(), torque=Torque(("tau1", "tau_2")))


def test_the_recipe_is_what_python_makes_of_it() -> None:
    assert isinstance(recipe_of(moving(), 2), Recipe)
