"""How quick the page is: from the address to the first paint, the robot and the equations; a slider, a language.

The limits are what we ask of ourselves on an idle machine. Software draws here (no graphics card), as in a browser without a
screen; with a card a slider takes a third of it.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from sizes import installed, sized

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from browser import browser_path, opened, served

ROUNDS = sized(5, 1)
LIMITS = {
    "first paint": 500,
    "robot drawn": 1000,
    "equations drawn": 1500,
    "slider to frame": 60,
    "language switch": 150,
}
MARKS = """() => ({
  "first paint": performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
  "robot drawn": performance.getEntriesByName("robosym robot drawn")[0]?.startTime,
  "equations drawn": performance.getEntriesByName("robosym equations drawn")[0]?.startTime,
})"""
# From the input of a slider to the frame in which the robot stands there.
SLIDER = """() => new Promise((done) => {
  const slider = document.querySelector('.left input[type=range]');
  const times = [];
  const once = (k) => {
    if (k === 12) return done(times.slice(2));
    const start = performance.now();
    slider.value = String(Number(slider.min) + (Number(slider.max) - Number(slider.min)) * (0.2 + 0.05 * k));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => {
      times.push(performance.now() - start); setTimeout(() => once(k + 1), 60); }; channel.port2.postMessage(0); });
  };
  once(0);
})"""


def main() -> None:
    if not all(
        [
            installed("uvicorn", "the page is"),
            installed("starlette", "the page is"),
            installed("playwright", "the page is"),
        ]
    ):
        return
    if browser_path() is None:
        print("no browser is here: the page is left out")
        return
    found: dict[str, list[float]] = {name: [] for name in LIMITS}
    with served() as address, opened(address) as visit:
        drawn(visit()).context.close()  # the server has warmed up
        for _ in range(ROUNDS):
            page = drawn(visit())
            for name, value in page.evaluate(MARKS).items():
                found[name].append(value)
            found["slider to frame"].append(statistics.median(page.evaluate(SLIDER)))
            found["language switch"] += [switched(page, language) for language in ("rust", "python", "c")]
            page.context.close()
    table = Table("ms, median of several", "here", "limit")
    for name, limit in LIMITS.items():
        table.add_row(name, f"{statistics.median(found[name]):.0f}", str(limit))
    Console().print(table)


def drawn(page: Any) -> Any:
    page.wait_for_function("() => performance.getEntriesByName('robosym equations drawn').length > 0")
    page.wait_for_load_state("networkidle")
    return page


def switched(page: Any, language: str) -> float:
    """From the choice of a language to its code on the page."""
    return float(
        page.evaluate(
            """(language) => new Promise((done) => {
  const select = document.querySelector('select[aria-label=Language]');
  const start = performance.now();
  const watch = new MutationObserver(() => {
    if (document.querySelector(`pre[data-language="${language}"]`)) {
      watch.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
    }
  });
  watch.observe(document.getElementById("room"), { subtree: true, childList: true, attributes: true });
  select.value = language;
  select.dispatchEvent(new Event("change", { bubbles: true }));
})""",
            language,
        )
    )


if __name__ == "__main__":
    main()
