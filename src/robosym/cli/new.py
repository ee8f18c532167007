"""``robosym new``: a description to begin with, every line of which says what it is for."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Annotated

import typer

from ..errors import RobosymError
from ..library.new import KINDS, in_comment, inside_quotes, template
from .command import app
from .guesses import no_such
from .overwrite import check_place

MODIFIED = ("gamma", "b", "alpha", "d", "theta", "r")
STANDARD = ("a", "alpha", "d", "theta")
BESIDE = ("name", "joint", "sigma")  # also in a table

File = Annotated[
    str, typer.Argument(metavar="FILE.toml", help="Description to write; existing files are not overwritten.")
]
Kind = Annotated[str, typer.Option("--kind", help=f"Structure: {', '.join(f'{k} ({v})' for k, v in KINDS.items())}.")]
From = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="TABLE.csv",
        help="Table with a row per joint: modified (alpha, d, theta, r) or standard (a, alpha, d, theta) Denavit-Hartenberg "
        "parameters. The column sigma is revolute, prismatic or fixed.",
    ),
]


@app.command()
def new(file: File, kind: Kind = "serial", table: From = None) -> None:
    """Write a commented description to start from."""
    from ..files import write_text
    from ..formats import toml

    path = Path(file)
    if path.suffix.lower() != ".toml":
        raise RobosymError(f"{file}: expected a file whose name ends in .toml")
    if kind not in KINDS:
        raise typer.BadParameter(f"--kind: {no_such('kind', kind, KINDS)}")
    if table is not None and kind != "serial":
        raise typer.BadParameter("--kind: a table is of a serial arm")
    check_place(path)
    if path.exists() or path.is_symlink():
        raise RobosymError(f"{file}: is there already, and new writes over nothing")
    text = template(kind, path.stem, path.name) if table is None else from_table(path, table)
    toml.loads(text, table or file)  # what is wrong with the table is said of it
    write_text(path, text)
    print(f"wrote {file}: change it, then robosym check {file}")


# --- from a table ----------------------------------------------------------------------------------------------------


def from_table(path: Path, table: str) -> str:
    """The description of a table of Denavit-Hartenberg parameters."""
    rows = _rows(table)
    if "a" in rows[0]:
        rows = _as_modified(rows, table)
    lines = [
        f"# Made from the table {in_comment(Path(table).name)}: fill in masses, limits and values, then robosym check {in_comment(path.name)}.",
        "# Frame j is placed with respect to the frame before by Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r).",
        "# All keys are in docs/formats.md.",
        "",
        f'name = "{inside_quotes(path.stem)}"',
        'description = "What it is"',
        'source = "Where the numbers are from"',
        "gravity = [0, 0, -9.81]                # in frame 0, m/s^2; here z0 points up",
    ]
    for j, row in enumerate(rows, 1):
        lines += ["", f"[[frame]]                              # frame {j}"]
        lines += [f"{key} = {_entry(row[key])}" for key in (*BESIDE, *MODIFIED) if row.get(key)]
        lines += [
            "# M, MX, MY, MZ, XX, XY, XZ, YY, YZ, ZZ: mass, first moments and inertia about the origin of this frame"
        ]
    return "\n".join([*lines, "", _values(rows)])


def _rows(table: str) -> list[dict[str, str]]:
    from ..files import read_text

    text = read_text(table)
    read = list(csv.DictReader(text.splitlines(), skipinitialspace=True))
    head = [key.strip() for key in (read[0] if read else {}) if key is not None]
    standard = "a" in head
    known = [*BESIDE, *(STANDARD if standard else MODIFIED)]
    unknown = [key for key in head if key not in known]
    if not read or unknown or not {"alpha", "d"} <= set(head):
        expected = f"expected columns {', '.join(MODIFIED)} (modified) or {', '.join(STANDARD)} (standard), and {', '.join(BESIDE)}"
        raise RobosymError(f"{table}: got columns {', '.join(head) or 'none'}, {expected}")
    if any(None in row or None in row.values() for row in read):
        raise RobosymError(f"{table}: a row has more or fewer entries than there are columns")
    return [{key.strip(): value.strip() for key, value in row.items()} for row in read]


def _as_modified(rows: list[dict[str, str]], table: str) -> list[dict[str, str]]:
    """Standard frame i is at the far end of link i: alpha and a belong to the next row, and a fixed frame is at the end."""
    found: list[dict[str, str]] = []
    alpha = d = ""
    for j, row in enumerate(rows, 1):
        if row.get("sigma", "") in ("fixed", "2"):
            raise RobosymError(
                f"{table}: row {j}: a standard table has no fixed frames, expected revolute or prismatic"
            )
        found.append({**row, "alpha": alpha, "d": d, "theta": row.get("theta", ""), "r": row.get("d", "")})
        alpha, d = row.get("alpha", ""), row.get("a", "")
    end = {"name": "tool", "sigma": "fixed", "alpha": alpha, "d": d}
    return [*found, end] if any(word not in ("", "0") for word in (alpha, d)) else found


def _entry(word: str) -> str:
    try:
        return repr(float(word)) if "." in word or "e" in word.lower() else str(int(word))
    except ValueError:
        return f'"{inside_quotes(word)}"'


def _values(rows: list[dict[str, str]]) -> str:
    """A place for the number of every name in the table."""
    from ..expr import free_symbols, parse

    names: dict[str, None] = {}
    for row in rows:
        for key in MODIFIED:
            try:
                symbols = free_symbols(parse(row[key])) if row.get(key) else ()
            except RobosymError:  # said when the whole is read
                continue
            names |= dict.fromkeys(symbol.name for symbol in symbols)
    own = {f"q{j}" for j in range(1, len(rows) + 1)}
    listed = [f"# {name} = 0.1" for name in sorted(names) if name not in own]
    return "\n".join(["[values]                               # numbers for names", *listed, ""])
