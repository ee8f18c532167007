"""Tables on the screen."""

from __future__ import annotations

from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]], title: str | None = None) -> None:
    """Print a table."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(*head, title=title, box=box.SIMPLE_HEAD, title_justify="left")
    for row in rows:
        drawn.add_row(*[Text(cell) for cell in row])
    console = Console()
    if not console.is_terminal:  # in a file or a pipe lines may be long
        console = Console(width=200)
    console.print(drawn)


def short(written: str) -> str:
    """Long floats are shortened on the screen; the files keep every digit."""
    try:
        return f"{float(written):.6g}"
    except ValueError:
        return written
