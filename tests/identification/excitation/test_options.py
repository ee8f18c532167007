"""The options of exciting motions: groups and plain keywords, declared names, and what each option says."""

from __future__ import annotations

from typing import Any

import pytest

import robosym
from robosym.errors import RobosymError
from robosym.identification.excitation import excite
from robosym.identification.excitation.criterion import CRITERIA
from robosym.identification.excitation.families import FAMILIES, FourierFamily, SplineFamily
from robosym.identification.excitation.options import MotionLimits, Objective, Region, SearchOptions, Waveform
from robosym.options.errors import ArgumentError
from robosym.options.kinds import Word
from robosym.options.signatures import options_of


def test_plain_keywords_are_fields_of_groups() -> None:
    robot = robosym.load("planar-2r")
    plain = excite(
        robot, shape="spline", duration=4.0, segments=6, criterion="raw", friction=False, velocity=2.0, reserve=0.1,
        height=-3.0, seed=3, evaluations=10,
    )  # fmt: skip
    groups = excite(
        robot,
        waveform=Waveform("spline", 4.0, segments=6),
        objective=Objective("raw", False),
        motion_limits=MotionLimits(velocity=2.0, reserve=0.1),
        region=Region(height=-3.0),
        search=SearchOptions(3, 10),
    )
    assert plain.as_dict() == groups.as_dict()
    assert plain.criterion == "raw"
    assert plain.motion.duration == 4.0
    assert plain.as_dict() != excite(robot, search=SearchOptions(3), evaluations=10).as_dict()


def test_shapes_and_criteria_are_declared_once() -> None:
    options = options_of(excite)
    assert list(FAMILIES) == ["fourier", "spline"]
    assert list(CRITERIA) == ["condition", "raw", "both", "determinant"]
    for name, words in (("shape", FAMILIES), ("criterion", CRITERIA)):
        assert options[name].kind.alternatives == tuple(map(Word, words))


def test_a_waveform_selects_a_family() -> None:
    assert FAMILIES["fourier"].of(Waveform(harmonics=3)) == FourierFamily(False, 3, True)
    assert FAMILIES["fourier"].of(Waveform(harmonics=1, rest=False, start=[0.0])) == FourierFamily(True, 1, False)
    assert FAMILIES["spline"].of(Waveform("spline", segments=4)) == SplineFamily(False, 4)
    with pytest.raises(RobosymError, match="harmonics: got 1, expected 2 or more"):
        FAMILIES["fourier"].of(Waveform(harmonics=1))


@pytest.mark.parametrize(
    ("group", "values"),
    [
        (Waveform, {"shape": "circle", "duration": 0, "harmonics": 101, "segments": 2, "rest": 1, "start": 0.5}),
        (Objective, {"criterion": "best", "friction": 3, "rotor_inertia": None, "noise": "low"}),
        (MotionLimits, {"limits": 3, "velocity": [1, 2], "acceleration": True, "torque": "high", "reserve": 1.0}),
        (Region, {"height": float("inf"), "frame": 1.5, "all_frames": 1}),
        (SearchOptions, {"seed": -1, "evaluations": 0, "seconds": 0}),
    ],
)
def test_wrong_options_are_named(group: Any, values: dict[str, Any]) -> None:
    for name, value in values.items():
        with pytest.raises(ArgumentError, match=f"^{name}: got "):
            group(**{name: value})


@pytest.mark.parametrize("name", options_of(excite))
def test_every_option_says_what_it_is(name: str) -> None:
    """A first sentence with a full stop; numbers with a unit have it."""
    option = options_of(excite)[name]
    assert option.help.endswith("."), option
    assert len(option.help) <= 160, option
    units = {"duration": "[s]", "start": "[rad or m]", "velocity": "[rad/s or m/s]", "torque": "[N m or N]"}
    assert units.get(name, "") in option.help
