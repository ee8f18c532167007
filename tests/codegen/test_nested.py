"""Arrays of arrays as text: indices, subscripts and literals."""

from __future__ import annotations

from ast import literal_eval

import numpy as np
import pytest

from robosym.codegen.nested import indices, nested, subscript

SHAPES = [(), (1,), (7,), (2, 3), (3, 1), (2, 3, 4), (2, 0), (0, 3), (0,)]


@pytest.mark.parametrize("shape", SHAPES)
def test_indices_are_counted_by_rows(shape):
    numbers = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    for flat in numbers.ravel().tolist():
        assert indices(flat, shape) == [int(i) for i in np.unravel_index(flat, shape)]
        entry = eval(f"numbers{subscript(flat, shape)}", {"numbers": numbers.tolist()})
        assert entry == flat


@pytest.mark.parametrize("width", [36, 120])
@pytest.mark.parametrize("spaced", [False, True], ids=["plain", "spaced"])
@pytest.mark.parametrize("shape", SHAPES)
def test_literals_read_back(shape, spaced, width):
    """Also where rows are too long for a line, whose entries may hold spaces or not."""
    numbers = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    texts = [f"{10_000} + {n}j" if spaced else str(n) for n in numbers.ravel()]
    lines = nested(texts, shape, "    ", "(", ")", width=width)
    assert max(map(len, lines)) <= width
    assert all(line.startswith("    ") and not line.endswith(" ") for line in lines)
    expected = (10_000 + 1j * numbers if spaced else numbers).tolist()
    assert literal_eval("\n".join(lines).strip()) == expected


def test_rows_have_lines_of_their_own():
    assert nested(list("abcd"), (2, 2), "  ", "x = ", ";", step=" ", brackets="{}", last="") == [
        "  x = {",
        "   {a, b},",
        "   {c, d}",
        "  };",
    ]
    assert nested(list("abcd"), (2, 2), "", last=",")[-2] == "    [c, d],"
    assert nested(["a"], (), "  ", "x = ", ";") == ["  x = a;"]
    assert nested([], (0, 3), "", "x = ", ";") == ["x = [];"]


def test_a_long_row_has_a_line_for_each_entry_unless_all_are_plain():
    plain, spaced = ["aaaa", "bbbb", "cccc"], ["a + a", "b + b", "c + c"]
    assert nested(plain, (3,), "", "x = ", width=17) == ["x = [aaaa, bbbb,", "    cccc]"]
    assert nested(spaced, (3,), "", "x = ", width=17) == ["x = [", "    a + a,", "    b + b,", "    c + c,", "]"]
    assert nested(spaced, (3,), "", "x = ", width=25) == ["x = [a + a, b + b, c + c]"]
