"""``robosym web``: the page."""

from __future__ import annotations

from typing import Annotated

import typer

from ..errors import RobosymError

Port = Annotated[int, typer.Option("--port", help="Where it listens; 0 takes any free port.")]
Host = Annotated[
    str, typer.Option("--host", help="The address it listens on. Any but this machine's own asks visitors for a token.")
]
Token = Annotated[
    str | None,
    typer.Option(
        "--token", envvar="ROBOSYM_WEB_TOKEN", show_default=False, help="The token; by default a new one is made up."
    ),
]
Open = Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")]


def add_web(app: typer.Typer) -> None:
    """The command of this file."""
    app.command()(web)


def web(port: Port = 8765, host: Host = "127.0.0.1", token: Token = None, open_page: Open = True) -> None:
    """Every model of a robot, seen and moved: a page in the browser, served by this machine to itself."""
    try:
        from ..web.running import serve
    except ModuleNotFoundError as error:
        raise RobosymError(f"the page needs {error.name}: pip install 'robosym[web]'") from error

    serve(port, host=host, token=token, open_page=open_page)
