"""What is wrong with a recipe, each problem with its key: lengths against the joints, units, choices, ranges."""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Iterator, Sequence

from ...models.regressors.terms import FRICTION
from ...robot import INERTIA
from ...robot.problems import Problem
from .recipe import (
    KINDS,
    METHODS,
    OF_MOTORS,
    ROLES,
    SIDES,
    TIME_UNITS,
    UNITS,
    Data,
    Processing,
    Recipe,
    Signal,
    Torque,
)

BASE_POSE, BASE_TWIST = 7, 6


def problems_of(recipe: Recipe) -> Iterator[Problem]:
    n = len(recipe.robot.moving)
    free = recipe.robot.base.floating
    yield from _data_problems(recipe.data)
    yield from _signal_problems(recipe.position, "position", n, BASE_POSE if free else 0)
    for name in ("velocity", "acceleration"):
        signal = getattr(recipe, name)
        if signal is not None:
            yield from _signal_problems(signal, name, n, BASE_TWIST if free else 0)
            if any(signal.offset):
                yield Problem(f"{name}, offset", "only positions have one")
    if recipe.acceleration is not None and recipe.velocity is None:
        yield Problem("velocity", "expected columns beside those of the acceleration")
    yield from _torque_problems(recipe.torque, n, BASE_TWIST if free else 0)
    yield from _transmission_problems(recipe, n)
    yield from _processing_problems(recipe.processing, n, recipe.data.rate)
    for what, one, known in (
        ("model, kind", recipe.model.kind, KINDS),
        *(("model, friction", word, FRICTION) for word in recipe.model.friction),
        ("estimate, method", recipe.estimate.method, METHODS),
    ):
        yield from _choice(what, one, known)
    yield from _payload_problems(recipe)
    yield from _positive("estimate, essential", recipe.estimate.essential)
    yield from _positive("estimate, block", recipe.estimate.block)
    if recipe.estimate.rise is not None:
        yield from _positive("estimate, rise", recipe.estimate.rise)
    if recipe.estimate.folds < 2:
        yield Problem("estimate, folds", f"expected 2 or more, got {recipe.estimate.folds}")


def _payload_problems(recipe: Recipe) -> Iterator[Problem]:
    payload = recipe.payload
    if payload is None:
        return
    names = [frame.name for frame in recipe.robot.frames]
    if payload.frame not in names:
        yield Problem("payload, frame", f"got {payload.frame!r}, expected one of {', '.join(names)}")
    for name, value in payload.values.items():
        if name not in INERTIA or not math.isfinite(value):
            yield Problem(
                f"payload, {name}", f"got {value!r}, expected finite numbers for some of {', '.join(INERTIA)}"
            )
    if not payload.values.get("M", 0) > 0:
        yield Problem("payload, M", "expected its mass, above zero")
    if not any(name in payload.values for name in ("MX", "MY", "MZ")):
        yield Problem(
            "payload, MX MY MZ",
            "expected its first moments (mass times centre of mass in the frame, kg m) besides the mass, got none. Give them, 0 for a "
            "centre at the frame's origin: a wrong centre makes the gains of the drives look wrong",
        )
    wrong = [k for k in payload.recordings if not 1 <= k <= len(recipe.data.recordings)]
    if wrong:
        yield Problem(
            "payload, recordings", f"got {wrong[0]}, expected numbers from 1 to {len(recipe.data.recordings)}"
        )


def _data_problems(data: Data) -> Iterator[Problem]:
    if not data.recordings:
        yield Problem("data, files", "expected at least one file")
    if data.rate is None and data.time is None:
        yield Problem("data", "expected rate (in Hz) or time (the column of time stamps)")
    if data.rate is not None:
        yield from _positive("data, rate", data.rate)
    yield from _choice("data, time_unit", data.time_unit, TIME_UNITS)
    yield from _choice("data, missing", data.missing, ("error", "drop"))
    if data.role and len(data.role) != len(data.recordings):
        yield Problem(
            "data, role", f"expected {len(data.recordings)} entries, one for each recording, got {len(data.role)}"
        )
    for one in data.role:
        yield from _choice("data, role", one, ROLES)
    if data.role and "train" not in data.role:
        yield Problem("data, role", "expected at least one recording to train on")
    if data.start < 0 or (data.stop is not None and data.stop <= data.start):
        yield Problem("data, stop", "expected 0 <= start < stop, in seconds from the first sample")


def _signal_problems(signal: Signal, name: str, n: int, base: int) -> Iterator[Problem]:
    expected = (
        f"{n} columns, one for each joint" if not base else f"{base + n} columns: {base} of the base, then the joints"
    )
    if len(signal.columns) != base + n and not _is_expandable(signal.columns):
        yield Problem(f"{name}, columns", f"expected {expected}, got {len(signal.columns)}")
    yield from _common_problems(signal, name, n)
    yield from _length(f"{name}, offset", signal.offset, n)


