"""The report of an identification: one HTML page, the same as JSON, and the robot as files."""

from __future__ import annotations

import html
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import RobosymError
from ..files import write_text
from ..formats import toml_write, urdf_write
from ..reals import Floats
from ..robot import Robot
from .charts import Line, chart
from .estimation.uncertainty import intervals

if TYPE_CHECKING:
    from .result import Identification

MOST_ROWS = 6000  # of a joint, that are drawn
STRONG = 0.95  # correlation of two parameters that is worth a word

STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --paper: #fff; --faint: #8892a0; --line: #d9dee5; --a: #2563a8; --b: #d9622b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ef; --paper: #14181d; --faint: #8a94a3; --line: #2d343d; --a: #6fb0f0; --b: #f0955f; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 960px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; } h3 { font-size: 1rem; margin-bottom: .2rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .15rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child, td:first-child, td.words { text-align: left; } td.words { color: var(--faint); font-size: .85rem; }
.warning { border-left: 4px solid var(--b); padding: .3rem .8rem; margin: .4rem 0; }
svg { width: 100%; height: auto; } svg text { font: 11px system-ui, sans-serif; fill: var(--faint); }
svg .grid { stroke: var(--line); } polyline { fill: none; stroke-width: 1.2; }
polyline.measured { stroke: var(--a); } polyline.predicted { stroke: var(--b); } polyline.residual { stroke: var(--faint); }
tspan.measured { fill: var(--a); } tspan.predicted { fill: var(--b); }
"""


def write_report(result: Identification, folder: Path) -> dict[str, Path]:
    """All files, and where they are. What cannot be written is said in the page."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RobosymError(f"{folder}: cannot be made: {error.strerror or error}") from error
    robot, notes = _robot(result)
    files = {"json": folder / "identification.json", "html": folder / "report.html"}
    write_text(files["json"], json.dumps(finite(result.as_dict()), indent=2) + "\n")
    if robot is not None:
        stem = re.sub(r"[^\w.+-]+", "_", robot.name).lstrip(".") or "robot"
        files["toml"] = folder / f"{stem}.toml"
        write_text(files["toml"], toml_write.dumps(robot))
        text = _urdf(result, robot, notes)
        if text is not None:
            files["urdf"] = folder / f"{stem}.urdf"
            write_text(files["urdf"], text)
    write_text(files["html"], page(result, notes))
    return files


def _robot(result: Identification) -> tuple[Robot | None, list[str]]:
    try:
        return result.robot, []
    except RobosymError as error:
        return None, [f"no file of the robot: {error}"]


def _urdf(result: Identification, robot: Robot, notes: list[str]) -> str | None:
    """The robot as URDF, or why not; what the format has no place for is noted."""
    if result.physical is None:
        notes.append("no URDF: base parameters have no masses of single links; set physical = true in [estimate]")
        return None
    try:
        with warnings.catch_warnings(record=True) as losses:
            warnings.simplefilter("always")
            text = urdf_write.dumps(robot)
    except RobosymError as error:
        notes.append(f"no URDF: {error}")
        return None
    notes += [str(loss.message) for loss in losses]
    return text


