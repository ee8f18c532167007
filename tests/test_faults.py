"""Faults put into code: which there are, where probes go, how they are drawn, and which tests are run on them."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import fault_draws
import faults as tool
import pytest
from fault_sites import SOURCE, faults_of, probed

CODE = '''"""Areas, 1 + 1 of them."""

from math import cos, sin

LARGEST = 100


def area(a: float, b: float = -1.0) -> float:
    """The area, 2 * a."""
    if not a or b < 0:
        raise ValueError(f"{a + b} is not {'a' if a == b else 'b'}")
    total = 0.0
    for k in range(3):
        if k == 1:
            continue
        total += (a  # * in a comment
                  ) * b
    return -total


def rest(x: list[float], tolerance: float = 1e-9) -> list[float]:
    if x[0] < tolerance:
        return sorted(x[1:], reverse=True)
    return [min(sin(y), 2 / y) for y in x[:-1]]
'''

CHANGES = {  # the changed line of each fault
    "8:31 sign": "def area(a: float, b: float = 1.0) -> float:",
    "10:8 not": "if a or b < 0:",
    "10:14 and-or": "if not a and b < 0:",
    "10:19 boundary": "if not a or b <= 0:",
    "10:21 number": "if not a or b < 1:",
    "13:20 number": "for k in range(4):",
    "14:14 equality": "if k != 1:",
    "14:17 number": "if k == 0:",
    "15:13 break-continue": "break",
    "16:9 step": "pass",
    "17:21 times-over": ") / b",
    "18:12 sign": "return total",
    "22:10 index": "if x[1] < tolerance:",
    "23:25 index": "return sorted(x[2:], reverse=True)",
    "23:38 flag": "return sorted(x[1:], reverse=False)",
    "24:13 min-max": "return [max(sin(y), 2 / y) for y in x[:-1]]",
    "24:17 sin-cos": "return [min(cos(y), 2 / y) for y in x[:-1]]",
    "24:25 number": "return [min(sin(y), 3 / y) for y in x[:-1]]",
    "24:27 times-over": "return [min(sin(y), 2 * y) for y in x[:-1]]",
    "24:44 sign": "return [min(sin(y), 2 / y) for y in x[:1]]",
}


def written(root: Path, code: str = CODE, name: str = "shapes/area.py") -> Path:
    path = root / SOURCE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    (root / SOURCE / "__init__.py").touch()
    path.write_text(code)
    return path


def test_every_change_and_no_other(tmp_path: Path) -> None:
    """None in texts, errors, annotations, comments, limits and tolerances."""
    faults = faults_of(tmp_path, written(tmp_path))
    assert {fault.name.partition("area.py:")[2]: fault.changed(tmp_path) for fault in faults} == CHANGES


def test_changes_leave_other_lines_alone(tmp_path: Path) -> None:
    path = written(tmp_path)
    lines = CODE.split("\n")
    for fault in faults_of(tmp_path, path):
        changed = fault.apply(path.read_bytes()).decode()
        ast.parse(changed)
        different = [k for k, (a, b) in enumerate(zip(lines, changed.split("\n"), strict=True), 1) if a != b]
        assert different == ([16, 17] if fault.kind == "step" else [fault.line])


def test_probes_change_no_value_and_note_what_is_executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path)
    faults = faults_of(tmp_path, path)
    hits: set[int] = set()
    monkeypatch.setitem(sys.modules, "robosym_probe", SimpleNamespace(hit=hits.add))
    plain: dict[str, Callable[..., object]] = {}
    watched: dict[str, Callable[..., object]] = {}
    exec(CODE, plain)
    exec(probed(path.read_bytes(), list(enumerate(faults))), watched)
    assert {faults[number].line for number in hits} == {8}  # a default
    hits.clear()
    area, both, first = {10, 13, 14, 15, 16, 17, 18}, {22, 24}, {22, 23}
    for name, arguments, lines in (
        ("area", (2.0, 3.0), area),
        ("rest", ([1.0, 2.0, 3.0],), both),
        ("rest", ([0.0, 1.0],), first),
    ):
        assert watched[name](*arguments) == plain[name](*arguments)
        assert {faults[number].line for number in hits} == lines
        hits.clear()


def test_every_package_gets_one_and_large_ones_more() -> None:
    assert fault_draws.shares({"a": 1, "b": 60, "c": 30}, 10) == {"a": 1, "b": 6, "c": 3}
    assert fault_draws.shares({"a": 1, "b": 60, "c": 30}, 2) == {"b": 1, "c": 1}


def test_a_draw_depends_on_its_seed_alone(tmp_path: Path) -> None:
    """Not on lines that move, nor on what other files hold; all kinds come before one comes again."""
    path = written(tmp_path)
    first = fault_draws.drawn(tmp_path, 1, 6, set())
    assert len({fault.kind for fault in first}) == 6
    assert [fault.name for fault in first] != [fault.name for fault in fault_draws.drawn(tmp_path, 2, 6, set())]
    path.write_text("# moved\n" + CODE)
    written(tmp_path, "def half(x: float) -> float:\n    return x / 2\n", "numbers.py")
    again = fault_draws.drawn(tmp_path, 1, 7, set())
    assert [fault.key() for fault in again if "shapes" in fault.path] == [fault.key() for fault in first]
    assert [fault.line for fault in again if "shapes" in fault.path] == [fault.line + 1 for fault in first]


def test_the_next_draw_takes_the_place_of_an_equivalent_fault(tmp_path: Path) -> None:
    written(tmp_path)
    first, second, third = fault_draws.drawn(tmp_path, 1, 3, set())
    listed = tmp_path / "equivalent.toml"
    listed.write_text(f"[[fault]]\nname = {json.dumps(first.name)}\ntext = {json.dumps(first.text)}\nreason = 'none'\n")
    assert fault_draws.drawn(tmp_path, 1, 2, fault_draws.equivalents(listed)) == [second, third]


def test_listed_equivalent_faults_have_reasons() -> None:
    text = fault_draws.EQUIVALENT.read_text("utf-8")
    assert (
        len(fault_draws.equivalents()) == text.count("[[fault]]") == len(re.findall(r'^reason = ".{10,}"$', text, re.M))
    )


def test_a_listed_fault_is_found_where_it_has_moved(tmp_path: Path) -> None:
    path = written(tmp_path)
    fault = next(fault for fault in faults_of(tmp_path, path) if fault.kind == "times-over")
    entry = {"name": fault.name, "text": fault.text}
    assert fault_draws.located(tmp_path, entry) == fault
    path.write_text("\n\n" + CODE)
    assert fault_draws.located(tmp_path, entry).line == fault.line + 2
    path.rename(path.with_name("regions.py"))
    assert fault_draws.located(tmp_path, entry).path == (SOURCE / "shapes" / "regions.py").as_posix()
    path.with_name("regions.py").write_text(CODE.replace(") * b", ") * a"))
    with pytest.raises(SystemExit, match="not in the source any more"):
        fault_draws.located(tmp_path, entry)


def some_tests() -> dict[str, tool.Test]:
    tests = [
        tool.Test("tests/shapes/test_area.py::dear", 9.0, True, True),
        tool.Test("tests/shapes/test_area.py::cheap", 0.1, True, True),
        tool.Test("tests/shapes/test_area.py::fails", 0.1, True, False),
        tool.Test("tests/shapes/test_other.py::near", 0.2, True, True),
        tool.Test("tests/test_all.py::hit", 0.01, True, True),
        tool.Test("tests/test_all.py::beside", 0.01, True, True),
        tool.Test("tests/test_all.py::slow", 0.01, False, True),
        tool.Test("tests/test_none.py::far", 0.01, True, True),
    ]
    return {test.name: test for test in tests}


def named(groups: list[list[tool.Test]]) -> list[list[str]]:
    return [[test.name.partition("::")[2] for test in group] for group in groups]


def test_which_tests_are_run_and_in_which_order(tmp_path: Path) -> None:
    """Fast before slow, those that execute the fault before others of their files, cheap before dear."""
    inside, at_import = (faults_of(tmp_path, written(tmp_path))[k] for k in (1, 0))
    tests = some_tests()
    hits = [name for name in tests if name.endswith((":dear", ":cheap", ":hit", ":slow", ":fails"))]
    assert named(tool.candidates(inside, tests, hits)) == [["cheap", "dear"], ["hit"], ["beside"], ["slow"]]
    assert named(tool.candidates(inside, tests, hits[-1:])) == [["beside", "hit"], ["slow"]]
    assert named(tool.candidates(inside, tests, [])) == []
    assert named(tool.candidates(at_import, tests, [""])) == [["cheap", "near", "dear"]]


def test_the_tests_of_a_file_run_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "BATCHES", (3, 2))
    group = [tool.Test(f"tests/{name}", 0.1, True, True) for name in ("a.py::1", "b.py::1", "a.py::2", "b.py::2")]
    assert list(tool.batches([group, group[:1]])) == [
        ["tests/a.py::1", "tests/a.py::2", "tests/b.py::1"], ["tests/b.py::2"], ["tests/a.py::1"],
    ]  # fmt: skip


TESTS = """
from math import sin
from pathlib import Path

