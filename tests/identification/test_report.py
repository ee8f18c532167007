"""The report: its files, every number of its page, and curves of what was measured and predicted."""

from __future__ import annotations

import html
import json
import math
from collections import Counter
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from identification.spoiled import Spoiled
from identification.synthetic import Motion, recipe, recording

import robosym
from robosym.errors import RobosymError
from robosym.identification import Identification, identify
from robosym.identification.data.recipe import Data, Processing
from robosym.identification.data.recording import Recording
from robosym.identification.estimation.physical import Physical
from robosym.identification.report import MOST_ROWS, STRONG, _alike, finite, page, traces, write_report


@cache
def found() -> Identification:
    """A planar arm by a recording without noise."""
    robot = robosym.load("planar-2r")
    exact = recording(robot, Motion.random(np.random.default_rng(0), 2), seconds=4.0)
    return identify(recipe(robot, exact, processing=Processing(trim=0, low_speed=(0.0,)), block=0.5), workers=1)


class Page(HTMLParser):
    """The cells of each table under its heading, texts of paragraphs and of lists; tags must be closed in order."""

    OPEN = frozenset(("meta",))

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.count: Counter[str] = Counter()
        self.tables: dict[str, list[list[str]]] = {}
        self.texts: dict[str, list[str]] = {}
        self.heading = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.count[tag] += 1
        if tag in self.OPEN:
            return
        self.open.append(tag)
        self.texts.setdefault(tag, []).append("")
        if tag == "tr":
            self.tables.setdefault(self.heading, []).append([])
        if tag in ("td", "th"):
            self.tables[self.heading][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag == "h2":
            self.heading = self.texts["h2"][-1]

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open[-1]][-1] += data
            if self.open[-1] in ("td", "th"):
                self.tables[self.heading][-1][-1] += data


def test_numbers_that_json_does_not_have() -> None:
    given = {"a": [1, math.inf, (math.nan, "x")], "b": {"c": -math.inf, "d": None}, "e": np.float64("nan"), "f": True}
    expected = {"a": [1, None, [None, "x"]], "b": {"c": None, "d": None}, "e": None, "f": True}
    assert finite(given) == expected


@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")  # base parameters are of no single links
def test_files_of_a_report(tmp_path: Path) -> None:
    """A page, JSON and a robot that is read back; no URDF without masses, and the page says why."""
    files = write_report(found(), tmp_path / "deep" / "folder")
    assert set(files) == {"json", "html", "toml"}
    assert {path.name for path in files.values()} == {"identification.json", "report.html", "planar-2r-identified.toml"}
    assert json.loads(files["json"].read_text()) == finite(json.loads(json.dumps(finite(found().as_dict()))))
    robot = robosym.load(files["toml"])
    assert robot.values["ZZR1"].number == pytest.approx(found().parameters["ZZR1"].value, rel=1e-12)
    assert "no URDF: base parameters have no masses" in files["html"].read_text()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RobosymError, match=r"file: cannot be made: "):
        write_report(found(), tmp_path / "file")


def test_names_of_robots_as_names_of_files(tmp_path: Path) -> None:
    for k, (name, stem) in enumerate((("my robot/2", "my_robot_2"), ("../..", "_..")), 1):
        recipe_ = replace(found().recipe, robot=found().recipe.robot.replace(name=name))
        files = write_report(replace(found(), recipe=recipe_), tmp_path / str(k))
        assert files["toml"].parent == tmp_path / str(k)
        assert files["toml"].name == f"{stem}-identified.toml"


def test_the_page_has_every_parameter_and_joint() -> None:
    text = page(found(), ["a note <i>"])
    said = Page(text)
    head, *rows = said.tables["Parameters"]
    assert head[:3] == ["parameter", "value", "sigma"]
    assert [row[0] for row in rows] == list(found().parameters)
    for row, one in zip(rows, found().parameters.values(), strict=True):
        assert float(row[1]) == pytest.approx(one.value, rel=1e-4, abs=1e-300)
        assert row[6] == one.meaning
    head, *rows = said.tables["Errors by joint"]
    assert [row[0] for row in rows] == list(found().recipe.joints)
    assert [row[1] for row in rows] == ["800", "800"]
    assert said.texts["h3"] == list(found().estimate.joints)
    assert said.count["svg"] == 2
    assert said.texts["li"][-1] == "a note <i>"
    assert "from 1600 equations" in said.texts["p"][0]
    assert "http" not in text


def test_intervals_are_about_the_value() -> None:
    _, *rows = Page(page(found())).tables["Parameters"]
    for row, one in zip(rows, found().parameters.values(), strict=True):
        low, high = map(float, row[5].split(" to "))
        assert low <= one.value + 1e-3 * abs(one.value)
        assert one.value - 1e-3 * abs(one.value) <= high


