"""What the package of plots imports."""

from __future__ import annotations

import ast
from pathlib import Path

import robosym.plots


def test_plots_know_nothing_of_robots() -> None:
    """Of ours, the package imports the errors and itself alone; matplotlib only inside functions."""
    for file in Path(robosym.plots.__file__).parent.glob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.level >= 2:
                assert node.module in ("errors", "brief", "files"), f"{file.name}: {node.module}"
        for node in tree.body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                assert "matplotlib" not in ast.unparse(node), file.name
