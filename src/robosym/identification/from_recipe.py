"""From a recording to the robot's parameters: ``identify(recipe)``.

The recordings of a recipe are prepared (``data``), the identification model is evaluated along them (``sampled``), its equations
are reduced to factors by time block and joint, and the parameters follow from these (``estimation``). The bootstrap and
cross-validation need no second pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from .. import models
from ..errors import RobosymError
from ..library import load
from ..models.regressors.regressor import Regressor
from ..reals import Floats
from ..robot.problems import Problem
from .automatic import completed
from .data.notes import Notes
from .data.preparing import Prepared, prepare
from .data.recipe import Recipe, RecipeError
from .data.threads import in_order
from .drive_gains import gains_of, warnings_of
from .estimation.equations import Equations
from .estimation.essential import essential
from .estimation.estimation import METHODS, Estimate, EstimationError
from .estimation.factors import Factors, doublings, summed
from .estimation.instruments import instrumental
from .estimation.physical import Physical, UnsolvedError, physical
from .estimation.robust import huber
from .estimation.total import total
from .estimation.uncertainty import bootstrap
from .estimation.validation import Prediction, cross_validation, prediction, signs
from .excitation.one_thread import one_thread
from .prior import positive, prior_values, standards
from .result import Identification
from .sampled import Sampler

T = TypeVar("T")
Progress = Callable[[str, float], None]  # what is being done, and how much of it is
BADLY = 30.0  # per cent: a joint whose torque is explained worse is probably described wrongly
NOTHING_LEFT = "no equations are left: every row was left out (see the notes on the recording)"
SCALE = 30.0  # how many times larger or smaller than the prior's a torque may be


def identify(
    recipe: Recipe | str | Path,
    *,
    data: str | Path | None = None,
    progress: Progress | None = None,
    workers: int = 2,
    client: Any = None,
) -> Identification:
    """The parameters of a robot from the recordings of a recipe. ``data`` is the folder of the recordings, if it is another than the
    recipe's; ``progress`` is told what is being done; ``workers`` threads share the work, or those of a cluster do, whose
    ``distributed.Client`` is the ``client``."""
    given = recipe if isinstance(recipe, Recipe) else Recipe.read(recipe, data)
    with one_thread():  # inside the linear algebra: matrices are small, and pieces already have threads
        return _identified(given, progress or (lambda what, part: None), workers, client)


def _identified(open_recipe: Recipe, tell: Progress, workers: int, client: Any) -> Identification:
    given, remarks = completed(open_recipe)
    model = regressor_of(given)
    unknown = [name for name in given.model.without if name not in model.columns]
    if unknown:
        problem = f"there is no parameter {', '.join(unknown)}: expected some of {', '.join(model.columns)}"
        raise RecipeError([Problem("model, without", problem)], given.source)
    sampler = Sampler(given, model, workers)
    tell("reading", 0.0)
    prepared, factors_from = _reduced(sampler, tell, workers, client)
    for remark in remarks:
        prepared[0].notes.remark(remark)
    training = [one for one in prepared if one.role == "train"]
    if not training:
        raise EstimationError("data, role: every recording is for validation, expected one to train with")
    factors = factors_from(training)
    estimate, used = _estimated(given, sampler, training, factors, tell)
    others = {one.recording.title: factors_from([one]) for one in prepared if one.role == "validate"}
    found = _completed(given, sampler, prepared, used, estimate, others, tell)
    gains = _if_possible(found.notes, lambda: gains_of(sampler, training))
    for warning in warnings_of(gains) if gains is not None else ():
        found.notes.warn(warning)
    return replace(found, gains=gains)


def _reduced(
    sampler: Sampler, tell: Progress, workers: int, client: Any
) -> tuple[tuple[Prepared, ...], Callable[[Sequence[Prepared]], Factors]]:
    """The recordings, inspected, and what gives the factors of some of them: here, or from a cluster."""
    if client is None:
        prepared = prepare(sampler.recipe, sampler.dense)
        return prepared, lambda recordings: factors_of(sampler, recordings, tell, workers)
    from .cluster import reduce_on

    found = reduce_on(client, sampler.recipe, tell)
    return found.prepared, found.factors_of


def regressor_of(recipe: Recipe) -> Regressor:
    """The identification model of a recipe, in base parameters."""
    choice = recipe.model
    friction = list(choice.friction)
    if recipe.robot.couplings and ("viscous" in friction or "coulomb" in friction) and "coupled" not in friction:
        friction.append("coupled")
    return models.regressor(
        recipe.robot,
        model=choice.kind,
        parameters="base",
        friction=friction,
        rotor_inertia=choice.rotor_inertia,
        extra=choice.extra,
    )


# --- factors -----------------------------------------------------------------------------------------------------------


def factors_of(
    sampler: Sampler, recordings: Sequence[Prepared], tell: Progress | None = None, workers: int = 2
) -> Factors:
    """The factors of some recordings: samples come one after the other, their columns are factorised by several threads."""
    width = sampler.recipe.estimate.block
    level = max((doublings(one.survey.rows * one.survey.step, width) for one in recordings), default=0)

    def factorised(equations: Equations) -> Factors:
        return Factors.of(equations, width, level=level)

    pieces = in_order(factorised, _all(sampler, recordings, tell), workers)
    found = summed(pieces)
    if found is None or not found.count.sum():
        raise EstimationError(NOTHING_LEFT)
    return found


def _all(sampler: Sampler, recordings: Sequence[Prepared], tell: Progress | None = None) -> Iterator[Equations]:
    kept = [name for name in sampler.model.columns if name not in sampler.recipe.model.without]
    for one in recordings:
        length, done = one.survey.rows, 0
        for equations in sampler.equations(one):
            yield equations if len(kept) == len(equations.columns) else equations.select(kept)
            done += max(equations.rows)
            if tell is not None and length:
                tell(f"factors of {one.recording.title}", min(1.0, done * sampler.recipe.processing.factor / length))


# --- the estimate ------------------------------------------------------------------------------------------------------


def _estimated(
    recipe: Recipe, sampler: Sampler, training: Sequence[Prepared], factors: Factors, tell: Progress
) -> tuple[Estimate, Factors]:
    """The estimate, and the factors it comes from (of weighted rows, if rows have weights)."""
    method, width = recipe.estimate.method, recipe.estimate.block
    tell(f"estimating ({method})", 0.0)

    def passes() -> Iterator[Equations]:
        return _all(sampler, training)

    if method == "huber":
        robust = huber(passes, width=width)
        return robust.estimate, robust.factors
    if method == "total":
        return total(factors), factors
    if method == "instrumental":
        pairs = [sampler.instruments(*both) for both in zip(training, smoother(recipe), strict=True)]
        own, instruments = ([pair[k] for pair in pairs] for k in (0, 1))
        return instrumental(lambda: iter(own), lambda K: iter(instruments), width=width), factors
    return METHODS[method](factors), factors


def smoother(recipe: Recipe) -> list[Prepared]:
    """Where instruments come from: the same motion low-passed at half the frequency. What noise has above that is in the columns
    and not in the instruments."""
    cutoff, trim = recipe.processing.cutoff, recipe.processing.trim
    if cutoff is None or trim is None:
        raise EstimationError("estimate, method: instruments need processing, cutoff and trim")
    smooth = replace(recipe, processing=replace(recipe.processing, cutoff=cutoff / 2))
    return [one for one in prepare(smooth) if one.role == "train"]


def _completed(
    recipe: Recipe,
    sampler: Sampler,
    prepared: Sequence[Prepared],
    factors: Factors,
    estimate: Estimate,
    others: dict[str, Factors],
    tell: Progress,
) -> Identification:
    """The estimate with its uncertainty, its proof on other data, and what it says about a possible robot."""
    model, notes = sampler.model, _merged([one.notes for one in prepared])
    tell("bootstrap", 0.0)
    spread = _if_possible(notes, lambda: bootstrap(factors, estimate))
    checked = _if_possible(notes, lambda: cross_validation(factors, recipe.estimate.folds, _linear(estimate.method)))
    few = _if_possible(notes, lambda: essential(factors, estimate, recipe.estimate.essential))
    prior = prior_values(model, None if recipe.prior is None else load(recipe.prior))
    tell("physical", 0.0)
    possible = _physical(recipe, model, factors, estimate, prior, notes)
    for warning in (*_warnings(model, estimate, prior), *(possible.warnings if possible else ())):
        notes.warn(warning)
    unseen = {title: prediction(one, estimate) for title, one in others.items()}
    of_possible: dict[str, Prediction] = {}
    if possible is not None:
        other = replace(estimate, values=possible.base)
        of_possible = {title: prediction(one, other) for title, one in {"fit": factors, **others}.items()}
    proof = (spread, checked, few, unseen, prior, possible, of_possible)
    return Identification(recipe, model, estimate, factors, notes, *proof, sampler, prepared)


def _linear(method: str) -> str:
    """The method that cross-validation repeats: of one that needs the rows themselves, the weights by joint."""
    return method if method in METHODS else "weighted"


def _if_possible(notes: Notes, make: Callable[[], T]) -> T | None:
    try:
        return make()
    except RobosymError as error:
        notes.warn(str(error))
        return None


def _physical(
    recipe: Recipe, model: Regressor, factors: Factors, estimate: Estimate, prior: Floats, notes: Notes
) -> Physical | None:
    if not recipe.estimate.physical:
        return None
    try:
        return physical(factors, estimate, standards(model), prior)
    except UnsolvedError as error:
        notes.warn(str(error))
        return None


def _warnings(model: Regressor, estimate: Estimate, prior: Floats) -> Iterator[str]:
    yield from estimate.warnings
    yield from signs(estimate, [name for name in positive(model, estimate.columns) if name in estimate.columns])
    for joint, error in zip(estimate.joints, estimate.relative, strict=True):
        if error > BADLY:
            yield (
                f"the torque of {joint} is explained badly ({error:.0f} % is left): look at the ratio, sign and unit of its "
                "columns, at the delay, and at what the model leaves out"
            )
    _, B = model.standard_map()
    known = np.isfinite(prior)
    if known.all() and np.any(prior):
        expected = B @ prior
        heavy = [
            k
            for k, name in enumerate(estimate.columns)
            if name.startswith(("MX", "MY", "ZZ", "XX")) and abs(expected[k]) > 0
        ]
        if heavy:
            ratio = float(np.median(np.abs(estimate.values[heavy] / expected[heavy])))
            if not 1 / SCALE < ratio < SCALE:
                yield (
                    f"inertias and first moments come out {ratio:.2g} times those of the prior: the unit of the torque is "
                    "probably wrong (N m, mN m, per cent or ampere?)"
                )


def _merged(all_notes: Sequence[Notes]) -> Notes:
    total = Notes()
    for one in all_notes:
        for warning in one.warnings:
            total.warn(warning)
        for remark in one.remarks:
            total.remark(remark)
        for why, rows in one.left_out.items():
            total.leave_out(why, rows)
    return total
