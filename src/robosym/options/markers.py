"""What an annotation says beside its type: ``Annotated[int, Range(1, 200)]``, ``Annotated[int | str, FRAME]``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True)
class Format:
    """Marks an annotation whose text on a command line has a form of its own: ``Annotated[int | str, FRAME]``."""

    metavar: str
    plural: str = ""


FRAME = Format("FRAME", "FRAME,...")  # a frame by number or name
AXES = Format("local-world-aligned|local|world|FRAME")
TOOL = Format("X,Y,Z|POSE")
FILE = Format("FILE")
PAYLOAD = Format("FRAME[,MASS[,X,Y,Z[,XX,YY,ZZ]]]")
COLUMNS = Format("COLUMN:JOINT=EXPRESSION,...")


@dataclass(frozen=True)
class Range:
    """Bounds of a finite number: ``least`` and ``most`` belong to the range, ``above`` and ``below`` do not."""

    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None

    def holds(self, value: float) -> bool:
        """Whether a finite number is in the range."""
        low = (self.least is None or value >= self.least) and (self.above is None or value > self.above)
        return low and (self.most is None or value <= self.most) and (self.below is None or value < self.below)

    def __str__(self) -> str:
        if self.least is not None and self.most is not None:
            return f"from {self.least:g} to {self.most:g}"
        bounds = {"of at least": self.least, "above": self.above, "of at most": self.most, "below": self.below}
        return " and ".join(f"{words} {bound:g}" for words, bound in bounds.items() if bound is not None)


Count = Annotated[int, Range(least=1)]
Seed = Annotated[int, Range(least=0)]
Positive = Annotated[float, Range(above=0)]
NotNegative = Annotated[float, Range(least=0)]
Finite = Annotated[float, Range()]


@dataclass(frozen=True)
class OneOf:
    """Marks a name of something that declares itself: ``Annotated[str, OneOf(law_names)]``."""

    names: Callable[[], Iterable[str]]
