"""What a model says of itself, for tests."""

from __future__ import annotations

from robosym.generated import Model


def about(model: Model) -> str:
    said = model.documentation
    assert said is not None
    return said.about


def sentences(model: Model) -> str:
    said = model.documentation
    assert said is not None
    return "; ".join(said.made)
