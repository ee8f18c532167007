"""The rooms of models in a browser: sources as Python has them, twins, options, links, other robots, errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from web.links import link
from web_state import address, shows

from robosym import load, models
from robosym.codegen import languages
from robosym.formats.toml import dumps

DRAWN = ".line .katex"
SOURCE = "() => document.querySelector('pre.code').textContent"


def settled(page: Any) -> None:
    page.wait_for_function("() => document.querySelector('.models')?.dataset.busy === 'false'")


def test_fifteen_sources_are_those_of_the_model(visit: Callable[..., Any]) -> None:
    page = visit()
    page.wait_for_selector(DRAWN)
    model = models.inverse_dynamics(load("rx90"), parameters="base")
    for language in languages():
        page.get_by_label("Language").select_option(language)
        expected = model.source(language)
        page.wait_for_function("(text) => document.querySelector('pre.code').textContent === text", arg=expected)
    page.locator("pre.code").evaluate(
        "(node) => node.parentNode.scrollTo(0, 1e6)"
    )  # coloured when seen: the same letters
    page.wait_for_selector("pre.code .code-word", state="attached")
    assert page.evaluate(SOURCE) == model.source(languages()[-1])


def test_a_line_lights_its_twin(visit: Callable[..., Any]) -> None:
    page = visit()
    page.wait_for_selector("pre.code .row", state="attached")
    page.wait_for_selector(DRAWN)
    page.locator('.line[data-key="C2"]').click()
    lit = page.locator(".row.lit")
    lit.wait_for()
    assert lit.text_content() == "    const double C2 = cos(q2);\n"
    assert lit.evaluate(
        "(node) => { const r = node.getBoundingClientRect(); return r.top > 0 && r.bottom < innerHeight; }"
    )
    page.get_by_role("listbox", name="Steps").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator(".row.lit").text_content() == "    const double S2 = sin(q2);\n"
    page.locator(".row", has_text="const double W33 = qd2 + qd3;").click()
    assert page.locator(".line.lit").get_attribute("data-key") == "W33"
    assert page.locator(".line.lit .katex").count() == 1


def test_options_change_the_counts_and_links_restore_them(visit: Callable[..., Any]) -> None:
    page = visit()
    page.wait_for_selector(DRAWN)
    total = page.locator(".counts .own .total")
    assert total.text_content() == "439"
    assert "course notes 2014" in page.locator(".counts").text_content()
    page.get_by_label("parameters", exact=True).select_option(label="standard")
    standard = str(models.inverse_dynamics(load("rx90")).operations.total)
    page.wait_for_function("(text) => document.querySelector('.counts .own .total').textContent === text", arg=standard)
    page.get_by_label("Language").select_option("rust")
    page.get_by_role("button", name="Undo").click()
    shows(page.get_by_label("Language"), "c")
    page.get_by_label("Model", exact=True).select_option("gravity")
    page.get_by_label("parameters", exact=True).select_option(label="base")
    page.get_by_label("Language").select_option("julia")
    gravity = models.gravity(load("rx90"), parameters="base")
    page.wait_for_function(
        "(text) => document.querySelector('pre.code').textContent === text", arg=gravity.source("julia")
    )
    again = visit(address(page))
    again.wait_for_selector(DRAWN)
    shows(again.get_by_label("Model", exact=True), "gravity")
    again.wait_for_function(
        "(text) => document.querySelector('pre.code').textContent === text", arg=gravity.source("julia")
    )


def test_values_and_singularities_of_the_position(visit: Callable[..., Any]) -> None:
    page = visit()
    page.wait_for_selector(DRAWN)
    page.get_by_role("tab", name="Values").click()
    page.wait_for_selector(".values table")
    assert page.locator(".values").get_by_text("N m").count() >= 6
    page.get_by_role("button", name="Kinematic").click()
    settled(page)
    page.get_by_label("Model", exact=True).select_option("jacobian-determinant")
    page.get_by_role("tab", name="Singularities").click()
    page.get_by_text("Singularity 1").wait_for()
    assert page.locator(".singularity").count() == 3


def test_closed_loops_platforms_and_phones_show_models(visit: Callable[..., Any]) -> None:
    page = visit(width=390, height=844)
    for name, title in (("sr400", "Inverse dynamic model"), ("gough-stewart", "Inverse dynamic model")):
        page.evaluate(
            "async (name) => (await import('/static/core/store.js')).change({ robot: { name } }, 'robot')", name
        )
        page.wait_for_function("(name) => window.robosym.robot()?.scene?.name === name", arg=name)
        settled(page)
        page.wait_for_selector(DRAWN)
        assert page.locator(".models h1").text_content() == title
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_what_is_wrong_with_an_option_stands_beside_it(visit: Callable[..., Any]) -> None:
    page = visit()
    page.wait_for_selector(DRAWN)
    page.get_by_role("button", name="Kinematic").click()
    page.get_by_text("More options").click()
    page.get_by_label("tool").fill("1, 2")
    page.get_by_label("tool").press("Enter")
    page.get_by_text("expected a point x, y, z").wait_for()
    assert page.get_by_label("tool").get_attribute("aria-invalid") == "true"


def test_the_optimizer_says_what_it_saves_and_which_line_is_wrong(visit: Callable[..., Any]) -> None:
    page = visit()
    page.get_by_role("button", name="Optimizer").click()
    page.get_by_label("Program").fill("y = a*b + a*c")
    page.wait_for_function("() => document.querySelector('.counts .own .total')?.textContent === '2'")
    page.get_by_label("Program").fill("y = a*b +* c")
    page.get_by_text("line 1").wait_for()


def test_entered_parameters_stay_in_sight_and_with_their_robot(visit: Callable[..., Any]) -> None:
    rx90 = load("rx90")
    bare = rx90.replace(values={name: rx90.values[name] for name in ("D3", "RL4")})
    rooms = {"models": {"tab": "values"}}

    def address(name: str) -> str:
        text = dumps(bare.replace(name=name))
        return link(robot={"text": text, "format": "toml"}, room="dynamic", model={"dynamic": "gravity"}, rooms=rooms)

    page = visit(address("one"))
    zero = page.get_by_role("button", name="Take zero for all of them")
    zero.click()
    entered = page.get_by_role("region", name="Entered parameters")
    entered.wait_for()
    assert set(entered.locator("input").evaluate_all("(all) => all.map((one) => one.value)")) == {"0"}
    rooms = page.evaluate("() => window.robosym.state().rooms")
    page.evaluate("(hash) => { window.location.hash = hash; }", address("another"))  # with the same names
    zero.wait_for()
    assert entered.count() == 0
