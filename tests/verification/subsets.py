"""Verification of a few models only, which is what takes the time."""

from __future__ import annotations

import pytest

from robosym import models

KINEMATIC = ("jacobian", "accelerations", "centroidal-momentum-rate")


DYNAMIC = ("inverse-dynamics", "gravity", "energy", "forward-dynamics", "regressor")


def some_models(monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...] = (*KINEMATIC, *DYNAMIC)) -> None:
    """Only these are verified, which is what takes the time."""
    here = set(names)
    monkeypatch.setattr(
        "robosym.verification.run.models_of", lambda robot: [n for n in models.models_of(robot) if n in here]
    )
