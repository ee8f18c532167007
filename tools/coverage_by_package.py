"""Coverage of the tests by package: statements, how many of them ran, and the share.

``python tools/coverage_by_package.py`` runs the fast tests; arguments are those of pytest and take their place:
``python tools/coverage_by_package.py tests/expr -n 2``. Processes that the tests start count too. The exit status is
that of pytest.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FAST = ["-m", "not slow and not delivery"]
DEPTH = 2  # packages within packages that have a row of their own
# ``subprocess`` measures the processes of tests, ``_exit`` also those that end without Python's cleaning up.
SETTINGS = """
[run]
source_pkgs = robosym
parallel = true
data_file = {data}
patch = subprocess, _exit
disable_warnings = no-data-collected, couldnt-parse, module-not-imported, module-not-measured
"""


def package_of(path: str, depth: int = DEPTH) -> str:
    """The package of a file: ``models.kinematic`` for .../robosym/models/kinematic/jacobian.py."""
    parts = PurePosixPath(path.replace("\\", "/")).parts
    start = len(parts) - parts[::-1].index("robosym")
    return ".".join(parts[start:-1][:depth]) or "robosym"


def by_package(files: Mapping[str, Mapping[str, Any]], depth: int = DEPTH) -> list[tuple[str, int, int]]:
    """Package, statements and covered statements, in the order of their names; the last row is the total.

    ``files`` is the part of that name of what ``coverage json`` writes.
    """
    sums: dict[str, list[int]] = {}
    for path, entry in files.items():
        row = sums.setdefault(package_of(path, depth), [0, 0])
        row[0] += entry["summary"]["num_statements"]
        row[1] += entry["summary"]["covered_lines"]
    total = [sum(row[k] for row in sums.values()) for k in (0, 1)]
    return [(name, *sums[name]) for name in sorted(sums)] + [("total", *total)]  # type: ignore[misc]


def table(rows: Sequence[tuple[str, int, int]]) -> str:
    """The rows as text; a package without statements has no share."""
    width = max(len("package"), *(len(name) for name, _, _ in rows))
    lines = [f"{'package':<{width}}  statements  covered      %"]
    for name, statements, covered in rows:
        share = f"{100 * covered / statements:5.1f}" if statements else "    -"
        lines.append(f"{name:<{width}}  {statements:>10}  {covered:>7}  {share}")
    return "\n".join(lines)


def measured(arguments: Sequence[str], folder: Path) -> tuple[int, dict[str, Any]]:
    """Pytest's exit status, and what ``coverage json`` says of each file."""
    settings, report = folder / "settings.ini", folder / "report.json"
    settings.write_text(SETTINGS.format(data=folder / "data"), encoding="utf-8")

    def coverage(*words: str | Path, quiet: bool = True) -> int:
        command = [sys.executable, "-m", "coverage", *map(str, words)]
        return subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL if quiet else None).returncode

    status = coverage("run", f"--rcfile={settings}", "-m", "pytest", *arguments, quiet=False)
    coverage("combine", "--quiet", f"--rcfile={settings}")
    coverage("json", "--quiet", f"--rcfile={settings}", "-o", report)
    return status, json.loads(report.read_text(encoding="utf-8"))["files"]


def main() -> None:
    if importlib.util.find_spec("coverage") is None:
        sys.exit("coverage is not installed: pip install coverage")
    with tempfile.TemporaryDirectory() as name:
        status, files = measured(sys.argv[1:] or FAST, Path(name))
    print(table(by_package(files)))
    sys.exit(status)


if __name__ == "__main__":
    main()
