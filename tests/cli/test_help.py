"""Help texts of every command, model and control law: short, complete sentences that differ from each other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
import typer

from robosym.cli.app import app
from robosym.cli.command import FunctionCommand
from robosym.control import LAWS
from robosym.models import MODELS
from robosym.models.catalogue import declarations
from robosym.options.docstrings import docstring_of
from robosym.options.signatures import options_of

GROUP: Any = typer.main.get_command(app)
COMMANDS: Mapping[str, Any] = GROUP.commands
EMPTY = ("Of", "What", "Who", "Those", "The same", "Where", "How many", "So do")
LONGEST = 220  # letters of a help text
ONE_LINE = 60  # letters of the line of a command in the list of commands
FUNCTIONS = {**MODELS, **LAWS}


def faults(name: str, text: str | None) -> list[str]:
    """What is wrong with the help text of an option."""
    if not text:
        return [f"{name}: no text"]
    found = []
    if not text.endswith("."):
        found.append("no full stop")
    if text.startswith(tuple(f"{word} " for word in EMPTY)) or (not text[0].isupper() and text[0] not in '"-'):
        found.append("an opening without a subject")
    if len(re.findall(r"\. (?=[A-Z])", text)) > 1 or len(text) > LONGEST:
        found.append("longer than two sentences")
    if "``" in text:
        found.append("markup")
    return [f"{name}: {one}: {text}" for one in found]


def repeated(texts: Mapping[str, str]) -> list[str]:
    """Names of options that share their text with an earlier one."""
    return [name for k, (name, text) in enumerate(texts.items()) if text in [*texts.values()][:k]]


def texts_of(command: Any) -> dict[str, str]:
    """The help texts of the options of a command, by name."""
    further: dict[str, Any] = command.function_options() if isinstance(command, FunctionCommand) else {}
    texts = {one.name: one.help or (further[one.name].help if one.name in further else "") for one in command.params}
    if isinstance(command, FunctionCommand):
        for title, options in command.sections([]):
            texts |= {f"{title}: {name}": one.help for name, one in options.items()}
    return texts


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no text"),
        ("Of the integration, seconds.", "subject"),
        ("Where it listens.", "subject"),
        ("random or grid.", "subject"),
        ("Integration step [s]", "full stop"),
        ("One. Two. Three.", "two sentences"),
        (f"{'Long ' * 50}.", "two sentences"),
        ("One ``word``.", "markup"),
    ],
)
def test_each_fault_is_seen(text: str, fault: str) -> None:
    (found,) = faults("x", text)
    assert fault in found


def test_a_plain_text_has_no_fault() -> None:
    assert faults("step", "Integration step [s].") == []
    assert faults("pose", "Offset of the tool [m]. - reads standard input.") == []
    assert repeated({"a": "One.", "b": "Two.", "c": "One."}) == ["c"]


@pytest.mark.parametrize("name", COMMANDS)
def test_options_of_a_command(name: str) -> None:
    texts = texts_of(COMMANDS[name])
    assert [fault for option, text in texts.items() for fault in faults(option, text)] == []
    assert repeated(texts) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_of_a_command_is_short(name: str) -> None:
    line = COMMANDS[name].get_short_help_str(1000)
    assert len(line) <= ONE_LINE, line
    assert line == COMMANDS[name].get_short_help_str(ONE_LINE)
    assert line.endswith(".")
    assert ":" not in line


@pytest.mark.parametrize("name", FUNCTIONS)
def test_options_of_a_model_or_a_law(name: str) -> None:
    options = options_of(FUNCTIONS[name])
    assert [fault for option in options.values() for fault in faults(option.name, option.help)] == []
    assert repeated({name: one.help for name, one in options.items()}) == []
    assert repeated({name: one.meaning for name, one in options.items()}) == []
    assert all(one.meaning.endswith(".") for one in options.values())


def test_titles_and_summaries_of_models_differ() -> None:
    assert repeated({one.name: one.title for one in declarations()}) == []
    assert repeated({name: docstring_of(function).summary for name, function in FUNCTIONS.items()}) == []
