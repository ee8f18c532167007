"""Answers that come late: what is shown is of the robot, the model, the options and the numbers at hand, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

COUNT = ".counts .own .total"
LINES = "() => document.querySelectorAll('.line').length + document.querySelectorAll('pre.code .row').length"


@contextmanager
def held(page: Any, pattern: str) -> Iterator[None]:
    """Requests for addresses like this wait until the block ends."""
    waiting: list[Any] = []
    over = False

    def arrived(route: Any) -> None:
        if over:
            route.continue_()
        else:
            waiting.append(route)

    page.route(re.compile(pattern), arrived)
    yield
    over = True
    for route in waiting:
        route.continue_()


def test_models_of_the_robot_before_and_of_other_options_are_not_shown(visit: Callable[..., Any]) -> None:
    page = visit()
    page.wait_for_selector("pre.code .row", state="attached")
    assert page.locator(COUNT).text_content() == "439"
    with held(page, "/models/inverse-dynamics"):
        page.get_by_label("parameters", exact=True).focus()
        page.get_by_label("parameters", exact=True).select_option(label="standard")
        page.locator(COUNT).wait_for(state="detached")
        assert page.evaluate(LINES) == 0
        assert page.get_by_label("parameters", exact=True).evaluate("(node) => node === document.activeElement")
    page.locator(COUNT).wait_for()
    with held(page, "/puma560/models/"):
        page.get_by_label("Robot", exact=True).select_option("puma560")
        page.wait_for_function("() => window.robosym.robot().key === 'puma560'")
        page.locator(COUNT).wait_for(state="detached")
        assert page.evaluate(LINES) == 0
    page.locator(COUNT).wait_for()


def test_the_source_of_another_language_is_not_shown(visit: Callable[..., Any]) -> None:
    page = visit()
    page.wait_for_selector("pre.code .row", state="attached")
    with held(page, "/code/python"):
        page.get_by_label("Language").select_option("python")
        page.locator("pre.code .row").first.wait_for(state="detached")
        assert page.get_by_role("button", name="Download").is_disabled()
    page.wait_for_selector("pre.code .row", state="attached")


def test_values_are_of_the_numbers_that_stand_there(visit: Callable[..., Any]) -> None:
    page = visit()
    page.get_by_label("Robot", exact=True).select_option("puma560")
    page.wait_for_function("() => window.robosym.robot().key === 'puma560'")
    page.get_by_role("tab", name="Values").click()
    outputs = page.locator(".values td.number")
    outputs.first.wait_for()
    before = outputs.all_text_contents()
    field = page.locator(".values .input input").first
    with held(page, "/values$"):
        field.fill("1.5")
        field.press("Enter")
        outputs.first.wait_for(state="detached")
        assert field.evaluate("(node) => node === document.activeElement")
    outputs.first.wait_for()
    assert outputs.all_text_contents() != before


def test_a_position_of_the_robot_before_is_no_step_of_the_next(visit: Callable[..., Any]) -> None:
    page = visit()
    page.wait_for_function("() => document.querySelector('select.picker').options.length > 10")
    with held(page, "/api/robots$"):
        page.evaluate(
            """() => {
              const picker = document.querySelector("select.picker");
              window.robosym.pose.setOne(0, 1.25, "slider");
              picker.value = "planar-2r";
              picker.dispatchEvent(new Event("change", { bubbles: true }));
            }"""
        )
        page.wait_for_timeout(500)  # longer than it takes to come to rest
        assert page.evaluate("() => window.robosym.state().x") is None
    page.wait_for_function("() => window.robosym.state().x?.length === 2")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => window.robosym.robot().key === 'rx90' && window.robosym.pose.get().length === 6")
