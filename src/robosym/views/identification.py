"""Identification from recordings by a recipe, with all that a report shows.

Long work takes ``progress``, which is told a share from 0 to 1 (None where nobody knows) and words.
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, astuple, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..expr import Expr, evaluate, free_symbols
from ..generated.documentation.units import FORCE, of_joints
from ..identification import Identification, identify
from ..identification.data.recipe import RecipeError
from ..identification.estimation.validation import prediction
from ..identification.report import traces
from ..identification.result import Parameter
from ..reals import Floats
from ..robot import Robot, RobotError
from ..simulation.files import plain
from .identification_columns import looked_at as looked_at
from .identification_recipe import recipe_choices as recipe_choices
from .identification_recipe import recipe_of
from .identification_recipe import recipe_text as recipe_text
from .identification_recipe import recipe_view as recipe_view
from .identification_trials import excited as excited
from .identification_trials import motion_file as motion_file
from .identification_trials import simulated_recording as simulated_recording

Progress = Callable[..., None]
MOST_DRAWN = 2000  # rows of a joint
GAP = 5.0  # usual steps; a line has a gap there
# Stages as identify tells them, with the share at which each begins.
STAGES = {"reading": 0.02, "factors": 0.05, "estimating": 0.7, "bootstrap": 0.8, "physical": 0.95}


def identified(
    robot: Robot, recipe: str, recordings: Sequence[str | Path], progress: Progress | None = None
) -> dict[str, Any]:
    """The parameters of a robot by the text of a recipe, which calls recordings by the names of their files: all of the report."""
    files = {Path(one).name: Path(one) for one in recordings}
    given = recipe_of(recipe, robot, files)

    ends = dict(zip(STAGES, [*list(STAGES.values())[1:], 1.0], strict=True))

    def tell(what: str, part: float) -> None:
        stage = next((word for word in STAGES if what.startswith(word)), "reading")
        if progress is not None:
            progress(STAGES[stage] + (ends[stage] - STAGES[stage]) * part, what)

    try:
        found = identify(given, progress=tell)
    except RecipeError as error:
        raise RobotError(error.problems, "recipe") from error
    tell("physical: writing the report", 0.5)
    return report_view(found)


def report_view(found: Identification) -> dict[str, Any]:
    """All that a report shows, as plain data; its files, as ``report`` writes them, as texts by name."""
    before = _described(found)
    earlier = before if np.isfinite(before).all() and before.any() else None
    data, files = found.as_dict(), _files(found)
    view = {
        **{name: data[name] for name in ("robot", "method", "condition", "warnings", "notes")},
        "equations": found.estimate.rows.sum(),
        "validation": data["validation"].get("mean_ratio"),
        "inflation": data.get("bootstrap", {}).get("inflation"),
        "parameters": list(_parameters(found, before)),
        "joints": list(_joints(found, earlier)),
        "unseen": list(found.unseen),
        "essential": _essential(found),
        "physical": _physical(found),
        "drive_gains": data.get("drive_gains"),
        "traces": list(_traces(found, earlier)),
        "files": files,
        "identified": next((name for name in files if name.endswith(".toml")), None),
    }
    shown: dict[str, Any] = plain(view)
    return shown


def _described(found: Identification) -> Floats:
    """What the description (or the prior) has for each column, nan where nothing is known."""
    if found.recipe.prior is None:
        numbers = {name: value.number for name, value in found.recipe.robot.values.items()}
        known = {name: _number(entry, numbers) for name, entry in found.model.described.items()}
    else:
        _, B = found.model.standard_map()
        known = dict(zip(found.model.columns, (_product(row, found.prior) for row in B), strict=True))
    values = np.array([known[name] for name in found.estimate.columns])
    if not np.any(np.isfinite(values) & (values != 0)):  # zeros alone are what nobody described
        values[:] = np.nan
    return values


def _number(entry: Expr, numbers: dict[str, float]) -> float:
    missing = {symbol.name for symbol in free_symbols(entry)} - set(numbers)
    return float("nan") if missing else float(evaluate([entry], numbers)[0])


def _product(row: Floats, x: Floats) -> float:
    used = np.flatnonzero(row)
    return float(row[used] @ x[used])


def _parameters(found: Identification, before: Floats) -> Iterator[dict[str, Any]]:
    kept = found.essential.kept if found.essential is not None else ()
    for one, earlier in zip(found.parameters.values(), before, strict=True):
        sigma = max(one.sigma, one.sigma_bootstrap or 0.0)
        yield {
            **asdict(one),
            "relative_sigma": one.relative_sigma,
            "essential": one.name in kept,
            "before": earlier,
            "deviation": (one.value - earlier) / sigma if sigma else None,  # in standard deviations, the larger of both
        }


def _joints(found: Identification, before: Floats | None) -> Iterator[dict[str, Any]]:
    estimate, checked = found.estimate, found.validation
    old = None if before is None else prediction(found.factors, replace(estimate, values=before))
    units = dict(of_joints(found.recipe.robot, FORCE))
    for k, joint in enumerate(estimate.joints):
        yield {
            "name": joint,
            "unit": units.get(joint, "N m"),
            "rows": estimate.rows[k],
            **found.errors[joint],
            "before": None if old is None else old.relative[k],
            "test": None if checked is None else checked.ratios[k],
            "unseen": {title: one.relative[k] for title, one in found.unseen.items()},
        }


def _essential(found: Identification) -> dict[str, Any] | None:
    if found.essential is None:
        return None
    rise = np.max(found.essential.rise, initial=0.0)
    return {"kept": found.essential.kept, "of": len(found.parameters), "rise": rise}


def _physical(found: Identification) -> dict[str, Any] | None:
    if found.physical is None:
        return None
    rows = zip(found.physical.names, found.physical.values, found.prior, strict=True)
    values = [{"name": name, "value": value, "before": before} for name, value, before in rows]
    return {"values": values, "rise": found.physical.total_rise, "at_limit": found.physical.at_limit}


# --- lines and files -----------------------------------------------------------------------------------------------------


def _traces(found: Identification, before: Floats | None) -> Iterator[dict[str, Any]]:
    """Measured and predicted torques of each recording; rows that do not count are gaps."""
    for k, prepared in enumerate(found.prepared):
        joints = []
        old = {} if before is None else {name: predicted for name, *_, predicted in traces(found, k, before)}
        for name, time, measured, predicted in traces(found, k):
            chosen, gaps = _drawn(time, measured - predicted)
            lines = {"time": time, "measured": measured, "predicted": predicted}
            lines |= {"before": old[name]} if name in old else {}
            drawn = {key: _with_gaps(line[chosen], gaps, key == "time") for key, line in lines.items()}
            joints.append({"name": name, **drawn})
        yield {"recording": prepared.recording.title, "role": prepared.role, "joints": joints}


def _drawn(time: Floats, residual: Floats) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Rows that are drawn (of each stretch those with the least and the largest residual) and which follow a gap."""
    rows = np.arange(len(time))
    if len(rows) > MOST_DRAWN:
        parts = np.array_split(rows, MOST_DRAWN // 2)
        rows = np.unique([part[f(residual[part])] for part in parts for f in (np.argmin, np.argmax)])
    steps = np.diff(time[rows])
    usual = np.median(steps) if len(steps) else 0.0
    return rows, np.flatnonzero(steps > GAP * usual) + 1


def _with_gaps(line: Floats, gaps: np.ndarray[Any, Any], is_time: bool) -> list[float | None]:
    short: list[float | None] = [float(f"{x:.6g}") for x in line]
    for k in gaps[::-1]:
        short.insert(int(k), 0.5 * float(line[k - 1] + line[k]) if is_time else None)
    return short


def _files(found: Identification) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        written = found.report(folder)
        texts = {path.name: path.read_text(encoding="utf-8") for path in written.values()}
    return texts | {"parameters.csv": parameters_csv(found)}


def parameters_csv(found: Identification) -> str:
    """The parameters as a table for other programs."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["parameter", *(one.name for one in fields(Parameter)[1:])])
    writer.writerows(map(astuple, found.parameters.values()))
    return text.getvalue()
