"""Notes about a recording: each once, rows added up."""

from __future__ import annotations

from robosym.identification.data.notes import Notes


def test_words_are_said_once_and_rows_are_added() -> None:
    notes = Notes()
    for text in ("a", "b", "a"):
        notes.warn(text)
        notes.remark(f"{text}!")
    notes.leave_out("slow", 3)
    notes.leave_out("gap", 0)
    notes.leave_out("slow", 4)
    notes.leave_out("late", 1)
    assert notes.warnings == ["a", "b"]
    assert notes.remarks == ["a!", "b!"]
    assert notes.left_out == {"slow": 7, "late": 1}
    assert notes.lines() == [
        "warning: a",
        "warning: b",
        "a!",
        "b!",
        "7 rows left out: slow",
        "1 rows left out: late",
    ]


def test_notes_of_two_recordings_are_apart() -> None:
    first, second = Notes(), Notes()
    first.warn("a")
    first.leave_out("slow", 1)
    assert (second.warnings, second.left_out, second.lines()) == ([], {}, [])
