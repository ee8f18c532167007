"""The robot in the page: its frames and solutions are Python's, and it is moved by sliders, keys, its joints and its target."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from web_state import shows

import robosym
from robosym import models
from robosym.scene.mechanism import mechanism_of

X = [0.5, 0.6, -0.4, 0.5, 0.9, 0.3]  # where the rx90 stands at first
CAPSULES = """<robot name="two"><link name="base"/>
  <link name="upper"><visual><origin xyz="0 0 0.2"/><geometry><capsule radius="0.05" length="0.3"/></geometry></visual></link>
  <link name="lower"><visual><geometry><box size="0.1 0.1 0.3"/></geometry><material name="m"><color rgba="0.2 0.5 0.3 1"/></material></visual></link>
  <joint name="hip" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.1" rpy="0.3 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" effort="1" velocity="1"/></joint>
  <joint name="knee" type="prismatic"><parent link="upper"/><child link="lower"/><origin xyz="0 0 0.4" rpy="0 0.7 0"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="0.3" effort="1" velocity="1"/></joint></robot>"""

ROBOTS: dict[str, dict[str, Any]] = {
    "sr400": {"name": "sr400"},
    "gough-stewart": {"name": "gough-stewart"},
    "floating": {"name": "planar-3r", "floating": True},
    "urdf": {"text": CAPSULES, "format": "urdf"},
}

OPEN = """async (spec) => {
  const { change } = await import("/static/core/store.js");
  const { robot } = await import("/static/core/robot.js");
  const met = new Promise((done) => { const stop = robot.subscribe((now, problem) => { stop(); done(problem ? problem.message : ""); }); });
  change({ robot: spec }, "robot");
  return met;
}"""
ON_SCREEN = """([frame, along, far]) => {
  const { viewer, frames } = window.robosym;
  const T = frames().slice(16 * frame, 16 * frame + 16);
  const { camera, canvas } = viewer.stage;
  const at = camera.position.clone().set(...[0, 1, 2].map((i) => T[4 * i + 3] + far * T[4 * i + along])).project(camera);
  const { left, top, width, height } = canvas.getBoundingClientRect();
  return [left + (at.x + 1) * width / 2, top + (1 - at.y) * height / 2];
}"""

# Where the middle of the forearm of a ghost is seen that is farthest from where the robot has its own.
FAR_GHOST = """() => {
  const { viewer, frames } = window.robosym;
  const { camera, canvas } = viewer.stage;
  const middle = (a, b) => camera.position.clone().set(a[0] + b[0], a[1] + b[1], a[2] + b[2]).multiplyScalar(0.5);
  const own = frames();
  const place = (ghost, j) => ghost.solids.find((mesh) => mesh.userData.frame === j).matrix.elements.slice(12, 15);
  const here = middle([3, 7, 11].map((k) => own[48 + k]), [3, 7, 11].map((k) => own[64 + k]));
  const [at] = viewer.ghosts.map((ghost) => middle(place(ghost, 3), place(ghost, 4))).sort((p, q) => q.distanceTo(here) - p.distanceTo(here));
  at.project(camera);
  const { left, top, width, height } = canvas.getBoundingClientRect();
  return [left + (at.x + 1) * width / 2, top + (1 - at.y) * height / 2];
}"""
DRESSED = """async () => {
  const { shapesOf } = await import("/static/viewer/shapes.js");
  const file = new Blob(["solid a\\nfacet normal 0 0 1\\nouter loop\\nvertex 0 0 0\\nvertex 1 0 0\\nvertex 0 1 0\\nendloop\\nendfacet\\nendsolid a\\n"]);
  const shape = { frame: 0, kind: "mesh", mesh: "package://arm/meshes/a.stl", pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 0, 0, 0, 1], scale: [2, 2, 2], colour: null };
  const files = new Map([["arm/meshes/a.stl", URL.createObjectURL(file)], ["arm/b.stl", URL.createObjectURL(new Blob(["damaged"]))]]);
  const group = await shapesOf({ shapes: [shape, { ...shape, mesh: "c.stl" }] }, files, null);
  return group.children.map((holder) => holder.children[0].geometry.getAttribute("position").count);
}"""


def opened(page: Any, spec: dict[str, Any]) -> robosym.Robot:
    assert page.evaluate(OPEN, spec) == ""
    floating = spec.get("floating", False)
    if "name" in spec:
        return robosym.load(spec["name"], floating=floating)
    return robosym.loads(spec["text"], spec["format"])


def position(page: Any) -> np.ndarray:
    return np.array(page.evaluate("() => Array.from(window.robosym.pose.get())"))


def poses(page: Any) -> np.ndarray:
    return np.array(page.evaluate("() => window.robosym.frames()")).reshape(-1, 4, 4)


def wait_for_solutions(page: Any) -> None:
    page.wait_for_function("() => window.robosym.solutions().length > 0")


def on_screen(page: Any, frame: int, along: int = 0, far: float = 0.0) -> tuple[float, float]:
    x, y = page.evaluate(ON_SCREEN, [frame, along, far])
    return x, y


def dragged(page: Any, start: tuple[float, float], way: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.move(start[0] + 1, start[1])
    page.mouse.down()
    page.mouse.move(start[0] + way[0], start[1] + way[1], steps=5)
    page.mouse.up()


def test_frames_and_solutions_are_those_of_python(visit: Callable[..., Any]) -> None:
    page = visit()
    robot = robosym.load("rx90")
    x = [0.3, -0.2, 0.4, 1.0, -0.6, 0.2]
    page.evaluate("(x) => window.robosym.pose.set(x)", x)
    tip = models.transform(robot, frame=6).evaluate(q=np.array(x))
    assert np.abs(poses(page)[6] - tip).max() < 1e-12
    page.get_by_role("button", name="Solutions").click()
    wait_for_solutions(page)
    found = np.array(page.evaluate("() => window.robosym.solutions()"))
    wanted = models.inverse_geometric(robot)(poses(page)[6], seed=np.array(x), limits=True).solutions
    assert len(found) == len(wanted) > 2
    for one in wanted:
        assert np.abs(found - one).max(axis=1).min() < 1e-12
    for spec in ROBOTS.values():
        robot = opened(page, spec)
        made = mechanism_of(robot)
        rng = np.random.default_rng(3)
        x = [control.at + 0.05 * rng.uniform(0, 1) for control in made.controls]
        page.evaluate("(x) => window.robosym.pose.set(x)", x)
        assert np.abs(poses(page) - made.poses(x)).max() < 1e-12, robot.name
    page.wait_for_function("() => window.robosym.viewer.shapes?.children.length === 2")
    page.get_by_role("button", name="Meshes").click()
    assert page.evaluate("() => window.robosym.viewer.shapes.visible") is False
    assert page.evaluate(DRESSED) == [3]  # the file of the other was not given


def test_a_joint_is_dragged_and_the_drag_undone(visit: Callable[..., Any]) -> None:
    page = visit()
    start = on_screen(page, 3, 0, 0.0)
    upper = on_screen(page, 2, 0, 0.25)  # on the upper arm
    assert start != upper
    dragged(page, upper, (40, 30))
    moved = position(page)
    assert abs(moved[1] - X[1]) > 0.05
    assert np.delete(moved, 1) == pytest.approx(np.delete(X, 1), abs=0)
    shows(page.get_by_label("shoulder in degrees"), f"{math.degrees(moved[1]):.1f}")
    page.keyboard.press("Control+z")
    assert position(page) == pytest.approx(X, abs=0)
    page.keyboard.press("Control+Shift+z")
    assert position(page) == pytest.approx(moved, abs=0)


def test_the_target_is_dragged_and_a_ghost_chosen(visit: Callable[..., Any]) -> None:
    page = visit()
    page.get_by_role("button", name="Solutions").click()
    wait_for_solutions(page)
    before = poses(page)[6]
    arm = 0.35 * page.evaluate(
        """() => { const { camera } = window.robosym.viewer.stage, { handle, gizmo } = window.robosym.viewer.target;
        return handle.position.distanceTo(camera.position) * 1.9 * Math.tan(Math.PI * camera.fov / 360) * gizmo.size / 4; }"""
    )
    dragged(page, on_screen(page, 6, 0, arm), (12, -30))
    after = poses(page)[6]
    way = after[:3, 3] - before[:3, 3]
    assert np.linalg.norm(way) > 0.01
    assert np.abs(np.cross(way / np.linalg.norm(way), before[:3, 0])).max() < 1e-9  # along the axis that was taken
    assert np.abs(after[:3, :3] - before[:3, :3]).max() < 1e-12
    stood = position(page)
    page.get_by_role("button", name="Solution 2").focus()
    page.keyboard.press("Enter")
    assert np.abs(position(page) - stood).max() > 0.1
    assert np.abs(poses(page)[6] - after).max() < 1e-12
    assert page.get_by_role("button", name="Solution 2").get_attribute("aria-pressed") == "true"
    second = position(page)
    page.mouse.click(*page.evaluate(FAR_GHOST))
    assert np.abs(position(page) - second).max() > 0.1  # it may be the ghost of where it stood at first
    assert page.get_by_role("button", name="Solution 2").get_attribute("aria-pressed") == "false"
    assert np.abs(poses(page)[6] - after).max() < 1e-12


def test_everything_by_keyboard(visit: Callable[..., Any]) -> None:
    page = visit()
    waist = page.get_by_role("slider", name="waist")
    waist.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    assert position(page)[0] == pytest.approx(X[0] + math.radians(11), abs=1e-12)
    assert waist.get_attribute("aria-valuetext") == f"{math.degrees(X[0]) + 11:.1f} degrees"
    box = page.get_by_label("elbow in degrees")
    for text, value in (("-pi/4", -math.pi / 4), ("-90", -math.pi / 2), ("2*(10 + 5)", math.pi / 6), ("0.5 rad", 0.5)):
        box.fill(text)
        box.press("Enter")
        assert position(page)[2] == pytest.approx(value, abs=1e-15)
    box.fill("alert(1)")
    box.press("Enter")
    assert position(page)[2] == 0.5
    assert page.get_by_text("is no number").is_visible()
    box.fill("80")
    box.press("Enter")
    assert box.get_attribute("aria-invalid") == "true"
    assert page.get_by_text("outside -232.5 ° to 52.5 °").is_visible()
    page.get_by_role("button", name="Reset").press("Enter")
    assert position(page) == pytest.approx(np.zeros(6), abs=0)
    x, y, z = (
        f"{1000 * v:.0f}"
        for v in np.asarray(models.transform(robosym.load("rx90"), frame=6).evaluate(q=np.zeros(6)))[:3, 3] + 0.0
    )
    page.get_by_role("img", name=f"rx90 in 3D, tip at x {x}, y {y}, z {z} millimetres").focus()
    eye = "() => window.robosym.viewer.stage.camera.position.toArray()"
    seen = [page.evaluate(eye)]
    for key in ("ArrowLeft", "ArrowUp", "Shift+ArrowRight", "+", "Home"):
        page.keyboard.press(key)
        seen.append(page.evaluate(eye))
    assert all(math.dist(a, b) > 1e-3 for a, b in pairwise(seen))


def test_a_pose_is_written_and_one_out_of_reach_said(visit: Callable[..., Any]) -> None:
    page = visit()
    wait_for_solutions(page)
    z = page.get_by_label("z of the tip in millimetres")
    z.fill("600")
    z.press("Enter")
    assert poses(page)[6][2, 3] == pytest.approx(0.6, abs=1e-9)
    stood = position(page)
    z.fill("3 m")
    z.press("Enter")
    assert page.get_by_text("The tip cannot be there").is_visible()
    assert position(page) == pytest.approx(stood, abs=0)


def test_what_is_shown_is_chosen(visit: Callable[..., Any]) -> None:
    page = visit()
    page.get_by_role("button", name="Ellipsoids").click()
    page.wait_for_function("() => window.robosym.viewer.ellipsoids.visible")
    jacobian = models.jacobian(robosym.load("rx90"), frame=6).evaluate(q=np.array(X))
    w = abs(np.linalg.det(jacobian))
    assert page.get_by_label("Pose of the tip").get_by_text(f"{w:.3g}").is_visible()
    sizes = np.linalg.svd(np.asarray(jacobian)[:3], compute_uv=False)
    drawn = page.evaluate("""() => { const e = window.robosym.viewer.ellipsoids.velocity.matrix.elements;
        return [0, 4, 8].map((k) => Math.hypot(e[k], e[k + 1], e[k + 2])); }""")
    assert np.array(drawn) / drawn[0] == pytest.approx(sizes / sizes[0], rel=1e-9)
    page.get_by_role("button", name="Workspace").click()
    page.wait_for_function("() => window.robosym.viewer.cloud?.visible")
    frames = page.get_by_role("button", name="Frames")
    frames.click()
    assert frames.get_attribute("aria-pressed") == "false"
    assert page.evaluate("() => window.robosym.viewer.marks.visible") is False
    page.get_by_label("wrist bend in degrees").fill("0")
    page.get_by_label("wrist bend in degrees").press("Enter")
    page.get_by_text("Near a singularity").wait_for()


def test_on_a_phone_nothing_is_cut(visit: Callable[..., Any]) -> None:
    page = visit(width=390, height=844)
    page.get_by_role("button", name="Solutions").click()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert page.locator(".picture canvas").bounding_box()["height"] == pytest.approx(0.6 * 844, abs=2)


def test_a_robot_in_a_notebook_needs_nobody(browser: Any) -> None:
    robot = robosym.load("scara")
    q = [0.2, 0.4, -0.3, 0.1]
    context = browser.new_context(offline=True)
    said: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda m: said.append(m.text) if m.type == "error" else None)
    page.on("request", lambda r: None if r.url.startswith(("blob:", "data:", "about:")) else said.append(r.url))
    page.set_content(f"<h1>A notebook</h1>{robot.show(q=q)._repr_html_()}")
    inside = page.frame_locator("iframe")
    inside.locator("canvas").wait_for()
    frame = page.frames[1]
    frame.wait_for_function("() => window.robosym")
    found = frame.evaluate("(q) => Array.from(window.robosym.frames(q).poses)", q)
    assert np.abs(np.array(found).reshape(-1, 4, 4) - mechanism_of(robot).poses(q)).max() < 1e-12
    inside.get_by_role("slider").first.press("ArrowRight")
    assert frame.evaluate("() => window.robosym.pose()")[0] > q[0]
    assert said == []
    context.close()


def test_show_says_what_it_expects() -> None:
    robot = robosym.load("planar-2r")
    with pytest.raises(robosym.RobosymError, match="q: got 1 values, expected 2"):
        robot.show(q=[0.1])
    shown = models.transform(robot, frame=2).show()
    assert "$$" in shown._repr_html_()
    assert "<iframe" in shown._repr_html_()
    assert "a notebook shows it" in repr(shown)
