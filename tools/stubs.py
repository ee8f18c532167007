"""Writes src/robosym/models/__init__.pyi, which tells editors and type checkers where each model function is.

    python tools/stubs.py [--check]

The functions are found by their declarations; with --check nothing is written, and the exit status says whether the file is current.
"""

from __future__ import annotations

import sys
from pathlib import Path

from robosym import models
from robosym.models.catalogue import modules

FILE = Path(__file__).resolve().parent.parent / "src" / "robosym" / "models" / "__init__.pyi"
HEAD = "# Written by tools/stubs.py from the declarations of the models.\n"


def text() -> str:
    """The stub file."""
    places = {**models._OTHERS, **modules(), "MODELS": ".catalogue", "models_of": ".available"}
    lines = [
        f"from {places[name]} import {name} as {name}\n" for name in sorted(places, key=lambda one: (places[one], one))
    ]
    return HEAD + "".join(lines)


def main() -> int:
    if "--check" in sys.argv:
        return int(FILE.read_text(encoding="utf-8") != text())
    FILE.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