def test_parts_that_were_not_made_are_not_in_the_page() -> None:
    bare = replace(found(), bootstrap=None, validation=None, essential=None)
    said = Page(page(bare))
    assert {"Essential parameters", "Physically consistent parameters", "Warnings"}.isdisjoint(said.texts["h2"])
    assert {row[3] for row in said.tables["Parameters"][1:]} == {""}
    assert len(said.tables["Errors by joint"][0]) == 4


def test_physical_parameters_and_warnings_are_in_the_page() -> None:
    none = np.zeros(0)
    possible = Physical(
        ("M1", "IA<1>"), np.array([5.0, 0.25]), none, (100.0, 110.0), 1, 1, none, ("link<1>",), 0.1, 105.0
    )
    notes = replace(found().notes, warnings=["a <warning>"], left_out={"slow": 3})
    made = replace(found(), physical=possible, prior=np.array([4.0, np.nan]), notes=notes)
    text = page(made)
    said = Page(text)
    assert said.tables["Physically consistent parameters"][1:] == [["M1", "5", "4"], ["IA<1>", "0.25", ""]]
    paragraph = next(one for one in said.texts["p"] if one.startswith("Standard parameters"))
    assert "rises by 10.00 %, of which any possible robot costs 5.00 %. At a limit: link<1>." in paragraph
    assert "a <warning>" in said.texts["p"]
    assert "3 rows left out: slow" in said.texts["li"]
    assert html.escape("IA<1>") in text


def test_traces_are_the_torques_of_the_recording_and_of_the_model() -> None:
    result = found()
    samples = result.prepared[0].whole()
    predicted = result.predict(samples)
    for k, (name, time, measured, expected) in enumerate(traces(result)):
        assert name == result.recipe.joints[k]
        np.testing.assert_array_equal(time, samples.time)
        np.testing.assert_array_equal(measured, samples.tau[:, k])
        np.testing.assert_allclose(expected, predicted[:, k], atol=1e-12)
    doubled = [one[3] for one in traces(result, 0, 2 * result.estimate.values)]
    np.testing.assert_allclose(np.stack(doubled, 1), 2 * predicted, atol=1e-12)


def test_only_the_beginning_of_a_long_recording_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("robosym.identification.report.MOST_ROWS", 300)
    monkeypatch.setattr("robosym.identification.sampled.ROWS", 128)
    assert MOST_ROWS > 300
    for _, time, measured, predicted in traces(found()):
        assert len(time) == len(measured) == len(predicted) == 300
        np.testing.assert_array_equal(time, found().prepared[0].whole().time[:300])


def test_a_recording_of_which_nothing_is_left(tmp_path: Path) -> None:
    """The first of two is shorter than what is trimmed."""
    robot = robosym.load("planar-2r")
    exact = recording(robot, Motion.random(np.random.default_rng(0), 2), seconds=4.0)
    columns = {name: exact.columns(exact.expanded(name)) for name in ("q", "qd", "qdd", "tau")}
    short = Recording.from_arrays({name: x[:10] for name, x in columns.items()}, "short")
    given = recipe(robot, exact, block=0.5, processing=Processing(trim=6, low_speed=(0.0,)))
    result = identify(replace(given, data=Data((short, exact), rate=200.0)), workers=1)
    assert [len(time) for _, time, _, _ in traces(result, 0)] == [0, 0]
    assert [len(time) for _, time, _, _ in traces(result, 1)] == [788, 788]
    files = result.report(tmp_path)
    assert Page(files["html"].read_text()).texts["p"].count("nothing to draw") == 2


def test_names_of_people_are_text_in_the_page_and_no_paths(tmp_path: Path) -> None:
    data = Spoiled()
    first, *others = data.robot.frames
    named = replace(first, joint=replace(first.joint, name="<script>alert(1)</script>"))
    data.robot = data.robot.replace(name="../<img src=x>/robot", frames=(named, *others))
    files = data.identified().report(tmp_path / "report")
    page = files["html"].read_text()
    assert "<script" not in page
    assert "<img" not in page
    assert "http" not in page
    assert all(path.parent == tmp_path / "report" for path in files.values())


def test_pairs_of_parameters_that_are_hard_to_tell_apart() -> None:
    """Each pair once, whatever the sign."""
    matrix = np.eye(4)
    for i, j, r in ((0, 1, STRONG + 0.01), (0, 3, -0.99), (1, 2, STRONG - 0.01), (2, 3, 0.97)):
        matrix[i, j] = matrix[j, i] = r
    estimate = SimpleNamespace(columns=("a", "b", "c", "d"), correlation=matrix)
    pairs = list(_alike(SimpleNamespace(estimate=estimate)))  # type: ignore[arg-type]
    assert pairs == ["a and b (0.96)", "a and d (-0.99)", "c and d (0.97)"]
