"""A server and a browser for the tests of the page: one of each for a session, a fresh context for each test.

A page that writes an error to the console, or asks anybody but its server, fails its test.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser import FLAGS, PATIENCE, browser_path, served

OF_THE_DRIVER = re.compile("GPU stall|GL Driver")  # software that draws


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with served() as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = browser_path()
    if path is None:
        if os.environ.get("ROBOSYM_BROWSER") == "required":
            pytest.fail("no browser: the page cannot be tested without chromium-headless-shell")
        pytest.skip("no browser: install chromium-headless-shell")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def visit(browser: Any, server: str) -> Iterator[Callable[..., Any]]:
    """``visit("#...", width=390)``: a page, ready, that is watched; several are several tabs.

    A browser writes to the console whatever the server refuses; a test that makes it refuse, or go away, says ``refused=True``.
    """
    contexts: list[Any] = []
    said: list[str] = []

    def open_page(
        link: str = "",
        *,
        width: int = 1440,
        height: int = 900,
        address: str = server,
        refused: bool = False,
        **options: Any,
    ) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()

        def heard(message: Any) -> None:
            expected = refused and message.text.startswith("Failed to load resource")
            if message.type in ("error", "warning") and not expected and not OF_THE_DRIVER.search(message.text):
                said.append(f"{message.type}: {message.text}")

        def asked(request: Any) -> None:
            if not request.url.startswith((address, "blob:", "data:")):
                said.append(f"asked {request.url}")

        page.on("console", heard)
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.on("request", asked)
        page.goto(f"{address}/{link}")
        page.wait_for_function("() => document.documentElement.dataset.ready === 'true'")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not said, said
