"""The command line as a person uses it: its exit code, its two streams; some of it in a new process."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import robosym
from robosym.cli import main


def process(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "robosym", *words]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=120)


def run(*words: str, stdin: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The same in this process, many times as fast."""
    printed, problems = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(problems),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("default")
        patch.chdir(cwd or Path.cwd())
        patch.setattr(sys, "argv", ["robosym", *words])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        with pytest.raises(SystemExit) as ended:
            main()
    code = ended.value.code or 0
    assert isinstance(code, int)
    return subprocess.CompletedProcess(words, code, printed.getvalue(), problems.getvalue())


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(
    "words",
    [("show", "rx90"), ("eval", "rx90", "transform", "--at", "-", "--json"), ("show", "rx9"), ("count", "rx90")],
)
def test_a_process_says_and_returns_what_the_tests_in_this_one_see(words: tuple[str, ...]) -> None:
    stdin = '{"q": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}'
    there, here = process(*words, stdin=stdin), run(*words, stdin=stdin)
    assert (there.returncode, there.stdout, there.stderr) == (here.returncode, here.stdout, here.stderr)


def fails(code: int, *words: str, stdin: str = "") -> str:
    """Run, expect an exit code, one clear message and nothing else; return the message."""
    done = run(*words, stdin=stdin)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()
    return done.stderr


def succeeds(*words: str, stdin: str = "", cwd: Path | None = None) -> str:
    done = run(*words, stdin=stdin, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def state(tmp_path: Path) -> str:
    path = tmp_path / "state.json"
    path.write_text(json.dumps({"q": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "parameters": {"D3": 0.5}}))
    return str(path)


def test_robots_lists_every_built_in() -> None:
    listed = json.loads(succeeds("robots", "--json"))
    assert {row["name"] for row in listed} == set(robosym.robot_names())
    assert "rx90" in succeeds("robots")


def test_show() -> None:
    facts = json.loads(succeeds("show", "rx90", "--json"))
    assert facts["joint_names"] == list(robosym.load("rx90").joint_names)
    assert facts["frames"][2]["d"] == "D3"
    assert "RL4" in succeeds("show", "rx90")


def test_count_json_has_the_documented_fields() -> None:
    counts = json.loads(succeeds("count", "rx90", "transform", "--json"))
    assert counts["robot"] == "rx90"
    assert counts["model"] == "transform"
    assert counts["parameters"] == "standard"
    assert set(counts["operations"]) == {"mul", "add", "div", "trig", "other", "strict"}
    assert set(counts["precompute"]) == set(counts["operations"])
    expected = robosym.models.transform(robosym.load("rx90")).operations
    assert counts["operations"] == expected.as_dict()


def test_options_are_the_keyword_arguments_of_the_python_function() -> None:
    counts = json.loads(succeeds("count", "rx90", "transform", "--frame=4", "--part", "position", "--json"))
    expected = robosym.models.transform(robosym.load("rx90"), frame=4, part="position").operations
    assert counts["operations"] == expected.as_dict()
    several = json.loads(succeeds("count", "rx90", "geometric", "--frames", "3,link6", "--json"))
    assert several["options"]["frames"] == ["link3", "link6"]


def test_eval_agrees_with_python(state: str) -> None:
    result = json.loads(succeeds("eval", "rx90", "transform", "--at", state, "--json"))
    model = robosym.models.transform(robosym.load("rx90"))
    expected = model.evaluate(q=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], parameters={"D3": 0.5})
    np.testing.assert_allclose(result["outputs"]["T"], expected, atol=1e-14)
    assert "T =" in succeeds("eval", "rx90", "transform", "--at", "-", stdin=Path(state).read_text())


def test_generate_writes_whole_files(tmp_path: Path) -> None:
    printed = succeeds("generate", "rx90", "transform", "--to", "c")
    succeeds("generate", "rx90", "transform", "--to", "c", "-o", "arm.c", cwd=tmp_path)
    assert (tmp_path / "arm.c").read_text() == printed
    succeeds("generate", "rx90", "transform", "--to", "c", "-o", "lib", cwd=tmp_path)
    assert {path.suffix for path in (tmp_path / "lib").iterdir()} == {".c", ".h"}
    for language in ("python", "numpy", "json"):
        assert succeeds("generate", "rx90", "transform", "--to", language)


