"""What is said about languages at the end of a run is what happened in it."""

from __future__ import annotations

from types import SimpleNamespace

from language_report import CHECKS, RUNNERS, RUNS, missing, summary

from robosym import codegen


def report(language: str, kind: str = RUNS, reason: str = "") -> SimpleNamespace:
    return SimpleNamespace(user_properties=[(kind, language)], longrepr=reason)


def test_every_language_has_something_that_runs_it():
    assert sorted(RUNNERS) == codegen.languages()


def test_nothing_is_said_where_nothing_was_asked():
    assert summary({"passed": [SimpleNamespace()]}) == []


def test_only_what_passed_counts_as_run():
    whole_file = SimpleNamespace(longrepr=f"Skipped: {missing('jax')}")
    lines = summary(
        {
            "passed": [report("python"), report("json"), report("json"), report("julia", CHECKS)],
            "failed": [report("json")],
            "skipped": [report("julia"), report("maple"), whole_file],
        }
    )
    assert lines[0].startswith("run in the real thing: python (python 3.")
    assert lines[1:] == [
        "FAILED: json",
        "printed but not run here: jax (no jax), julia (no julia: its syntax tree was checked and evaluated), "
        "maple (no giac)",
    ]
