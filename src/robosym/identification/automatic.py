"""What a recipe leaves open, chosen by its data and said in the notes: the cut-off frequency, the least speeds, the decimation.

Differences of positions amplify noise: without a filter the accelerations of a real recording are mostly noise, and the parameters
are wrong. Near standstill the sign of Coulomb friction is not known. Beyond the cut-off a torque is only noise. Who wants none of it says 0.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..reals import Floats
from .data.preparing import prepare_one
from .data.recipe import Recipe
from .data.recording_errors import RecordingError
from .data.samples import Samples, joined

ROWS = 60_000  # samples that are looked at
LONGEST = 4.0  # s, of the pieces whose spectra are averaged
BANDS, OCTAVE = 60, 2 ** (1 / 6)  # frequencies that are looked at, each with a sixth of an octave on both sides
LARGEST = 0.2  # of the rate: a filter beyond does little, and differences of so fast a motion are poor anyway
LEAST_SPEED = 0.02  # of the largest


def completed(recipe: Recipe) -> tuple[Recipe, list[str]]:
    """The recipe with numbers for what it leaves open, and a line about each."""
    processing, remarks = recipe.processing, list[str]()
    open_cutoff = processing.cutoff is None and recipe.acceleration is None
    open_speed = processing.low_speed is None and "coulomb" in recipe.model.friction
    open_rate = not processing.decimation and recipe.model.kind == "dynamic" and (open_cutoff or processing.cutoff)
    if not (open_cutoff or open_speed or open_rate):
        return recipe, remarks
    samples, rate = _beginning(recipe)
    if open_cutoff:
        cutoff = valley(samples.q[:, -len(recipe.robot.moving) :], rate)
        if cutoff < LARGEST * rate:
            remarks.append(
                f"cut-off frequency {cutoff:.3g} Hz: below it the accelerations are motion, above it noise "
                "(choose another by cutoff in [processing], 0 for none)"
            )
            processing = replace(processing, cutoff=cutoff)
    if open_speed:
        smooth, _ = _beginning(replace(recipe, processing=processing))
        least = LEAST_SPEED * np.abs(smooth.qd[:, -len(recipe.robot.moving) :]).max(axis=0)
        processing = replace(processing, low_speed=tuple(float(x) for x in least))
        remarks.append(
            "rows of a joint slower than 2 % of its largest speed do not count: the sign of friction is not known there "
            "(choose another by low_speed in [processing], 0 for none)"
        )
    if open_rate and processing.cutoff:
        factor = int(rate / (2 * processing.cutoff))
        if factor > 1:
            processing = replace(processing, decimation=(factor,))
            remarks.append(
                f"one sample in {factor} after a low-pass over both sides of the equations: the motion has no more to say "
                "(choose another by decimation in [processing], 1 for none)"
            )
    return replace(recipe, processing=processing), remarks


def _beginning(recipe: Recipe) -> tuple[Samples, float]:
    """The first samples of the first recording to train with of which trimming leaves some, at their own rate."""
    plain = replace(recipe.processing, decimation=(1,), low_speed=None)
    at_once = replace(recipe.torque, delay=(0.0,))  # only the motion is looked at
    training = [one for one, role in zip(recipe.recordings(), recipe.roles, strict=True) if role == "train"]
    for recording in training:
        prepared = prepare_one(replace(recipe, processing=plain, torque=at_once), recording)
        parts: list[Samples] = []
        for part in prepared.samples():
            parts.append(part)
            if sum(map(len, parts)) >= ROWS:
                break
        if parts:
            return joined(parts), prepared.recorded_rate
    raise RecordingError(
        ", ".join(one.title for one in training), "nothing is left of it: is it shorter than what is trimmed?"
    )


def valley(q: Floats, rate: float) -> float:
    """The frequency (Hz) between motion and noise: where the spectrum of the accelerations, that of the motion falling and that of
    the noise rising with the fourth power, is least. The mean over the joints that move; each spectrum smoothed over a third of an octave."""
    from scipy.signal import welch

    length = min(len(q), max(256, int(rate * LONGEST)))
    frequencies, power = welch(q, fs=rate, window="hann", nperseg=length, detrend="linear", axis=0)
    step = frequencies[1]
    grid = np.geomspace(2 * step / OCTAVE, LARGEST * rate, BANDS)
    bands = [(frequencies >= f / OCTAVE - step / 2) & (frequencies <= f * OCTAVE + step / 2) for f in grid]
    found = []
    for one in power.T:
        motion = np.array([one[band].mean() for band in bands])
        if motion.max() > 0:
            peak = int(np.argmax(motion))
            least = peak + int(np.argmin((motion * grid**4)[peak:]))
            found.append(float(np.log(grid[least])))
    return float(np.exp(np.mean(found))) if found else rate
