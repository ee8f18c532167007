"""Counts lines of code by package: without blank lines, comments and docstrings.

python tools/code_lines.py                  # every package of src/robosym
python tools/code_lines.py models robot     # these
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "robosym"
NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def docstring_lines(tree: ast.AST) -> set[int]:
    """The lines of strings that are statements of their own."""
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found


def code_lines(text: str) -> int:
    """Lines that hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstring_lines(ast.parse(text)))


def main() -> None:
    packages = sys.argv[1:] or sorted(path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists())
    total = 0
    for name in packages:
        files = sorted((SOURCE / name).rglob("*.py"))
        if not files:
            sys.exit(f"{name}: no package of {SOURCE}")
        count = sum(code_lines(path.read_text(encoding="utf-8")) for path in files)
        total += count
        print(f"{count:7} {len(files):4} files  {name}")
    print(f"{total:7} in all")


if __name__ == "__main__":
    main()