def test_explain() -> None:
    assert "S23 = sin(q23)" in succeeds("explain", "rx90", "transform")
    assert succeeds("explain", "rx90", "transform", "--latex") == succeeds(
        "generate", "rx90", "transform", "--to", "latex"
    )
    assert json.loads(succeeds("explain", "rx90", "transform", "--json"))["steps"]


def test_optimise(tmp_path: Path) -> None:
    program = {
        "format": "robosym-program-1",
        "name": "sums",
        "inputs": [{"name": "x", "shape": [3], "symbols": ["a", "b", "c"]}],
        "parameters": [],
        "precompute": [],
        "steps": [["s", "a*b + a*c"], ["unused", "sin(a)"]],
        "outputs": [{"name": "y", "shape": [1], "entries": ["s"]}],
    }
    path, out = tmp_path / "p.json", tmp_path / "o.json"
    path.write_text(json.dumps(program))
    counts = json.loads(succeeds("optimise", str(path), "-o", str(out), "--json"))
    assert (counts["before"]["mul"], counts["before"]["trig"]) == (2, 1)
    assert (counts["after"]["mul"], counts["after"]["trig"]) == (1, 0)
    assert json.loads(out.read_text())["name"] == "sums"
    assert "after" in succeeds("optimise", str(path))
    slot = {"shape": [3], "about": ""}
    routine = {
        "format": "robosym-routine-1",
        "name": "twice",
        "notes": [],
        "inputs": [{"name": "x", **slot}],
        "outputs": [{"name": "y", **slot, "shape": [1]}],
        "programs": {"sums": {**program, "steps": program["steps"][:1]}},
        "stages": [{"stage": "repeat", "times": 2, "stages": [{"stage": "run", "program": "sums"}]}],
    }
    path.write_text(json.dumps(routine))
    counts = json.loads(succeeds("optimise", str(path), "-o", str(out), "--json"))
    assert (counts["before"]["mul"], counts["after"]["mul"]) == (2, 1)
    assert json.loads(out.read_text())["stages"][0]["times"] == 2
    assert "twice" in succeeds("optimise", str(out))


def test_check_and_convert(tmp_path: Path) -> None:
    file = tmp_path / "arm.toml"
    succeeds("convert", "rx90", str(file))
    assert "no problems" in succeeds("check", str(file))
    succeeds("convert", str(file), str(tmp_path / "arm.par"))
    assert "no problems" in succeeds("check", str(tmp_path / "arm.par"))


def test_mjcf_with_its_loops(tmp_path: Path) -> None:
    assert succeeds("convert", "four-bar", "arm.xml", cwd=tmp_path) == "wrote arm.xml\n"
    assert "closed, 5 frames, 1 coordinate, 1 loop" in succeeds("check", "arm.xml", cwd=tmp_path)
    assert succeeds("convert", "arm.xml", "arm.toml", cwd=tmp_path) == "wrote arm.toml\n"
    assert "goes with a .urdf file only" in fails(1, "show", str(tmp_path / "arm.xml"), "--loops", "x.toml")


def test_closed_loops_are_shown_as_what_they_are(tmp_path: Path) -> None:
    facts = json.loads(succeeds("show", "four-bar", "--json"))
    assert (facts["nq"], facts["nv"], facts["loops"], facts["joint_names"]) == (1, 1, 1, ["crank"])
    assert [one["role"] for one in facts["frames"]] == ["coordinate", "passive", "passive", "cut", "twin"]
    assert facts["frames"][1]["position"] == -0.9925
    assert facts["source"] == "textbook example"
    shown = succeeds("show", "four-bar")
    assert "closed, 5 frames, 1 coordinate, 1 loop, 2 passive and 1 cut joint\n" in shown
    assert "\nsource: textbook example\n" in shown
    assert "stands at crank 1.5708, coupler -0.9925, rocker 1.9463\n" in shown
    for words in ("coupler (passive)", "cut (cut)", "cut_twin (twin of 4)"):
        assert words in shown


