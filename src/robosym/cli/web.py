"""``robosym web``: the page."""

from __future__ import annotations

from typing import Annotated

import typer

from ..errors import RobosymError
from .command import app

Port = Annotated[int, typer.Option("--port", help="Port; 0 takes any free one.")]
Host = Annotated[
    str, typer.Option("--host", help="Address to listen on. Addresses other than localhost require a token.")
]
Token = Annotated[
    str | None,
    typer.Option(
        "--token", envvar="ROBOSYM_WEB_TOKEN", show_default=False, help="Access token; by default a random one."
    ),
]
Open = Annotated[bool, typer.Option("--open/--no-open", help="Whether to open the browser.")]


@app.command()
def web(port: Port = 8765, host: Host = "127.0.0.1", token: Token = None, open_page: Open = True) -> None:
    """Start the web app."""
    try:
        from ..web.running import serve
    except ModuleNotFoundError as error:
        raise RobosymError(f"the page needs {error.name}: pip install 'robosym[web]'") from error

    serve(port, host=host, token=token, open_page=open_page)
