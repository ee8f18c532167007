"""Templates of descriptions: each loads as a robot of its kind, under any name, and says which file it is in."""

from __future__ import annotations

import tomllib
import warnings

import pytest

from robosym.errors import RobosymError
from robosym.formats import toml
from robosym.library.new import KINDS, in_comment, inside_quotes, template
from robosym.robot.checks import missing_values, problems

HOSTILE = (
    "arm",
    'a "quoted" name',
    "back\\slash",
    "$name ${file} $$",
    "two\nlines\r\t",
    "nul\0 and \x7f and \x1b",
    "плечо 肘 🤖",
    "#no comment",
    "'",
    '"""',
    "",
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_is_that_of_the_robot(kind: str, name: str) -> None:
    assert tomllib.loads(template(kind, name))["name"] == name


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("kind", KINDS)
def test_no_name_of_a_file_ends_a_comment(kind: str, name: str) -> None:
    """The description is the same whatever file it is in; its comments name it."""
    plain = tomllib.loads(template(kind, "arm"))
    text = template(kind, "arm", name)
    assert tomllib.loads(text) == plain
    assert f"robosym check {in_comment(name) or 'robot.toml'}" in text


@pytest.mark.parametrize("kind", KINDS)
def test_a_template_is_a_robot_of_its_kind(kind: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        robot = toml.loads(template(kind, "arm"))
    assert {"platform": "parallel"}.get(kind, kind) == robot.structure
    assert problems(robot) == []
    assert missing_values(robot) == []
    assert robot.description
    assert toml.loads(toml.dumps(robot)) == robot


@pytest.mark.parametrize("kind", KINDS)
def test_templates_are_commented(kind: str) -> None:
    """All signs that a name could replace are replaced, and many lines have a comment."""
    lines = template(kind, "arm", "arm.toml").splitlines()
    assert not [line for line in lines if "$" in line]
    assert max(map(len, lines)) <= 140
    assert sum("#" in line for line in lines) >= 20


@pytest.mark.parametrize("kind", ["seral", "", "SERIAL", "../serial", "x" * 100, None])
def test_kinds_that_there_are_not(kind: str) -> None:
    with pytest.raises(RobosymError, match=r"there is no kind .*: expected serial, tree, closed, platform") as raised:
        template(kind, "arm")
    assert len(str(raised.value)) < 120


@pytest.mark.parametrize("word", HOSTILE)
def test_a_word_inside_quotes(word: str) -> None:
    assert tomllib.loads(f'x = "{inside_quotes(word)}"') == {"x": word}


def test_a_word_in_a_comment() -> None:
    assert in_comment("a\nb\t\x7fc\u2028é") == "a?b??c?é"
    for word in HOSTILE:
        assert tomllib.loads(f"# {in_comment(word)}\nx = 1") == {"x": 1}