def test_loops_of_a_urdf_are_written_beside_it_and_read_when_named(tmp_path: Path) -> None:
    said = succeeds("convert", "four-bar", "arm.urdf", cwd=tmp_path)
    assert said == "wrote arm.urdf and arm.loops.toml\n"
    with_loops = succeeds("check", "arm.urdf", "--loops", "arm.loops.toml", cwd=tmp_path)
    assert "closed, 5 frames, 1 coordinate, 1 loop" in with_loops
    assert "tree, 3 frames, 3 coordinates: 1 warning" in succeeds("check", "arm.urdf", cwd=tmp_path)
    counted = succeeds("count", "arm.urdf", "inverse-dynamics", "--loops=arm.loops.toml", "--json", cwd=tmp_path)
    assert json.loads(counted)["options"]["mode"] == "cut+"
    assert "goes with a .urdf file only" in fails(1, "show", "four-bar", "--loops", "x.toml")


@pytest.mark.parametrize(
    ("passive", "problem"),
    [
        ("", "loops: over-actuated by 2: the loops leave 1 degree of freedom, and 3 of their joints are driven"),
        ("crank coupler rocker", "loops: under-actuated by 1: with all motors held, crank, coupler, rocker, cut can"),
        ("coupler rocker cut_off", "joints: cut_off is passive, and no loop says where it is"),
    ],
)
def test_check_names_loops_that_the_motors_do_not_close(tmp_path: Path, passive: str, problem: str) -> None:
    """The file is read, and no model can be had of it."""
    file = tmp_path / "linkage.toml"
    joints = [("crank", 0, 0), ("coupler", 1, 0.2), ("rocker", 0, 0.5), ("cut_off", 1, 0.1), ("cut", 2, 0.4)]
    rows = [
        f'[[frame]]\njoint = "{name}"\nantecedent = {a}\nd = {d}\nactive = {str(name not in passive.split() and name != "cut").lower()}\n'
        for name, a, d in joints
    ]
    file.write_text("".join(["loops = 1\n", *rows, '[[frame]]\nantecedent = 3\nsigma = "fixed"\nd = 0.45\n']))
    assert f"{file}: {problem}" in fails(1, "check", str(file))


def test_a_state_that_cannot_be_assembled_has_no_json(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text('{"q": [3.1], "parameters": {"D3": 0.8}}')
    message = fails(1, "eval", "four-bar", "loop-geometry", "--at", str(tmp_path / "state.json"), "--json")
    assert message == "robosym: four-bar: the closed loops cannot be assembled at this state\n"


def test_check_names_every_problem(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('name = "bad"\n[[frame]]\nalpha = "pi/"\n[[frame]]\nantecedent = 7\nlenght = 3\n')
    message = fails(1, "check", str(file))
    assert str(file) in message
    for word in ("alpha", "antecedent", "lenght"):
        assert word in message


@pytest.mark.mostly_slow(fast=7)
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "not JSON"),
        ("[1]", "expected an object"),
        ('{"q": [1, 2]}', "shape"),
        ('{"qd": [0]}', "needs 'q'"),
        ('{"q": [0, 0, 0, 0, 0, 0], "speed": 1}', "unknown field 'speed'"),
        ('{"q": [0, 0, 0, 0, 0, "a"]}', "q"),
        ('{"q": [0, 0, 0, 0, 0, 0], "parameters": {"D3": "long"}}', "expected a number"),
        ('{"q": [0, 0, 0, 0, 0, 0], "parameters": {"Q9": 1}}', "unknown parameter 'Q9'"),
        ('{"q": [0, 0, NaN, 0, 0, 0]}', "NaN is not a finite number"),
        ('{"q": [0, 0, -Infinity, 0, 0, 0]}', "-Infinity is not a finite number"),
        ('{"q": [0, 0, 1e999, 0, 0, 0]}', "1e999 is not a finite number"),
        ('{"q": [0, 0, 1' + "0" * 400 + ", 0, 0, 0]}", "q, 3: got 10000000000000000000..., which is too large"),
        ('{"q": [0, 0, true, 0, 0, 0]}', "q, 3: got True, expected a number"),
        ('{"q": [0, 0, null, 0, 0, 0]}', "q, 3: got None, expected a number"),
        ('{"q": [0, 0, 0, 0, 0, 0], "parameters": {"D3": NaN}}', "NaN is not a finite number"),
        ('{"q": [0, 0, 0, 0, 0, 0], "q": [1, 0, 0, 0, 0, 0]}', "'q' stands twice"),
        ('{"q": [0, 0, 0, 0, 0, 0], "wrench": {"link6": [0, 0, 0, 0, 0, 1e400]}}', "1e400 is not a finite number"),
    ],
)
def test_a_bad_state_is_fails(text: str, word: str) -> None:
    assert word in fails(1, "eval", "rx90", "transform", "--at", "-", stdin=text)


