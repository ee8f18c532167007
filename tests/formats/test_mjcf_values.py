"""Attributes of MJCF elements as numbers: orientations against SciPy and MuJoCo, and what is reported."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from robosym.formats import mjcf_values
from robosym.formats.mjcf_values import Settings, Values, place, wxyz

TEXT = {
    "quat": "0.5 -0.1 0.7 0.2",
    "axisangle": "1 -2 0.5 40",
    "euler": "20 -35 70",
    "xyaxes": "1 0.2 0.1 -0.3 2 0.4",
    "zaxis": "0.3 -0.5 0.7",
}


def values(**changed: object) -> Values:
    found = Values()
    found.settings = replace(Settings(), **changed)  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize("how", TEXT)
@pytest.mark.parametrize("compiler", ["", 'angle="radian"', 'eulerseq="ZYx"'])
def test_orientations_are_those_of_mujoco(how: str, compiler: str) -> None:
    mujoco = pytest.importorskip("mujoco")
    text = TEXT[how].replace("40", "0.7").replace("20 -35 70", "0.2 -0.35 0.7") if "radian" in compiler else TEXT[how]
    body = f'<body pos="1 2 3" {how}="{text}"><geom size="0.1"/></body>'
    model = mujoco.MjModel.from_xml_string(f"<mujoco><compiler {compiler}/><worldbody>{body}</worldbody></mujoco>")
    own = values(radian="radian" in compiler, eulerseq="ZYx" if "ZYx" in compiler else "xyz")
    T = own.pose("body", {"pos": "1 2 3", how: text})
    expected = Rotation.from_quat(model.body_quat[1][[1, 2, 3, 0]]).as_matrix()
    np.testing.assert_allclose(T[:3, :3], expected, atol=1e-12)
    np.testing.assert_array_equal(T[:3, 3], [1, 2, 3])
    assert own.problems == []


def test_quaternions_have_the_sign_and_come_back() -> None:
    rng = np.random.default_rng(1)
    for q in (*rng.normal(size=(20, 4)), *np.eye(4), [0, 1, 1, 0], [1e-9, 0, 1, 0], [0.5, -0.5, 0.5, -0.5]):
        q = np.array(q) / np.linalg.norm(q)
        q = -q if q[0] < 0 else q
        R = Rotation.from_quat(q[[1, 2, 3, 0]]).as_matrix()
        found = wxyz(R)
        assert min(np.abs(found - q).max(), np.abs(found + q).max() + (q[0] > 1e-6)) < 1e-12
        element = ET.Element("body")
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = R, [0, 2, 0]
        place(element, T)
        np.testing.assert_allclose(values().pose("x", element.attrib), T, atol=1e-14)
    empty = ET.Element("body")
    place(empty, np.eye(4))
    assert empty.attrib == {}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"quat": "1 0 0"}, "expected 4 numbers"),
        ({"quat": "0 0 0 0"}, "expected a quaternion w x y z"),
        ({"xyaxes": "1 0 0 2 0 0"}, "expected two directions, not parallel"),
        ({"zaxis": "0 0 0"}, "expected a direction"),
        ({"quat": "1 0 0 0", "euler": "0 0 0"}, "expected one orientation"),
    ],
)
def test_what_is_reported(given: dict[str, str], said: str) -> None:
    own = values()
    own.pose("body", given)
    assert any(said in str(problem) for problem in own.problems)


def test_numbers() -> None:
    own = values()
    assert own.first("joint", {"stiffness": "2 3"}, "stiffness") == (2.0, True)
    assert own.first("joint", {"stiffness": "2"}, "stiffness") == (2.0, False)
    assert own.first("joint", {}, "stiffness", 0.5) == (0.5, False)
    assert own.whole("geom, group", "-3") == -3
    assert own.problems == []
    own.whole("geom, group", "2.5")
    assert len(own.problems) == 1
    assert own.angle(180.0) == pytest.approx(np.pi)
    assert values(radian=True).angle(2.0) == 2.0
    np.testing.assert_allclose(own.direction("x", "3 0 4"), [0.6, 0, 0.8])
    np.testing.assert_array_equal(own.direction("x", "1 1e-16 0"), [1, 0, 0])
    assert own.truth("x", "true")
    assert not own.truth("x", "false")


def test_settings_of_the_last_section_hold() -> None:
    root = ET.fromstring(
        '<mujoco><option gravity="0 0 -1"/><compiler angle="radian" eulerseq="zyx"/><compiler angle="degree" '
        'boundmass="0.2" inertiagrouprange="1 3" autolimits="false"/><option gravity="1 2 3"/></mujoco>'
    )
    own = Values()
    own.read_settings(root)
    found = own.settings
    assert (found.radian, found.eulerseq, found.boundmass, found.groups) == (False, "zyx", 0.2, (1.0, 3.0))
    assert (found.gravity, found.autolimits) == ((1.0, 2.0, 3.0), False)
    assert own.problems == []
    off = Values()
    off.read_settings(ET.fromstring('<mujoco><option><flag gravity="disable" contact="enable"/></option></mujoco>'))
    assert off.disabled == ("gravity",)
    assert off.settings.gravity == (0.0, 0.0, 0.0)
    wrong = Values()
    wrong.read_settings(ET.fromstring('<mujoco><compiler eulerseq="xya" coordinate="global" angle="turn"/></mujoco>'))
    assert len(wrong.problems) == 3
    assert mjcf_values.GRAVITY == "0 0 -9.81"
