"""What a kind of joint says of itself. Models see it only as a chain of revolute and prismatic joints (``robot/chains.py``).

The frame of a joint is first placed by its six geometric parameters, which are constant, then by ``placement(q)``. From there
elementary joints lead to the frame of the link, each about or along the z axis of a frame that is turned by gamma about z and by alpha
about x before it; massless links are between them. Each elementary joint has a position x_i(q) and a speed, one row of a matrix G(q):

    speeds of the elementary joints = G(q) qd,    their accelerations = G(q) qdd + dG/dt qd

A kind whose positions are all in the elementary joints, such as a universal joint, has no placement and G = 1. A ball joint has its
orientation in the placement, and three elementary joints that stay at zero: they only carry the three speeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from ...expr import Expr, number, pi, variable
from ...spatial.scalar import Scalar
from ...spatial.screws import Motion

ZERO = number(0)
Row = tuple[tuple[int, Scalar], ...]  # a row of G without its zeros: places in qd, and coefficients
Unit = Literal["angle", "length", "quaternion"]


@dataclass(frozen=True)
class Entry:
    """An entry of q or qd that belongs to a joint: the end of its name, and what it is measured in."""

    suffix: str
    unit: Unit
    neutral: float = 0.0


QUARTER = pi / 2


@dataclass(frozen=True)
class Step:
    """An elementary joint: it turns about its z axis, or slides along it."""

    slides: bool
    position: Scalar
    row: Row
    rates: Row = ()  # dG/dt
    gamma: Expr = ZERO  # before the axis, about z, then alpha about x
    alpha: Expr = ZERO


def about_next(slides: bool, position: Scalar, row: Row, rates: Row = ()) -> Step:
    """An elementary joint about the axis that was x before it, which is z now: three of them are about x, y and z of one frame."""
    return Step(slides, position, row, rates, QUARTER, QUARTER)


@dataclass(frozen=True)
class JointKind:
    """A kind of joint; its fields are what a description says of it, such as the pitch of a screw."""

    name: ClassVar[str]
    positions: ClassVar[tuple[Entry, ...]]  # of q
    speeds: ClassVar[tuple[Entry, ...]]  # of qd
    speed_axes: ClassVar[str] = ""  # the axes that the speeds are in, in words, where their names do not say it

    def symbols(self, stem: str) -> tuple[Expr, ...]:
        """The symbols of the positions: the stem, and the suffix of each entry."""
        return tuple(variable(f"{stem}_{entry.suffix}" if entry.suffix else stem) for entry in self.positions)

    def stem(self, symbols: Sequence[Expr]) -> Expr:
        """What ``symbols`` made these of."""
        suffix = self.positions[0].suffix
        return variable(symbols[0].name.removesuffix(f"_{suffix}") if suffix else symbols[0].name)

    @property
    def quaternion(self) -> int | None:
        """The place of a quaternion among the positions."""
        units = [entry.unit for entry in self.positions]
        return units.index("quaternion") if "quaternion" in units else None

    @property
    def nq(self) -> int:
        return len(self.positions)

    @property
    def nv(self) -> int:
        return len(self.speeds)

    def placement(self, q: Sequence[Scalar]) -> tuple[Motion, ...]:
        """The motions between the constant place of the frame and the first elementary joint."""
        return ()

    def steps(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[Step, ...]:
        """The elementary joints; the frame after the last one is that of the link."""
        raise NotImplementedError

    def rates(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """dq/dt."""
        return tuple(qd)

    def problems(self) -> Iterator[tuple[str, str]]:
        """Fields whose values are wrong: name and what was expected."""
        return iter(())
