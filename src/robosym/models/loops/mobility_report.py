"""What is known of the mobility of a robot, as data and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...brief import one_line


@dataclass(frozen=True, repr=False)
class Place:
    """How a robot can move at one position.

    ``position``: of all joints, by name, with closed loops. ``mobility``: joints minus rank there, more than elsewhere where
    the robot can change into another way of assembling. ``actuation_singular``: W_p has no inverse, and with the motors held
    the joints in ``uncontrolled`` can still move, at speeds in these ratios. ``actuation``: the smallest singular value of
    W_p over its largest, lengths divided by the longest one. ``frame_singular``: the end frame moves in fewer ways,
    ``frame_rank``, than elsewhere; None if the robot has several ends and no frame was named.
    """

    __repr__ = one_line

    position: Mapping[str, float]
    rank: int
    mobility: int
    actuation_singular: bool
    actuation: float
    uncontrolled: Mapping[str, float]
    frame: str = ""
    frame_rank: int | None = None
    frame_singular: bool | None = None

    def lines(self) -> Iterator[str]:
        where = ", ".join(f"{name} {x:.6g}" for name, x in self.position.items())
        yield f"at {where}"
        yield f"  rank {self.rank}, mobility {self.mobility}"
        if self.actuation_singular:
            speeds = ", ".join(f"{name} {x:.4g}" for name, x in self.uncontrolled.items())
            yield "  singularity of the actuation: with the motors held it can move, at speeds in the ratios"
            yield f"    {speeds}"
        else:
            yield f"  the motors control it: W_p has an inverse (smallest / largest singular value {self.actuation:.3g})"
        if self.frame_rank is not None:
            verdict = ", fewer than elsewhere: a singularity" if self.frame_singular else ""
            yield f"  {self.frame} moves in {_count(self.frame_rank, 'way')}{verdict}"


@dataclass(frozen=True, repr=False)
class Mobility:
    """What ``mobility`` finds; cut joints count as joints, a free base does not.

    ``gruebler``: joints - 6 loops. ``loop_spaces``: the dimension of the motions that the joints of each loop can make
    together (3 in a plane or about a point, 6 in space), and ``gruebler_by_loop`` the count with these in place of six.
    ``rank``: of the constraints, at a generic position. ``mobility``: the dimension of the finite motions there;
    ``instantaneous``: joints - rank, which is more where a robot only shakes. ``redundant``: constraints that follow from
    others, 6 loops - rank, and ``redundant_constraints`` a choice of them, as components of the twist over a cut joint in its
    frame. ``other_mobilities``: seen at other closed positions.

    ``controlled``: how many of the ways of moving the driven joints determine. ``exchanges``: for each driven joint, the
    passive ones that could be driven in its place (where the driven joints are a valid choice). ``suggested``: a valid choice
    with as many of the present driven joints as possible. ``idle``: joints that cannot move.
    """

    __repr__ = one_line

    robot: str
    joints: int
    loops: int
    gruebler: int
    loop_spaces: tuple[int, ...]
    gruebler_by_loop: int
    rank: int
    mobility: int
    instantaneous: int
    redundant: int
    redundant_constraints: tuple[str, ...]
    other_mobilities: tuple[int, ...]
    driven: tuple[str, ...]
    passive: tuple[str, ...]
    controlled: int
    idle: tuple[str, ...]
    exchanges: Mapping[str, tuple[str, ...]]
    suggested: tuple[str, ...]
    position: Mapping[str, float]
    assumed: tuple[str, ...] = ()  # parameters without a value, for which one was drawn
    at: Place | None = None

    @property
    def spare(self) -> int:
        """Driven joints that are too many."""
        return len(self.driven) - self.controlled

    @property
    def free(self) -> int:
        """Ways of moving that no motor controls."""
        return self.mobility - self.controlled

    @property
    def fully_actuated(self) -> bool:
        """Whether the positions of the driven joints can be chosen, and say where all others are."""
        return not self.spare and not self.free

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        found: dict[str, Any] = {name: _plain(getattr(self, name)) for name in self.__dataclass_fields__}
        found |= {"spare": self.spare, "free": self.free, "fully_actuated": self.fully_actuated}
        found["at"] = (
            None if self.at is None else {k: _plain(getattr(self.at, k)) for k in self.at.__dataclass_fields__}
        )
        return found

    # --- in words -----------------------------------------------------------------------------------------------------

    def lines(self) -> Iterator[str]:
        """What a person wants to know."""
        yield f"{_count(self.joints, 'joint')}, {_count(self.loops, 'loop')}, mobility {self.mobility}"
        if self.loops:
            yield from self._loop_lines()
        yield from self._actuation_lines()
        if self.assumed:
            yield f"no value for {', '.join(self.assumed)}: numbers were drawn"
        if self.at is not None:
            yield from self.at.lines()

    def _loop_lines(self) -> Iterator[str]:
        spaces = " - ".join(map(str, self.loop_spaces))
        yield f"Gruebler's count: {self.joints} - 6 x {self.loops} = {self.gruebler}"
        if self.gruebler_by_loop != self.gruebler:
            yield f"with the dimension of each loop's own motions: {self.joints} - {spaces} = {self.gruebler_by_loop}"
        yield f"rank of the {6 * self.loops} constraints: {self.rank}"
        if self.redundant:
            yield f"redundant constraints: {self.redundant} ({', '.join(self.redundant_constraints)})"
        if self.instantaneous > self.mobility:
            more = self.instantaneous - self.mobility
            yield f"it shakes: {_count(more, 'motion')} more of the first order, which cannot go on"
        if self.other_mobilities:
            yield f"other ways of assembling it have mobility {', '.join(map(str, self.other_mobilities))}"
        if not self.mobility:
            yield "it cannot move: it is a structure, which closes at single positions"
        elif self.idle:
            yield f"cannot move: {', '.join(self.idle)}"

    def _actuation_lines(self) -> Iterator[str]:
        n = len(self.driven)
        yield f"driven: {', '.join(self.driven) or 'none'}"
        if self.fully_actuated:
            yield "fully actuated: the driven joints can be chosen freely and determine all others"
            for name, others in self.exchanges.items():
                if others:
                    yield f"  in place of {name} one could drive {_any(others)}"
            return
        if self.spare:
            yield (
                f"over-actuated: of {_count(n, 'driven joint')} only {self.controlled} can be chosen freely; "
                f"{_count(self.spare, 'motor')} too many"
            )
        if self.free:
            yield (
                f"under-actuated: {_count(self.free, 'way')} of moving no motor controls "
                f"({_count(n, 'driven joint')}, mobility {self.mobility})"
            )
        if self.mobility:
            yield f"a choice that determines all others: {', '.join(self.suggested)}"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(x) for key, x in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _any(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
