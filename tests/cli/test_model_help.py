"""``robosym models``, ``--help`` after a model, ``robosym help`` and what the shell completes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cli.test_cli import fails
from cli.test_models import run
from robots_with import robot_with

from robosym.cli.options import split
from robosym.control import LAWS
from robosym.models import MODELS
from robosym.models.catalogue import declaration_of
from robosym.options.signatures import options_of


def test_models_lists_what_each_gives_takes_and_can() -> None:
    listed = {one["name"]: one for one in json.loads(run("models", "--json"))}
    assert list(listed) == list(MODELS)
    dynamics = listed["inverse-dynamics"]
    assert (dynamics["inputs"], dynamics["optional"]) == (["q", "qd", "qdd", "wrench"], ["wrench"])
    assert dynamics["outputs"] == ["tau"]
    friction = next(one for one in dynamics["options"] if one["name"] == "friction")
    assert friction["takes"] == "yes|no|smooth"
    assert friction["default"] == "no"
    assert friction["meaning"].startswith("Joint friction of the description")
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
    declared = declaration_of(name)
    assert declared.inputs == tuple(one.name for one in model.code.inputs)
    assert declared.optional == {one for one in declared.inputs if one in optional}
    assert declared.outputs == tuple(one.name for one in model.code.outputs)


@pytest.mark.parametrize("command", ["count", "eval", "explain", "generate"])
def test_help_after_a_model_shows_its_options(command: str) -> None:
    said = " ".join(run(command, "rx90", "jacobian", "--help").split())
    assert "Options of jacobian" in said
    assert "--output product|factors|inner" in said
    assert "[default: product]" in said
    assert "Pose of a tool in the target frame" in said
    assert "Options of jacobian" not in run(command, "--help")


def test_help_after_a_controller_shows_the_options_of_its_law() -> None:
    assert "Options of controller --law pid" in run("count", "rx90", "controller", "--law", "pid", "--help")
    assert all(option.kind.metavar for law in LAWS.values() for option in options_of(law).values())


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
    for option in options_of(function).values():
        metavar = option.kind.metavar
        words = [SAMPLES.get(word, word.removesuffix(",...")) for word in metavar.split("|") if word != "POSE"]
        words += [option.shown_default] if option.shown_default not in ("", "required") else []
        for word in words:
            for written in ([option.flag, word], [f"{option.flag}={word}"]):
                _, taken = split(written, lambda robot: None, {option.name: replace(option, default=None)})
                assert list(taken) == [option.name]
                assert option.kind.fits(taken[option.name]), (option, word, taken)
                if metavar.startswith("yes|no") and word in ("yes", "no"):
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
