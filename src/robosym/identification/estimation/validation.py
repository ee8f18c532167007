"""Whether the parameters predict what they were not fitted to: cross-validation, and errors on other recordings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from ...reals import Floats
from .determined import UndeterminedError
from .estimation import METHODS, Estimate, EstimationError, errors
from .factors import Factors

NOTHING = 1e-10  # of the largest parameter: rounding


@dataclass(frozen=True, eq=False)
class Validation:
    """The rms of the residuals of each fold (rows) and joint (columns), where it was left out and where it was fitted."""

    joints: tuple[str, ...]
    test: Floats
    training: Floats

    @property
    def ratios(self) -> Floats:
        """Test rms to training rms of each joint, mean over the folds: about 1 unless the model is fitted to noise."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Floats = np.mean(self.test / self.training, axis=0)
        return found

    @property
    def mean(self) -> float:
        """Over joints and folds."""
        return float(np.mean(self.ratios))


@dataclass(frozen=True, eq=False)
class Prediction:
    """Errors on other equations: rms and relative (per cent of the torques' norm) of each joint."""

    joints: tuple[str, ...]
    rms: Floats
    relative: Floats


def cross_validation(factors: Factors, folds: int = 4, method: str = "weighted") -> Validation:
    """Each of the interleaved folds of blocks predicted by an estimate from the others."""
    if folds < 2 or len(factors.blocks) < folds:
        raise EstimationError(
            f"folds: expected from 2 to the {len(factors.blocks)} blocks of time there are, got {folds}"
        )
    if method not in METHODS:
        raise EstimationError(f"method: got {method!r}, expected one of {', '.join(METHODS)}")
    parts = factors.folds(folds)
    single = [_as_one_block(part, i) for i, part in enumerate(parts)]
    test, training = [], []
    for i, left_out in enumerate(single):
        rest = reduce(add, (part for k, part in enumerate(single) if k != i))
        try:
            K = METHODS[method](rest).values
        except UndeterminedError as reason:
            raise EstimationError(f"cross-validation: without fold {i + 1} of {folds}, {reason}") from reason
        test.append(errors(left_out, K)[0])
        training.append(errors(rest, K)[0])
    return Validation(factors.joints, np.array(test), np.array(training))


def _as_one_block(factors: Factors, number: int) -> Factors:
    """The same in one block: what is computed from the whole becomes cheap."""
    return Factors(
        factors.columns,
        factors.joints,
        factors.places,
        factors.width,
        factors.most,
        factors.level,
        ((f"fold {number}", 0),),
        tuple(R[None] for R in factors.whole),
        factors.count[None],
    )


def prediction(factors: Factors, estimate: Estimate) -> Prediction:
    """The errors of an estimate on the factors of other recordings."""
    if factors.columns != estimate.columns:
        raise EstimationError("prediction: the estimate has other columns than the factors")
    return Prediction(factors.joints, *errors(factors, estimate.values))


def signs(estimate: Estimate, nonnegative: Iterable[str]) -> tuple[str, ...]:
    """Warnings for parameters that cannot be negative and are, such as friction and rotor inertia."""
    found = []
    for name in nonnegative:
        i = estimate.columns.index(name)
        value, sigma = estimate.values[i], estimate.sigma[i]
        if abs(value) < NOTHING * np.abs(estimate.values).max():
            continue
        if value < -2 * sigma:
            found.append(
                f"{name} = {value:.4g} is negative by {-value / sigma:.0f} sigmas, which is impossible: look for a wrong sign,"
                " ratio or delay of this joint"
            )
        elif value < 0:
            found.append(
                f"{name} = {value:.4g} is negative, but within two sigmas ({sigma:.2g}) of zero: hardly determined"
            )
    return tuple(found)
