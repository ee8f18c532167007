"""What is wrong with a description, in words: every problem with its place, many of one kind as one."""

from __future__ import annotations

from robosym.robot.problems import MOST_ALIKE, MOST_SHOWN, Problem, RobotError, gathered


def test_a_problem_says_where_it_is() -> None:
    assert str(Problem("frame 3, alpha", "expected a number")) == "frame 3, alpha: expected a number"
    assert str(Problem("", "no frame")) == "no frame"


def test_an_error_has_all_problems_but_warnings() -> None:
    found = [Problem("a", "one"), Problem("b", "two", is_warning=True), Problem("", "three")]
    error = RobotError(found, "arm.toml")
    assert error.problems == [found[0], found[2]]
    assert str(error) == "arm.toml: a: one\narm.toml: three"
    assert error.source == "arm.toml"
    assert str(RobotError(iter(found))) == "a: one\nthree"


def test_very_many_problems_are_counted() -> None:
    for count in (MOST_SHOWN, MOST_SHOWN + 1, MOST_SHOWN + 7):
        lines = str(RobotError([Problem(f"frame {k}", "bad") for k in range(count)])).splitlines()
        assert lines[:MOST_SHOWN] == [f"frame {k}: bad" for k in range(MOST_SHOWN)]
        assert lines[MOST_SHOWN:] == ([f"and {count - MOST_SHOWN} more problems"] if count > MOST_SHOWN else [])


def test_warnings_of_one_kind_become_one() -> None:
    alike = [Problem(f"frame {k}, inertia", f"impossible: the mass is {-k}", True) for k in range(1, 6)]
    other = [Problem("frame 1, inertia", "unknown: 3", True), Problem("frame 1, alpha", "impossible: 3", True)]
    assert gathered(other) == [(str(one), 1) for one in other]
    assert gathered(alike[:MOST_ALIKE]) == [(str(one), 1) for one in alike[:MOST_ALIKE]]
    assert gathered([alike[0], other[0], *alike[1:]]) == [
        ("frame 1, inertia: impossible: the mass is -1 (and 4 more of this kind: frame 2, frame 3, ...)", 5),
        (str(other[0]), 1),
    ]
    plain = [Problem(f"place{k}", "odd", True) for k in range(2)]
    assert gathered(plain) == [(str(one), 1) for one in plain]
