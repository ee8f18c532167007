"""Writes what each package imports into the table of CONTRIBUTING.md: its last column follows from the source.

The names of the rows, their order and what they hold are written by hand. A row that imports one below it is said here, and
``tests/test_floors.py`` fails.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import test_floors as floors  # noqa: E402

LINE = re.compile(r"^(\| `([\w.]+)` \| .+ \|) .*? ?\|$")


def imports(rows: dict[str, frozenset[str]]) -> dict[str, set[str]]:
    """The rows that the modules of each row import."""
    found: dict[str, set[str]] = {name: set() for name in rows}
    for name, tree, package in floors.modules():
        own = floors.row_of(name, rows)
        if own and name not in floors.TOP:
            found[own] |= {floors.row_of(other, rows) for other in floors.imported(tree, package)} - {own, ""}
    return found


def column(name: str, used: set[str], order: list[str], before: str) -> str:
    """The last column of a row; where it allows all rooms of models, or everything above, it stays so."""
    if "everything above" in before:
        return "everything above"
    rooms = {other for other in order if other.startswith("models.")}
    whole = floors.EVERY_ROOM in before
    words = []
    for other in order:
        if whole and other in rooms:
            continue
        if other in used or (whole and other == "models" and name != "models"):
            words.append(f"`{other}`" + (f" and {floors.EVERY_ROOM}" if whole and other == "models" else ""))
    if whole and name == "models":
        words.append("and " + floors.EVERY_ROOM)
    return ", ".join(words)


def main() -> None:
    path = ROOT / "CONTRIBUTING.md"
    text = path.read_text(encoding="utf-8")
    rows = floors.table(text)
    order, used = list(rows), imports(rows)
    lines = []
    for line in text.splitlines():
        row = LINE.match(line)
        if row:
            made = column(row[2], used[row[2]], order, line[len(row[1]) :])
            line = f"{row[1]} {made} |" if made else f"{row[1]} |"
        lines.append(line)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in order:
        for other in sorted(used[name] & set(order[order.index(name) :])):
            users = [
                module
                for module, tree, package in floors.modules()
                if floors.row_of(module, rows) == name
                and other in {floors.row_of(one, rows) for one in floors.imported(tree, package)}
            ]
            print(f"{name} imports {other}, which stands below it: {', '.join(users)}")


if __name__ == "__main__":
    main()