def finite(value: object) -> object:
    """The same with None for what JSON cannot say."""
    if isinstance(value, dict):
        return {key: finite(x) for key, x in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(x) for x in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


# --- the page ----------------------------------------------------------------------------------------------------------


def page(result: Identification, notes: Sequence[str] = ()) -> str:
    title = f"Identification of {result.recipe.robot.name}"
    parts = [*_summary(result, title), *_warnings(result), *_errors(result), *_plots(result), *_parameters(result)]
    parts += [*_essential(result), *_physical(result), *_left_out(result, notes)]
    head = (
        f"<meta charset='utf-8'><meta name='viewport' content='width=device-width'><title>{html.escape(title)}</title>"
    )
    return f"<!doctype html><html lang='en'><head>{head}<style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n"


def _summary(result: Identification, title: str) -> Iterator[str]:
    found = result.estimate
    yield f"<h1>{html.escape(title)}</h1>"
    yield (
        f"<p>{len(found.columns)} parameters ({html.escape(str(result.model.options['model']))} model, {found.method} least squares) "
        f"from {int(found.rows.sum())} equations. Condition number {found.condition:.0f}, {found.scaled_condition:.0f} with columns "
        "of unit norm.</p>"
    )
    if result.validation is not None:
        yield (
            f"<p>Predicted on blocks of time that were left out, the error is {result.validation.mean:.2f} times that of the fit "
            "(about 1 unless the model is fitted to noise).</p>"
        )
    if result.bootstrap is not None:
        yield (
            f"<p>Neighbouring residuals are alike: the standard deviations by resampling blocks of time are "
            f"{result.bootstrap.inflation:.1f} times the naive ones. Trust the larger.</p>"
        )


def _warnings(result: Identification) -> Iterator[str]:
    if result.warnings:
        yield "<h2>Warnings</h2>"
        yield from (f"<p class='warning'>{html.escape(text)}</p>" for text in result.warnings)


def _errors(result: Identification) -> Iterator[str]:
    yield "<h2>Errors by joint</h2>"
    heads = ["joint", "rows", "rms", "% of the torque"]
    checked = result.validation
    heads += ["test / fit"] if checked is not None else []
    heads += [f"% on {title}" for title in result.unseen]
    rows = []
    for k, joint in enumerate(result.estimate.joints):
        row = [
            joint,
            f"{result.estimate.rows[k]}",
            f"{result.estimate.rms[k]:.4g}",
            f"{result.estimate.relative[k]:.1f}",
        ]
        row += [f"{checked.ratios[k]:.2f}"] if checked is not None else []
        rows.append([*row, *(f"{one.relative[k]:.1f}" for one in result.unseen.values())])
    yield _table(heads, rows)


def _plots(result: Identification) -> Iterator[str]:
    yield "<h2>Measured and predicted</h2>"
    for name, time, measured, predicted in traces(result):
        yield f"<h3>{html.escape(name)}</h3>"
        lines = [Line("measured", "measured", time, measured), Line("predicted", "predicted", time, predicted)]
        yield chart([*lines, Line("residual", "residual", time, measured - predicted)], "s", "N m")


def traces(
    result: Identification, recording: int = 0, values: Floats | None = None
) -> Iterator[tuple[str, Floats, Floats, Floats]]:
    """Of each row of the model: time, measured and predicted (with other ``values`` of the parameters, if these are given), of as
    much of a recording as is drawn."""
    found = result.estimate
    chosen = found.values if values is None else values
    parts: list[tuple[tuple[Floats, ...], tuple[Floats, ...], tuple[Floats, ...]]] = []
    drawn = 0
    for equations in result.sampler.equations(result.prepared[recording]):
        parts.append((equations.times, equations.torques, equations.predict(chosen)))
        drawn += max(equations.rows)
        if drawn >= MOST_ROWS:
            break
    for k, name in enumerate(found.joints):
        time, measured, predicted = (
            np.concatenate([np.zeros(0), *(part[i][k] for part in parts)])[:MOST_ROWS] for i in range(3)
        )
        yield name, time, measured, predicted


def _parameters(result: Identification) -> Iterator[str]:
    yield "<h2>Parameters</h2>"
    low, high = intervals(result.estimate, 0.95, result.bootstrap.sigma if result.bootstrap is not None else None)
    rows = []
    for k, one in enumerate(result.parameters.values()):
        spread = "" if one.sigma_bootstrap is None else f"{one.sigma_bootstrap:.3g}"
        interval = f"{low[k]:.4g} to {high[k]:.4g}"
        relative = f"{one.relative_sigma:.1f}" if np.isfinite(one.relative_sigma) else ""
        rows.append([one.name, f"{one.value:.5g}", f"{one.sigma:.2g}", spread, relative, interval, one.meaning])
    yield _table(["parameter", "value", "sigma", "by bootstrap", "sigma %", "95 % interval", "meaning"], rows, words=6)
    pairs = list(_alike(result))
    if pairs:
        yield f"<p>Hard to tell apart in these data (correlation): {html.escape('; '.join(pairs))}.</p>"


def _alike(result: Identification) -> Iterator[str]:
    names, matrix = result.estimate.columns, result.estimate.correlation
    for i, j in zip(*np.nonzero(np.triu(np.abs(matrix), 1) > STRONG), strict=True):
        yield f"{names[i]} and {names[j]} ({matrix[i, j]:.2f})"


def _essential(result: Identification) -> Iterator[str]:
    if result.essential is not None and result.essential.steps:
        kept, rise = result.essential.kept, result.essential.rise
        yield "<h2>Essential parameters</h2>"
        yield (
            f"<p>{len(kept)} of {len(result.parameters)} explain the torques nearly as well: the rms rises by at most "
            f"{np.max(rise):.1f} %. {html.escape(', '.join(kept))}.</p>"
        )


def _physical(result: Identification) -> Iterator[str]:
    found = result.physical
    if found is None:
        return
    yield "<h2>Physically consistent parameters</h2>"
    yield (
        "<p>Standard parameters of a possible robot, nearest to what was known before; chi-squared rises by "
        f"{100 * found.total_rise:.2f} %, of which any possible robot costs {100 * found.feasible_rise:.2f} %."
        + (f" At a limit: {html.escape(', '.join(found.at_limit))}." if found.at_limit else "")
        + "</p>"
    )
    known = [f"{x:.4g}" if np.isfinite(x) else "" for x in result.prior]
    rows = [[name, f"{x:.4g}", p] for name, x, p in zip(found.names, found.values, known, strict=True)]
    yield _table(["parameter", "value", "before"], rows)


def _left_out(result: Identification, notes: Iterable[str]) -> Iterator[str]:
    lines = [*result.notes.remarks, *(f"{n} rows left out: {why}" for why, n in result.notes.left_out.items()), *notes]
    if lines:
        yield "<h2>Notes</h2><ul>"
        yield from (f"<li>{html.escape(line)}</li>" for line in lines)
        yield "</ul>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], words: int | None = None) -> str:
    top = "".join(f"<th>{html.escape(head)}</th>" for head in heads)
    body = "".join(
        "<tr>"
        + "".join(f"<td{' class=words' if k == words else ''}>{html.escape(cell)}</td>" for k, cell in enumerate(row))
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
