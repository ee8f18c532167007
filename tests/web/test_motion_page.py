"""The Motion room, as people use it: points, a motion, the clock, simulations compared, files, links."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from web_state import address, shows

import robosym
from robosym import control, trajectory
from robosym.views.motion import simulated_csv, trajectory_csv

ROBOT = "planar-2r"
FROM, TO = [0.1, 0.2], [1.0, -0.5]
ENTER = """async (name) => {
  const { change } = await import("/static/core/store.js");
  window.theRobot = (await import("/static/core/robot.js")).robot;
  window.thePose = (await import("/static/core/pose.js")).pose;
  window.theState = (await import("/static/core/store.js")).get;
  if (name) change({ robot: { name }, room: "motion" }, "a test begins");
}"""


def entered(visit: Any, link: str = "", robot: str = ROBOT, **options: Any) -> Any:
    page = visit(link, **{"width": 1000, "height": 640, **options})  # the picture of the robot is drawn by software
    page.evaluate(ENTER, "" if link else robot)
    page.wait_for_function("(name) => window.theRobot.get()?.scene?.name === name", arg=robot)
    page.get_by_role("button", name="Add the current position").wait_for()
    page.wait_for_function("(n) => document.querySelectorAll('.timebar').length === 1 && window.thePose.get().length === n", arg=2)  # fmt: skip
    return page


def with_points(page: Any) -> Any:
    """Two points, by the keyboard."""
    for q in (FROM, TO):
        page.evaluate("(q) => window.thePose.set(q, 'test')", q)
        page.get_by_role("button", name="Add the current position").focus()
        page.keyboard.press("Enter")
    page.locator(".planned").wait_for()
    return page


def pose(page: Any) -> list[float]:
    return page.evaluate("() => [...window.thePose.get()]")


def own_move(seconds: float = 2.0) -> trajectory.Trajectory:
    return trajectory.point_to_point(FROM, TO, robot=robosym.load(ROBOT), duration=seconds)


def test_points_a_motion_and_the_clock_by_keyboard(visit: Any) -> None:
    page = with_points(entered(visit, refused=True))
    shows(page.get_by_label("shoulder of point 2"), "57.296")
    assert page.locator(".planned b").inner_text() == "2 s"
    move, bar = own_move(), page.get_by_role("slider", name="Time")
    bar.focus()
    page.keyboard.press("End")
    assert pose(page) == pytest.approx(TO, abs=1e-12)
    page.keyboard.press("Home")
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    t = float(bar.get_attribute("aria-valuetext").split()[0])
    assert t == pytest.approx(0.34)
    np.testing.assert_allclose(pose(page), move(0.34)[0], rtol=0, atol=1e-12)
    page.keyboard.press(" ")
    page.wait_for_function("(q) => window.thePose.get()[0] > q + 0.05", arg=pose(page)[0])
    page.keyboard.press(" ")
    page.get_by_role("button", name="Play").wait_for()
    # A point that is written is another motion; undo brings the first back.
    page.get_by_label("elbow of point 2").fill("-90")
    page.keyboard.press("Enter")
    page.wait_for_function("() => Math.abs(window.theState().rooms.motion.points[1][1] + Math.PI / 2) < 1e-12")
    page.get_by_role("button", name="Undo").click()
    shows(page.get_by_label("elbow of point 2"), "-28.648")
    with page.expect_download() as got:
        page.locator(".runs").get_by_role("button", name="CSV").click()
    assert got.value.path().read_text() == trajectory_csv(robosym.load(ROBOT), {"points": [FROM, TO], "seconds": 2})
    # What cannot be done is said.
    page.get_by_label("Seconds of each leg").fill("")
    page.keyboard.press("Enter")
    page.get_by_text("needs a limit of velocity").wait_for()


def test_simulations_compared_stopped_saved_and_linked(visit: Any) -> None:
    page = with_points(entered(visit))
    page.get_by_role("button", name="Simulate").click()
    page.get_by_role("button", name="CSV of run 1").wait_for()
    page.get_by_label("Bandwidth", exact=True).fill("30")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Simulate").click()
    page.get_by_role("button", name="CSV of run 2").wait_for()
    robot, move = robosym.load(ROBOT), own_move()
    run = robosym.simulate(robot, control.computed_torque(robot, bandwidth=30), move)
    first, second = (page.locator(".runs tbody tr").nth(k).locator("td.number").first.inner_text() for k in (1, 2))
    assert float(second.rstrip("°")) == pytest.approx(np.degrees(run.measure("rms error")), rel=5e-3)
    assert float(first.rstrip("°")) > 2 * float(second.rstrip("°"))
    assert page.get_by_label("Show run 1").is_checked()
    assert page.get_by_label("Show run 2").is_checked()
    page.get_by_role("slider", name="Time").focus()
    page.keyboard.press("End")
    np.testing.assert_allclose(pose(page), run.q[-1], rtol=0, atol=1e-12)
    with page.expect_download() as got:
        page.get_by_role("button", name="CSV of run 2").click()
    asked = {"law": "computed-torque", "options": {"bandwidth": 30}, "move": {"points": [FROM, TO], "seconds": 2}}
    assert got.value.path().read_text() == simulated_csv(robot, asked)
    page.get_by_label("Duration of the simulation").fill("1500")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Simulate").click()
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_text("The simulation was stopped.").wait_for()
    page.get_by_role("button", name="Simulate").wait_for()
    # The link has points, settings and what was run; runs are made again when somebody asks.
    again = entered(visit, address(page))
    assert again.evaluate("() => window.theState().rooms.motion.points") == [FROM, TO]
    shows(again.get_by_label("Bandwidth", exact=True), "30")
    shows(again.get_by_label("Duration of the simulation"), "1500")
    again.get_by_role("button", name="Run 1 again").wait_for()


HOSTILE = {
    "points": "x",
    "poses": [1],
    "runs": [{"id": "<b>", "asked": None}],
    "world": [],
    "limits": {"velocity": 3},
    "law": {},
}


def test_a_phone_does_not_scroll_sideways_and_a_state_that_is_none_is_left_out(visit: Any) -> None:
    page = entered(visit, width=390, height=844)
    page.evaluate("async (patch) => (await import('/static/core/store.js')).changeRoom('motion', patch)", HOSTILE)
    with_points(page)
    page.locator(".m-plots figure").first.wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