import pytest
from robosym.shapes.area import area, rest

def test_area():
    assert area(0.5, 3.0) == -3.0

@pytest.mark.slow
def test_rest():
    assert rest([1.0, 3.0]) == [sin(1.0)]

def test_folder():  # fails wherever faults are tried, also without one
    area(1.0, 1.0)
    assert Path(__file__).parents[2].name == "probed"
"""
SETTINGS = "[tool.pytest.ini_options]\nmarkers = ['slow']\naddopts = '-q --import-mode=importlib'\n"


@pytest.mark.slow
def test_all_steps_on_a_small_package(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault that a fast test catches, one that a slow one catches, one that none catches, and one that none executes."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # pytest is started eight times
    root, folder = tmp_path / "package", tmp_path / "results"
    path = written(root)
    (root / "tests" / "shapes").mkdir(parents=True)
    (root / "tests" / "shapes" / "test_area.py").write_text(TESTS)
    (root / "pyproject.toml").write_text(SETTINGS)
    outcomes = {"18:12 sign": "fast", "24:17 sin-cos": "rest", "10:19 boundary": "missed", "23:38 flag": "unreached"}
    faults = {fault.name.partition("area.py:")[2]: fault for fault in faults_of(root, path)}
    folder.mkdir()
    listed = [{"name": faults[name].name, "text": faults[name].text} for name in outcomes]
    (folder / "list.json").write_text(json.dumps({"faults": listed}))
    places = ["--root", str(root), "--folder", str(folder)]

    assert tool.main(["reach", *places, "--workers", "0"]) == 0
    reach = json.loads((folder / "reach.json").read_text())
    executed = [[test.rpartition("::")[2] for test in hits] for hits in reach["hits"].values()]
    assert executed == [["test_area", "test_folder"], ["test_rest"], ["test_area", "test_folder"], []]
    assert [(entry[0].rpartition("::")[2], *entry[2:]) for entry in reach["tests"]] == [
        ("test_area", True, True), ("test_rest", False, True), ("test_folder", True, True),
    ]  # fmt: skip

    assert tool.main(["run", *places, "--workers", "1"]) == 1
    results = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    assert {entry["fault"]: entry["outcome"] for entry in results} == {
        faults[name].name: outcome for name, outcome in outcomes.items() if outcome != "unreached"
    }
    assert [entry["test"].rpartition("::")[2] for entry in results] == ["test_area", "test_rest", ""]
    capfd.readouterr()
    assert tool.main(["run", *places, "--workers", "1"]) == 1  # nothing is run again
    shown = capfd.readouterr().out
    assert "4 faults: 1 caught by make test (25%), 2 with the slow part (50%), 1 not caught, 1 not reached." in shown
    assert path.read_text() == CODE
