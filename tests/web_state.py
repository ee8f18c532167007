"""What a page has come to: tests wait for that, and not for a while."""

from __future__ import annotations

from typing import Any

from browser import PATIENCE

# A function that is asked again and again until it says yes cannot be asynchronous: a promise is a yes.
FOLLOWED = """async (patience) => {
  const { written } = await import("/static/core/link.js");
  const { state, pose } = window.robosym;
  for (const end = Date.now() + patience; Date.now() < end; await new Promise((done) => setTimeout(done, 50)))
    if (location.hash === `#${await written(state(), pose.get())}`) return location.hash;
  throw new Error("the address does not follow the state");
}"""
# A room that has not changed for a tenth of a second.
QUIET = """() => new Promise((done) => {
  let waiting = setTimeout(end, 100);
  const watch = new MutationObserver(() => { clearTimeout(waiting); waiting = setTimeout(end, 100); });
  function end() { watch.disconnect(); done(); }
  watch.observe(document.getElementById("room"), { subtree: true, childList: true, attributes: true, characterData: true });
})"""


def address(page: Any) -> str:
    """The link of the page, which follows its state."""
    return str(page.evaluate(FOLLOWED, PATIENCE))


def at_rest(page: Any) -> None:
    """The position of the robot is in the state."""
    page.wait_for_function(
        "() => JSON.stringify(window.robosym.state().x) === JSON.stringify([...window.robosym.pose.get()])"
    )


def controlled(page: Any, count: int) -> None:
    """The robot at hand has so many controls, and their sliders follow it."""
    page.wait_for_function(
        """(count) => window.robosym.pose.get().length === count
        && document.querySelectorAll(".sliders input[type=range][aria-valuetext]").length === count""",
        arg=count,
    )


def quiet(page: Any) -> None:
    """All that a room draws by itself is drawn."""
    page.evaluate(QUIET)


def shows(field: Any, value: str) -> None:
    """A field of a form comes to show a value."""
    from playwright.sync_api import expect

    expect(field).to_have_value(value, timeout=PATIENCE)
