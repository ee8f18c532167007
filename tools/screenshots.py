"""Take the pictures of the page in docs/pictures/page: ``make screenshots``. Needs the extra ``web``, Playwright and a Chromium."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from browser import opened, served

FOLDER = Path(__file__).parents[1] / "docs" / "pictures" / "page"
PHONE = {"width": 390, "height": 844}
COLOURS = 128  # of a picture: a page takes some tens of kilobytes


def enter(page: Any, room: str) -> None:
    page.get_by_role("navigation", name="Rooms").get_by_role("button", name=room, exact=True).click()
    page.wait_for_function("() => document.querySelector('#room :is(h1, h2)')")


def pick(page: Any, robot: str) -> None:
    page.get_by_role("combobox", name="Robot").select_option(robot)
    page.wait_for_function("(name) => window.robosym.robot()?.view.name === name", arg=robot)


def of_dynamics(page: Any) -> None:
    page.evaluate("() => window.robosym.pose.set([0.5, 0.6, -0.4, 0.5, 0.9, 0.3], 'script')")


def of_robot(page: Any) -> None:
    pick(page, "puma560")
    enter(page, "Robot")


def of_loops(page: Any) -> None:
    pick(page, "sr400")
    enter(page, "Geometric")


def of_platform(page: Any) -> None:
    pick(page, "gough-stewart")
    enter(page, "Kinematic")


def of_identification(page: Any) -> None:
    pick(page, "planar-2r")
    enter(page, "Identification")


def of_motion(page: Any) -> None:
    pick(page, "puma560")
    enter(page, "Motion")


def of_optimizer(page: Any) -> None:
    enter(page, "Optimizer")


PICTURES: dict[str, tuple[Callable[[Any], None], dict[str, Any]]] = {
    "dynamics": (of_dynamics, {}),
    "dark": (of_dynamics, {"color_scheme": "dark"}),
    "robot": (of_robot, {}),
    "loops": (of_loops, {}),
    "platform": (of_platform, {}),
    "identification": (of_identification, {}),
    "motion": (of_motion, {}),
    "optimizer": (of_optimizer, {}),
    "phone": (of_dynamics, {"viewport": PHONE}),
}


def take(address: str, folder: Path, names: list[str] | None = None) -> None:
    """The pictures of some names, or all."""
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    with opened(address) as visit, tempfile.TemporaryDirectory() as own:
        for name in names or PICTURES:
            make, options = PICTURES[name]
            page = visit(**options)
            make(page)
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(800)  # what is typeset when it is seen
            raw = Path(own) / f"{name}.png"
            page.screenshot(path=raw)
            with Image.open(raw) as drawn:
                drawn.convert("RGB").quantize(COLOURS).save(folder / f"{name}.png", optimize=True)
            page.context.close()


if __name__ == "__main__":
    with served() as address:
        take(address, FOLDER, sys.argv[1:])
