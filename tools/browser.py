"""A server of the page and a browser without a screen: for tests, pictures and benchmarks."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
SIZE = {"width": 1440, "height": 900}
# Nothing asks the network by itself; WebGL is drawn by software.
FLAGS = [
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--enable-unsafe-swiftshader",
]
PATIENCE = 60_000  # ms until something is on the page: machines may be busy


def browser_path() -> str | None:
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


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


@contextmanager
def opened(address: str) -> Iterator[Callable[..., Any]]:
    """A browser: gives what opens a page of the server at an address."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)

        def visit(**options: Any) -> Any:
            page = browser.new_context(**{"viewport": SIZE, "reduced_motion": "reduce", **options}).new_page()
            page.set_default_timeout(PATIENCE)
            page.goto(address)
            page.wait_for_function("() => document.documentElement.dataset.ready === 'true'")
            return page

        yield visit
        browser.close()
