"""Everyone can use the page: axe finds nothing in any room, in light and dark, and nothing is wider than a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from web_state import quiet

Visit = Callable[..., Any]
ROOMS = ("Robot", "Geometric", "Kinematic", "Dynamic", "Identification", "Motion", "Optimizer")


def enter(page: Any, room: str) -> None:
    page.get_by_role("navigation", name="Rooms").get_by_role("button", name=room, exact=True).click()
    page.wait_for_function("() => document.querySelector('#room :is(h1, h2)')")
    page.wait_for_function("() => document.querySelector('.models')?.dataset.busy !== 'true'")
    quiet(page)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit: Visit, scheme: str) -> None:
    page = visit(color_scheme=scheme, bypass_csp=True)  # axe writes styles of its own into the page
    page.get_by_role("combobox", name="Robot").select_option("planar-2r")  # a short model: axe looks at every element
    page.wait_for_function("() => window.robosym.pose.get().length === 2")
    found = {}
    for room in ROOMS:
        enter(page, room)
        violations = Axe().run(page).response["violations"]
        said = {one["id"]: [node["html"][:160] for node in one["nodes"][:4]] for one in violations}
        if said:
            found[room] = said
    assert not found, found


def test_nothing_is_wider_than_a_phone(visit: Visit) -> None:
    page = visit(width=390, height=844, has_touch=True)
    wide = {}
    for room in ROOMS:
        enter(page, room)
        widths = page.evaluate("() => [document.documentElement.scrollWidth, window.innerWidth]")
        if widths[0] > widths[1]:
            wide[room] = widths
    assert not wide, wide
