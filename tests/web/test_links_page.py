"""Links from anywhere: what is damaged is said, or left out, and the page goes on; positions that do not fit are not taken."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import pytest
from web.links import link

DAMAGED = {
    "options": {"options": {"inverse-dynamics": "base"}},
    "model": {"model": {"dynamic": {"a": 1}}},
    "view": {"view": {"frames": [1]}},
    "rooms": {"rooms": {"robot": [1, 2]}},
}
LEFT_OUT = [
    {"room": "robot", "rooms": {"robot": {"draft": 5}}},
    {"room": "robot", "rooms": {"robot": {"draft": {"general": [None], "frames": 5}}}},
    {"room": "robot", "rooms": {"robot": {"tab": "text", "writing": 5}}},
    {"room": "optimizer", "rooms": {"optimizer": {"text": ["a"]}}},
    {
        "room": "dynamic",
        "rooms": {"models": {"tab": "values"}, "values": {"given": "x", "parameters": True, "of": "rx90"}},
    },
    {"room": "motion", "rooms": {"motion": {"points": 5, "runs": "x", "world": [], "__proto__": {"polluted": 1}}}},
]


def test_a_damaged_link_is_said_and_the_page_stands(visit: Callable[..., Any]) -> None:
    page = visit()
    for name, state in DAMAGED.items():
        page.evaluate("(hash) => { window.location.hash = hash; }", link(**state))
        page.get_by_text(f"this link is damaged: {name}").first.wait_for()
    page.locator(".counts .own .total").wait_for()


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("state", LEFT_OUT, ids=lambda state: f"{state['room']}-{list(state['rooms'])[-1]}")
def test_what_a_room_does_not_know_is_left_out(visit: Callable[..., Any], state: dict[str, Any]) -> None:
    page = visit(link(robot={"name": "planar-2r"}, **state))
    page.wait_for_function("() => document.querySelector('#room').innerText.length > 100")
    assert "cannot go on" not in page.locator("#room").inner_text()
    assert page.evaluate("() => ({}).polluted") is None


def test_a_position_that_does_not_fit_is_not_taken(visit: Callable[..., Any]) -> None:
    page = visit(link(robot={"name": "puma560"}, x=[1.0, "2", 3.0, 4.0, 5.0, 6.0]))
    begun = page.evaluate("() => window.robosym.robot().scene.controls.map((one) => one.at)")
    assert page.evaluate("() => [...window.robosym.pose.get()]") == begun  # not where another robot stands at first
    page.evaluate(
        "(hash) => { window.location.hash = hash; }", link(robot={"name": "puma560"}, x=[0.1, 0.2], room="geometric")
    )
    page.wait_for_function("() => window.robosym.state().room === 'geometric'")
    assert page.evaluate("() => [...window.robosym.pose.get()]") == begun


def test_which_tip_of_a_tree_is_said(visit: Callable[..., Any]) -> None:
    """The pose is of one of its ends, by name; a name is only ever text."""
    name = "<img src=x onerror=alert(1)>"
    text = f"""<robot name="fork"><link name="trunk"/><link name="left"/><link name="{escape(name)}"/>
      <joint name="a" type="continuous"><parent link="trunk"/><child link="left"/><axis xyz="0 0 1"/></joint>
      <joint name="b" type="continuous"><parent link="trunk"/><child link="{escape(name)}"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint></robot>"""
    page = visit(link(robot={"text": text, "format": "urdf"}, room="robot"))
    said = page.get_by_label("Pose of the tip").locator(".of-tip")
    tip = page.evaluate("() => { const { frames, tip } = window.robosym.robot().scene; return frames[tip].name; }")
    assert said.inner_text() == f"Tip {tip}"
    assert page.locator("img[src=x]").count() == 0
