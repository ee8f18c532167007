"""Motions as CSV, as dictionaries and as C: read back, they are the same motion."""

from __future__ import annotations

import ctypes
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robosym.errors import RobosymError
from robosym.identification.excitation import FourierMotion, Motion, SplineMotion
from robosym.identification.excitation.files import as_c, as_csv, motion_as_dict, motion_from_dict, write_c, write_csv


def fourier(joints: tuple[str, ...] = ("a", "b"), duration: float = 2.5) -> FourierMotion:
    rng = np.random.default_rng(0)
    n = len(joints)
    return FourierMotion(joints, duration, rng.normal(size=n), rng.normal(size=(n, 3)), rng.normal(size=(n, 3)))


def spline(joints: tuple[str, ...] = ("a", "b"), duration: float = 2.5) -> SplineMotion:
    return SplineMotion(joints, duration, np.random.default_rng(1).normal(size=(len(joints), 9)))


MOTIONS: dict[str, Callable[..., Motion]] = {"Fourier": fourier, "spline": spline}


def series(motion: FourierMotion, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The definition of a Fourier series and its two derivatives, term by term."""
    q, qd, qdd = motion.offset.copy(), np.zeros(len(motion.joints)), np.zeros(len(motion.joints))
    for k in range(motion.sine.shape[1]):
        w = 2 * math.pi * (k + 1) / motion.duration
        a, b, s, c = motion.sine[:, k], motion.cosine[:, k], math.sin(w * t), math.cos(w * t)
        q += a * s + b * c
        qd += w * (a * c - b * s)
        qdd -= w * w * (a * s + b * c)
    return q, qd, qdd


# --- CSV ---------------------------------------------------------------------------------------------------------------


def test_rows_of_a_file_are_the_series(tmp_path: Path) -> None:
    motion = fourier()
    write_csv(motion, tmp_path / "a.csv", 40.0)
    table = np.genfromtxt(tmp_path / "a.csv", delimiter=",", names=True, deletechars="")
    assert table.dtype.names == ("t", "q.a", "q.b", "qd.a", "qd.b", "qdd.a", "qdd.b")
    assert len(table) == 101
    assert as_csv(motion, 40.0) == (tmp_path / "a.csv").read_text()
    assert len(as_csv(motion, 40.0, 2).splitlines()) == 202
    np.testing.assert_allclose(table["t"], np.arange(101) / 40, atol=1e-15)
    for row in table[[0, 33, 100]]:
        expected = np.concatenate(series(motion, row["t"]))
        np.testing.assert_allclose(list(row)[1:], expected, rtol=1e-11, atol=1e-11)


def test_names_with_commas_and_quotes_are_read_back(tmp_path: Path) -> None:
    from robosym.identification.data.recording import Recording

    write_csv(spline(('a, "b"', "c")), tmp_path / "a.csv", 10.0)
    recording = Recording.read(tmp_path / "a.csv")
    assert recording.names[:3] == ("t", 'q.a, "b"', "q.c")
    np.testing.assert_array_equal(recording.columns(recording.names)[:, 1:3], spline()(np.arange(26) / 10)[0])


def test_no_number_is_minus_zero() -> None:
    still = FourierMotion(("a",), 1.0, np.array([-0.0]), np.zeros((1, 1)), np.zeros((1, 1)))
    assert "-0.0" not in as_csv(still, 4.0)


# --- dictionaries ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", MOTIONS)
def test_a_motion_comes_back_from_json(kind: str) -> None:
    motion = MOTIONS[kind]()
    again = motion_from_dict(json.loads(json.dumps(motion_as_dict(motion))))
    assert type(again) is type(motion)
    assert (again.joints, again.duration) == (motion.joints, motion.duration)
    t = np.linspace(-1, 4, 41)
    for mine, other in zip(motion(t), again(t), strict=True):
        np.testing.assert_array_equal(mine, other)


class Unknown:
    kind, joints, duration = "other", ("a",), 1.0


@pytest.mark.parametrize("write", [motion_as_dict, as_c])
def test_a_motion_of_another_kind_cannot_be_written(write: Callable[[Any], Any]) -> None:
    with pytest.raises(RobosymError, match="no motion that can be written"):
        write(Unknown())


@pytest.mark.parametrize(
    ("kind", "changes", "message"),
    [
        ("Fourier", {"kind": "square"}, "expected kind, joints, duration and coefficients"),
        ("Fourier", {"kind": ["Fourier"]}, "expected kind, joints"),
        ("Fourier", {"offset": "high"}, "expected kind, joints"),
        ("Fourier", {"joints": 3}, "expected kind, joints"),
        ("Fourier", {"duration": "long"}, "expected kind, joints"),
        ("Fourier", {"duration": 0.0}, "expected a duration above zero"),
        ("Fourier", {"duration": math.inf}, "expected a duration above zero"),
        ("Fourier", {"duration": math.nan}, "expected a duration above zero"),
        ("Fourier", {"offset": [0.0, math.nan]}, "finite coefficients"),
        ("Fourier", {"offset": [0.0]}, "coefficients for each of the joints a, b"),
        ("Fourier", {"offset": 0.0}, "coefficients for each of the joints a, b"),
        ("Fourier", {"offset": [[0.0], [1.0]]}, "coefficients for each of the joints a, b"),
        ("Fourier", {"sine": [[1.0], [2.0]]}, "coefficients for each of the joints a, b"),
        ("Fourier", {"sine": [1.0, 2.0]}, "coefficients for each of the joints a, b"),
        ("Fourier", {"sine": [[], []], "cosine": [[], []]}, "coefficients for each of the joints a, b"),
        ("Fourier", {"sine": [[1.0], [2.0, 3.0]]}, "expected kind, joints"),
        ("Fourier", {"joints": ["a"]}, "coefficients for each of the joints a"),
        ("spline", {"control": [[1.0] * 5] * 2}, "expected more than 5 control points for each joint"),
        ("spline", {"degree": 3}, "degree"),
    ],
)  # fmt: skip
def test_what_is_no_motion(kind: str, changes: dict[str, Any], message: str) -> None:
    given = motion_as_dict(MOTIONS[kind]()) | changes
    with pytest.raises(RobosymError, match=message):
        motion_from_dict(given)
    del given["joints"]
    with pytest.raises(RobosymError, match="expected kind, joints"):
        motion_from_dict(given)


# --- C -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", MOTIONS)
def test_the_function_in_c_is_the_motion(kind: str, tmp_path: Path, compiled: Callable[[str], ctypes.CDLL]) -> None:
    """At times before, within and after it, and its numbers of joints and duration."""
    motion = MOTIONS[kind](("a", "b", "c"), 1.7)
    write_c(motion, tmp_path / "m.c", "swing")
    text = (tmp_path / "m.c").read_text() + "\nint joints(void) { return SWING_JOINTS; }\n"
    library = compiled(text + "double duration(void) { return SWING_DURATION; }\n")
    library.duration.restype = ctypes.c_double
    assert library.joints() == 3
    assert library.duration() == 1.7
    buffers = [(ctypes.c_double * 3)() for _ in range(3)]
    for t in (-0.3, 0.0, 0.123, 0.85, 1.6999999, 1.7, 9.9):
        library.swing(ctypes.c_double(t), *buffers)
        for found, expected in zip(buffers, motion(t), strict=True):
            np.testing.assert_allclose(list(found), expected, atol=1e-9)


@pytest.mark.parametrize("name", ["", "1a", "a-b", "a b", "a;", "ä"])
def test_names_that_c_does_not_have(name: str) -> None:
    with pytest.raises(RobosymError, match=r"name: got .* expected a name of C"):
        as_c(fourier(), name)


def test_a_joint_cannot_end_the_comment(compiled: Callable[[str], ctypes.CDLL]) -> None:
    text = as_c(fourier(("*/ int x; /*", "b\nint y;")))
    assert "int x; /*" not in text
    assert compiled(text).motion is not None
