"""What the pages of all packages say, whatever the names and reasons hold."""

from __future__ import annotations

import pytest
from package_parts import ordered
from package_robots import EVIL

import robosym
from robosym import packaging
from robosym.packaging import Refused
from robosym.packaging.pages import how_assembled, refusals


def test_what_is_left_out_is_a_list() -> None:
    _, (part,) = ordered(["gravity"])
    found = [Refused("expanded", "has 6 joints"), part, Refused("step", "it is not")]
    assert refusals(found) == "Left out:\n\n- expanded: has 6 joints\n- step: it is not"
    assert refusals([part]) == refusals([]) == ""


@pytest.mark.parametrize("reason", ["two\nlines", EVIL, "<b> | `x` *y*", "€"])
def test_no_reason_breaks_the_page(reason: str) -> None:
    said = refusals([Refused("expanded", reason)])
    assert said.count("\n") == 2
    assert not set(said) & set('<>|`*"#\\?€')


def test_how_closed_loops_are_assembled() -> None:
    order = packaging.order(robosym.load("four-bar"), mode="cut-")
    assert how_assembled(order) == "\nClosed loops assembled in mode: cut-.\n"
    for other in (
        packaging.order(robosym.load("planar-2r")),
        packaging.order(robosym.load("four-bar"), structure="tree"),
    ):
        assert how_assembled(other) == ""


@pytest.mark.parametrize(
    ("coordinates", "taken"),
    [
        (None, "its pose, twist and twist_rate"),
        ("platform", "its pose, twist and twist_rate"),
        ("motors", "the positions of its motors"),
    ],
)
def test_what_the_models_of_a_platform_take(coordinates: str | None, taken: str) -> None:
    order = packaging.order(robosym.load("planar-3rrr"), coordinates=coordinates, mode="elbow-")
    said = f"\nA platform on legs: the models take {taken}; its legs are in working mode: elbow-.\n"
    assert how_assembled(order) == said
