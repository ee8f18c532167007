"""``--payload``: what a frame carries, as a command line says it."""

from __future__ import annotations

from typing import Any

import typer

from .pose import numbers

OF_PAYLOADS = (
    "--payload FRAME: what the frame carries, as parameters load, load_x ... load_ZZ; --payload FRAME,MASS[,X,Y,Z[,XX,YY,ZZ or "
    "XX,XY,XZ,YY,YZ,ZZ]]: in numbers, the inertia about the centre of mass; may be repeated (load2 ...)."
)
COUNTS = (1, 4, 7, 10)  # mass; with its centre; with principal moments; with all of them


def read_payload(text: str, before: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One more payload after those ``before``, as keyword arguments of ``Robot.with_payload``."""
    frame, comma, rest = text.partition(",")
    if not frame.strip():
        raise typer.BadParameter(f"--payload: got '{text}', expected FRAME or FRAME,MASS,X,Y,Z")
    found: dict[str, Any] = {"frame": frame.strip()}
    if comma:
        mass, *more = numbers("--payload", rest, COUNTS)
        found |= {"mass": mass, "centre": more[:3] or None, "inertia": more[3:] or None}
    else:
        symbolic = sum("mass" not in one for one in before)
        found["name"] = f"load{symbolic + 1}" if symbolic else "load"
    return [*before, found]
