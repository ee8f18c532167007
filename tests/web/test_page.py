"""The page as a whole: it stands, without a word on the console."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def test_the_page_stands(visit: Callable[..., Any]) -> None:
    page = visit()
    assert page.get_by_role("button", name="Dynamic").get_attribute("aria-current") == "page"
