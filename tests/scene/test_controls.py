"""What a person moves."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from scene.modules_in_node import called, needs_node
from scipy.spatial.transform import Rotation

import robosym
from robosym.robot import Robot
from robosym.robot.parts import Limits
from robosym.scene import direct_module, scene
from robosym.scene.controls import POSE, Control, joint_control, pose_control, roll_pitch_yaw, within


def test_controls_begin_within_limits() -> None:
    for name in ("panda", "rx90", "sr400", "gough-stewart", "eel-3"):
        made = scene(robosym.load(name))
        for control in made["controls"]:
            assert control["lower"] is None or control["lower"] <= control["at"]
            assert control["upper"] is None or control["at"] <= control["upper"]
            assert control["unit"] == ("m" if control["kind"] in ("prismatic", "length") else "rad")


@pytest.mark.parametrize(
    ("lower", "upper", "value", "wanted"),
    [
        (None, None, 3.0, 3.0),
        (-1.0, 1.0, 0.5, 0.5),
        (-1.0, 1.0, 1.0, 1.0),
        (0.2, 1.0, 0.0, 0.6),  # the middle
        (0.2, None, 0.0, 0.2),  # the only end there is
        (None, -0.2, 0.0, -0.2),
        (0.2, None, 0.3, 0.3),
        (None, -0.2, -0.3, -0.3),
    ],
)
def test_a_value_within_limits(lower: float | None, upper: float | None, value: float, wanted: float) -> None:
    limits = Limits(lower, upper)
    assert within(limits, value) == wanted
    control = Control("a", "a", "joint", "revolute", lower, upper)
    assert control.allows(within(limits, value))
    assert control.allows(value) == (value == wanted)


def test_a_joint_begins_where_the_description_has_it() -> None:
    """Else at zero, and within its limits in any case; what slides is in metres."""
    rows = [
        {"joint": "turn", "position": 0.4, "limits": {"lower": -1, "upper": 1}},
        {"joint": "slide", "sigma": "prismatic", "limits": {"lower": 0.1, "upper": 0.3}},
        {"joint": "beyond", "limits": {"lower": 2, "upper": 3}},
        {"joint": "free", "d": 1},
    ]
    robot = Robot.from_table("four", rows)
    turn, slide, beyond, free = (joint_control(robot, j) for j in robot.moving)
    assert (turn.at, turn.kind, turn.unit, turn.lower, turn.upper) == (0.4, "revolute", "rad", -1.0, 1.0)
    assert (slide.at, slide.kind, slide.unit) == (pytest.approx(0.2), "prismatic", "m")
    assert beyond.at == 2.5
    assert (free.at, free.lower, free.upper) == (0.0, None, None)
    assert free.allows(1e9)
    assert turn.as_dict() == {
        **{"name": "turn", "label": "turn", "group": "joint", "kind": "revolute"},
        **{"lower": -1.0, "upper": 1.0, "at": 0.4, "unit": "rad"},
    }


def test_components_of_a_pose() -> None:
    """Three lengths, then three angles; a platform that turns about one axis calls that otherwise."""
    controls = [pose_control("base", k, at=k) for k in range(6)]
    assert [one.name for one in controls] == [f"base_{name}" for name in POSE]
    assert [one.unit for one in controls] == ["m"] * 3 + ["rad"] * 3
    assert [one.at for one in controls] == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    turn = pose_control("platform", 5, label="theta")
    assert (turn.name, turn.label, turn.kind) == ("platform_theta", "theta", "angle")


# --- angles ----------------------------------------------------------------------------------------------------------------

NEAR = [0.0, 1e-15, 1e-12, 3e-12, 1e-10, 1e-8, 1e-6, 1e-3]


@pytest.mark.parametrize("gap", [*NEAR, 0.5, 1.5, np.pi / 2])
@pytest.mark.parametrize("side", [1, -1])
def test_angles_make_the_rotation_again(gap: float, side: int) -> None:
    """To rounding, also where roll and yaw turn about nearly the same axis."""
    for seed in range(20):
        roll, yaw = np.random.default_rng(seed).uniform(-3, 3, 2)
        R = Rotation.from_euler("xyz", [roll, side * (np.pi / 2 - gap), yaw]).as_matrix()
        found = roll_pitch_yaw(R)
        np.testing.assert_allclose(Rotation.from_euler("xyz", found).as_matrix(), R, rtol=0, atol=2e-12)
        if gap < 1e-13:
            assert found[0] == 0.0
        elif gap > 1e-4:
            np.testing.assert_allclose(found, [roll, side * (np.pi / 2 - gap), yaw], atol=1e-10)


@needs_node
def test_the_modules_and_the_page_find_the_same_angles(tmp_path: Path) -> None:
    """As poses of the page, and as states of a robot on a free base: there and back."""
    turns = [Rotation.from_euler("xyz", [0.4, np.pi / 2 - gap, 1.3]) for gap in (*NEAR, 0.5)]
    poses = [np.block([[R.as_matrix(), np.array([[1.0], [2.0], [3.0]])], [0, 0, 0, 1]]) for R in turns]
    page = (resources.files("robosym") / "web" / "static" / "viewer" / "values.js").read_text(encoding="utf-8")
    angles = called(tmp_path / "page", page, [["anglesOf", T.ravel()] for T in poses])
    again = called(tmp_path / "page", page, [["poseFrom", [1, 2, 3], list(found)] for found in angles])
    np.testing.assert_allclose([np.array(T).reshape(4, 4) for T in again], poses, rtol=0, atol=2e-12)
    module = direct_module(robosym.load("planar-2r", floating=True))
    states = [[1, 2, 3, *R.as_quat(), 0.1, 0.2] for R in turns]
    for T, x in zip(poses, called(tmp_path / "module", module, [["controls", q] for q in states]), strict=True):
        R = Rotation.from_euler("xyz", x[3:6]).as_matrix()
        np.testing.assert_allclose(R, T[:3, :3], rtol=0, atol=2e-12)
        assert x[:3] == [1, 2, 3]
        assert x[6:] == [0.1, 0.2]
