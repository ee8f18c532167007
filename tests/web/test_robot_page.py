"""The Robot room: a robot written by keyboard, problems at their cells, files opened and saved, undo, hostile names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import robosym
from robosym.formats import texts
from robosym.notices import collected

Visit = Callable[..., Any]
TIP = """(x) => {
  const { scene, direct } = parts.robot.get();
  return Array.from(direct.frames(x).poses.slice(16 * scene.tip, 16 * scene.tip + 16));
}"""
SPEC = "() => parts.store.get().robot"
PARTS = """async () => {
  const [store, { robot }] = await Promise.all([import('/static/core/store.js'), import('/static/core/robot.js')]);
  window.parts = { store, robot };
}"""
DROP = """async ([name, text]) => {
  const transfer = new DataTransfer();
  for (const [one, content] of Object.entries(text)) transfer.items.add(new File([content], one));
  document.dispatchEvent(new DragEvent('dragover', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""
PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def room(visit: Visit) -> Visit:
    def enter(**options: Any) -> Any:
        page = visit(**options)
        page.get_by_role("button", name="Robot", exact=True).click()
        page.wait_for_selector("#cell-frames-0-name")
        page.evaluate(PARTS)
        return page

    return enter


def cell(page: Any, table: str, row: int, column: str) -> Any:
    return page.locator(f"#cell-{table}-{row}-{column}")


def loaded(page: Any) -> robosym.Robot:
    """The robot at hand, as Python reads it."""
    spec = page.evaluate(SPEC)
    with collected():
        return robosym.loads(spec["text"], spec["format"]) if "text" in spec else robosym.load(spec["name"])


def settled(page: Any, name: str, joints: int) -> None:
    """The robot at hand is this one, and its modules are there."""
    page.wait_for_function(
        """([name, joints]) => {
          const one = parts.robot.get();
          return one?.scene && !parts.store.get().rooms.robot?.draft && one.view.name === name && one.view.joints.length === joints;
        }""",
        arg=[name, joints],
    )


def until(page: Any, condition: str) -> None:
    """Until something is true of ``spec``, the robot in the state."""
    page.wait_for_function(f"() => {{ const spec = parts.store.get().robot; return {condition}; }}")


def drop(page: Any, **files: str) -> None:
    page.evaluate(DROP, ["files", {name.replace("__", "."): text for name, text in files.items()}])


def test_an_arm_is_written_by_keyboard_and_moves(room: Visit) -> None:
    page = room()
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Command").fill("new robot")
    page.keyboard.press("Enter")
    page.get_by_label("Name").fill("my 2R")
    page.keyboard.press("Enter")
    settled(page, "my 2R", 1)
    cell(page, "frames", 0, "name").focus()
    page.keyboard.type("upper")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+Enter")  # another joint
    cell(page, "frames", 1, "d").wait_for()
    settled(page, "my 2R", 2)
    page.keyboard.press("End")
    for _ in range(2):  # from r to d
        page.keyboard.press("ArrowLeft")
    page.keyboard.type("L1")
    page.keyboard.press("Tab")
    page.keyboard.type("q2 + 30 deg")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Values").click()
    cell(page, "values", 0, "symbol").get_by_text("L1").wait_for()
    cell(page, "values", 0, "value").focus()
    page.keyboard.type("0.5")
    page.keyboard.press("Tab")
    page.keyboard.type("m")
    page.keyboard.press("Enter")
    until(page, "spec.text?.includes('unit')")
    settled(page, "my 2R", 2)
    robot = loaded(page)
    assert [frame.name for frame in robot.frames] == ["upper", "frame2"]
    assert robot.values["L1"] == robosym.robot.Value(0.5, "m")
    q = [0.3, -0.7]
    expected = robosym.models.geometric(robot, frames="all", reference="world").evaluate(q=q)["T2"]
    assert page.evaluate(TIP, q) == pytest.approx(list(expected.flatten()), abs=1e-12)
    before = page.evaluate("() => robosym.frames()")
    page.get_by_role("slider").nth(1).press("ArrowRight")  # and it is seen to move
    page.wait_for_function("(before) => robosym.frames().some((one, k) => one !== before[k])", arg=before)


def test_a_problem_is_said_at_its_cell_and_undone(room: Visit) -> None:
    page = room()
    alpha = cell(page, "frames", 1, "alpha")
    alpha.click()
    page.keyboard.type("pi/")
    page.get_by_text("found the end at character 4").first.wait_for()  # while it is typed
    page.keyboard.press("Escape")
    assert alpha.inner_text() == "pi/2"
    page.keyboard.press("F2")
    page.keyboard.type(" +")
    page.keyboard.press("Enter")
    page.wait_for_selector("#cell-frames-1-alpha[aria-invalid=true]")
    described = page.locator(f"#{alpha.get_attribute('aria-describedby')}")
    assert "frame 2, alpha" in described.inner_text()
    assert page.evaluate(SPEC) == {"name": "rx90"}  # the robot at hand stays
    page.get_by_role("tab", name="Values").click()
    page.get_by_role("button", name="frame 2, alpha").click()  # back to the cell
    page.wait_for_function("() => document.activeElement.id === 'cell-frames-1-alpha'")
    page.keyboard.type("1/4")
    page.keyboard.press("Enter")
    until(page, "spec.text?.includes('1/4')")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    until(page, "spec.name === 'rx90'")
    assert alpha.inner_text() == "pi/2"
    page.get_by_role("button", name="Redo").click()
    page.get_by_role("button", name="Redo").click()
    page.wait_for_function("() => document.querySelector('#cell-frames-1-alpha').innerText === '1/4'")
    assert str(loaded(page).frame(2).alpha) == "1/4"


def test_rows_move_with_what_refers_to_them(room: Visit) -> None:
    page = room()
    cell(page, "frames", 2, "theta").click()
    page.keyboard.type("q3 - pi/2")
    page.keyboard.press("Enter")
    until(page, "spec.text?.includes('q3')")
    cell(page, "frames", 0, "name").click()
    page.get_by_role("button", name="Add a joint").click()
    settled(page, "rx90", 7)
    robot = loaded(page)
    assert [frame.antecedent for frame in robot.frames] == [0, 1, 1, 3, 4, 5, 6]
    assert str(robot.frame(4).theta) == "q4 - pi/2"
    cell(page, "frames", 1, "name").click()
    page.keyboard.press("Control+Delete")
    settled(page, "rx90", 6)
    assert [frame.antecedent for frame in loaded(page).frames] == [0, 1, 2, 3, 4, 5]
    cell(page, "frames", 3, "d").click()
    page.evaluate(PASTE, "0.1\t\t0.2\n0.3\t\t0.37\n")
    until(page, "spec.text?.includes('0.37')")
    robot = loaded(page)
    assert [float(robot.frame(j).d.value) for j in (4, 5)] == [0.1, 0.3]
    assert [float(robot.frame(j).r.value) for j in (4, 5)] == [0.2, 0.37]


def test_files_are_dropped_and_bad_ones_leave_the_robot(room: Visit) -> None:
    page = room()
    with collected():
        urdf = next(iter(texts(robosym.load("puma560"), "arm.urdf").values()))
    drop(page, arm__urdf=urdf, part__stl="solid")
    settled(page, "puma560", 6)
    assert page.evaluate(SPEC) == {"text": urdf, "format": "urdf"}
    assert page.evaluate("() => [...parts.robot.get().files.keys()]") == ["part.stl"]
    drop(page, bad__toml='name = "x"\n[[frame]]\nalpha = "("\nsigma = 9\n')
    dialog = page.get_by_role("dialog")
    assert "frame 1, alpha" in dialog.inner_text()
    assert "frame 1, sigma" in dialog.inner_text()
    page.keyboard.press("Escape")
    assert page.evaluate(SPEC)["text"] == urdf
    drop(page, one__toml='name = "one"\n[[frame]]', two__toml='name = "two"\n[[frame]]')
    page.get_by_role("button", name="two.toml").click()
    settled(page, "two", 1)


def test_files_of_a_closed_loop_are_chosen_and_frames_renamed(room: Visit, tmp_path: Path) -> None:
    page = room()
    with collected():
        for path, text in texts(robosym.load("sr400"), tmp_path / "sr400.urdf").items():
            path.write_text(text)
        wanted = robosym.load(tmp_path / "sr400.urdf", loops=tmp_path / "sr400.loops.toml")
    page.get_by_role("button", name="Open…").click()
    page.get_by_label("Files of a robot").set_input_files(sorted(tmp_path.iterdir()))
    settled(page, "sr400", wanted.nv)
    assert page.evaluate("() => parts.robot.get().view.structure") == "closed"
    page.get_by_role("combobox", name="Robot").select_option("planar-3rrr")
    settled(page, "planar-3rrr", 3)
    legs = robosym.load("planar-3rrr").platforms[0].legs
    cell(page, "frames", legs[0].end - 1, "name").click()
    page.keyboard.type("hand")
    page.keyboard.press("Enter")
    until(page, "spec.text?.includes('hand')")
    assert loaded(page).platforms[0].legs == legs  # by number the same, by name the new one
    page.get_by_role("button", name="Save as…").click()
    page.locator("input[name=format][value=urdf]").check()
    page.get_by_text("This format cannot hold it").wait_for()


def test_what_is_saved_is_what_python_writes(room: Visit, tmp_path: Path) -> None:
    page = room()
    page.get_by_role("button", name="Save as…").click()
    robot = robosym.load("rx90")
    for format in ("par", "urdf", "mjcf", "toml"):
        page.locator(f"input[name=format][value={format}]").check()
        suffix = "xml" if format == "mjcf" else format
        with page.expect_download() as found:
            page.get_by_role("dialog").get_by_role("button", name=f"Download rx90.{suffix}").click()
        path = tmp_path / found.value.suggested_filename
        found.value.save_as(path)
        with collected():
            assert path.read_text() == texts(robot, path)[path]
            assert robosym.load(path).nv == robot.nv
    assert robosym.load(tmp_path / "rx90.toml") == robot


def test_a_text_is_written_and_names_are_only_text(room: Visit) -> None:
    page = room()
    page.get_by_role("tab", name="Text").click()
    area = page.get_by_label("Text of the description")
    area.fill("name = 3\n[[frame]\n")
    page.get_by_role("button", name="line 2").click()
    assert page.evaluate(SPEC) == {"name": "rx90"}
    hostile = "<img src=x onerror=alert(1)>"
    area.fill(
        f'name = "{hostile}"\n[[frame]]\nname = "<b>{hostile}"\njoint = "</script>"\nd = "L"\n[values]\nL = {{value=1, source="{hostile}"}}'
    )
    settled(page, hostile, 1)
    for tab in ("General", "Geometry", "Inertia", "Drives", "Loops and legs", "Values"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_selector(".tab-body section, .tab-body .form")
        assert page.locator("img[src=x]").count() == 0
    assert page.get_by_role("heading", name=hostile).count() == 1


def test_any_general_arm_is_opened_by_its_name(room: Visit) -> None:
    page = room(width=390, height=844)
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Command").fill("open robot general-9r")
    page.keyboard.press("Enter")
    settled(page, "general-9r", 9)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_room_is_accessible(room: Visit) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = room(bypass_csp=True)  # axe writes styles of its own into the page
    page.get_by_role("combobox", name="Robot").select_option("planar-2r")
    settled(page, "planar-2r", 2)
    cell(page, "frames", 1, "alpha").click()
    page.keyboard.type("(")
    page.keyboard.press("Enter")
    page.wait_for_selector("#cell-frames-1-alpha[aria-invalid=true]")
    for _ in ("light", "dark"):
        found = Axe().run(page, context=".room").response["violations"]
        assert not found, [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found]
        page.get_by_role("button", name="Dark colours").or_(page.get_by_role("button", name="Light colours")).click()
