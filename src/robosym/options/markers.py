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
    phrase: str = ""  # in error messages, where that of the type says too little
    phrases: str = ""  # of several


FRAME = Format("FRAME", "FRAME,...", "a frame by number or name", "frames by number or name")
AXES = Format(
    "local-world-aligned|local|world|FRAME",
    phrase="'local-world-aligned', 'local', 'world' (or 'mixed', 'body', 'spatial'), or a frame by number or name",
)
TOOL = Format(
    "X,Y,Z|POSE",
    phrase="a pose (4 x 4), a point such as (0, 0, 0.1), or x, y, z, qx, qy, qz, qw, in numbers or expressions",
)
COLUMNS = Format("COLUMN:JOINT=EXPRESSION,...")
PER_JOINT = Format("NUMBER,...|JOINT=NUMBER,...")  # numbers in the order of the joints, or by name
BOX = Format("X0:X1,Y0:Y1,Z0:Z1")
PATH = Format("PATH")
FILE = Format("FILE")
PAYLOAD = Format("FRAME[,MASS[,X,Y,Z[,XX,YY,ZZ]]]")


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
            return f"from {_text(self.least)} to {_text(self.most)}"
        bounds = {"of at least": self.least, "above": self.above, "of at most": self.most, "below": self.below}
        return " and ".join(f"{words} {_text(bound)}" for words, bound in bounds.items() if bound is not None)


def _text(bound: float) -> str:
    return str(bound) if isinstance(bound, int) else f"{bound:g}"


@dataclass(frozen=True)
class Note:
    """Explains in error messages why values of another type do not fit: ``Annotated[bool, Note("...")]``."""

    text: str


Count = Annotated[int, Range(least=1)]
Seed = Annotated[int, Range(least=0)]
Positive = Annotated[float, Range(above=0)]
NotNegative = Annotated[float, Range(least=0)]
Finite = Annotated[float, Range()]


@dataclass(frozen=True)
class OneOf:
    """Marks a name of something that declares itself: ``Annotated[str, OneOf(law_names)]``."""

    names: Callable[[], Iterable[str]]
