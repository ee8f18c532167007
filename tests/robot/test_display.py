"""A robot in a notebook: rows of its frames, limits, masses and values."""

from __future__ import annotations

from fractions import Fraction

from markup_reader import check_html, check_latex

from robosym.expr import number, parameter, sin, variable
from robosym.markup import MOST_ROWS
from robosym.robot import FIXED, PRISMATIC, REVOLUTE, Frame, Joint, Limits, Link, Robot, Value
from robosym.robot.display import LONGEST, html_of, latex_of


def arm(**fields: object) -> Robot:
    q1, q2 = variable("q1"), variable("q2")
    frames = (
        Frame(
            "shoulder",
            0,
            Joint("turn", q1, limits=Limits(-1.5, None, 2.25)),
            REVOLUTE,
            number(Fraction(1, 2)),
            b=parameter("B"),
            theta=q1,
        ),
        Frame(
            "slider",
            1,
            Joint("slide", q2),
            PRISMATIC,
            alpha=number(1),
            d=parameter("L") + 2,
            r=q2,
            link=Link(M=parameter("M2")),
        ),
        Frame("tip", 2, Joint("fixed3"), FIXED),
    )
    return Robot("arm", frames, values={"L": Value(0.123456789012, "m", "drawing")}, **fields)  # type: ignore[arg-type]


def texts_of(robot: Robot) -> list[str]:
    return [text for _, _, text in check_html(html_of(robot)).texts]


def row(texts: list[str], first: str, length: int) -> list[str]:
    at = texts.index(first)
    return texts[at : at + length]


def test_rows_of_frames() -> None:
    texts = texts_of(arm(description="two joints"))
    assert texts[0] == "arm"
    assert "two joints" in texts
    assert row(texts, "shoulder", 10) == ["shoulder", "turn", "0", "revolute", "1/2", "B", "0", "0", "q1", "0"]
    assert row(texts, "slider", 10) == ["slider", "slide", "1", "prismatic", "0", "0", "1", "L + 2", "0", "q2"]
    assert row(texts, "tip", 4) == ["tip", "fixed3", "2", "fixed"]


def test_limits_masses_and_values_only_where_there_are_any() -> None:
    texts = texts_of(arm())
    at = texts.index("limits of the joints")
    assert texts[at + 1 : at + 7] == ["joint", "lower", "velocity", "turn", "-1.5", "2.25"]
    masses = texts.index("masses and inertias about the frame origins")
    assert texts[masses + 12 : masses + 23] == ["slider", *["0"] * 9, "M2"]
    assert texts[-8:] == ["symbol", "value", "unit", "source", "L", "0.123456789", "m", "drawing"]
    plain = texts_of(Robot("plain", (Frame("f", 0, Joint("q1", variable("q1")), theta=variable("q1")),)))
    assert not {"limits of the joints", "masses and inertias about the frame origins", "values"} & set(plain)


def test_the_base_has_a_mass_too() -> None:
    robot = arm()
    heavy = robot.replace(base=type(robot.base)(link=Link(M=number(3))))
    texts = texts_of(heavy)
    assert row(texts, "base", 11) == ["base", *["0"] * 9, "3"]


def test_long_entries_are_cut() -> None:
    long = sum((sin(parameter(f"P{k}")) for k in range(20)), number(0))
    robot = Robot("long", (Frame("f", 0, Joint("fixed1"), FIXED, d=long),))
    (entry,) = [text for text in texts_of(robot) if text.startswith("sin(")]
    assert len(entry) == LONGEST
    assert entry.endswith("…")


def test_maths() -> None:
    written = latex_of(arm())
    check_latex(written)
    assert r"2 & \text{slide} & 1 & 1 & 0 & 0 & 1 & L + 2 & 0 & q_{2}" in written
    assert r"\vdots" not in written
    one = Frame("f", 0, Joint("fixed"), FIXED)
    assert r"\vdots" in latex_of(Robot("many", (one,) * (MOST_ROWS + 1)))
    assert latex_of(Robot("many", (one,) * (MOST_ROWS + 1))).count(r"\text{fixed}") == MOST_ROWS
    deep = parameter("P")
    for k in range(60):
        deep = sin(deep * deep + k) + deep
    assert r"\ldots" in latex_of(Robot("deep", (Frame("f", 0, Joint("fixed"), FIXED, d=deep),)))


def test_kinds_of_joints_by_name() -> None:
    robot = Robot.from_table("leg", [{"sigma": "ball"}, {"d": 1}])
    assert "ball" in latex_of(robot)
    assert "<td>ball</td>" in html_of(robot)
