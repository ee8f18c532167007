"""``robosym help``: for those who type a word where others type ``--help``."""

from __future__ import annotations

from typing import Annotated

import typer

from .command import app
from .guesses import no_such

Words = Annotated[
    list[str] | None, typer.Argument(metavar="[COMMAND] [WORDS]", help="Command, and the words that follow it.")
]


@app.command(name="help")
def help_(context: typer.Context, words: Words = None) -> None:
    """Show the commands, or the help of one.

    For example `robosym help count rx90 jacobian`.
    """
    above = context.parent
    assert above is not None
    if not words:
        print(above.get_help())
        return
    commands = getattr(above.command, "commands", {})
    if words[0] not in commands:
        raise typer.BadParameter(no_such("command", words[0], commands))
    commands[words[0]].make_context(words[0], [*words[1:], "--help"], parent=above)
