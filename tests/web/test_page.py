"""The page as a whole: links, undo, keys, phones, a server that goes away and comes back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from browser import served
from web_state import address, at_rest, controlled, shows

Visit = Callable[..., Any]
X = "() => [...window.robosym.pose.get()]"


def test_the_page_stands(visit: Visit) -> None:
    page = visit()
    assert page.get_by_role("button", name="Dynamic", exact=True).get_attribute("aria-current") == "page"


def test_a_link_restores_everything(visit: Visit) -> None:
    page = visit()
    page.get_by_role("combobox", name="Robot").select_option("scara")
    page.get_by_role("button", name="Kinematic", exact=True).click()
    controlled(page, 4)
    page.evaluate("() => window.robosym.pose.set([0.1, 0.2, 0.3, 0.4], 'test')")
    other = visit(address(page))
    shows(other.get_by_role("combobox", name="Robot"), "scara")
    assert other.get_by_role("button", name="Kinematic", exact=True).get_attribute("aria-current") == "page"
    assert other.evaluate(X) == [0.1, 0.2, 0.3, 0.4]


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("link", ["#1notALink", "#2abc", "#1" + "A" * 500])
def test_a_damaged_link_is_said_and_nothing_else(visit: Visit, link: str) -> None:
    page = visit(link)
    page.get_by_role("status").filter(has_text=re.compile("this link")).first.wait_for()
    shows(page.get_by_role("combobox", name="Robot"), "rx90")


def test_undo_and_redo_go_through_positions_rooms_and_robots(visit: Visit) -> None:
    page = visit()
    page.evaluate("() => window.robosym.pose.set([0.2, 0, 0, 0, 0, 0], 'test')")
    at_rest(page)
    page.get_by_role("combobox", name="Robot").select_option("planar-2r")
    page.wait_for_function("() => window.robosym.pose.get().length === 2")
    at_rest(page)
    page.get_by_role("button", name="Motion", exact=True).click()
    page.keyboard.press("Control+z")
    assert page.get_by_role("button", name="Dynamic", exact=True).get_attribute("aria-current") == "page"
    page.keyboard.press("Control+z")
    page.wait_for_function("() => window.robosym.pose.get().length === 6")
    assert page.evaluate(X)[0] == 0.2
    page.keyboard.press("Control+z")
    page.wait_for_function("() => window.robosym.pose.get()[0] === 0.5")
    for _ in range(3):
        page.keyboard.press("Control+Shift+z")
    page.wait_for_function("() => window.robosym.pose.get().length === 2")
    assert page.get_by_role("button", name="Motion", exact=True).get_attribute("aria-current") == "page"


def test_commands_by_keyboard(visit: Visit) -> None:
    page = visit()
    page.keyboard.press("Control+k")
    page.keyboard.type("go to kinematic")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('nav [aria-current=page]').textContent === 'Kinematic'")
    page.keyboard.press("Control+k")
    page.keyboard.type("light or dark")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.documentElement.dataset.theme === 'dark'")


def test_the_server_goes_away_and_comes_back(visit: Visit) -> None:
    with served() as first:
        page = visit(address=first, refused=True)
        port = int(first.rsplit(":", 1)[1])
    page.evaluate("() => window.robosym.pose.set([0.2, 0, 0, 0, 0, 0], 'test')")
    page.get_by_role("combobox", name="Robot").select_option("planar-2r")
    page.get_by_text("The server does not answer").wait_for()
    assert page.evaluate(X)[0] == 0.2, "the robot still moves"
    with served(port=port):
        page.wait_for_function("() => window.robosym.pose.get().length === 2")
        page.get_by_text("The server does not answer").wait_for(state="hidden")
        shows(page.get_by_role("combobox", name="Robot"), "planar-2r")
