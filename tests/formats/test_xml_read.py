"""XML files read safely, and numbers in their attributes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robosym.formats import xml_read
from robosym.formats.xml_read import Numbers, root_element, shown, words
from robosym.robot import RobotError, RobotWarning


def read(text: bytes, deepest: int = 3) -> str:
    return root_element(Path("x.xml"), "x.xml", ("robot", "sdf"), "a URDF", deepest, text).tag


def test_the_outermost_element(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(b"<robot><a><b/></a><a/></robot>") == "robot"
    assert read(b"<sdf/>") == "sdf"
    for text, said in (
        (b"<robot><a><b><c/></b></a></robot>", "nested more than 3 deep"),
        (b"<!DOCTYPE robot><robot/>", "DOCTYPE"),
        (b"<arm/>", "expected <robot> as the outermost element, got <arm>"),
        (b"<robot>\n<a></robot>", "line 2, column 6: not XML: mismatched tag"),
        (b'<?xml version="1.0" encoding="none"?><robot/>', "not XML"),
    ):
        with pytest.raises(RobotError, match=said):
            read(text)
    monkeypatch.setattr(xml_read, "LARGEST_FILE", 1 << 20)
    with pytest.raises(RobotError, match="larger than 1 MiB"):
        read(b"<robot/>" + b" " * (1 << 20))
    with pytest.raises(RobotError, match="cannot be read"):
        root_element(Path("no such file.xml"), "x", ("robot",), "a URDF", 3)


@pytest.mark.parametrize(
    ("text", "value", "said"),
    [
        ("1e3", 1e3, ""),
        ("-1e12", -1e12, ""),
        ("1.1e12", 0, "within"),
        ("-inf", 0, "within"),
        ("nan", 0, "expected a number, got 'nan'"),
        ("1_0", 0, "expected a number"),
        ("١", 0, "expected a number"),
        ("x", 0, "expected a number"),
        (None, 0, "got nothing"),
        ("${a}", 0, "run xacro"),
    ],
)
def test_numbers(text: str | None, value: float, said: str) -> None:
    own = Numbers()
    assert own.number("here", text) == value
    assert [said in problem.message for problem in own.problems] == ([True] if said else [])


def test_signs_and_triples() -> None:
    own = Numbers()
    assert own.not_negative("m", 0.0) == 0.0
    assert own.doubt_negative("d", 2.0) == 2.0
    np.testing.assert_array_equal(own.three("p", " 1  2\t3\n"), [1, 2, 3])
    own.warn_of_doubts(Path("f"))
    assert (own.problems, own.doubts) == ([], [])
    assert own.not_negative("m", -0.5) == 0.0
    assert own.doubt_negative("d", -2.0) == -2.0
    np.testing.assert_array_equal(own.three("p", "1 2"), [0, 0, 0])
    assert len(own.problems) == 2
    with pytest.warns(RobotWarning, match=r"f: probably not meant: d is negative \(-2\)"):
        own.warn_of_doubts(Path("f"))


def test_words_and_what_is_shown() -> None:
    assert words("a b\u00a0c\td") == ["a", "b\u00a0c", "d"]
    assert shown("x" * 60) == f"'{'x' * 60}'"
    assert shown("x" * 61) == f"'{'x' * 57}...'"
