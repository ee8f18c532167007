"""Draw the pictures of the documentation into docs/pictures, as ``robosym plot``, ``simulate`` and ``trajectory`` draw them: ``make pictures``."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import robosym
from robosym import control, trajectory
from robosym.analysis import platform_workspace, platform_workspace_picture, workspace, workspace_picture
from robosym.plots import save

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
WIDTH = 900  # pixels; with 64 colours a picture takes some tens of kilobytes


def of_workspace(path: Path) -> None:
    save(workspace_picture(workspace(robosym.load("puma560"), samples=20000, seed=0)), path)


def of_platform(path: Path) -> None:
    save(platform_workspace_picture(platform_workspace(robosym.load("planar-3rrr"))), path)


def of_run(path: Path) -> None:
    robot = robosym.load("puma560")
    move = trajectory.point_to_point([0] * 6, [1.0, 0.5, -0.5, 0.3, 0.4, 0.5], "quintic", duration=1.2)
    robosym.simulate(robot, control.computed_torque(robot, bandwidth=20, friction=True), move).plot(path, "all")


PICTURES: dict[str, Callable[[Path], None]] = {
    "workspace.png": of_workspace,
    "platform.png": of_platform,
    "run.png": of_run,
}


def draw(folder: Path) -> None:
    """All pictures, each made small."""
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as own:
        for name, make in PICTURES.items():
            make(Path(own) / name)
            with Image.open(Path(own) / name) as drawn:
                small = drawn.convert("RGB")
                small.thumbnail((WIDTH, WIDTH))
                small.quantize(64).save(folder / name, optimize=True)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
