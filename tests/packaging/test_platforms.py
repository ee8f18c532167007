"""Packages of robots with platforms on legs: checked at states that their legs allow, in either coordinates."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import robosym
from robosym import models, packaging
from robosym.models.available import platform_models
from robosym.packaging.parts import TOO_COARSE
from robosym.packaging.samples import reference
from robosym.robot import RobotError

pytestmark = pytest.mark.delivery

PLANAR = "planar-3rrr"
STRICT = ["-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-pedantic"]


def checked(folder: Path, gcc: str) -> str:
    """What the self-check of a package prints."""
    sources = [*sorted((folder / "src").glob("*.c")), folder / "test" / "check.c"]
    command = [gcc, *STRICT, f"-I{folder / 'include'}", *map(str, sources), "-lm", "-o", str(folder / "check")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr[:4000]
    done = subprocess.run([str(folder / "check")], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("coordinates", ["platform", "motors"])
def test_a_package_checks_itself(coordinates: str, gcc: str, tmp_path: Path) -> None:
    robot = robosym.load(PLANAR)
    assert packaging.export(robot, "c", tmp_path, coordinates=coordinates) == []
    told = checked(tmp_path, gcc)
    for name in platform_models(robot):
        assert f"{name}" in told
    assert "transform" not in told  # which closed loops have
    words = (tmp_path / "README.md").read_text(encoding="utf-8")
    taken = "the positions of its motors" if coordinates == "motors" else "its pose, twist and twist_rate"
    assert f"A platform on legs: the models take {taken}; its legs are in working mode: elbow+." in words
    header = (tmp_path / "include" / "planar_3rrr_inverse_dynamics.h").read_text(encoding="utf-8")
    assert ("start [7], in" in header) == (coordinates == "motors")


@pytest.mark.parametrize("robot", [PLANAR, "delta", "gough-stewart"])
def test_the_states_of_a_check_are_states_of_the_robot(robot: str) -> None:
    for model in (models.inverse_dynamics(robosym.load(robot)), models.direct_geometric(robosym.load(robot))):
        found = reference(model, "double")
        assert found.assembled
        for state, made in zip(found.states, found.expected, strict=True):
            assert np.all(made.get("assembled", 1.0))
            assert all(np.isfinite(x).all() for x in made.values())
            if "pose" in state:
                assert np.linalg.norm(state["pose"][3:]) == pytest.approx(1, abs=1e-12)


def test_another_working_mode() -> None:
    order = packaging.order(robosym.load(PLANAR), "python", mode="leg2 elbow-")
    assert order.mode == "leg1 elbow+, leg2 elbow-, leg3 elbow+"
    model = models.gravity(robosym.load(PLANAR), mode="leg2 elbow-")
    state = model.random_state(np.random.default_rng(1))
    assert model.evaluate(**state)["assembled"] == 1


def test_single_precision() -> None:
    """A platform whose twists change with its pose is placed to 1e-9 of its size, which single precision does not hold."""
    parts = {part.name: part for part in packaging.parts(packaging.order(robosym.load(PLANAR), "c", precision="float"))}
    refused = {name for name, part in parts.items() if isinstance(part, packaging.Refused)}
    assert all(parts[name].reason == TOO_COARSE for name in refused)  # type: ignore[union-attr]
    assert "inverse-dynamics" not in refused  # in the plane nothing has to be closed by numbers


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"coordinates": "motor"}, "coordinates: got 'motor', expected 'platform', 'motors'"),
        ({"structure": "tree"}, "structure: got 'tree', a platform on legs has no tree"),
        ({"frame": 3}, "frame: got 3, the models of a platform on legs are about the platform"),
        ({"mode": "bent"}, "mode: got 'bent'"),
    ],
)
def test_what_is_refused(options: dict, said: str) -> None:
    with pytest.raises(robosym.RobosymError) as caught:
        packaging.order(robosym.load(PLANAR), "c", **options)
    assert said in str(caught.value)


def test_other_robots_have_no_other_coordinates() -> None:
    with pytest.raises(RobotError, match="only a platform on legs has other coordinates than q"):
        packaging.order(robosym.load("rx90"), "c", coordinates="motors")