@pytest.mark.parametrize(
    "words", [("ik", "rx90", "--pose", "1e999,0,0"), ("ik", "rx90", "--pose", "0,0,0", "--seed", "1e999")]
)
def test_numbers_on_the_line_are_finite(words: tuple[str, ...]) -> None:
    assert "expected finite numbers" in fails(2, *words)


@pytest.mark.parametrize("option", ["--pose", "--seed"])
def test_numbers_in_the_files_of_a_pose_are_finite(option: str, tmp_path: Path) -> None:
    file = tmp_path / "numbers.json"
    file.write_text('{"position": [0, 0, NaN]}' if option == "--pose" else '{"q": [0, 0, 0, 0, 0, Infinity]}')
    words = {"--pose": "0.3,0.3,0.3,0,0,0,1", "--seed": "0,0,0,0,0,0"} | {option: str(file)}
    assert "is not a finite number" in fails(1, "ik", "rx90", *(word for pair in words.items() for word in pair))


def test_problems_with_the_input_exit_1() -> None:
    assert "did you mean" in fails(1, "show", "rx9")
    assert "nowhere.toml" in fails(1, "check", "nowhere.toml")
    assert "no frame 9" in fails(1, "count", "rx90", "transform", "--frame", "9")


@pytest.mark.parametrize(
    "words",
    [
        ("count", "rx90"),
        ("count", "rx90", "nonsense"),
        ("count", "rx90", "transform", "--edn", "3"),
        ("count", "rx90", "transform", "--frame"),
        ("count", "rx90", "transform", "--part", "half"),
        ("count", "rx90", "transform", "stray"),
        ("eval", "rx90", "transform"),
        ("nonsense",),
    ],
)
def test_wrong_usage_exits_2(words: tuple[str, ...]) -> None:
    fails(2, *words)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    folder = tmp_path / "taken.c"
    folder.mkdir()
    (folder / "x").write_text("old")
    file = tmp_path / "file"
    file.write_text("old")
    fails(1, "generate", "rx90", "transform", "-o", str(file / "below.c"))
    assert file.read_text() == "old"
    assert not list(tmp_path.glob(".*"))


def test_joints_of_several_axes_are_shown_by_entry(tmp_path: Path) -> None:
    file = tmp_path / "leg.toml"
    file.write_text(
        'name = "leg"\n[base]\nfloating = true\n[[frame]]\nsigma = "ball"\njoint = "hip"\n'
        '[[frame]]\nsigma = "screw"\npitch = 0.02\njoint = "lead"\n'
    )
    assert "2 joints, 12 coordinates, 10 velocities" in run("check", str(file)).stdout
    rows = [line.split() for line in run("show", str(file)).stdout.splitlines()]
    assert ["hip", "ball", "7", "to", "10", "qx,", "qy,", "qz,", "qw", "6", "to", "8", "wx,", "wy,", "wz"] in rows
    assert ["lead", "screw", "11", "9"] in rows
    assert any(row[4:7] == ["screw,", "pitch", "0.02"] for row in rows)
    found = json.loads(run("show", str(file), "--json").stdout)
    assert [one["name"] for one in found["entries"]["q"][7:]] == ["hip qx", "hip qy", "hip qz", "hip qw", "lead"]
    assert [one["unit"] for one in found["entries"]["qd"][3:]] == ["rad/s"] * 7
    assert found["frames"][1]["pitch"] == "0.02"
