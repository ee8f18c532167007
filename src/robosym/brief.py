"""Objects with thousands of parts in one short line, for people at a prompt."""

from __future__ import annotations

LONGEST = 110


def brief(*words: str) -> str:
    """``<words>`` on one line, cut where it gets long."""
    text = " ".join(" ".join(words).split())
    return f"<{text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}>"
