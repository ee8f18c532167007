"""``robosym plot`` and ``robosym manipulability`` as a person uses them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import robosym
from robosym.analysis import manipulability_of
from robosym.cli.app import app

pytest.importorskip("matplotlib")

STATE = json.dumps({"q": [0.3, 0.5]})


def run(*words: str, stdin: str = "") -> str:
    done = CliRunner().invoke(app, list(words), input=stdin, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(*words: str, stdin: str = "") -> str:
    """Wrong usage: exit code 2 and a message."""
    done = CliRunner().invoke(app, list(words), input=stdin)
    assert done.exit_code == 2, done.output
    return " ".join(done.stderr.split())


def fails(*words: str, stdin: str = "") -> str:
    """A problem with the input: the one family of errors that ``main`` prints."""
    with pytest.raises(robosym.RobosymError) as caught:
        CliRunner().invoke(app, list(words), input=stdin, catch_exceptions=False)
    return str(caught.value)


def fails_in_a_process(*words: str, stdin: str = "", before: str = "") -> str:
    """The same as a person sees it: exit code 1, one message, no traceback."""
    program = f"import sys\n{before}\nfrom robosym.cli import main\nsys.argv = {['robosym', *words]!r}\nmain()"
    done = subprocess.run([sys.executable, "-c", program], input=stdin, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("robosym: ")
    return done.stderr


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_a_workspace_is_drawn(kind: str, tmp_path: Path) -> None:
    target = tmp_path / f"w.{kind}"
    assert run("plot", "planar-2r", "workspace", "-o", str(target), "--samples", "500") == f"wrote {target}\n"
    assert target.stat().st_size > 5000
    assert list(tmp_path.iterdir()) == [target]


def test_numbers_alone_or_beside_the_picture(tmp_path: Path) -> None:
    words = ("plot", "scara", "workspace", "--limit", "quill=-0.2:0", "--samples", "300", "--seed", "4", "--json")
    alone = json.loads(run(*words))
    assert alone["samples"] == 300
    assert alone["limits"]["quill"] == [-0.2, 0.0]
    assert alone["reach"][1] <= np.hypot(0.7, 0.2)
    target = tmp_path / "w.png"
    assert json.loads(run(*words, "-o", str(target), "--colour", "density")) == alone
    assert target.exists()
    assert json.loads(run(*words, "--seed", "5"))["reach"] != alone["reach"]
    grid = json.loads(run(*words, "--method", "grid", "--frame", "link3"))
    assert (grid["frame"], grid["samples"]) == ("link3", 17**2)


def test_a_state_gives_the_posture_and_the_parameters() -> None:
    state = json.dumps({"parameters": {"L2": 0.1}})
    facts = json.loads(run("plot", "planar-2r", "workspace", "--at", "-", "--json", stdin=state))
    assert facts["reach"] == pytest.approx([0.4, 0.6], abs=1e-5)


@pytest.mark.slow
def test_ellipsoids_are_drawn(tmp_path: Path) -> None:
    target = tmp_path / "e.png"
    for q in ([0.3, 0.5], [0.3, 0.0]):  # the second is singular
        run("plot", "planar-2r", "ellipsoids", "--at", "-", "-o", str(target), stdin=json.dumps({"q": q}))
        assert target.read_bytes().startswith(b"\x89PNG")
    run("plot", "puma560", "ellipsoids", "--at", "-", "-o", str(target), stdin=json.dumps({"q": [0.4] * 6}))


def test_manipulability_in_numbers() -> None:
    facts = json.loads(run("manipulability", "planar-2r", "--at", "-", "--json", stdin=STATE))
    linear = facts["parts"]["linear"]
    assert linear["manipulability"] == pytest.approx(0.2 * np.sin(0.5), abs=1e-14)
    assert linear["manipulability"] == pytest.approx(float(manipulability_of(robosym.load("planar-2r"), [0.3, 0.5])))
    assert linear["condition"] == pytest.approx(linear["singular_values"][0] / linear["singular_values"][1])
    assert linear["velocity_radii"][2] == 0
    assert linear["force_radii"][2] is None  # infinite: nothing moves along z
    assert facts["joints"] == ["shoulder", "elbow"]
    drawn = json.loads(run("plot", "planar-2r", "ellipsoids", "--at", "-", "--json", stdin=STATE))
    assert drawn == facts


def test_manipulability_as_tables() -> None:
    shown = run("manipulability", "planar-2r", "--at", "-", stdin=STATE)
    assert "0.0958851" in shown
    assert "inf" in shown
    assert "leave it at rest" not in shown
    singular = run("manipulability", "scara", "--at", "-", stdin=json.dumps({"q": [0.3, 0, 0.1, 0.1]}))
    assert "leave it at rest" in singular
    assert "base held" in run(
        "manipulability",
        "planar-2r",
        "--floating",
        "--at",
        "-",
        stdin=json.dumps({"q": [0, 0, 0, 0, 0, 0, 1, 0.3, 0.5]}),
    )


def test_wrong_usage() -> None:
    assert "say where to write" in refused("plot", "scara", "workspace")
    assert "expected workspace or ellipsoids" in refused("plot", "scara", "shadow", "-o", "x.png")
    assert "--at STATE.json" in refused("plot", "scara", "ellipsoids", "-o", "x.png")
    assert "expected JOINT=LOWER:UPPER" in refused("plot", "scara", "workspace", "--json", "--limit", "quill=3")
    assert "expected random or grid" in refused("plot", "scara", "workspace", "--json", "--method", "sobol")
    assert "expected manipulability or density" in refused("plot", "scara", "workspace", "--json", "--colour", "red")
    assert "no option --smaples" in refused("plot", "scara", "workspace", "--json", "--smaples", "3")
    assert "--at" in refused("manipulability", "scara")


def test_problems_with_the_input(tmp_path: Path) -> None:
    assert "one of .png, .svg, .pdf" in fails("plot", "planar-2r", "workspace", "-o", "x.gif")
    assert "'quill' has no limits" in fails("plot", "scara", "workspace", "--json")
    assert "expected one of 'cut+', 'cut-'" in fails("plot", "four-bar", "workspace", "--json", "--mode", "x")
    assert "cannot be written" in fails("plot", "planar-2r", "workspace", "-o", str(tmp_path / "no" / "x.png"))
    assert "there is no frame 'hand'" in fails("manipulability", "scara", "--at", "-", "--frame", "hand", stdin=STATE)
    assert "q has shape (2,)" in fails("manipulability", "scara", "--at", "-", stdin=STATE)
    assert "the model needs 'q'" in fails("plot", "scara", "ellipsoids", "--at", "-", "--json", stdin="{}")


@pytest.mark.parametrize(
    "words", [("plot", "puma560", "workspace"), ("plot", "puma560", "ellipsoids"), ("manipulability", "puma560")]
)
def test_a_state_that_is_not_finite_is_refused(words: tuple[str, ...]) -> None:
    for q in ("[0, 0, NaN, 0, 0, 0]", "[0, 0, 0, 0, 0, Infinity]"):  # the last joint moves nothing that is asked for
        assert "not a finite number" in fails(*words, "--at", "-", "--json", stdin=f'{{"q": {q}}}')


@pytest.mark.slow
def test_without_matplotlib_the_way_to_it_is_told(tmp_path: Path) -> None:
    hidden = "sys.modules['matplotlib'] = None"
    message = fails_in_a_process("plot", "planar-2r", "workspace", "-o", str(tmp_path / "x.png"), before=hidden)
    assert "pip install robosym[plot]" in message
    program = f"import sys\n{hidden}\nfrom robosym.cli import main\nsys.argv = ['', 'plot', 'planar-2r', 'workspace', '--json']\nmain()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert json.loads(done.stdout)["robot"] == "planar-2r"  # the numbers need no picture


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    program = (
        "import sys, robosym, robosym.analysis, robosym.plots, robosym.cli.app\n"
        "print([name for name in ('matplotlib', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]", done.stderr
