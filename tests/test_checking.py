"""Problems and warnings as values, robots from texts, and what is logged."""

from __future__ import annotations

import io
import logging
import warnings
from pathlib import Path

import numpy as np
import pytest

import robosym
from robosym.robot import RobotError, RobotWarning

URDF = '<robot name="arm"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>'
BAD = URDF.replace("continuous", "sideways")
MJCF = '<mujoco model="arm"><worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody></mujoco>'
TOML = 'name = "arm"\n[[frame]]\nM = 1\n'
ODD_LINK = TOML + "XX = -1\n"  # loads with a warning


def test_problems_are_values(tmp_path: Path) -> None:
    path = tmp_path / "bad.urdf"
    path.write_text(BAD)
    for source in (path, str(path), BAD, BAD.encode()):
        found = robosym.check(source)
        assert not found
        assert found.robot is None
        assert found.warnings == ()
        assert [problem.where for problem in found.problems] == ["joint 'j', type"]


def test_warnings_are_values_and_are_not_raised(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(ODD_LINK)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = robosym.check(path)
    assert found
    assert found.problems == ()
    assert found.robot is not None
    assert found.count >= len(found.warnings) > 0
    assert not any(text.startswith(str(path)) for text in found.warnings)
    with pytest.warns(RobotWarning) as said:
        robosym.load(path)
    assert [str(one.message).removeprefix(f"{path}: ") for one in said] == list(found.warnings)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for name in ("missing.toml", "missing.urdf", "missing.xml", "missing.par", "what.txt"):
        found = robosym.check(tmp_path / name)
        assert len(found.problems) == 1
        assert str(tmp_path / name) not in str(found.problems[0])


@pytest.mark.slow
def test_loops_that_cannot_be_assembled() -> None:
    text = (Path(robosym.__file__).parent / "library" / "robots" / "four-bar.toml").read_text()
    assert robosym.check(text)
    rod = next(line for line in text.splitlines() if line.startswith("d = "))
    found = robosym.check(text.replace(rod, "d = 500.0", 1))
    assert found.robot is not None
    assert found.problems


@pytest.mark.parametrize(("text", "format"), [(URDF, "urdf"), (MJCF, "mjcf"), (TOML, "toml")])
def test_robots_from_texts(tmp_path: Path, text: str, format: str) -> None:
    path = tmp_path / f"arm.{'xml' if format == 'mjcf' else format}"
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = robosym.load(path)
        given = [text, text.encode(), bytearray(text.encode()), io.StringIO(text), io.BytesIO(text.encode())]
        robots = [robosym.loads(one, format) for one in given] + [robosym.loads(text)]
        free = robosym.loads(text, format, floating=True)
    assert all(robot.replace(source="") == expected.replace(source="") for robot in robots)
    assert free.base.floating


def test_a_par_text(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robosym.save(robosym.load("rx90"), tmp_path / "rx90.par")
    text = (tmp_path / "rx90.par").read_text()
    assert robosym.loads(text) == robosym.loads(text, "par") == robosym.load(tmp_path / "rx90.par")


@pytest.mark.parametrize(
    ("text", "format", "said"),
    [
        (URDF, "step", "text: format: got 'step', expected one of toml, par, urdf, mjcf"),
        (5, None, "text: got 5, expected a text, bytes or an open file"),
        (b"\xff\xfe", "toml", "text: byte 1: expected text in UTF-8"),
        ("", "urdf", "text: "),
        (URDF, "mjcf", "text: expected <mujoco>"),
        ('<mujoco><include file="x.xml"/></mujoco>', "mjcf", "text: include: a text has no folder"),
        (BAD, "urdf", "text: joint 'j', type: expected one of"),
    ],
)
def test_texts_that_are_none(text: object, format: str | None, said: str) -> None:
    with pytest.raises(robosym.RobosymError, match=said):
        robosym.loads(text, format)


def test_what_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="robosym")
    with pytest.warns(RobotWarning):
        robot = robosym.loads(ODD_LINK)
    levels = [record.levelname for record in caplog.records]
    assert levels == ["WARNING", "INFO"]
    assert "frame 1, inertia: physically impossible" in caplog.text
    caplog.clear()
    robosym.models.inverse_dynamics(robot).compile(numeric=False)
    assert [record.levelname for record in caplog.records] == ["DEBUG"]
    assert any(isinstance(one, logging.NullHandler) for one in logging.getLogger("robosym").handlers)


def test_equal_robots_from_equal_texts() -> None:
    assert np.array_equal(robosym.loads(TOML).frames, robosym.loads(TOML).frames)


def test_a_text_of_loops_needs_a_urdf() -> None:
    with pytest.raises(RobotError, match="text: loops"):
        robosym.loads(TOML, loops="x.toml")


def test_notes_are_of_what_is_allowed_and_may_surprise() -> None:
    """No masses, a letter without a number, degrees that were meant; nothing is said of a robot that has all."""
    found = robosym.check('[[frame]]\nalpha = 90\nd = "D2"\n', format="toml")
    assert found
    assert not found.warnings
    masses, values, angle = found.notes
    assert "no link has a mass" in masses
    assert "no value for D2, G3:" in values
    assert angle == 'frame1: alpha is 90 rad, more than a turn: degrees are written "90 deg"'
    assert robosym.check('[[frame]]\nM = 1\nalpha = "pi/2"\n[values]\nG3 = -9.81', format="toml").notes == ()


# --- what models refuse ----------------------------------------------------------------------------------------------

STATES = (None, "0", "1/2", "L1", "2*L1", "speed", "2*speed", "speed + L1", "q1*speed")
WRENCHES = (None, "0", "3", "L1", "push", "2*push")


def refusals(seed: int) -> tuple[bool, bool]:
    """Of a random arm with speeds, accelerations, torques and wrenches of any kind: what ``check`` and what the models say."""
    rng = np.random.default_rng(seed)

    def some_of(values: tuple[str | None, ...], chance: float) -> str | None:
        return values[int(rng.integers(len(values)))] if rng.random() < chance else None

    lines = ['name = "arm"', "gravity = [0, 0, -9.81]"]
    for j in range(1, 4):
        fixed = j == 3 or rng.random() < 0.2
        entries: dict[str, str | None] = {
            "d": "L1",
            "ZZ": "Z",
            "FX": some_of(WRENCHES, 0.3),
            "CZ": some_of(WRENCHES, 0.2),
        }
        if fixed and j > 1:
            entries["sigma"] = "fixed"
        else:
            entries |= {name: some_of(STATES, 0.3) for name in ("velocity", "acceleration", "torque")}
        lines += ["[[frame]]", *(f'{key} = "{value}"' for key, value in entries.items() if value is not None)]
    found = robosym.check("\n".join(lines), format="toml")
    assert found.robot is not None, found.problems
    try:
        robosym.models.velocities(found.robot, frame=1)
        robosym.models.inverse_dynamics(found.robot)
        robosym.models.forward_dynamics(found.robot)
    except RobotError:
        return bool(found), False
    return bool(found), True


def test_a_description_that_models_refuse_has_problems() -> None:
    verdicts = [refusals(seed) for seed in range(40)]
    assert all(checked == modelled for checked, modelled in verdicts)
    assert len(set(verdicts)) == 2


def test_what_no_input_can_hold_is_named() -> None:
    frame = "[[frame]]\nd = 1\n"
    found = robosym.check(f'{frame}velocity = "2*WX"\n{frame}sigma = "fixed"\nFX = 3', format="toml")
    assert [problem.where for problem in found.problems] == ["frame 1, velocity"]
    assert found.robot is not None
    assert robosym.check(f'{frame}{frame}sigma = "fixed"\nFX = 3\nCZ = "CZ2"', format="toml")
    free = robosym.check(f'[base]\nfloating = true\nFX = "FX0"\n{frame}', format="toml")
    assert [problem.where for problem in free.problems] == ["base, wrench"]
    twice = robosym.check(f'{frame}velocity = "v"\n{frame}velocity = "v"', format="toml")
    assert [problem.where for problem in twice.problems] == ["qd"]
