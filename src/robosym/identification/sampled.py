"""Equations from samples: the columns of an identification model along a recording, piece by piece.

Dynamic, the rows of all joints are those of D and the torques. Filtered, D1 is differentiated along the recording and D2 added. Power
has one row, energy one row an interval. Where columns are decimated, the same unity-gain filter goes over both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise

import numpy as np

from .. import models
from ..models.regressors.regressor import Regressor
from ..reals import Floats
from ..runtime import CompiledFunction
from .data.decimating import neighbourhood
from .data.notes import Notes
from .data.preparing import Prepared
from .data.recipe import Recipe
from .data.samples import Samples, joined
from .data.signals import Decimator, decimate_chebyshev, slow
from .estimation.equations import Equations
from .payload import payload_torques

ROWS = 4096  # samples whose columns are held at once
SLOW = "joint too slow (rows of one joint)"
SUMS = ("energy", "power")  # models with one row: all joints together


@dataclass(frozen=True)
class Rows:
    """Both sides of the equations at some samples: packed columns and torques, the speeds there, and which rows count."""

    time: Floats
    columns: Floats  # (N, entries)
    torques: Floats  # (N, rows)
    speeds: Floats  # (N, rows), none of a model with one row
    keep: Floats  # (N, rows)

    def part(self, rows: slice) -> Rows:
        return Rows(*(getattr(self, name)[rows] for name in ("time", "columns", "torques", "speeds", "keep")))


@dataclass(frozen=True)
class Sampler:
    """An identification model, compiled, and what it makes of the samples of a recipe."""

    recipe: Recipe
    model: Regressor
    threads: int = 1
    load_alone: bool = False  # the torques of a known payload in place of the measured ones

    @cached_property
    def compiled(self) -> CompiledFunction:
        return self.model.compile()

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The parameters that are estimated: all but those the recipe takes as zero."""
        return tuple(name for name in self.model.columns if name not in self.recipe.model.without)

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Row and column of the packed entries; of several outputs those that any has."""
        return tuple(sorted({place for own in self.model.places.values() for place in own}))

    @property
    def equation_places(self) -> tuple[tuple[int, int], ...]:
        """Where the entries of ``Rows.columns`` are: rows that come from other joints may have any column."""
        if not self.recipe.processing.rows_short:
            return self.places
        return tuple((row, column) for row in range(len(self.model.rows)) for column in range(len(self.model.columns)))

    def dense(self, q: Floats, qd: Floats, qdd: Floats) -> Floats:
        """The dynamic model's columns with their zeros, for what needs them whole."""
        model, compiled = self.model, self.compiled
        if self.kind != "dynamic":
            model, compiled = self._dynamic
        return model.dense(compiled(q=q, qd=qd, qdd=qdd))

    @cached_property
    def _dynamic(self) -> tuple[Regressor, CompiledFunction]:
        model = models.regressor(self.model.robot, **{**self.model.options, "model": "dynamic"})
        return model, model.compile()

    @property
    def kind(self) -> str:
        return str(self.model.options["model"])

    @property
    def is_decimated(self) -> bool:
        """Whether columns are, not samples before or intervals."""
        processing = self.recipe.processing
        in_samples = processing.where == "signals" and self.kind == "dynamic"
        return self.kind != "energy" and processing.factor > 1 and not in_samples

    def equations(self, prepared: Prepared) -> Iterator[Equations]:
        """The equations of one recording."""
        for rows in self.rows(prepared):
            if len(rows.time):
                yield self.as_equations(rows, prepared)

    def instruments(self, prepared: Prepared, smooth: Prepared) -> tuple[Equations, Equations]:
        """The equations of one recording, and the same rows with the columns of a smoother motion."""
        own, other = (joined_rows(list(self.rows(one))) for one in (prepared, smooth))
        return self.as_equations(own, prepared), self.as_equations(replace(own, columns=other.columns), prepared)

    def rows(self, prepared: Prepared) -> Iterator[Rows]:
        """Both sides of the equations of one recording, piece by piece; what is left out is noted."""
        return self._decimated(self._rows(_full_rate(prepared, self.kind)), prepared)

    def as_equations(self, rows: Rows, prepared: Prepared) -> Equations:
        found = Equations.from_packed(
            self.model.columns,
            self.model.rows,
            self.equation_places,
            rows.columns,
            rows.torques,
            rows.time,
            rows.keep.astype(bool),
            prepared.recording.title,
        )
        return found if self.columns == self.model.columns else found.select(self.columns)

    # --- columns at the rate of the samples ------------------------------------------------------------------------------

    def _rows(self, prepared: Prepared) -> Iterator[Rows]:
        parts = _pieces(prepared.samples(workers=self.threads), ROWS)
        if prepared.loaded:
            parts = (self._unloaded(part) for part in parts)
        rate = prepared.rate
        if self.kind == "filtered":
            return self._differentiated(parts, rate)
        if self.kind == "energy":
            return self._intervals(parts, rate)
        return (self._plain(part) for part in parts)

    def _unloaded(self, part: Samples) -> Samples:
        """With the torques of the robot alone; for drive gains, those of its payload."""
        load = self._payload(part)
        return replace(part, tau=load if self.load_alone else part.tau - load)

    @cached_property
    def _payload(self) -> Callable[[Samples], Floats]:
        assert self.recipe.payload is not None
        return payload_torques(self.recipe.robot, self.recipe.payload)

    def _plain(self, part: Samples) -> Rows:
        if self.kind == "power":
            return self._of_power(part, self._evaluated(part)["P"])
        return Rows(part.time, self._evaluated(part)["D"], part.tau, part.qd, part.keep.astype(float))

    def _evaluated(self, part: Samples) -> dict[str, Floats]:
        given = {"q": part.q, "qd": part.qd, "qdd": part.qdd}
        names = {array.name for array in self.model.code.inputs}
        used = {key: value for key, value in given.items() if key in names}
        layout = "aos" if self.is_decimated else "soa"  # by rows for the low-pass, by columns for factors
        return self.compiled.by_name(self.compiled(**used, threads=self.threads, layout=layout))

    def _spread(self, entries: Floats, output: str) -> Floats:
        """The entries of one output, where those of all outputs are."""
        where = {place: k for k, place in enumerate(self.places)}
        total = np.zeros((len(entries), len(self.places)))
        total[:, [where[place] for place in self.model.places[output]]] = entries
        return total

    def _of_power(self, part: Samples, columns: Floats) -> Rows:
        power = np.sum(part.tau * part.qd, axis=1, keepdims=True)
        keep = part.keep.all(axis=1, keepdims=True).astype(float)
        return Rows(part.time, columns, power, np.zeros((len(part), 0)), keep)

    def _differentiated(self, parts: Iterable[Samples], rate: float) -> Iterator[Rows]:
        """d/dt D1 + D2 by central differences: the first and the last sample fall away."""
        before: tuple[Floats, Rows] | None = None
        for part in parts:
            found = self._evaluated(part)
            rows = Rows(part.time, self._spread(found["D2"], "D2"), part.tau, part.qd, part.keep.astype(float))
            momenta = self._spread(found["D1"], "D1")
            if before is not None:
                momenta = np.concatenate((before[0], momenta))
                rows = joined_rows([before[1], rows])
            rate_of = (momenta[2:] - momenta[:-2]) * (rate / 2)
            inner = rows.part(slice(1, -1))
            yield replace(inner, columns=inner.columns + rate_of)
            before = momenta[-2:], rows.part(slice(-2, None))

    def _intervals(self, parts: Iterable[Samples], rate: float) -> Iterator[Rows]:
        """The change of h and the integrals of losses and power over intervals, by the trapezoidal rule."""
        length = max(1, self.recipe.processing.factor)
        carried: Samples | None = None
        for one in parts:
            part = one if carried is None else joined([carried, one])
            count = (len(part) - 1) // length
            if count < 1:
                carried = part
                continue
            used = part.part(slice(0, count * length + 1))
            found = self._evaluated(used)
            h, loss = (self._spread(found[name], name) for name in ("h", "loss"))
            power = np.sum(used.tau * used.qd, axis=1, keepdims=True)
            ends = np.arange(count + 1) * length
            columns = np.diff(h[ends], axis=0) + _integrals(loss, length, rate)
            keep = np.all(used.keep, axis=1, keepdims=True)
            whole = np.array([bool(np.all(keep[a : b + 1])) for a, b in pairwise(ends)], dtype=np.float64)
            middle = (used.time[ends[:-1]] + used.time[ends[1:]]) / 2
            yield Rows(middle, columns, _integrals(power, length, rate), np.zeros((count, 0)), whole[:, None])
            carried = part.part(slice(count * length, None))

    # --- decimated ---------------------------------------------------------------------------------------------------------

    def _decimated(self, parts: Iterator[Rows], prepared: Prepared) -> Iterator[Rows]:
        tally = Notes()
        yield from self._at_low_rate(parts, prepared, tally)
        prepared.notes.left_out.update(tally.left_out)

    def _at_low_rate(self, parts: Iterator[Rows], prepared: Prepared, tally: Notes) -> Iterator[Rows]:
        processing = self.recipe.processing
        if not self.is_decimated:
            yield from parts
            return
        if processing.decimation_filter == "chebyshev":
            yield self._by_chebyshev(joined_rows(list(parts)), tally)
            return
        factor = processing.factor
        both = [Decimator(factor) for _ in range(3)]
        marks = Decimator(factor, neighbourhood(factor))
        start: float | None = None
        done = 0
        for rows in chain(parts, (None,)):
            if rows is not None:
                start = float(rows.time[0]) if start is None else start
                signals = (rows.columns, rows.torques, rows.speeds)
                columns, torques, speeds = (one.push(signal) for one, signal in zip(both, signals, strict=True))
                bad = marks.push(1 - rows.keep)
            elif start is not None:
                columns, torques, speeds = (one.finish() for one in both)
                bad = marks.finish()
            else:
                return
            time = np.asarray(start + (factor / prepared.rate) * np.arange(done, done + len(bad)), dtype=float)
            done += len(bad)
            yield self._without_slow(Rows(time, columns, torques, speeds, (bad <= 0).astype(float)), tally)

    def _by_chebyshev(self, rows: Rows, tally: Notes) -> Rows:
        processing = self.recipe.processing
        columns, speeds = rows.columns, rows.speeds
        if processing.rows_short:
            columns, speeds = self._stacked_short(rows, processing.rows_short)
        columns, torques, speeds = (
            decimate_chebyshev(x, processing.decimation) for x in (columns, rows.torques, speeds)
        )
        factor = processing.factor
        return self._without_slow(Rows(rows.time[::factor], columns, torques, speeds, rows.keep[::factor]), tally)

    def _stacked_short(self, rows: Rows, short: int) -> tuple[Floats, Floats]:
        """As if the rows of all joints, ``short`` fewer than torques, stood in one stack that is cut at the torques' lengths: each
        joint's begin a little later, and end with the first of the next joint. What others have published did so."""
        count, n = len(rows.time), len(self.model.rows)
        length = count - short
        dense = np.zeros((n, length, len(self.model.columns)))
        for entry, (row, column) in enumerate(self.places):
            dense[row, :, column] = rows.columns[:length, entry]
        where = np.minimum(np.arange(n * count), n * length - 1)
        columns = dense.reshape(n * length, -1)[where].reshape(n, count, -1).transpose(1, 0, 2).reshape(count, -1)
        speeds = rows.speeds[:length].T.reshape(-1)[where].reshape(n, count).T
        return columns, speeds

    def _without_slow(self, rows: Rows, tally: Notes) -> Rows:
        least = self.recipe.processing.low_speed
        if least is None or not rows.speeds.shape[1]:
            return rows
        n = len(self.recipe.robot.moving)
        keep = rows.keep.copy()
        too_slow = slow(rows.speeds[:, -n:], np.broadcast_to(least, n))
        tally.leave_out(SLOW, int((too_slow & (keep[:, -n:] > 0)).sum()))
        keep[:, -n:] *= ~too_slow
        return replace(rows, keep=keep)


def _full_rate(prepared: Prepared, kind: str) -> Prepared:
    """The recording as this model takes its samples: what differentiates or integrates along them, at their own rate, slow or not."""
    if kind == "dynamic":
        return prepared
    recipe = prepared.recipe
    processing = replace(recipe.processing, where="columns")
    if kind in SUMS:
        processing = replace(processing, low_speed=None)
    return replace(prepared, recipe=replace(recipe, processing=processing))


def _pieces(parts: Iterable[Samples], rows: int) -> Iterator[Samples]:
    """The same samples, at most so many at a time."""
    for part in parts:
        yield from (part.part(slice(start, start + rows)) for start in range(0, len(part), rows))


def _integrals(values: Floats, length: int, rate: float) -> Floats:
    """Over intervals of so many steps, by the trapezoidal rule."""
    middle = (values[1:] + values[:-1]) / (2 * rate)
    found: Floats = middle.reshape(-1, length, values.shape[1]).sum(axis=1)
    return found


def joined_rows(parts: list[Rows]) -> Rows:
    names = ("time", "columns", "torques", "speeds", "keep")
    return Rows(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))
