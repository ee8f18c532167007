"""Names and texts of a description in C, C++ and Python: the compilers read back what was written."""

from __future__ import annotations

import ast
import ctypes
import keyword
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from language_report import tool
from package_robots import EVIL, HOSTILE

from robosym.packaging.names import HEADERS, PYTHON_MODULES, c_string, plain, python_string

TEXTS = (
    *HOSTILE,
    EVIL,
    "",
    "arm",
    "??=??/??'??(??)??!??<??>??-",
    "\\n \\x41 \\",
    "\0nul\0" + "1",
    "\n\r\t\x07\x7f\x80",
    "плечо 肘 🤖",
    "%s %n",
    "\udc80",
    "".join(map(chr, range(256))),
)


def test_strings_in_c(compiled: Callable[[str], ctypes.CDLL]) -> None:
    """Compiled as strict C99, which has trigraphs: every byte of the UTF-8 is there, and nothing more."""
    lines = [f"const char s{k}[] = {c_string(text)};\nconst int n{k} = sizeof s{k};" for k, text in enumerate(TEXTS)]
    library = compiled("\n".join(lines) + "\n")
    for k, text in enumerate(TEXTS):
        count = ctypes.c_int.in_dll(library, f"n{k}").value
        found = bytes((ctypes.c_char * count).in_dll(library, f"s{k}"))
        assert found == text.encode("utf-8", "surrogatepass") + b"\0"


@given(st.text(st.characters(codec=None)))
def test_strings_in_python(text: str) -> None:
    said = python_string(text)
    assert ast.literal_eval(said) == text
    assert said.isascii()
    assert "\n" not in said


@given(st.text())
def test_strings_in_c_are_plain_ascii_on_one_line(text: str) -> None:
    said = c_string(text)
    inner = said[1:-1]
    assert said[0] == said[-1] == '"'
    assert said.isascii()
    assert said.isprintable()
    assert '"' not in inner
    assert "?" not in inner
    for part in inner.split("\\")[1:]:
        assert part[:3].isdigit()


@given(st.text())
def test_what_stands_in_a_comment_ends_none(text: str) -> None:
    said = plain(text)
    assert said.isascii()
    assert not set(said) & set('"\\*?#$%&@`{|}~!\n\r\t\0')
    assert plain(said) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rad/s^2, N m", "rad/s^2, N m"),
        ('a "b"', "a 'b'"),
        ("end */", "end _/"),
        ("two\nlines", "two_lines"),
        ("", ""),
        ("µ🤖x", "_x"),
    ],
)
def test_plain(text: str, said: str) -> None:
    assert plain(text) == said


def test_what_needs_no_escape_has_none() -> None:
    """All printable letters of ASCII but three stand as they are."""
    plain_ascii = "".join(letter for letter in map(chr, range(32, 127)) if letter not in '"\\?')
    assert c_string(plain_ascii) == f'"{plain_ascii}"'
    assert c_string('"\\?\x7f\x1f') == '"\\042\\134\\077\\177\\037"'


def test_headers_of_c_are_headers() -> None:
    """Each is one that the compiler finds."""
    text = "".join(f"#include <{name}.h>\n" for name in sorted(HEADERS))
    done = subprocess.run(
        [tool("c"), "-std=c11", "-fsyntax-only", "-x", "c", "-"], input=text, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert {"math", "string", "errno"} <= HEADERS


def test_modules_of_python() -> None:
    """All that an import could meet, in small letters."""
    assert set(map(str.lower, sys.stdlib_module_names)) <= PYTHON_MODULES
    assert {word.lower() for word in (*keyword.kwlist, *keyword.softkwlist)} <= PYTHON_MODULES
    assert {"numpy", "setuptools", "robosym", "src", "build"} <= PYTHON_MODULES
    assert all(name == name.lower() for name in PYTHON_MODULES)
    assert "arm" not in PYTHON_MODULES
    assert np.__name__ in PYTHON_MODULES
