"""``robosym models``, ``--help`` after a model, ``robosym help`` and what the shell completes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli.test_cli import fails
from cli.test_models import run
from robosym.arguments import fits
from robosym.asked.meanings import Explained
from robosym.asked.signatures import parameters
from robots_with import robot_with

from robosym.cli.models import INTERFACES
from robosym.cli.options import split
from robosym.control import LAWS
from robosym.models import MODELS


def test_models_lists_what_each_gives_takes_and_can() -> None:
    listed = {one["name"]: one for one in json.loads(run("models", "--json"))}
    assert list(listed) == list(MODELS)
    dynamics = listed["inverse-dynamics"]
    assert (dynamics["inputs"], dynamics["optional"]) == (["q", "qd", "qdd", "wrench"], ["wrench"])
    assert dynamics["outputs"] == ["tau"]
    friction = next(one for one in dynamics["options"] if one["name"] == "friction")
    assert friction["takes"] == "yes|no|smooth"
    assert friction["default"] == "no"
    assert "that of the description" in friction["meaning"]
    table = run("models")
    assert all(name in table for name in MODELS)


def test_one_model_in_detail() -> None:
    said = run("models", "jacobian")
    assert "jacobian: q -> J" in said
    assert "product | factors | inner" in said
    assert json.loads(run("models", "jacobian", "--json"))["name"] == "jacobian"
    assert "did you mean jacobian?" in fails(2, "models", "jacobain")


@pytest.mark.mostly_slow(fast=12)
@pytest.mark.parametrize("name", MODELS)
def test_inputs_and_outputs_are_those_of_the_model(name: str) -> None:
    """As listed, but for what only some robots have: whether their loops close."""
    model = MODELS[name](robot_with(name, "planar-2r", "five-bar"))
    optional = {*model.optional, *model.defaults}
    inputs = [f"{one.name}{'?' if one.name in optional else ''}" for one in model.code.inputs]
    outputs = [one.name for one in model.code.outputs]
    assert INTERFACES[name] == (", ".join(inputs), ", ".join(outputs))


@pytest.mark.parametrize("command", ["count", "eval", "explain", "generate"])
def test_help_after_a_model_shows_its_options(command: str) -> None:
    said = " ".join(run(command, "rx90", "jacobian", "--help").split())
    assert "Options of jacobian" in said
    assert "--output product|factors|inner" in said
    assert "[default: local-world-aligned]" in said
    assert "tool is a pose in the frame" in said
    assert "Options of" not in run(command, "--help")


def test_help_after_a_controller_shows_the_options_of_its_law() -> None:
    assert "Options of controller --law pid" in run("count", "rx90", "controller", "--law", "pid", "--help")
    assert all(option.takes for law in LAWS.values() for option in Explained(law).options)


SAMPLES = {  # a word that stands for each kind which is printed
    "FRAME": "1",
    "NAME": "left",
    "INTEGER": "3",
    "NUMBER": "0.5",
    "NUMBER,...": "0.5,-0.25",
    "NAME,...": "left,right",
    "FRAME,...": "1,2",
    "NAME=VALUE,...": "left=0.5,right=-1",
    "COLUMN:JOINT=EXPRESSION,...": "spring:left=max(sin(q1), cos(q2)),spring:right=q2^3,weight:left=1",
    "X,Y,Z": "0,0,0.1",
}


@pytest.mark.parametrize("name", [*MODELS, *LAWS])
def test_the_command_takes_what_it_prints_of_an_option(name: str) -> None:
    """Every alternative of every option, and its default, becomes a value of the type that the function takes."""
    function = {**MODELS, **LAWS}[name]
    kinds = parameters(function)
    for option in Explained(function).options:
        words = [SAMPLES.get(word, word.removesuffix(",...")) for word in option.takes.split("|") if word != "POSE"]
        words += [option.default] if option.default not in ("", "required") else []
        for word in words:
            for written in ([option.flag, word], [f"{option.flag}={word}"]):
                _, taken = split(written, lambda robot: None, {option.name: kinds[option.name]})
                assert list(taken) == [option.name]
                assert fits(taken[option.name], kinds[option.name]), (option, word, taken)
                if option.takes.startswith("yes|no") and word in ("yes", "no"):
                    assert taken[option.name] is (word == "yes")


def test_truth_values_of_options() -> None:
    for words, value in ((["--reactions"], True), (["--no-reactions"], False), (["--reactions", "NO"], False)):
        assert split([*words, "--method", "auto"], MODELS["inverse-dynamics"])[1]["reactions"] is value
    assert "unexpected argument 'maybe'" in fails(2, "count", "planar-2r", "inverse-dynamics", "--reactions", "maybe")
    yes, flag = (run("count", "planar-2r", "inverse-dynamics", "--reactions", *w) for w in (["yes"], []))
    assert yes == flag != run("count", "planar-2r", "inverse-dynamics", "--reactions", "no")


def test_columns_of_a_regressor() -> None:
    extra = "spring:elbow=sin(q2),spring:shoulder=max(q1, q2)"
    found = json.loads(run("count", "planar-2r", "regressor", "--extra", extra, "--json"))
    plain = json.loads(run("count", "planar-2r", "regressor", "--json"))
    assert found != plain
    for wrong in ("spring=3", "spring:elbow", "spring:elbow=1,spring:elbow=2"):
        assert "--extra" in fails(2, "count", "planar-2r", "regressor", "--extra", wrong)


def test_help_is_a_word_too() -> None:
    assert "simulate" in run("help")
    assert "Count the operations" in run("help", "count")
    assert "Options of gravity" in run("help", "count", "rx90", "gravity")
    assert "did you mean count?" in fails(2, "help", "cuont")


COMPLETED = {
    "robosym mode": ["models"],
    "robosym show rx9": ["rx90", "rx90-symmetric"],
    "robosym count rx90 jacobian-": ["jacobian-rate", "jacobian-determinant", "jacobian-inverse"],
    "robosym generate rx90 al": ["all"],
    "robosym generate rx90 jacobian --to mat": ["mathematica", "matlab"],
    "robosym count ./ar": ["./arm.toml"],
}


@pytest.mark.slow
def test_bash_completes(tmp_path: Path) -> None:
    """In a real bash, by the script that --install-completion installs."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    (tmp_path / "arm.toml").write_text("")
    (tmp_path / "arm.txt").write_text("")
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "robosym"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m robosym "$@"\n')
    command.chmod(0o755)
    script = f"""
PATH="{tmp_path / "bin"}:$PATH"
eval "$(_ROBOSYM_COMPLETE=source_bash robosym)"
while read -r -a COMP_WORDS; do
    COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
    _robosym_completion robosym
    echo "${{COMPREPLY[@]}}"
done
"""
    lines = "".join(f"{line}\n" for line in COMPLETED)
    done = subprocess.run([bash, "-c", script], input=lines, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    found = dict(zip(COMPLETED, (sorted(line.split()) for line in done.stdout.splitlines()), strict=True))
    assert found == {line: sorted(words) for line, words in COMPLETED.items()}, done.stderr