def _torque_problems(torque: Torque, n: int, base: int) -> Iterator[Problem]:
    lengths = {n, base + n}
    if len(torque.columns) not in lengths and not _is_expandable(torque.columns):
        expected = " or ".join(map(str, sorted(lengths)))
        yield Problem("torque, columns", f"expected {expected} columns, one for each joint, got {len(torque.columns)}")
    yield from _common_problems(torque, "torque", n)
    if torque.gain is not None:
        yield from _length("torque, gain", torque.gain, n)
        if not all(torque.gain):
            yield Problem("torque, gain", "expected numbers other than 0")
    elif any(unit in OF_MOTORS[2:] for unit in torque.unit):
        yield Problem("torque, gain", f"expected the torque at full scale, as the unit is '{torque.unit[0]}'")
    if isinstance(torque.delay, str):
        if torque.delay != "estimate":
            yield Problem("torque, delay", f"expected seconds or 'estimate', got {torque.delay!r}")
    else:
        yield from _length("torque, delay", torque.delay, n)
        if any(abs(one) > 1 for one in torque.delay):
            yield Problem("torque, delay", "expected seconds, less than 1")
    if torque.limit is not None:
        yield from _length("torque, limit", torque.limit, n)
        for one in torque.limit:
            yield from _positive("torque, limit", one)


def _common_problems(signal: Signal | Torque, name: str, n: int) -> Iterator[Problem]:
    if len(set(signal.columns)) < len(signal.columns):
        twice = next(c for c in signal.columns if signal.columns.count(c) > 1)
        yield Problem(f"{name}, columns", f"'{twice}' is there twice")
    yield from _choice(f"{name}, side", signal.side, SIDES)
    yield from _length(f"{name}, unit", signal.unit, n)
    for unit in signal.unit:
        yield from _choice(f"{name}, unit", unit, UNITS[name])
    yield from _length(f"{name}, scale", signal.scale, n)
    yield from _length(f"{name}, sign", signal.sign, n)
    if not all(signal.scale):
        yield Problem(f"{name}, scale", "expected numbers other than 0")
    if any(abs(one) != 1 for one in signal.sign):
        yield Problem(f"{name}, sign", "expected 1 or -1 (other factors are a scale)")


def _transmission_problems(recipe: Recipe, n: int) -> Iterator[Problem]:
    given = recipe.transmission
    if given is None:
        return
    if (given.ratio is None) == (given.coupling is None):
        yield Problem("transmission", "expected either ratio or coupling")
    if given.ratio is not None:
        yield from _length("transmission, ratio", given.ratio, n)
        if not all(given.ratio):
            yield Problem("transmission, ratio", "expected motor speed / joint speed, other than 0")
    if given.coupling is not None:
        if len(given.coupling) != n or any(len(row) != n for row in given.coupling):
            yield Problem(
                "transmission, coupling", f"expected {n} rows of {n} numbers: motor angles = coupling @ joint angles"
            )
        else:
            import numpy as np

            if np.linalg.cond(np.array(given.coupling)) > 1e12:
                yield Problem("transmission, coupling", "is singular: these motors do not determine the joints")


def _processing_problems(given: Processing, n: int, rate: float | None) -> Iterator[Problem]:
    if given.cutoff:
        yield from _positive("processing, cutoff", given.cutoff)
        if rate is not None and given.cutoff >= rate / 2:
            yield Problem(
                "processing, cutoff", f"expected less than half the rate of {rate:g} Hz, got {given.cutoff:g}"
            )
    if not 1 <= given.order <= 10:
        yield Problem("processing, order", f"expected 1 to 10, got {given.order}")
    for name in ("trim", "padding"):
        if (getattr(given, name) or 0) < 0:
            yield Problem(f"processing, {name}", f"expected a number of samples, got {getattr(given, name)}")
    if min(given.decimation, default=1) < 1:
        yield Problem("processing, decimation", "expected a whole number from 1 on, or several for stages")
    for name, known in (
        ("where", ("signals", "columns")),
        ("differences", ("central", "forward")),
        ("decimation_filter", ("fir", "chebyshev")),
    ):
        yield from _choice(f"processing, {name}", getattr(given, name), known)
    if given.low_speed is not None:
        yield from _length("processing, low_speed", given.low_speed, n)
        if min(given.low_speed) < 0:
            yield Problem("processing, low_speed", "expected speeds that are not negative")
    if given.outliers is not None:
        yield from _positive("processing, outliers", given.outliers)
    if given.rows_short < 0 or (given.rows_short and given.decimation_filter != "chebyshev"):
        yield Problem("processing, rows_short", 'expected a number from 0 on, with decimation_filter = "chebyshev"')
    for joint in given.no_acceleration:
        if not 1 <= joint <= n:
            yield Problem("processing, no_acceleration", f"expected joints from 1 to {n}, got {joint}")


def _length(where: str, entries: Sequence[object], n: int) -> Iterator[Problem]:
    if len(entries) not in (1, n):
        yield Problem(where, f"expected {n} entries, one for each joint (or one for all), got {len(entries)}")


def _positive(where: str, amount: float) -> Iterator[Problem]:
    if not (math.isfinite(amount) and amount > 0):
        yield Problem(where, f"expected a positive number, got {amount:g}")


def _choice(where: str, given: str, known: Collection[str]) -> Iterator[Problem]:
    if given not in known:
        near = difflib.get_close_matches(given, known, 1, 0.5)
        hint = f" (did you mean '{near[0]}'?)" if near else ""
        yield Problem(where, f"got '{given}', expected one of {', '.join(known)}{hint}")


def _is_expandable(columns: Sequence[str]) -> bool:
    """One name, which may stand for all columns of an array in the file: their number is checked when it is opened."""
    return len(columns) == 1
