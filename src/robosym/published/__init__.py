"""The published operation counts beside ours, cell by cell."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from ..expr import Operations

if TYPE_CHECKING:
    from ..generated import Model


@dataclass(frozen=True)
class Cell:
    """One published figure: a model of a robot, in which parameters, and where it stands."""

    robot: str
    model: str
    mul: int
    add: int
    source: str
    parameters: str = "base"  # or "standard", or "none" for a model without inertial parameters
    options: dict[str, Any] = field(default_factory=dict)
    numeric: bool = False  # with the robot's values as numbers in the code
    div: int | None = None  # divisions, and functions such as roots and arctangents, where they are known
    functions: int | None = None

    @property
    def total(self) -> int:
        return self.mul + self.add

    @property
    def written_in(self) -> str:
        """The parameters, as tables say it."""
        return f"{self.parameters}, numbers" if self.numeric else self.parameters

    def count(self) -> Operations:
        """The operations of our model of the same."""
        found = self.build()
        return (found.with_values() if self.numeric else found).operations

    def build(self) -> Model:
        """Our model of the same."""
        from .. import models
        from ..library import load

        written_in = {} if self.parameters == "none" else {"parameters": self.parameters}
        return models.MODELS[self.model](load(self.robot), **written_in, **self.options)


@dataclass(frozen=True)
class Comparison:
    """A published figure and what we reach."""

    cell: Cell
    ours: Operations

    @property
    def ratio(self) -> float:
        return self.ours.total / self.cell.total

    def as_dict(self) -> dict[str, Any]:
        cell = self.cell
        published = {"mul": cell.mul, "add": cell.add, "total": cell.total}
        known = {"div": cell.div, "functions": cell.functions}
        published |= {name: count for name, count in known.items() if count is not None}
        ours = {**self.ours.as_dict(), "total": self.ours.total}
        return {
            "robot": cell.robot,
            "model": cell.model,
            "parameters": cell.parameters,
            "numeric": cell.numeric,
            "source": cell.source,
            "published": published,
            "ours": ours,
            "ratio": round(self.ratio, 4),
        }


def cells() -> list[Cell]:
    """Every published figure."""
    return list(_cells())


@cache
def _cells() -> tuple[Cell, ...]:
    text = resources.files(__package__).joinpath("costs.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    found = []
    for row in data["cell"]:
        row["source"] = f"{data['sources'][row['source']]}, {row.pop('place')}"
        found.append(Cell(**row))
    return tuple(found)


def reproduce() -> Iterator[Comparison]:
    """Our count of every published cell, one after the other."""
    for cell in cells():
        yield Comparison(cell, cell.count())


def as_markdown(rows: list[Comparison]) -> str:
    """The page docs/published.md."""
    lines = [
        "# Published counts, and ours",
        "",
        "Written by `robosym reproduce -o docs/published.md`. Multiplications + additions of the straight-line programs, by the",
        "counting rule of [conventions](conventions.md); the strict total charges every sine and cosine of a sum or a double",
        "angle, which the published rule takes as free. For the Jacobian no table is published: its rows are counts of what other",
        "tools write, by the same rule, as are those of the robots with closed loops, which are counted with their loops solved;",
        "`numbers`: with the values of the robot in the code. Beside the totals: divisions, and other functions (roots,",
        "arctangents, comparisons).",
        "",
        "| robot | model | parameters | published | ours | strict | div | other | ratio | source |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        c, o = row.cell, row.ours
        published, ours = f"{c.mul} + {c.add} = {c.total}", f"{o.mul} + {o.add} = {o.total}"
        first = f"| {c.robot} | {c.model} | {c.written_in} | {published} | {ours} "
        lines.append(
            f"{first}| {o.strict} | {beside(c.div, o.div)} | {beside(c.functions, o.other)} | {row.ratio:.2f} | {c.source} |"
        )
    return "\n".join(lines) + "\n"


def beside(published: int | None, ours: int) -> str:
    """What a table says of both."""
    return str(ours) if published is None else f"{published}, ours {ours}"
