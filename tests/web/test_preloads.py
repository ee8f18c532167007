"""The modules named in the head of the page are those that it imports."""

from __future__ import annotations

from robosym.web.pages import STATIC
from robosym.web.preloads import PLACE, reached, with_preloads


def test_modules_of_the_first_sight_are_named_and_there() -> None:
    found = reached(STATIC)
    assert {"main.js", "core/store.js", "viewer/viewer.js", "vendor/preact.mjs", "vendor/katex.mjs"} <= set(found)
    assert all((STATIC / name).is_file() for name in found)
    assert "rooms/robot/room.js" not in found  # read when it is entered


def test_the_page_has_a_place_for_them() -> None:
    page = (STATIC / "index.html").read_bytes()
    assert page.count(PLACE) == 1
    assert with_preloads(page, STATIC).count(b'rel="modulepreload"') == len(reached(STATIC))
