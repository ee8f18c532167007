"""The room of identification: a recording becomes parameters and a robot; runs are stopped; bad files are named."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from web_state import shows

import robosym
from robosym.views.identification import simulated_recording

Visit = Callable[..., Any]


def link(tab: str, robot: str = "planar-2r", **more: Any) -> str:
    state = {"robot": {"name": robot}, "room": "identification", "rooms": {"identification": {"tab": tab, **more}}}
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(json.dumps(state).encode()) + packer.flush()
    return "#1" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recording") / "arm.csv"
    path.write_text(simulated_recording(robosym.load("planar-2r"), seconds=6.0)["text"])
    return path


def button(page: Any, name: str) -> Any:
    return page.get_by_role("main").get_by_role("button", name=name, exact=True)


def choose(page: Any, *files: Path) -> None:
    page.get_by_label("Recordings", exact=True).set_input_files([str(file) for file in files])


def test_from_a_recording_to_the_identified_robot(visit: Visit, recording: Path) -> None:
    page = visit(link("identify"))
    choose(page, recording)
    form, text = page.get_by_role("form", name="Recipe"), page.get_by_label("recipe.toml")
    shows(form.get_by_label("Position of elbow", exact=True), "q.elbow")
    shows(form.get_by_label("Torque of shoulder", exact=True), "tau.shoulder")
    assert 'time = "t"' in text.input_value()
    # A change in the form is in the text; one in the text is in the form; what is wrong is said where it is.
    cutoff = form.get_by_label("Cut-off, Hz")
    form.locator("summary", has_text="Filter").click()
    cutoff.fill("-3")
    form.get_by_text("expected a positive number, got -3").wait_for()
    assert cutoff.get_attribute("aria-invalid") == "true"
    assert button(page, "Identify").is_disabled()
    text.fill(text.input_value().replace("cutoff = -3", "cutoff = 20"))
    page.wait_for_function("() => document.querySelector('.form [aria-invalid=true]') === null")
    shows(cutoff, "20")
    # While it runs its progress is seen.
    page.evaluate(
        "() => { window.seen = []; new MutationObserver(() => { const at = document.querySelector('.running progress')?.value;"
        " if (at) window.seen.push(at); }).observe(document.getElementById('room'), { subtree: true, childList: true, attributes: true }); }"
    )
    button(page, "Identify").click()
    button(page, "Open the identified robot").wait_for()
    seen = page.evaluate("() => window.seen")
    assert seen
    assert seen == sorted(seen)
    rows = page.locator("table.parameters tbody tr")
    assert rows.count() == 13
    assert page.locator(".report .uplot canvas").count() == 2
    with page.expect_download() as saved:
        button(page, "Parameters, CSV").click()
    assert saved.value.suggested_filename == "parameters.csv"
    with page.expect_download() as saved:
        button(page, "planar-2r-identified.toml").click()
    identified = Path(saved.value.path()).read_text()
    assert "identified, standard deviation" in identified
    # The robot itself, at once; the report stays, and one may go back.
    button(page, "Open the identified robot").click()
    page.get_by_role("combobox", name="Robot").get_by_text("planar-2r-identified").wait_for(state="attached")
    button(page, "Back to planar-2r").wait_for()
    page.wait_for_function("() => window.robosym.pose.get().length === 2")
    button(page, "Back to planar-2r").click()
    button(page, "Open the identified robot").wait_for()


def test_simulated_data_and_a_run_that_is_stopped(visit: Visit) -> None:
    page = visit(link("identify"))
    button(page, "Try with simulated data").click()
    page.get_by_text(re.compile("Simulated, not measured")).wait_for()
    run = button(page, "Identify")
    page.wait_for_function(
        "() => document.querySelector('.step button.main:not(:disabled)')?.textContent === 'Identify'"
    )
    run.click()
    button(page, "Stop").click()
    page.get_by_text("Stopped. Nothing was changed.").wait_for()
    assert button(page, "Open the identified robot").count() == 0
    assert run.is_enabled()


def test_files_that_are_no_recordings(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "noise.npz").write_bytes(bytes(range(256)) * 9)
    (tmp_path / "cut.csv").write_text("t,q1,q2,tau1,tau2\n0,1,2,3,4\n1,2\n")
    page = visit(link("identify"))
    choose(page, tmp_path / "noise.npz", tmp_path / "cut.csv")
    page.get_by_text("line 3: expected 5 cells, got 2 (is the file complete?)").wait_for()
    page.get_by_text("cannot be read as a NumPy archive").wait_for()
    assert str(tmp_path) not in page.content()
    button(page, "Remove cut.csv").click()
    button(page, "Remove noise.npz").click()
    button(page, "Try with simulated data").wait_for()


def test_an_exciting_motion_is_found_and_played(visit: Visit) -> None:
    page = visit(link("excite", excite={"evaluations": 50, "duration": 6}))
    button(page, "Find a motion").click()
    page.get_by_text("Room to the limits").wait_for()
    page.wait_for_function("() => document.querySelectorAll('.uplot canvas').length === 3")
    before = page.evaluate("() => [...window.robosym.pose.get()]")
    page.get_by_label("Time", exact=True).fill("3")
    after = page.evaluate("() => [...window.robosym.pose.get()]")
    with page.expect_download() as saved:
        button(page, "Save CSV").click()
    rows = Path(saved.value.path()).read_text().splitlines()
    assert len(rows) == 6 * 500 + 2
    expected = [float(x) for x in rows[1 + 3 * 500].split(",")[1:3]]
    assert after == pytest.approx(expected, abs=1e-5)
    assert after != before
