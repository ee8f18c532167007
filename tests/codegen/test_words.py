"""Words of comments: harmless whatever they hold, with entries and units where these are known."""

from __future__ import annotations

import pytest

from robosym.codegen.words import (
    array_words,
    indexed,
    introduced,
    listed,
    one_line,
    parameter_entries,
    parameters_about,
    prose,
    said_lines,
    shape_text,
    vector_entries,
)
from robosym.program.documentation import Described, Documentation, Entry

SAID = Documentation(
    "torques of the joints",
    ("by recursion",),
    {
        "q": Described("positions", (Entry("q1", "rad"), Entry("carriage", "m"))),
        "qd": Described("velocities", (Entry("qd_1", "rad/s"), Entry("hip", "rad/s"))),
        "parameters": Described("of the robot", (Entry("L1", "m"), Entry("M1", "kg*m"), Entry("K"))),
    },
)


@pytest.mark.parametrize("end", ["*/", "//", '"""', "'", "\n", "\\", "`", "#}", "$", "é", "\0"])
def test_no_text_ends_a_comment(end):
    for harmless in (one_line, prose):
        text = harmless(f"a {end} b{end}")
        assert text == text.encode("ascii").decode()
        assert not set(text) & set("*/\"'\n\\`#$}\0é")
        assert text.startswith("a ")
        assert text.index("_") < text.index("b")


def test_units_keep_their_slash():
    assert prose("m/s, 1/rad, a */ b, /c, d/") == "m/s, 1/rad, a _ b, _c, d_"
    assert one_line("m/s") == "m_s"
    assert prose("T[1] = (a, b); x: y - z.") == "T[1] = (a, b); x: y - z."


def test_indices_and_shapes():
    assert indexed(["a", "b"], 1) == "[1]\0a, [2]\0b"
    assert [shape_text(shape) for shape in ((), (3,), (2, 3))] == ["scalar", "3", "2x3"]


def test_entries_of_a_vector_are_said_once():
    """Not twice, where a label says no more than the symbol; the unit only if it is not that of all."""
    assert vector_entries(SAID, "q", ["q1", "q2"], 2) == ["q1\0q1\0(rad)", "q2\0carriage\0(m)"]
    assert vector_entries(SAID, "qd", ["qd 1", "qd_2"], 2) == ["qd\x001", "qd_2\0hip"]
    assert vector_entries(SAID, "q", [], 2) == ["q1\0(rad)", "carriage\0(m)"]
    assert vector_entries(SAID, "q", ["a", "b", "c"], 3) == ["a", "b", "c"]  # another size: another array
    assert vector_entries(SAID, "unknown", ["a"], 1) == vector_entries(None, "q", ["a"], 1) == ["a"]


def test_parameters_have_their_units():
    assert parameter_entries(SAID, ["M1", "L1", "K", "new"]) == ["M1\0(kg_m)", "L1\0(m)", "K", "new"]
    assert parameter_entries(None, ["M1"]) == ["M1"]
    assert parameters_about(SAID) == "of the robot"
    assert parameters_about(None) == parameters_about(Documentation("a")) == ""


def test_an_array_is_head_words_and_entries():
    assert array_words(SAID, "qd") == "velocities, in rad/s"
    assert listed("qd [2]", SAID, "qd", (2,), 200, 1) == ["  qd [2]: velocities, in rad/s: [1] qd_1, [2] hip"]
    assert listed("y [2]", SAID, "y", (2,), 200, 0, ["a", "b"], "results") == ["  y [2]: results: [0] a, [1] b"]
    assert listed("R [1x2]", None, "R", (1, 2), 200, 0, ["a", "b"]) == ["  R [1x2]: a, b"]
    assert listed("qd [2]", SAID, "qd", (2,), 200, 0, fallback="no")[0].startswith("  qd [2]: velocities, in rad/s: ")


def test_lines_that_are_said_are_short():
    parts = ["head", "", "word " * 60]
    widths = [max(map(len, said_lines(parts, said, 120))) for said in (None, SAID)]
    assert 110 < widths[0] <= 120
    assert 86 < widths[1] <= 96
    assert said_lines(["head", "", "tail"], None, 80) == ["  head: tail"]
    assert list(introduced(SAID)) == ["torques of the joints", "by recursion"]
    assert list(introduced(None)) == []
