"""Take the pictures of the page in docs/pictures/page: ``make screenshots``. Needs the extra ``web``, Playwright and a Chromium."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from browser import opened, served

FOLDER = Path(__file__).parents[1] / "docs" / "pictures" / "page"
REFINED = 3  # times the colours of a picture are mended: else pale greys and joints change theirs
PHONE = {"width": 390, "height": 844}


def enter(page: Any, room: str) -> None:
    page.get_by_role("navigation", name="Rooms").get_by_role("button", name=room, exact=True).click()
    page.wait_for_function("() => document.querySelector('#room :is(h1, h2)')")


def pick(page: Any, robot: str) -> None:
    page.get_by_role("combobox", name="Robot").select_option(robot)
    page.wait_for_function("(name) => window.robosym.robot()?.view.name === name", arg=robot)


def stand(page: Any, *x: float) -> None:
    page.evaluate("(x) => window.robosym.pose.set(x, 'script')", list(x))


def show(page: Any, *names: str) -> None:
    for name in names:
        page.get_by_role("group", name="What is shown").get_by_role("button", name=name).click()


def in_sight(page: Any) -> None:
    page.get_by_role("button", name="Whole robot in sight").click()


def press(page: Any, name: str) -> None:
    page.get_by_role("main").get_by_role("button", name=name, exact=True).click()


def there(page: Any, name: str) -> None:
    page.get_by_role("main").get_by_role("button", name=name, exact=True).wait_for()


def of_dynamics(page: Any) -> None:
    stand(page, 0.5, 0.6, -0.4, 0.5, 0.9, 0.3)


def of_robot(page: Any) -> None:
    pick(page, "puma560")
    stand(page, 0.6, -0.5, 0.3, 0.4, 0.7, 0.0)
    enter(page, "Robot")
    page.get_by_role("grid").first.wait_for()


def of_loops(page: Any) -> None:
    pick(page, "sr400")
    stand(page, 0.4, -1.3, 0.3, 0.8, 0.5, 1.1)
    enter(page, "Geometric")
    show(page, "Solutions")
    page.wait_for_function("() => window.robosym.solutions().length > 1")
    in_sight(page)


def of_platform(page: Any) -> None:
    pick(page, "delta")
    enter(page, "Kinematic")
    show(page, "Workspace", "Ellipsoids")
    page.wait_for_function("() => window.robosym.viewer.cloud")
    in_sight(page)


def of_identification(page: Any) -> None:
    pick(page, "planar-2r")
    stand(page, -0.7, 1.1)
    enter(page, "Identification")
    page.get_by_role("tab", name="Identify").click()
    press(page, "Try with simulated data")
    press(page, "Identify")
    there(page, "Open the identified robot")
    page.evaluate("() => document.querySelector('.report').scrollIntoView()")


def of_motion(page: Any) -> None:
    pick(page, "puma560")
    enter(page, "Motion")
    for q in ((-0.6, -0.3, 0.2, 0.0, 0.6, 0.0), (0.3, 0.1, -0.3, 0.6, 0.9, 0.4), (1.1, -0.5, 0.4, 0.3, 0.5, 1.0)):
        stand(page, *q)
        press(page, "Add the current position")
    for run, bandwidth in ((1, "10"), (2, "30")):
        page.get_by_label("Bandwidth", exact=True).fill(bandwidth)
        page.keyboard.press("Enter")
        press(page, "Simulate")
        there(page, f"CSV of run {run}")
    page.get_by_role("slider", name="Time").fill("1.4")
    page.evaluate("() => document.querySelector('.settings').scrollTo(0, 0)")
    in_sight(page)


def of_optimizer(page: Any) -> None:
    enter(page, "Optimizer")
    page.get_by_role("region", name="Operations").wait_for()


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
    with opened(address) as visit:
        for name in names or PICTURES:
            make, options = PICTURES[name]
            page = visit(**options)
            make(page)
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(800)  # what is typeset when it is seen
            with Image.open(BytesIO(page.screenshot())) as drawn:
                few = drawn.convert("RGB").quantize(256, kmeans=REFINED)
            few.save(folder / f"{name}.png", optimize=True)
            page.context.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PICTURES)}; all if none is given")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    given = parser.parse_args()
    with served() as address:
        take(address, given.folder, given.names)
