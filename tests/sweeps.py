"""How much of a random sweep runs: ``ROBOSYM_SWEEP=10 pytest ...`` makes every one ten times as long."""

from __future__ import annotations

import os


def many(count: int) -> int:
    return count * int(os.environ.get("ROBOSYM_SWEEP", "1"))
