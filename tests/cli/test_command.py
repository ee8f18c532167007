"""Commands with the options of Python functions: they are read anywhere on the line, validated, and explained."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from robosym.cli.app import app
from robosym.cli.arguments import RobotArgument
from robosym.cli.command import FunctionCommand, add, further, load
from robosym.cli.moves import PLANNERS
from robosym.identification import identify
from robosym.identification.excitation import excite
from robosym.options.signatures import options_of
from robosym.simulation import simulate
from robosym.trajectory import point_to_point, through

OFFERED: dict[str, Any] = {"simulate": simulate, "excite": excite, "identify": identify}


def help_of(*words: str) -> str:
    done = CliRunner().invoke(app, [*words, "--help"])
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


def chosen(*words: str, sources: tuple[str, ...] = ("simulation:simulate", *PLANNERS)) -> dict[str, Any]:
    """The further options that a command with these sources reads."""
    values: dict[str, Any] = {}
    own = typer.Typer(rich_markup_mode=None)

    def command(context: typer.Context, robot: RobotArgument, move: str = "none") -> None:
        loaded, options = load(context, robot)
        values.update(options, robot=loaded.name, move=move)

    add(own, command, *sources)
    done = CliRunner().invoke(own, list(words))
    if done.exit_code:
        raise typer.BadParameter(" ".join(done.output.split()))
    return values


def test_values_have_the_types_of_the_function() -> None:
    words = ["planar-2r", "--step", "1e-4", "--friction", "none", "--no-limits", "--q", "0.1,-0.2", "--near=elbow=1"]
    words += [
        "--integrator",
        "midpoint",
        "--every",
        "5",
        "--disturbance",
        "elbow=2",
        "--degree",
        "5",
        "--move",
        "m.json",
    ]
    assert chosen(*words) == {
        "step": 1e-4,
        "friction": False,
        "limits": False,
        "q": [0.1, -0.2],
        "near": {"elbow": 1.0},
        "integrator": "midpoint",
        "every": 5,
        "disturbance": {"elbow": 2.0},
        "degree": 5,
        "robot": "planar-2r",
        "move": "m.json",
    }
    for word in ("none", "no", "False"):
        assert chosen("planar-2r", "--friction", word)["friction"] is False
    assert chosen("planar-2r", "--friction", "smooth")["friction"] == "smooth"
    assert chosen("planar-2r") == {"robot": "planar-2r", "move": "none"}


def test_options_can_be_before_the_arguments() -> None:
    assert chosen("--step", "1e-3", "--held", "planar-2r", "--snap", "1e-4") == {
        "step": 1e-3,
        "held": True,
        "robot": "planar-2r",
        "move": "none",
    }


WRONG: list[tuple[list[str], str]] = [
    (["--step", "0"], "--step: got '?0'?, expected a number above 0"),
    (["--step", "fast"], "option --step: got 'fast', expected a number"),
    (["--integrator", "rk5"], "option --integrator: got 'rk5', expected rk4, semi-implicit, midpoint, dop853, radau"),
    (["--every", "1.5"], r"option --every: got '1\.5', expected a whole number"),
    (["--seed", "-1"], "--seed: got '?-1'?, expected a whole number of at least 0"),
    (["--step"], "option --step needs a value"),
    (["--stp", "1"], r"no option --stp \(did you mean --step\?\)"),
    (["--mov", "m.json"], r"no option --mov \(did you mean --move\?\)"),
    (["--events", "f"], "no option --events"),  # a function has no text
    (["twice"], "unexpected argument"),
]


@pytest.mark.parametrize(("words", "message"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_wrong_words_are_named(words: list[str], message: str) -> None:
    with pytest.raises(typer.BadParameter) as error:
        chosen("planar-2r", *words)
    assert re.search(message, str(error.value))
    assert "Usage:" in str(error.value)


def test_required_options() -> None:
    sources = ("trajectory:point_to_point:qf",)
    assert chosen("planar-2r", "--qf", "1", sources=sources)["qf"] == "1"
    with pytest.raises(typer.BadParameter, match="expected --qf too: there is no default"):
        chosen("planar-2r", sources=sources)


def test_a_command_without_a_robot() -> None:
    values: dict[str, Any] = {}
    own = typer.Typer(rich_markup_mode=None)

    def command(context: typer.Context, recipe: str) -> None:
        values.update(further(context), recipe=recipe)

    add(own, command, "identification:identify", kind=FunctionCommand)
    done = CliRunner().invoke(own, ["--workers", "3", "r.toml", "--data", "recordings"])
    assert done.exit_code == 0, done.output
    assert values == {"workers": 3, "data": "recordings", "recipe": "r.toml"}
    assert "--floating" not in CliRunner().invoke(own, ["--help"]).output


@pytest.mark.parametrize("command", OFFERED)
def test_help_lists_every_option_with_its_sentence_and_default(command: str) -> None:
    said = help_of(command)
    for name, option in options_of(OFFERED[command]).items():
        if not option.has_text:
            assert f" {option.flag} " not in said, option
        elif name != "threads":  # of a sweep on the command line, which takes all of them
            assert f" {option.flag} " in said, option
            assert option.help.replace("- ", "-")[:40] in said, option
            default = f"[default: {option.shown_default}]" if option.shown_default else ""
            assert default in said, option


def test_help_of_samples() -> None:
    for command, flag in (("excite", "--rate"), ("excite", "--repeats"), ("trajectory", "--rate")):
        assert f" {flag} " in help_of(command)
    assert "Sampling rate [Hz]. [default: 500.0]" in help_of("excite")


@pytest.mark.parametrize("command", ["simulate", "trajectory"])
def test_help_explains_the_limits_of_planners(command: str) -> None:
    """Declared by the command for their form, explained by the function."""
    said = help_of(command)
    for name in ("velocity", "acceleration", "jerk", "profile", "method", "synchronise", "degree"):
        options = {**options_of(through), **options_of(point_to_point)}
        assert f"--{name} " in said
        assert options[name].help[:40] in said


def test_help_after_a_law_lists_its_options() -> None:
    said = help_of("simulate", "--law", "pid")
    assert said == help_of("simulate", "--control=pid")
    assert "Options of pid:" in said
    assert "--dead-zone NUMBER" in said
    assert "--law-velocity measured|NUMBER" in said  # the command has a --velocity of its own
    assert "Options of" not in help_of("simulate").replace("Options of the", "")


def test_the_list_of_commands_starts_without_the_functions() -> None:
    program = "import sys, robosym.cli.app; print(sorted({'numpy', 'scipy', 'robosym.simulation'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
