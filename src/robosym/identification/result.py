"""What an identification found: parameters with their uncertainty, errors, warnings, and the robot with these parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..brief import brief
from ..models.regressors.regressor import Regressor
from ..reals import Floats
from ..robot import Robot
from .data.notes import Notes
from .data.preparing import Prepared
from .data.recipe import Recipe
from .data.samples import Samples
from .estimation.essential import Essential
from .estimation.estimation import Estimate
from .estimation.factors import Factors
from .estimation.gains import DriveGains
from .estimation.physical import Physical
from .estimation.uncertainty import Bootstrap
from .estimation.validation import Prediction, Validation
from .sampled import Sampler


@dataclass(frozen=True)
class Parameter:
    """Identified parameter with its uncertainty.

    Attributes
    ----------
    name
        Name of the parameter.
    value
        Estimate.
    sigma
        Standard deviation, if residuals are white noise.
    sigma_bootstrap
        Standard deviation that accounts for correlated neighbours, by bootstrap.
    meaning
        Expression in standard parameters, or words.
    """

    name: str
    value: float
    sigma: float
    sigma_bootstrap: float | None
    meaning: str

    @property
    def relative_sigma(self) -> float:
        """In per cent of the value."""
        return 100 * self.sigma / abs(self.value) if self.value else float("inf")


@dataclass(frozen=True, eq=False, repr=False)
class Identification:
    """Result of an identification: parameters, errors, warnings, and the robot.

    Attributes
    ----------
    recipe
        Recipe.
    model
        Identification model (regressor).
    estimate
        Estimate of the parameters.
    factors
        Factors that the equations were reduced to.
    notes
        Warnings, remarks, and rows that were left out.
    bootstrap
        Bootstrap of the uncertainty; None if it was not possible.
    validation
        Cross-validation; None if it was not possible.
    essential
        Essential parameters; None if they could not be found.
    unseen
        Errors on the recordings for validation, by title.
    prior
        Standard parameters known beforehand, nan where none is.
    physical
        Physically consistent standard parameters, if requested and found.
    physical_errors
        Errors of the physically consistent parameters, on the fit and on other recordings.
    sampler
        Identification model at samples of motions.
    prepared
        Recordings after inspection.
    gains
        Gains of the drives, where a known payload shows them.
    """

    recipe: Recipe
    model: Regressor
    estimate: Estimate
    factors: Factors
    notes: Notes
    bootstrap: Bootstrap | None
    validation: Validation | None
    essential: Essential | None
    unseen: Mapping[str, Prediction]  # errors on the recordings that were kept for validation
    prior: Floats  # standard parameters known beforehand, nan where none is
    physical: Physical | None
    physical_errors: Mapping[
        str, Prediction
    ]  # of the physically consistent parameters: on the fit and on other recordings
    sampler: Sampler
    prepared: Sequence[Prepared]
    gains: DriveGains | None = None  # of the drives, where a known payload shows them

    def __repr__(self) -> str:
        errors = ", ".join(f"{x:.1f}" for x in self.estimate.relative)
        return brief(
            f"Identification of {self.recipe.robot.name!r:.42}: {len(self.parameters)} parameters, errors {errors} %"
        )

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """Base parameters, friction and all other columns, by name."""
        found, meaning = self.estimate, self.model.meaning
        spread = self.bootstrap.sigma if self.bootstrap is not None else [None] * len(found.columns)
        return {
            name: Parameter(name, float(value), float(sigma), None if b is None else float(b), meaning.get(name, ""))
            for name, value, sigma, b in zip(found.columns, found.values, found.sigma, spread, strict=True)
        }

    @property
    def errors(self) -> dict[str, dict[str, float]]:
        """Error of each joint: rms of the remaining torque, and in % of the torque."""
        return _errors(self.estimate)

    @property
    def warnings(self) -> list[str]:
        """Warnings in words."""
        return list(self.notes.warnings)

    @cached_property
    def robot(self) -> Robot:
        """Robot with the identified parameters.

        They are physically consistent standard parameters, if requested. Else they are base parameters, which give
        the same torques and do not state single masses.
        """
        from .identified_robot import identified_robot

        return identified_robot(self)

    def predict(self, samples: Samples | Mapping[str, Any]) -> Floats:
        """Torques along other motions.

        Parameters
        ----------
        samples
            Motion: samples, or q, qd and qdd by name.
        """
        given = (
            {name: getattr(samples, name) for name in ("q", "qd", "qdd")} if isinstance(samples, Samples) else samples
        )
        state = {name: np.asarray(value, float) for name, value in given.items()}
        D = self.sampler.dense(**state)
        found: Floats = D @ self.values_for(self.model)
        return found

    def values_for(self, model: Regressor) -> Floats:
        """Parameters in the order of a model's columns; zero for columns left out.

        Parameters
        ----------
        model
            Identification model.
        """
        return np.array([self.parameters[name].value if name in self.parameters else 0.0 for name in model.columns])

    def as_dict(self) -> dict[str, Any]:
        """Result as plain data, as ``--json`` prints it."""
        checked, spread, possible = self.validation, self.bootstrap, self.physical
        found: dict[str, Any] = {
            "robot": self.recipe.robot.name,
            "base_parameters": len(self.parameters),
            "method": self.estimate.method,
            "rows": {joint: int(n) for joint, n in zip(self.estimate.joints, self.estimate.rows, strict=True)},
            "condition": {"raw": self.estimate.condition, "scaled": self.estimate.scaled_condition},
            "parameters": {
                one.name: {
                    "value": one.value,
                    "sigma": one.sigma,
                    "sigma_bootstrap": one.sigma_bootstrap,
                    "meaning": one.meaning,
                }
                for one in self.parameters.values()
            },
            "joints": self.errors,
            "validation": {},
            "warnings": self.warnings,
            "notes": [*self.notes.remarks, *(f"{n} rows left out: {why}" for why, n in self.notes.left_out.items())],
        }
        if checked is not None:
            ratios = {joint: float(x) for joint, x in zip(checked.joints, checked.ratios, strict=True)}
            found["validation"] = {"folds": len(checked.test), "ratios": ratios, "mean_ratio": checked.mean}
        for title, one in self.unseen.items():
            found["validation"].setdefault("recordings", {})[title] = _errors(one)
        if spread is not None:
            found["bootstrap"] = {"samples": spread.samples, "inflation": spread.inflation}
        if self.essential is not None:
            found["essential"] = list(self.essential.kept)
        if self.gains is not None:
            each = zip(self.gains.joints, self.gains.gains, self.gains.sigma, strict=True)
            found["drive_gains"] = {joint: {"gain": float(g), "sigma": float(s)} for joint, g, s in each}
        if possible is not None:
            values = {name: float(x) for name, x in zip(possible.names, possible.values, strict=True)}
            joints = {title: _errors(one) for title, one in self.physical_errors.items()}
            found["physical"] = {
                "joints": joints,
                "values": values,
                "chi_squared_rise": possible.total_rise,
                "feasible_rise": possible.feasible_rise,
                "at_limit": list(possible.at_limit),
            }
        return found

    def report(self, folder: str | Path) -> dict[str, Path]:
        """Write a report: an HTML page, JSON, and the identified robot.

        The robot is written as TOML, and as URDF where its masses are known.

        Parameters
        ----------
        folder
            Folder of the report.
        """
        from .report import write_report

        return write_report(self, Path(folder))


def _errors(found: Estimate | Prediction) -> dict[str, dict[str, float]]:
    """By joint."""
    return {
        joint: {"rms": float(rms), "relative": float(relative)}
        for joint, rms, relative in zip(found.joints, found.rms, found.relative, strict=True)
    }
