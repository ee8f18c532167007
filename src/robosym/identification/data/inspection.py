"""Bad data, named with the column and the remedy: what a first pass over a recording shows.

Errors: missing numbers, time that goes back. Warnings: constant columns, degrees for radians, units wrong by a thousand, speeds that no
robot has, joints that hardly move, stamps that disagree with the rate, rows that repeat. What only an estimate shows (a wrong sign that
makes friction negative, a delay) is in ``delay`` and, for the whole robot, in the report.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ...robot import PRISMATIC, Robot
from ...robot.parts import Limits
from . import recording_files
from .joint_side import JointSide
from .notes import Notes
from .recipe import TIME_UNITS, Recipe
from .recording import Recording
from .recording_errors import RecordingError
from .signals import Array, without_spikes

UNEVEN = 0.01  # part of a step by which stamps may differ from an even grid
BREAK = 3.0  # steps; longer ones are gaps and say nothing about the rate
MOST_TURN = 4 * np.pi  # rad a joint turns between its ends, at most
MOST_SLIDE = 20.0  # m
USUAL_TURN, USUAL_SLIDE = 2 * np.pi, 5.0  # what another unit must make of it to be suggested
FASTEST = 50.0  # rad/s or m/s of a joint
LEAST_MOTION = 0.02  # rad or m
SPEED_OVER = 0.005  # s over which speeds are taken, so that noise does not count
HOLD = 20  # rows within which a moving robot moves, also if each sample is held for several rows
SPIKE = 20.0  # times the usual distance from the median of three rows
SPIKE_PARTS = (0.1, 3.0)  # of the standard deviation of a column of motion and of torque: smaller ones do little
CLIPPED = 0.01  # part of the rows that share the largest number: a limit
NO_LIMIT = 1e5  # N m or N: an effort so large stands for none
SAMPLE = 80  # bytes of a sample that fills a gap, at least
THOUSAND = 300.0  # a factor that is nearer to 1000 than to 1


@dataclass
class Survey:
    """What the first pass found: the time of the samples, and the extent of every column."""

    columns: tuple[str, ...]
    rows: int = 0
    missing: Array = field(default_factory=lambda: np.zeros(0))  # by column
    missing_rows: int = 0
    first_missing: Array = field(default_factory=lambda: np.zeros(0))  # row, from 1
    least: Array = field(default_factory=lambda: np.zeros(0))
    most: Array = field(default_factory=lambda: np.zeros(0))
    held: int = 0  # rows that repeat the one before in every column while the robot moves
    moving: int = 0
    at_most: Array = field(default_factory=lambda: np.zeros(0))  # rows at the largest and the least number, by column
    spikes: Array = field(default_factory=lambda: np.zeros(0))  # single rows far from their neighbours, by column
    start: float = 0.0
    step: float = 0.0  # s
    span: float = 0.0  # s, from the first stamp to the latest
    repeated: int = 0  # stamps
    back: int = 0
    gaps: int = 0
    unevenness: float = 0.0  # largest, in steps
    q_least: Array = field(default_factory=lambda: np.zeros(0))
    q_most: Array = field(default_factory=lambda: np.zeros(0))
    speed: Array = field(default_factory=lambda: np.zeros(0))
    effort: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def is_even(self) -> bool:
        return not (self.repeated or self.back or self.gaps) and self.unevenness <= UNEVEN


def raw_blocks(recipe: Recipe, recording: Recording, side: JointSide) -> Iterator[tuple[Array, Array]]:
    """Times in seconds from the first sample and the columns the joints need, between start and stop."""
    data = recipe.data
    names = ((data.time,) if data.time is not None else ()) + side.columns
    rows, first = 0, None
    for block in recording.blocks(names):
        if data.time is not None:
            stamps = block[:, 0] * TIME_UNITS[data.time_unit]
            if first is None:
                known = stamps[np.isfinite(stamps)]
                first = float(known[0]) if len(known) else 0.0
            times, block = stamps - first, block[:, 1:]
        else:
            assert data.rate is not None
            times = (rows + np.arange(len(block))) / data.rate
        rows += len(block)
        if data.start or data.stop is not None:
            inside = (times >= data.start) & (times <= (np.inf if data.stop is None else data.stop))
            times, block = times[inside], block[inside]
        if len(block):
            yield times, block


def survey(recipe: Recipe, recording: Recording, side: JointSide) -> Survey:
    """The first pass over a recording."""
    width = len(side.columns)
    found = Survey(side.columns, missing=np.zeros(width), first_missing=np.zeros(width))
    found.at_most, found.spikes = np.zeros(width), np.zeros(width)
    torques = len(side.torque.columns)
    parts = np.repeat(SPIKE_PARTS, (width - torques, torques))
    found.least, found.most = np.full(width, np.inf), np.full(width, -np.inf)
    clock = _Clock()
    extent = _Extent(recipe.robot)
    for times, block in raw_blocks(recipe, recording, side):
        finite = np.isfinite(block)
        if not finite.all():
            bad = ~finite
            news = bad.any(axis=0) & (found.missing == 0)
            found.first_missing[news] = found.rows + 1 + bad.argmax(axis=0)[news]
            found.missing += bad.sum(axis=0)
        found.rows += len(block)
        whole = finite.all(axis=1) & np.isfinite(times)
        if not whole.all():
            found.missing_rows += int(len(whole) - whole.sum())
            block, times = block[whole], times[whole]
        if len(block):
            _count_extremes(found, block)
            found.spikes += _spikes(block, parts)
            clock.add(times)
            extent.add(times, block, side)
    clock.tell(found, recipe)
    extent.tell(found)
    return found


def _count_extremes(found: Survey, block: Array) -> None:
    """The least and the largest number of each column so far, and how often these are met."""
    least, most = np.minimum(found.least, block.min(axis=0)), np.maximum(found.most, block.max(axis=0))
    same = (least == found.least) & (most == found.most)
    met = (block == least).sum(axis=0) + (block == most).sum(axis=0)
    found.at_most = np.where(same, found.at_most, 0.0) + met
    found.least, found.most = least, most


def _spikes(block: Array, parts: Array) -> Array:
    """Rows of each column far from the median of themselves and their two neighbours: farther than usual, and by more than
    these parts of its standard deviation."""
    if len(block) < 20:
        return np.zeros(block.shape[1])
    off = np.abs(block - without_spikes(block))
    limit = np.maximum(SPIKE * off.mean(axis=0), parts * block.std(axis=0))
    return np.asarray((off > limit).sum(axis=0), dtype=float)


class _Clock:
    """Statistics of time stamps that come in pieces."""

    def __init__(self) -> None:
        self.first = self.last = self.latest = np.nan
        self.typical = 0.0
        self.sum = 0.0
        self.count = 0
        self.repeated = self.back = self.gaps = 0
        self.shortest, self.longest = np.inf, 0.0

    def add(self, times: Array) -> None:
        if np.isnan(self.first):
            self.first = float(times[0])
            steps = np.diff(times)
        else:
            steps = np.diff(np.concatenate(([self.last], times)))
        self.last = float(times[-1])
        self.latest = float(np.nanmax([self.latest, times.max()]))
        forward = steps[steps > 0]
        if not self.typical and len(forward):
            self.typical = float(np.median(forward))
        self.repeated += int((steps == 0).sum())
        self.back += int((steps < 0).sum())
        near = forward[forward <= BREAK * self.typical]
        self.gaps += len(forward) - len(near)
        self.sum += float(near.sum())
        self.count += len(near)
        if len(near):
            self.shortest = min(self.shortest, float(near.min()))
            self.longest = max(self.longest, float(near.max()))

    def tell(self, found: Survey, recipe: Recipe) -> None:
        measured = self.sum / self.count if self.count else 0.0
        found.start = 0.0 if np.isnan(self.first) else self.first
        found.span = 0.0 if np.isnan(self.first) else self.latest - self.first
        found.step = 1 / recipe.data.rate if recipe.data.rate is not None else measured
        if recipe.data.time is not None and measured:
            found.repeated, found.back, found.gaps = self.repeated, self.back, self.gaps
            found.unevenness = max(self.longest - measured, measured - self.shortest) / measured
            if abs(measured / found.step - 1) > UNEVEN:
                found.unevenness = max(found.unevenness, abs(measured / found.step - 1))


class _Extent:
    """How far and how fast the joints move, and their largest torques."""

    def __init__(self, robot: Robot) -> None:
        n = len(robot.moving)
        self.joints = n
        self.least, self.most = np.full(n, np.inf), np.full(n, -np.inf)
        self.speed, self.effort = np.zeros(n), np.zeros(n)
        self.held = self.moving = 0

    def add(self, times: Array, block: Array, side: JointSide) -> None:
        at = side(block)
        q, tau = at.q[:, -self.joints :], at.tau[:, -self.joints :]
        self.least, self.most = np.minimum(self.least, q.min(axis=0)), np.maximum(self.most, q.max(axis=0))
        self.effort = np.maximum(self.effort, np.abs(tau).max(axis=0))
        typical = float(np.median(np.diff(times))) if len(times) > 1 else 0.0
        over = max(1, round(SPEED_OVER / typical)) if typical > 0 else 1
        if len(q) > over:
            passed = times[over:] - times[:-over]
            moved = np.abs(q[over:] - q[:-over])
            speeds = moved[passed > 0] / passed[passed > 0, None]
            if len(speeds):
                self.speed = np.maximum(self.speed, speeds.max(axis=0))
        if len(q) > HOLD:
            same = (np.diff(block, axis=0) == 0).all(axis=1)[: len(q) - HOLD]
            is_moving = (np.abs(q[HOLD:] - q[:-HOLD]) > 1e-3 * (self.most - self.least)).any(axis=1)
            self.held += int((same & is_moving).sum())
            self.moving += int(is_moving.sum())

    def tell(self, found: Survey) -> None:
        found.q_least, found.q_most, found.speed, found.effort = self.least, self.most, self.speed, self.effort
        found.held, found.moving = self.held, self.moving


# --- what it means -----------------------------------------------------------------------------------------------------


def inspect(recipe: Recipe, recording: Recording, side: JointSide, found: Survey, notes: Notes) -> None:
    """Raise what cannot be used, and note what is probably wrong."""
    if found.rows < 5:
        raise RecordingError(recording.title, f"has {found.rows} rows between start and stop: expected hundreds")
    _missing(recipe, recording, found, notes)
    _time(recipe, recording, found, notes)
    for name, low, high in zip(found.columns, found.least, found.most, strict=True):
        if low == high:
            notes.warn(
                f"column '{name}' is constant ({low:g}): is it the right column, and did the joint move? "
                "What this joint alone shows cannot be estimated"
            )
    if found.moving and found.held > 0.1 * found.moving:
        every = found.moving / max(1, found.moving - found.held)
        notes.warn(
            f"{found.held} rows repeat the row before although the robot moves: the data are held, about {every:.3g} rows for each "
            f"sample; keep one row of each, with a rate of {1 / found.step / every:.4g} Hz"
        )
    elif found.held > found.repeated:
        notes.warn(
            f"{found.held} rows repeat the row before in every column although the robot moves: were they recorded twice? Without "
            "stamps they shift the time; take them out, or give the column of time"
        )
    for name, count in zip(found.columns, found.spikes, strict=True):
        if count:
            notes.warn(
                f"column '{name}': {int(count)} single samples are far from their neighbours; correct them, or leave the outliers "
                'out with outliers = 5 in [processing], or set method = "huber"'
            )
    _positions(recipe, side, found, notes)
    _efforts(recipe, side, found, notes)


def _missing(recipe: Recipe, recording: Recording, found: Survey, notes: Notes) -> None:
    if not found.missing_rows:
        return
    named = [
        f"'{name}' {int(count)} (first in row {int(row)})"
        for name, count, row in zip(found.columns, found.missing, found.first_missing, strict=True)
        if count
    ] or ["the time stamps"]
    text = f"numbers are missing or infinite in {found.missing_rows} of {found.rows} rows: {', '.join(named)}"
    if recipe.data.missing == "error":
        raise RecordingError(recording.title, f'{text}; correct them, or leave these rows out with missing = "drop"')
    if found.missing_rows > found.rows - 5:
        raise RecordingError(recording.title, text)
    notes.warn(f"{text}; they are left out")
    notes.leave_out("numbers missing", found.missing_rows)


def _time(recipe: Recipe, recording: Recording, found: Survey, notes: Notes) -> None:
    data = recipe.data
    if data.time is None:
        return
    if not found.step > 0:
        raise RecordingError(recording.title, f"column '{data.time}': expected time stamps that increase")
    if found.back and data.missing == "error":
        raise RecordingError(
            recording.title,
            f"column '{data.time}': time goes back {found.back} times; expected increasing stamps. Are several recordings in one "
            'file? Give them as recordings, or leave out what comes too late with missing = "drop"',
        )
    rate = 1 / found.step
    samples = found.span * rate
    if data.resample and samples > recording_files.DENSE * found.rows and samples * SAMPLE > recording_files.LARGE:
        raise RecordingError(
            recording.title,
            f"column '{data.time}': the stamps go on for {found.span:.4g} s, {samples:.3g} samples at {rate:.4g} Hz, in "
            f"{found.rows} rows. Correct the stamps that are far from the others, or choose the rest by start and stop",
        )
    if found.back:
        notes.warn(f"column '{data.time}': time goes back {found.back} times; what comes too late is left out")
    if data.rate is not None and found.unevenness > 0.05 and not (found.repeated or found.gaps):
        notes.warn(
            f"column '{data.time}': the stamps disagree with the rate of {data.rate:g} Hz by {found.unevenness:.0%}"
        )
    if not 5 <= rate <= 1e5:
        notes.warn(f"column '{data.time}': a rate of {rate:.4g} Hz; is time_unit = \"{data.time_unit}\" right?")
    if found.repeated:
        notes.remark(f"column '{data.time}': {found.repeated} repeated stamps, of which the first row counts")
        notes.leave_out("stamps repeated", found.repeated)
    if found.gaps:
        notes.warn(
            f"column '{data.time}': {found.gaps} gaps longer than {BREAK:g} samples; what lies in them does not count"
        )
    if not found.is_even and data.resample:
        notes.remark(
            f"stamps uneven by up to {found.unevenness:.0%} of a step: resampled to {rate:.5g} Hz "
            "(set resample = false if the samples were taken evenly and only the stamps are not)"
        )


def _positions(recipe: Recipe, side: JointSide, found: Survey, notes: Notes) -> None:
    robot = recipe.robot
    names = side.position.columns[-len(robot.moving) :]
    for k, j in enumerate(robot.moving):
        frame = robot.frame(j)
        column, slides, limits = names[k], frame.sigma == PRISMATIC, frame.joint.limits
        reach = found.q_most[k] - found.q_least[k]
        unit = "m" if slides else "rad"
        what = f"column '{column}' (joint {frame.joint.name})"
        if reach > (MOST_SLIDE if slides else MOST_TURN) or _beyond(found, k, limits):
            span = f"goes from {found.q_least[k]:.4g} to {found.q_most[k]:.4g} {unit} at the joint"
            notes.warn(f"{what} {span}, {_why_too_far(recipe, found, k, limits, slides)}")
        elif 0 < reach < LEAST_MOTION:
            notes.warn(
                f"{what} moves by {reach:.2g} {unit} only: too little to estimate this joint, unless unit, scale or ratio are wrong"
            )
        fastest = FASTEST if limits.velocity is None else max(2 * limits.velocity, 1e-9)
        if found.speed[k] > fastest:
            notes.warn(
                f"{what} reaches {found.speed[k]:.3g} {unit}/s, expected less than {fastest:.3g}: are rate, time_unit, unit "
                "and ratio right?"
            )
        elif reach > LEAST_MOTION and found.speed[k] < 1e-3:
            notes.warn(f"{what} never moves faster than {found.speed[k]:.2g} {unit}/s: are rate and time_unit right?")


def _beyond(found: Survey, k: int, limits: Limits) -> bool:
    """Whether a joint leaves its limits by more than a tenth of their distance."""
    if limits.lower is None or limits.upper is None or not limits.upper > limits.lower:
        return False
    slack = 0.1 * (limits.upper - limits.lower)
    return bool(found.q_least[k] < limits.lower - slack or found.q_most[k] > limits.upper + slack)


def _why_too_far(recipe: Recipe, found: Survey, k: int, limits: Limits, slides: bool) -> str:
    """What would bring a joint back to where it can be."""
    signal = recipe.position
    unit = signal.unit[k] if len(signal.unit) > 1 else signal.unit[0]

    def fits(factor: float) -> bool:
        low, high = sorted((factor * float(found.q_least[k]), factor * float(found.q_most[k])))
        if limits.lower is not None and limits.upper is not None and limits.upper > limits.lower:
            slack = 0.1 * (limits.upper - limits.lower)
            return low >= limits.lower - slack and high <= limits.upper + slack
        return high - low <= (USUAL_SLIDE if slides else USUAL_TURN)

    far = "which is more than a joint can"
    reach, most = float(found.q_most[k] - found.q_least[k]), MOST_SLIDE if slides else MOST_TURN
    if limits.lower is not None and limits.upper is not None:
        far = f"beyond its limits of {limits.lower:.4g} and {limits.upper:.4g}"
        most = min(most, 3 * (limits.upper - limits.lower))
    if reach < most:  # too near for another unit
        return f"{far}: are offset, sign, unit and ratio right?"
    if not slides and unit == "rad" and fits(np.pi / 180):
        return f'{far}: it looks like degrees; set unit = "deg"'
    if slides and unit == "m" and fits(1e-3):
        return f'{far}: it looks like millimetres; set unit = "mm"'
    if signal.side == "joint":
        ratio = _ratio(recipe, k)
        if ratio is not None and fits(1 / ratio):
            return f'{far}: it looks like the motor\'s; set side = "motor"'
    if fits(1e-3):
        return f"{far}: it looks a thousand times too large; correct unit or scale"
    return f"{far}: correct unit, scale, ratio or offset"


def _ratio(recipe: Recipe, k: int) -> float | None:
    if recipe.transmission is not None and recipe.transmission.ratio is not None:
        ratios = recipe.transmission.ratio
        return ratios[k] if len(ratios) > 1 else ratios[0]
    ratio = recipe.robot.frame(recipe.robot.moving[k]).actuator.ratio
    return None if ratio is None or ratio.is_zero else _number_of(recipe.robot, str(ratio))


def _number_of(robot: Robot, text: str) -> float | None:
    value = robot.values.get(text)
    try:
        return float(text) if value is None else value.number
    except ValueError:
        return None


def _efforts(recipe: Recipe, side: JointSide, found: Survey, notes: Notes) -> None:
    robot = recipe.robot
    for k in range(len(found.columns) - len(robot.moving), len(found.columns)):
        if recipe.torque.limit is None and found.least[k] < found.most[k] and found.at_most[k] > CLIPPED * found.rows:
            notes.warn(
                f"column '{found.columns[k]}' is at {found.least[k]:.4g} or {found.most[k]:.4g} in {int(found.at_most[k])} of "
                f"{found.rows} rows: is the torque saturated there? Give its limit, so that these rows do not count"
            )
    names = side.torque.columns[-len(robot.moving) :]
    for k, j in enumerate(robot.moving):
        frame = robot.frame(j)
        most, got = frame.joint.limits.effort, float(found.effort[k])
        if most and most > NO_LIMIT:
            continue
        what = f"column '{names[k]}' (joint {frame.joint.name})"
        if most and got > 3 * most:
            reason = (
                "a thousand times too large: is it in mN m?"
                if got > THOUSAND * most
                else "are unit, gain and side right?"
            )
            notes.warn(f"{what} reaches {got:.4g} N m at the joint, whose limit is {most:.4g}: {reason}")
        elif most and 0 < got < most / (3 * THOUSAND):
            notes.warn(
                f"{what} stays below {got:.2g} N m at the joint, whose limit is {most:.4g}: are unit, gain and side right?"
            )
