"""What code computes, in words: sentences of arrays, labels of entries, and the same read back from plain data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from robosym.program.documentation import Described, Documentation, Entry

Q = Described("joint positions", (Entry("q1", "rad"), Entry("q2", "m")))
QD = Described("joint velocities", (Entry("qd1", "rad/s"), Entry("qd2", "rad/s")))
X = Described("a point", (Entry("x"), Entry("y"), Entry("z")), unit="m")
J = Described(
    "Jacobian matrix",
    (Entry("vx", "m/s"), Entry("vy", "m/s"), Entry("wz", "rad/s")),
    (Entry("qd1", "rad/s"), Entry("qd2", "rad/s")),
)
A = Described("inertia matrix", (Entry("qd1", ""), Entry("qd2", "")), (Entry("qd1", ""), Entry("qd2", "")))
K = Described("gains", (Entry("q1"), Entry("q2")), (Entry("k1", "N"), Entry("k2", "N m")))
ONE = Described("a number", (Entry("t", "s"),))
WHOLE = Documentation(
    "everything", ("made of a table", "by hand"), {"q": Q, "qd": QD, "x": X, "J": J, "A": A, "K": K, "t": ONE}
)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("q", "joint positions"),
        ("qd", "joint velocities, in rad/s"),
        ("x", "a point, in m"),
        ("t", "a number, in s"),
        ("J", "Jacobian matrix; rows: vx, vy in m/s, wz in rad/s; columns: as qd per rad/s"),
        ("A", "inertia matrix; rows and columns: as qd"),
        ("K", "gains; rows: as q; columns: k1 in N, k2 in N m"),
    ],
)
def test_sentences(name: str, sentence: str) -> None:
    assert WHOLE.words(name) == sentence


def test_a_matrix_without_rows_names_its_columns() -> None:
    one = Documentation(
        "", (), {"M": Described("columns", (), (Entry("a", "m"),)), "M2": Described("all in N", (), (Entry("b"),), "N")}
    )
    assert one.words("M") == "columns; columns: a in m"
    assert one.words("M2") == "all in N, in N; columns: b"


def test_an_axis_is_not_like_itself_or_a_single_entry() -> None:
    rows = (Entry("t", "s"),)
    one = Documentation("", (), {"t": ONE, "D": Described("d", rows, (Entry("a"), Entry("b")))})
    assert one.words("D") == "d; rows: t in s; columns: a, b"


def test_labels_have_units_where_these_differ() -> None:
    assert WHOLE.labels("q") == ["q1 (rad)", "q2 (m)"]
    assert WHOLE.labels("qd") == ["qd1", "qd2"]
    assert WHOLE.labels("x") == ["x", "y", "z"]
    assert WHOLE.labels("J") == []
    mixed = Documentation("", (), {"p": Described("", (Entry("a", "m"), Entry("b")))})
    assert mixed.labels("p") == ["a (m)", "b"]


def test_plain_data_is_read_back() -> None:
    data = WHOLE.as_dict()
    assert Documentation.from_dict(json.loads(json.dumps(data))) == WHOLE
    assert data["arrays"]["x"] == {"about": "a point", "unit": "m", "rows": [["x", ""], ["y", ""], ["z", ""]]}
    assert "columns" not in data["arrays"]["q"]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ([], "expected 'about'"),
        ({"about": "a", "made": []}, "expected 'about'"),
        ({"about": 1, "made": [], "arrays": {}}, "expected a text"),
        ({"about": "a", "made": "b", "arrays": {}}, "expected a list"),
        ({"about": "a", "made": [1], "arrays": {}}, "expected a text"),
        ({"about": "a", "made": [], "arrays": {"q": 1}}, "expected an object"),
        ({"about": "a", "made": [], "arrays": {"q": {"about": "b", "rows": 3}}}, "expected a list"),
        ({"about": "a", "made": [], "arrays": {"q": {"about": "b", "rows": [["x"]]}}}, "expected a text"),
        ({"about": "a", "made": [], "arrays": {"q": {"about": "b", "rows": ["xy"]}}}, "expected a text"),
        ({"about": "a", "made": [], "arrays": {"q": {"about": "b", "unit": None}}}, "expected a text"),
    ],
)
def test_what_is_no_documentation_is_refused(data: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Documentation.from_dict(data)
