"""The command line: ``robosym``. Thin: parse, call, show."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Run the command line. Exit 0 on success, 1 on a problem with the input, 2 on wrong usage."""
    import warnings

    from .screen import guarded

    warnings.showwarning = _one_line
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show a letter shows another
            stream.reconfigure(errors="replace")
    with guarded():
        _run()


def _run() -> None:
    from ..errors import RobosymError
    from .app import app
    from .screen import hang_up

    try:
        try:
            app(prog_name="robosym")
        finally:
            sys.stdout.flush()  # here, where a pipe that nobody reads any more is met
    except RobosymError as error:
        _fail(str(error))
    except RecursionError:
        _fail("the input is nested too deeply")
    except BrokenPipeError:
        hang_up()
        sys.exit(1)
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def _fail(message: str) -> None:
    print("\n".join(f"robosym: {line}" for line in message.splitlines()), file=sys.stderr)
    sys.exit(1)


def _one_line(message: Warning | str, *_: object, **__: object) -> None:
    print(f"robosym: warning: {message}", file=sys.stderr)
