"""Robots in files: every one is there, and who lacks the package is told its name."""

from __future__ import annotations

import numpy as np
import pytest
import real_robots
import written_robots
from real_robots import FILES, URDFS, real_robot, urdf_file


@pytest.mark.parametrize("name", sorted({*URDFS, *FILES}))
def test_pinocchio_reads_the_same_joints(name: str) -> None:
    pin = pytest.importorskip("pinocchio")
    model = pin.buildModelFromUrdf(str(urdf_file(name)))
    assert set(real_robot(name, mimic=False).joint_names) == set(model.names) - {"universe"}


def test_without_the_package_tests_are_skipped_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(real_robots, "package_folder", lambda: None)
    with pytest.raises(
        pytest.skip.Exception, match="'panda' is in the package example-robot-data, which is not installed"
    ):
        urdf_file("panda")
    assert urdf_file("puma").is_file()  # written by us


def test_robots_are_read_once() -> None:
    assert real_robot("panda") is real_robot("panda")
    assert real_robot("panda") is not real_robot("panda", floating=True)


@pytest.mark.parametrize("name", ["arm7", "humanoid30"])
def test_bodies_of_written_robots_are_possible(name: str) -> None:
    """Moments about the centre obey the inequality of the triangle."""
    for joint in written_robots.WRITTEN[name]():
        moments = np.linalg.eigvalsh(joint.body.moments)
        assert moments[0] > 0
        assert moments[:2].sum() > moments[2]
