"""Parts of docstrings in NumPy style."""

from __future__ import annotations

import pytest

from robosym.models import MODELS
from robosym.options.docstrings import docstring_of, first_sentence


def documented() -> None:
    """First line,
    continued.

    Notes of ``several`` lines -- with dashes
    and one more.

    Parameters
    ----------
    first : int
        Text of the first
        in two lines.

        And a second paragraph.
    second, *third
        Text of both.

    Returns
    -------
    int
        Nothing of interest.
    """


def test_parts() -> None:
    found = docstring_of(documented)
    assert found.summary == "First line, continued."
    assert found.body.endswith("Notes of several lines -- with dashes\nand one more.")
    assert found.parameters == {
        "first": "Text of the first in two lines. And a second paragraph.",
        "second": "Text of both.",
        "third": "Text of both.",
    }


def test_a_function_without_a_docstring() -> None:
    found = docstring_of(lambda: None)
    assert (found.summary, found.body, found.parameters) == ("", "", {})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One. Two.", "One."),
        ("One", "One"),
        ("About 0.5 m. Two.", "About 0.5 m."),
        ("Such as a. b, at most. Two.", "Such as a. b, at most."),
        ('First. "word" is one.', "First."),
        ("", ""),
    ],
)
def test_the_first_sentence(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence


@pytest.mark.parametrize("name", MODELS)
def test_every_model_has_a_short_summary(name: str) -> None:
    summary = docstring_of(MODELS[name]).summary
    assert summary.endswith(".")
    assert len(summary) <= 80
