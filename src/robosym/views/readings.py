"""What some models say beside their equations: factors and singularities, regroupings, columns, a derivation in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..expr import Expr, latex, text
from ..generated import Model
from ..models import base_parameters
from ..models.inertial_parameters.base_parameters import BaseParameters
from ..models.kinematic.determinant import Determinant
from ..models.kinematic.singularities import Singularity, shown
from ..models.regressors.regressor import Regressor
from ..robot import Robot
from .controls import keywords
from .equations import LONGEST

IN_WORDS = ("inverse-geometric", "loop-geometry", "direct-geometric")  # models whose ``explain`` tells a derivation


def reading(robot: Robot, model: Model, name: str, options: Any) -> dict[str, Any] | None:
    """A tab of its own: its title, and tables or words; None of most models."""
    if isinstance(model, Determinant):
        return _determinant(model)
    if name == "base-parameters":
        asked = {key: value for key, value in keywords(robot, name, options).items() if key != "coordinates"}
        return _base_parameters(base_parameters(robot, **asked))
    if isinstance(model, Regressor):
        return _columns(model)
    if name in IN_WORDS:
        return {"title": "Derivation", "kind": "words", "text": model.explain()}
    return None


def formula(value: Expr) -> dict[str, str]:
    """LaTeX, "" where it would be too long, and text."""
    written = shown(value)
    typeset = "" if written.startswith("<") else latex(value)
    return {"latex": typeset if len(typeset) <= LONGEST and "\n" not in typeset else "", "text": written}


# --- the determinant ---------------------------------------------------------------------------------------------------


def _determinant(model: Determinant) -> dict[str, Any]:
    found = {"title": "Singularities", "kind": "determinant", "factors": [], "singularities": [], "text": ""}
    if model.blocks is None:
        text = "More joints than rows: the measure is the root of the sum of the squares of all square parts."
        return {**found, "text": text}
    singular = [_singularity(one, model.joints) for one in model.singularities]
    none = (
        ""
        if singular
        else "The determinant does not depend on the position."
        if model.blocks
        else "It is zero everywhere."
    )
    return {**found, "factors": [formula(one) for one in model.factors], "singularities": singular, "text": none}


def _singularity(one: Singularity, joints: Sequence[str]) -> dict[str, Any]:
    solved = one.solved
    return {
        "equation": formula(one.equation),
        "joint": formula(solved.joint) if solved else None,
        "values": [formula(value) for value in solved.values] if solved else [],
        "condition": solved.condition if solved else "",
        "motions": [
            [{"joint": name, **formula(x)} for name, x in zip(joints, motion, strict=True) if not x.is_zero]
            for motion in one.motions
        ],
    }


# --- inertial parameters -----------------------------------------------------------------------------------------------


def _base_parameters(found: BaseParameters) -> dict[str, Any]:
    rotors = found.count - found.inertial_count
    notes = [f"{found.inertial_count} inertial parameters and {rotors} rotor inertias give all torques."]
    if not found.exact:
        notes.append("There may be fewer: the rules do not see all that ties the joints or the motion of the base.")
    if found.pivots:
        notes.append(f"For values with which none of these is zero: {', '.join(map(text, found.pivots))}.")
    if found.fixed:
        notes.append(f"Found with the values of {', '.join(found.fixed)}: they hold for no others.")
    kinds = dict.fromkeys(found.regrouped, "regrouped") | dict.fromkeys(found.unchanged, "as it is")
    expressions = found.expressions()
    return {
        "title": "Regroupings",
        "kind": "table",
        "notes": notes,
        "head": ["parameter", "in the standard parameters", ""],
        "rows": [[_cell(name), formula(value), kinds[name]] for name, value in expressions.items()],
        "after": [{"title": "No effect on any torque", "names": list(found.vanishing)}] if found.vanishing else [],
    }


def _columns(model: Regressor) -> dict[str, Any]:
    described = model.expressions
    return {
        "title": "Columns",
        "kind": "table",
        "notes": [f"{len(model.columns)} parameters, {len(model.rows)} rows: {', '.join(model.rows)}."],
        "head": ["column", "parameter", "what it is"],
        "rows": [
            [str(k), _cell(name), _meaning(name, described, model.words)] for k, name in enumerate(model.columns, 1)
        ],
        "after": [],
    }


def _meaning(name: str, expressions: Mapping[str, Expr], words: Mapping[str, str]) -> Any:
    return words[name] if name in words else formula(expressions[name]) if name in expressions else ""


def _cell(name: str) -> dict[str, str]:
    from ..codegen.targets.latex.names import typeset

    return {"latex": typeset(name), "text": name}
