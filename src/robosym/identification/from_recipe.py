"""From a recording to the robot's parameters: ``identify(recipe)``.

The recordings of a recipe are prepared (``data``), the identification model is evaluated along them (``sampled``), its equations
are reduced to factors by time block and joint, and the parameters follow from these (``estimation``). The bootstrap and
cross-validation need no second pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast

import numpy as np

from .. import models
from ..errors import RobosymError
from ..library import load
from ..models.common import require_no_platform
from ..models.regressors.regressor import Kind, Regressor
from ..options.markers import PATH, Count
from ..options.validate import validated
from ..reals import Floats
from ..robot import INERTIA
from ..robot.joint_entries import require_single_axes
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
from .estimation.physical import RISE, Physical, Standard, UnsolvedError, physical
from .estimation.robust import factorised, huber, robust_sigma, within
from .estimation.total import total
from .estimation.uncertainty import bootstrap
from .estimation.validation import Prediction, cross_validation, prediction, signs
from .excitation.one_thread import one_thread
from .payload import completed as completed_payload
from .prior import positive, prior_values, standards
from .result import Identification
from .sampled import Sampler

T = TypeVar("T")
Progress = Callable[[str, float], None]  # what is being done, and how much of it is
BADLY = 15.0  # per cent: a joint whose torque is explained worse is probably described wrongly
NOTHING_LEFT = "no equations are left: every row was left out, or the recording is shorter than what is trimmed"
MANY = 0.1  # part of the rows: so many outliers are none
SCALE = 30.0  # how many times larger or smaller than those of the prior links may be
MOMENTS = (5e-3, 1e3)  # kg m: the largest first moment of a robot's links


@validated
def identify(
    recipe: Recipe | str | Path,
    *,
    data: Annotated[str | Path, PATH] | None = None,
    progress: Progress | None = None,
    workers: Count = 2,
    client: Any = None,
) -> Identification:
    """Identify the parameters of a robot from the recordings of a recipe.

    Recordings are filtered, the identification model is evaluated along them, and the base parameters are estimated
    with their uncertainty. The recipe states what the columns mean, how they are processed, and what is estimated.

    Parameters
    ----------
    recipe
        Recipe, or path of its TOML file.
    data
        Folder of the recordings. Only with a recipe file. None: the folder that the recipe names.
    progress
        Function that is called with the current step in words, and its completed part from 0 to 1.
    workers
        Number of threads that share the work.
    client
        Client of a Dask cluster that shares the work, a distributed.Client. None: threads of this process.

    Returns
    -------
    Identification
        Parameters with standard deviations, errors, warnings, and the robot with these parameters.
    """
    given = recipe if isinstance(recipe, Recipe) else Recipe.read(recipe, data)
    require_no_platform(given.robot)
    require_single_axes(given.robot, "identification")
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
    prior = prior_values(model, None if given.prior is None else load(given.prior))
    tell("reading", 0.0)
    prepared, factors_from = _reduced(sampler, tell, workers, client)
    if given.payload is not None and (missing := completed_payload(given.payload)[1]):
        remarks.append(missing)
    for remark in remarks:
        prepared[0].notes.remark(remark)
    training = [one for one in prepared if one.role == "train"]
    if not training:
        raise EstimationError("data, role: every recording is for validation, expected one to train with")
    try:
        factors = factors_from(training)
        estimate, used = _estimated(given, sampler, training, factors, tell)
    except RobosymError as error:
        raise _with_warnings(error, prepared) from error
    others = {one.recording.title: factors_from([one]) for one in prepared if one.role == "validate"}
    found = _completed(given, sampler, prepared, used, estimate, others, prior, tell)
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


def _with_warnings(error: RobosymError, prepared: Sequence[Prepared]) -> EstimationError:
    """An estimate that failed, with what is known about the recordings: it is often the reason."""
    notes = _merged([one.notes for one in prepared])
    left_out = [f"{rows} rows left out: {why}" for why, rows in notes.left_out.items()]
    return EstimationError("\n".join([str(error), *notes.warnings, *left_out]))


def regressor_of(recipe: Recipe) -> Regressor:
    """The identification model of a recipe, in base parameters."""
    choice = recipe.model
    friction = list(choice.friction)
    if recipe.robot.couplings and ("viscous" in friction or "coulomb" in friction) and "coupled" not in friction:
        friction.append("coupled")
    return models.regressor(
        recipe.robot,
        model=cast(Kind, choice.kind),
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
    for one in recordings:
        length, done = one.survey.rows, 0
        for equations in sampler.equations(one):
            yield equations
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
        return map(inside, _all(sampler, training))

    inside = _inside(recipe, lambda: _all(sampler, training))
    if recipe.processing.outliers is not None:
        every, factors = factors, factorised(passes, width)
        _note_outliers(training[0].notes, recipe.processing.outliers, every, factors)
    if method == "huber":
        robust = huber(passes, width=width)
        return robust.estimate, robust.factors
    if method == "total":
        return total(factors), factors
    if method == "instrumental":
        pairs = [sampler.instruments(*both) for both in zip(training, smoother(recipe), strict=True)]
        own = [inside(pair[0]) for pair in pairs]
        instruments = [inside(*pair) for pair in pairs]
        return instrumental(lambda: iter(own), lambda K: iter(instruments), width=width), factors
    return METHODS[method](factors), factors


Inside = Callable[..., Equations]  # equations, and those of which the same rows are taken unless it is these


def _inside(recipe: Recipe, passes: Callable[[], Iterator[Equations]]) -> Inside:
    """What leaves outliers out: rows too many robust standard deviations from an estimate that they hardly pull."""
    limit = recipe.processing.outliers
    if limit is None:
        return lambda equations, other=None: other or equations
    start = huber(passes, width=recipe.estimate.block).estimate
    sigma = robust_sigma(passes, start.values, start.noise)
    return lambda equations, other=None: (other or equations).only(within(equations, start.values, sigma, limit))


def _note_outliers(notes: Notes, limit: float, every: Factors, kept: Factors) -> None:
    for joint, before, after in zip(every.joints, every.count, kept.count, strict=True):
        lost = int(before - after)
        notes.leave_out(f"outliers of {joint}, beyond {limit:g} robust standard deviations (rows of one joint)", lost)
        if lost > MANY * before:
            notes.warn(
                f"{lost} of {int(before)} rows of {joint} are taken for outliers: so many are none; look at its columns, or "
                "allow more with processing, outliers"
            )


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
    prior: Floats,
    tell: Progress,
) -> Identification:
    """The estimate with its uncertainty, its proof on other data, and what it says about a possible robot."""
    model, notes = sampler.model, _merged([one.notes for one in prepared])
    tell("bootstrap", 0.0)
    spread = _if_possible(notes, lambda: bootstrap(factors, estimate))
    checked = _if_possible(notes, lambda: cross_validation(factors, recipe.estimate.folds, _linear(estimate.method)))
    few = _if_possible(notes, lambda: essential(factors, estimate, recipe.estimate.essential))
    tell("physical", 0.0)
    possible = _physical(recipe, model, factors, estimate, prior, notes)
    columns = dict(zip(recipe.joints, prepared[0].side.torque.columns[-len(recipe.joints) :], strict=True))
    for remark in spread.warnings if spread is not None else ():  # what both sigmas say already
        notes.remark(remark)
    for warning in (*_warnings(model, estimate, prior, columns), *(possible.warnings if possible else ())):
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
    own = standards(model)
    kept = [name in estimate.columns for name in model.columns]
    zero = own.base[[not one for one in kept]]
    alone = zero[np.count_nonzero(zero, axis=1) == 1].any(axis=0)
    prior = np.where(alone, np.nan, prior)  # of a parameter that is taken as zero nothing else is known
    standard = Standard(own.names, own.base[kept], own.link_names, own.links, own.nonnegative, zero)
    try:
        rise = RISE if recipe.estimate.rise is None else recipe.estimate.rise
        return physical(factors, estimate, standard, prior, rise=rise)
    except UnsolvedError as error:
        notes.warn(str(error))
        return None


def _warnings(model: Regressor, estimate: Estimate, prior: Floats, columns: dict[str, str]) -> Iterator[str]:
    """What the estimate says about the recording; ``columns`` are those of the torques of each joint."""
    yield from estimate.warnings
    for name in positive(model, estimate.columns):
        number = re.fullmatch(r"\D+(\d+)", name.partition("_own")[0])
        joint = model.robot.frame(int(number[1])).joint.name if number else ""
        at = f" (joint {joint}, column '{columns[joint]}')" if joint in columns else ""
        yield from (f"{warning}{at}" for warning in signs(estimate, [name]))
    for joint, error in zip(estimate.joints, estimate.relative, strict=True):
        if error > BADLY:
            at = f" (column '{columns[joint]}')" if joint in columns else ""
            yield (
                f"the torque of {joint}{at} is explained badly ({error:.0f} % is left): look at the ratio, sign and unit of its "
                "columns, at the delay, and at what the model leaves out"
            )
    yield from _wrong_scale(model, estimate, prior, ", ".join(f"'{name}'" for name in columns.values()))
    if model.options.get("extra"):
        yield (
            f"the file of the robot has no place for the columns {', '.join(model.options['extra'])}: its torques lack them, "
            "those of predict do not"
        )


def _wrong_scale(model: Regressor, estimate: Estimate, prior: Floats, columns: str) -> Iterator[str]:
    """Links that are far too heavy or too light: than those known before, or than any."""
    remedy = f"the unit or gain of the torque ({columns}) is probably wrong (N m, mN m, per cent or ampere?)"
    names, B = model.standard_map()
    of_links = {symbol.name for (_, stem), symbol in model.standard.items() if stem in INERTIA}
    known = {name for name, x in zip(names, prior, strict=True) if np.isfinite(x) and name in of_links}
    numbers = np.where(np.isfinite(prior), prior, 0.0)
    found, expected, moments = [], [], [0.0]
    for name, value in estimate.parameters.items():
        row = B[model.columns.index(name)]
        parts = {names[k] for k in np.flatnonzero(row)}
        if parts and parts <= known:
            found.append(value)
            expected.append(row @ numbers)
        if parts & of_links and name.startswith(("MX", "MY")):
            moments.append(abs(value))
    if np.any(expected):
        ratio = float(np.linalg.norm(found) / np.linalg.norm(expected))
        if not 1 / SCALE < ratio < SCALE:
            yield f"inertias and first moments come out {ratio:.2g} times those known before: {remedy}"
    elif max(moments) > 0 and not MOMENTS[0] < max(moments) < MOMENTS[1]:
        yield f"the largest first moment of a link comes out as {max(moments):.2g} kg m: {remedy}"


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
