"""From a recording to samples of the joints: q, qd, qdd and tau at even times, and which rows count.

Columns become the joints' (``joint_side``), uneven stamps an even grid (``even_times``). Positions are low-passed without phase and
differentiated, the torque is shifted by its delay, the ends are trimmed (``motion``); what is left is decimated by a unity-gain filter
(``decimating``). All in pieces with as much overlap as the filter needs (``windows``): memory stays bounded, the numbers are those of one pass.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ...robot import PRISMATIC
from ...robot.problems import Problem
from .decimating import decimated, without_slow
from .delay import Columns, Delays, estimate_delays
from .even_times import even_times
from .friction_sign import estimate_braking
from .inspection import Survey, inspect, survey
from .joint_side import JointSide, doubts, joint_side
from .motion import motion_of
from .notes import Notes
from .recipe import Recipe, RecipeError
from .recording import Recording
from .recording_errors import RecordingError
from .samples import Samples, joined
from .signals import Array, decimate, without_spikes
from .suspicion import Trial, Wiring
from .threads import in_order
from .windows import Window, plan_of, windows

CHUNK = 32768  # rows prepared at once
PROBE = 100_000  # rows from which delays are estimated
PROBE_RATE = 100.0  # Hz, at which they are, unless the motion is filtered
SURE = 5.0  # standard deviations by which the delay of one joint must differ
EXPLAINED = 0.5  # part of the squares that a joint's own delay may leave
CLEARLY = 0.9  # part of the squares that the delay of all joints may leave, to be worth a warning
LEAST_DELAY = 1e-3  # s, of a delay that is worth a warning


@dataclass(frozen=True)
class Prepared:
    """One recording of a recipe, inspected and ready to be gone through, as often as needed."""

    recipe: Recipe
    recording: Recording
    side: JointSide
    survey: Survey
    notes: Notes
    delay: Array  # s, applied to the torque of each joint
    estimated: Delays | None = None
    role: str = "train"
    loaded: bool = False  # with the payload that the recipe knows

    @property
    def recorded_rate(self) -> float:
        """Hz, of the recording."""
        return 1 / self.survey.step

    @property
    def rate(self) -> float:
        """Hz, of the samples."""
        processing = self.recipe.processing
        return self.recorded_rate / (processing.factor if processing.where == "signals" else 1)

    def samples(self, chunk: int = CHUNK, workers: int = 1) -> Iterator[Samples]:
        """The samples, piece by piece, on which so many threads work. With ``where = "columns"`` at the recorded rate, and slow joints still count: columns and
        speeds are to be decimated first (``Decimator``, ``slow``)."""
        processing, tally = self.recipe.processing, Notes()
        parts = self._at_full_rate(chunk, tally, workers)
        if processing.factor == 1:
            parts = (without_slow(part, self.recipe, tally) for part in parts)
        elif processing.where == "signals":
            parts = decimated(parts, self.recipe, self.survey.step, tally)
        yield from (part for part in parts if len(part))
        self.notes.left_out.update(tally.left_out)

    def whole(self) -> Samples:
        """All samples at once."""
        parts = list(self.samples())
        if not parts:
            raise RecordingError(self.recording.title, "nothing is left of it: is it shorter than what is trimmed?")
        return joined(parts)

    def _at_full_rate(self, chunk: int, tally: Notes, workers: int = 1) -> Iterator[Samples]:
        recipe, side, found = self.recipe, self.side, self.survey

        def moved(window: Window) -> tuple[Samples, Notes]:
            own = Notes()
            return motion_of(window, recipe, side, found, self.delay, own), own

        plan = plan_of(recipe.processing, self.recorded_rate, self.delay, chunk)
        pieces = windows(even_times(recipe, self.recording, side, found), plan)
        for part, own in in_order(moved, pieces, workers):
            for why, rows in own.left_out.items():
                tally.leave_out(why, rows)
            yield part


def prepare(recipe: Recipe, columns: Columns | None = None) -> tuple[Prepared, ...]:
    """The recordings of a recipe, inspected (errors are raised, warnings noted) and ready to be gone through.

    ``columns`` is the regressor, as a function of q, qd, qdd that gives (N, nv, columns). With it the delay of the torque is estimated,
    and warned of where the recipe does not correct it.
    """
    each = zip(recipe.recordings(), recipe.roles, recipe.loaded, strict=True)
    return tuple(prepare_one(recipe, one, role, columns, loaded) for one, role, loaded in each)


def prepare_one(
    recipe: Recipe, recording: Recording, role: str = "train", columns: Columns | None = None, loaded: bool = False
) -> Prepared:
    """One recording by a recipe."""
    side = joint_side(recipe, recording)
    if recipe.data.time is not None:
        recording.place(recipe.data.time)
    notes = Notes()
    for doubt in doubts(recipe):
        notes.warn(doubt)
    found = survey(recipe, recording, side)
    inspect(recipe, recording, side, found, notes)
    given = recipe.torque.delay
    n = len(recipe.robot.moving)
    none = np.zeros(n) if isinstance(given, str) else np.array(np.broadcast_to(given, n))
    return _probed(Prepared(recipe, recording, side, found, notes, none, role=role, loaded=loaded), columns)


# --- delays and signs --------------------------------------------------------------------------------------------------


def _probed(ready: Prepared, columns: Columns | None) -> Prepared:
    """What the first samples show: friction of the wrong sign, and the delay, which is applied if the recipe says so."""
    recipe, notes = ready.recipe, ready.notes
    whole = _probe(ready)
    if whole is None:
        return ready
    low_rate = 2 * recipe.processing.cutoff if recipe.processing.cutoff else PROBE_RATE
    if ready.survey.spikes[-len(recipe.joints) :].any():
        whole = replace(whole, tau=without_spikes(whole.tau))
    if columns is None or not recipe.model.friction:  # else the signs of the estimate tell
        _check_signs(ready, whole, low_rate)
    if columns is None and recipe.torque.delay == "estimate":
        problem = "the delay is found with the robot's own model: give prepare its columns, as identify does"
        raise RecipeError([Problem("torque, delay", problem)], recipe.source)
    if columns is None:
        return ready
    _suspect(ready, whole, columns, low_rate)
    given = recipe.processing.low_speed
    least = None
    if given is not None:
        least = np.concatenate((np.zeros(ready.side.base), np.broadcast_to(given, len(recipe.robot.moving))))
    found = estimate_delays(whole, ready.recorded_rate, columns, low_rate, least)
    common, n = found.common, len(recipe.joints)
    amount = f"{1e3 * common.seconds:.3g} +- {1e3 * common.sigma:.2g} ms"
    if recipe.torque.delay == "estimate":
        used = common.seconds if common.is_sure and common.left < 1 else 0.0
        notes.remark(f"delay of the torque: estimated {amount}, corrected by {1e3 * used:.4g} ms")
        return replace(ready, estimated=found, delay=np.full(len(ready.delay), used))
    if common.is_sure and common.left < CLEARLY and abs(common.seconds) > max(LEAST_DELAY, 1 / ready.recorded_rate):
        more = "another " if ready.delay.any() else ""
        notes.warn(f'the torque comes {more}{amount} after the motion: give it as delay, or set delay = "estimate"')
    for name, column, one in zip(recipe.joints, ready.side.torque.columns[-n:], found.joints[-n:], strict=True):
        apart = one.seconds - common.seconds if np.isfinite(common.sigma) else one.seconds
        least = max(SURE * np.hypot(one.sigma, min(common.sigma, 1.0)), 2 * LEAST_DELAY, 2 / ready.recorded_rate)
        if one.left < EXPLAINED and abs(apart) > least:
            notes.warn(
                f"column '{column}' (joint {name}): its torque comes {1e3 * apart:.3g} ms after those of the other joints: give the "
                "delay of each joint as a list"
            )
    return replace(ready, estimated=found)


def _probe(ready: Prepared) -> Samples | None:
    """The first samples at the recorded rate, up to ``PROBE`` rows."""
    plain = replace(ready.recipe.processing, no_acceleration=(), trim=None)
    probing = replace(ready, recipe=replace(ready.recipe, processing=plain))
    parts, rows = [], 0
    for part in probing._at_full_rate(CHUNK, Notes()):
        parts.append(part)
        rows += len(part)
        if rows >= PROBE:
            break
    return joined(parts).part(slice(0, PROBE)) if rows > 100 else None


def _suspect(ready: Prepared, whole: Samples, columns: Columns, low_rate: float) -> None:
    """Warn of the mistake that best explains a bad fit."""
    robot, side, notes = ready.recipe.robot, ready.side, ready.notes
    names, n = robot.joint_names, len(robot.moving)
    wiring = Wiring(
        side.position.matrix[-n:, -n:],
        side.torque.matrix[-n:, -n:],
        np.broadcast_to(ready.recipe.position.offset, n),
        tuple(robot.frame(j).sigma == PRISMATIC for j in robot.moving),
    )
    trial = Trial(whole, ready.recorded_rate, columns, low_rate, wiring)
    places = {"position": side.position.columns[-n:], "torque": side.torque.columns[-n:]}
    found = trial.suspicion()
    if found is None:
        return
    chosen = found.hypothesis
    joints = " and ".join(names[k] for k in chosen.joints)
    if chosen.columns:
        at = " and ".join(f"'{places[chosen.columns][k]}'" for k in chosen.joints)
        what = f"column {at} (joint {joints}): "
    else:
        what = f"joint {joints}: " if joints else ""
    notes.warn(
        f"{what}the torques of blocks left out of the fit are predicted much better (an error of {found.after:.2g} % instead of "
        f"{found.before:.2g} %) with "
        f"{chosen.words}"
    )


def _check_signs(ready: Prepared, whole: Samples, low_rate: float) -> None:
    names = ready.recipe.robot.joint_names
    n, factor = len(names), max(1, math.floor(ready.recorded_rate / low_rate))
    q, qd, qdd, tau = (decimate(x[:, -n:], factor) for x in (whole.q, whole.qd, whole.qdd, whole.tau))
    columns = ready.side.torque.columns[-n:]
    for k, (name, column) in enumerate(zip(names, columns, strict=True)):
        braking = estimate_braking(q[:, k], qd[:, k], qdd[:, k], tau[:, k], ready.recorded_rate / factor)
        if braking.is_backwards:
            ready.notes.warn(
                f"column '{column}' (joint {name}): friction comes out negative ({braking.torque:.3g} N m at the typical speed): "
                "the sign of its torque, of its position or of its ratio is probably wrong"
            )
