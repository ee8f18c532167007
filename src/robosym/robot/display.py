"""A robot in a notebook: the table of its frames, limits and masses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from ..brief import cut
from ..expr import Expr, latex, text
from ..markup import MOST_ROWS, folded, heading, inline, latex_table, latex_text, table
from .parts import FIXED, FREE, INERTIA, REVOLUTE, Limits

if TYPE_CHECKING:
    from .robot import Robot

GEOMETRY = ("gamma", "b", "alpha", "d", "theta", "r")
LONGEST = 40  # letters of an entry of the table; a longer one is cut
KINDS = {REVOLUTE: "revolute", FIXED: "fixed", FREE: "free"}


def html_of(robot: Robot) -> str:
    """Modified Denavit-Hartenberg parameters, then limits and inertial parameters where there are any."""
    parts = [heading(robot.name, robot.description, repr(robot).strip("<>"))]
    head = ["j", "frame", "joint", "a(j)", "kind", *GEOMETRY]
    rows = [
        [
            j,
            frame.name,
            frame.joint.name,
            frame.antecedent,
            KINDS.get(frame.sigma, "prismatic") if frame.joint.kind is None else frame.joint.kind.name,
            *map(_short, frame.geometry),
        ]
        for j, frame in enumerate(robot.frames, 1)
    ]
    parts.append(table(head, rows, "frames: Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r) from the antecedent a(j)"))
    known = [one.name for one in fields(Limits)]
    known = [name for name in known if any(getattr(one.joint.limits, name) is not None for one in robot.frames)]
    limited = [one.joint for one in robot.frames if one.joint.limits != Limits()]
    if known:
        entries = [[joint.name, *(_number(getattr(joint.limits, name)) for name in known)] for joint in limited]
        parts.append(folded("limits of the joints", table(["joint", *known], entries), len(entries) <= 12))
    links = [("base", robot.base.link), *((one.name, one.link) for one in robot.frames)]
    loaded = [[name, *map(_short, link.inertial)] for name, link in links if any(not x.is_zero for x in link.inertial)]
    if loaded:
        parts.append(folded("masses and inertias about the frame origins", table(["frame", *INERTIA], loaded), False))
    if robot.values:
        values = [[name, f"{one.number:.9g}", one.unit, one.source] for name, one in robot.values.items()]
        parts.append(folded("values", table(["symbol", "value", "unit", "source"], values), False))
    return f"<div>{''.join(parts)}</div>"


def latex_of(robot: Robot) -> str:
    """The table of the frames as maths."""
    head = ["j", r"\text{joint}", "a(j)", r"\sigma_j", r"\gamma_j", "b_j", r"\alpha_j", "d_j", r"\theta_j", "r_j"]
    rows: list[Sequence[str]] = []
    for j, frame in enumerate(robot.frames[:MOST_ROWS], 1):
        entries = map(_formula, frame.geometry)
        sigma = str(frame.sigma) if frame.joint.kind is None else latex_text(frame.joint.kind.name)
        rows.append([str(j), latex_text(frame.joint.name), str(frame.antecedent), sigma, *entries])
    if len(robot.frames) > MOST_ROWS:
        rows.append([r"\vdots"] + [""] * (len(head) - 1))
    return inline(latex_table(head, rows))


def _short(entry: Expr) -> str:
    return cut(text(entry), LONGEST)


def _formula(entry: Expr) -> str:
    found = latex(entry)
    return found if "\n" not in found else r"\ldots"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
