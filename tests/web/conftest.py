"""A server and a browser for the tests of the page: one of each for a session, a fresh context for each test.

A page that writes an error to the console, or asks anybody but its server, fails its test.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PATIENCE = 60_000  # ms a test waits for the page at most: machines may be busy


@contextmanager
def served(*arguments: str, port: int = 0) -> Iterator[str]:
    """A server of its own: its address."""
    command = [sys.executable, "-m", "robosym", "web", "--no-open", "--port", str(port), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"the server said {line!r}"
        yield found.group().rstrip("/")
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with served() as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("no browser: CI installs chromium-headless-shell")
        pytest.skip("no browser: install chromium-headless-shell")
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-quic", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=[*flags, "--enable-unsafe-swiftshader"])
        yield started
        started.close()


@pytest.fixture
def visit(browser: Any, server: str) -> Iterator[Callable[..., Any]]:
    """``visit("#...", width=390)``: a page, ready, that is watched; several are several tabs."""
    contexts, said = [], []

    def open_page(
        link: str = "", *, width: int = 1440, height: int = 900, address: str = server, **options: Any
    ) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("console", lambda m: said.append(f"{m.type}: {m.text}") if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.on(
            "request",
            lambda r: None if r.url.startswith((address, "blob:", "data:")) else said.append(f"asked {r.url}"),
        )
        page.goto(f"{address}/{link}")
        page.wait_for_function("() => document.documentElement.dataset.ready === 'true'")
        return page

    yield open_page
    for context in contexts:
        context.close()
    wrong = [line for line in said if "GPU stall" not in line and "GL Driver" not in line]
    assert not wrong, wrong
