"""Masses of shapes and bodies, against MuJoCo's compiler."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from robosym.formats.mjcf_geoms import Shape, compiled, given_inertia, lumped
from robosym.formats.mjcf_values import Settings, Values
from robosym.formats.urdf_tree import Inertial

mujoco = pytest.importorskip("mujoco")

SHAPES = [
    {"type": "sphere", "size": "0.2", "pos": "0.1 0.2 0.3"},
    {"type": "box", "size": "0.1 0.2 0.3", "euler": "20 30 40"},
    {"type": "ellipsoid", "size": "0.1 0.2 0.3", "mass": "2.5", "quat": "1 2 3 4"},
    {"type": "cylinder", "size": "0.1 0.4", "axisangle": "1 1 0 50", "density": "300"},
    {"type": "capsule", "size": "0.15 0.3", "pos": "0.3 0 0"},
    {"type": "capsule", "size": "0.1", "fromto": "0.1 0.2 0.3 0.7 -0.4 0.2"},
    {"type": "box", "size": "0.1", "fromto": "0 0 0 0.5 0.1 0.2"},
]


def of_mujoco(inside: str, compiler: str = "") -> Inertial:
    text = f"<mujoco><compiler {compiler}/><worldbody><body>{inside}</body></worldbody></mujoco>"
    model = mujoco.MjModel.from_xml_string(text)
    R = Rotation.from_quat(model.body_iquat[1][[1, 2, 3, 0]]).as_matrix()
    return Inertial(float(model.body_mass[1]), model.body_ipos[1], R @ np.diag(model.body_inertia[1]) @ R.T)


def same(found: Inertial | None, expected: Inertial) -> None:
    assert found is not None
    assert found.mass == pytest.approx(expected.mass, rel=1e-10)
    np.testing.assert_allclose(found.centre, expected.centre, atol=1e-10)
    np.testing.assert_allclose(found.inertia, expected.inertia, atol=1e-9 * np.abs(expected.inertia).max())


def text(given: dict[str, str]) -> str:
    return f"<geom {' '.join(f'{k}={v!r}' for k, v in given.items())}/>"


@pytest.mark.parametrize("given", SHAPES)
def test_a_shape_filled_evenly(given: dict[str, str]) -> None:
    values = Values()
    same(Shape("geom", given, np.eye(4)).inertia(values), of_mujoco(text(given)))
    assert values.problems == []
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = Rotation.from_rotvec([0.1, 0.7, -0.3]).as_matrix(), [1, 2, 3]
    own, moved = (Shape("geom", given, at).inertia(values) for at in (np.eye(4), T))
    np.testing.assert_allclose(moved.centre, T[:3, :3] @ own.centre + T[:3, 3])
    np.testing.assert_allclose(moved.inertia, T[:3, :3] @ own.inertia @ T[:3, :3].T, atol=1e-12)


def test_several_as_one() -> None:
    values = Values()
    parts = [Shape("geom", given, np.eye(4)).inertia(values) for given in SHAPES[:4]]
    same(lumped(parts), of_mujoco("".join(map(text, SHAPES[:4]))))
    assert lumped([]) is None
    assert lumped([Inertial(0.0, np.zeros(3), np.eye(3))]) is None


@pytest.mark.parametrize(
    "given",
    [
        {"mass": "2", "pos": "0.1 0 0", "diaginertia": "0.3 0.2 0.25", "euler": "10 20 30"},
        {"mass": "2", "pos": "0.1 0 0.4", "fullinertia": "0.3 0.2 0.25 0.01 0.02 -0.03"},
    ],
)
def test_given_inertia(given: dict[str, str]) -> None:
    values = Values()
    inside = f"<inertial {' '.join(f'{k}={v!r}' for k, v in given.items())}/>"
    same(given_inertia(values, "inertial", given, np.eye(4)), of_mujoco(inside))
    assert values.problems == []
    given_inertia(values, "inertial", {**given, "fullinertia": "1 1 1 0 0 0", "diaginertia": "1 1 1"}, np.eye(4))
    assert any("got both" in str(problem) for problem in values.problems)


def test_bounds_and_the_total_mass() -> None:
    values = Values()
    part = Shape("geom", {"type": "box", "size": "0.001 0.2 0.3", "mass": "0.1"}, np.eye(4)).inertia(values)
    text_ = '<geom type="box" size="0.001 0.2 0.3" mass="0.1"/>'
    for name, value in (("boundmass", "0.5"), ("boundinertia", "0.002"), ("settotalmass", "7")):
        settings = replace(Settings(), **{name: float(value)})
        (found,) = compiled({"b": (part, np.eye(4))}, settings).values()
        same(found, of_mujoco(text_, f'{name}="{value}"'))
    odd = Inertial(1.0, np.zeros(3), np.diag([1.0, 0.2, 0.1]))
    (found,) = compiled({"b": (odd, np.eye(4))}, replace(Settings(), balanceinertia=True)).values()
    assert found is not None
    np.testing.assert_allclose(found.inertia, np.eye(3) * 1.3 / 3)
    assert compiled({"b": (None, np.eye(4))}, Settings()) == {"b": None}
    two = {"a": (odd, np.eye(4)), "b": (replace(odd, mass=3.0), np.eye(4)), "c": (None, np.eye(4))}
    halves = compiled(two, replace(Settings(), settotalmass=2.0))
    assert [None if one is None else one.mass for one in halves.values()] == [0.5, 1.5, None]


def test_which_shapes_count() -> None:
    values = Values()
    for given, there in (
        ({}, True),
        ({"type": "plane"}, False),
        ({"mass": "0"}, False),
        ({"density": "0"}, False),
        ({"density": "0", "mass": "1"}, True),
        ({"group": "6"}, False),
        ({"group": "5"}, True),
    ):
        assert Shape("geom", given, np.eye(4)).counts(values) == there
    assert "mesh is not computed" in Shape("g", {"type": "box", "mesh": "m"}, np.eye(4)).unknown
    assert "sdf is not computed" in Shape("g", {"type": "sdf"}, np.eye(4)).unknown
    assert "shells" in Shape("g", {"shellinertia": "true"}, np.eye(4)).unknown
    assert Shape("g", {}, np.eye(4)).unknown == ""


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"type": "box", "size": "1 2"}, "expected 3 positive"),
        ({"type": "sphere", "size": "0"}, "expected 1 positive"),
        ({"type": "sphere", "size": "1", "fromto": "0 0 0 1 0 0"}, "expected fromto of one of"),
        ({"type": "capsule", "size": "1", "fromto": "0 0 0 0 0 0"}, "expected two points apart"),
        ({"type": "box", "size": "1 2 3 4"}, "at most 3"),
    ],
)
def test_sizes_that_are_wrong(given: dict[str, str], said: str) -> None:
    values = Values()
    Shape("geom", given, np.eye(4)).read(values)
    assert any(said in str(problem) for problem in values.problems)
