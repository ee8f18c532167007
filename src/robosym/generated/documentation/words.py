"""What a model computes, in words, by the name of the model. Whoever makes a model says it: models where they are declared
(``declaration.py``), control laws in ``control/documentation.py``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...program.documentation import Described
from .arrays import COMMON
from .case import Case, Said

if TYPE_CHECKING:
    from ..model import Model


@dataclass(frozen=True)
class Words:
    """A sentence on the model, and its arrays by name beside those that many models have."""

    about: str | Callable[[Case], str]
    arrays: Mapping[str, Said] = field(default_factory=dict)
    common: Mapping[str, Said] = field(default_factory=lambda: COMMON)
    other: Callable[[Case], Described | None] | None = None  # arrays that are in neither
    parameters: str = "of the robot"
    gravity: bool = False  # whether it enters
    inertia: bool = False  # whether inertial parameters enter
    rotors: bool = False  # whether rotor inertias enter without an option that says so

    def sentence(self, case: Case) -> str:
        return self.about if isinstance(self.about, str) else self.about(case)


WORDS: dict[str, Words] = {}
WORDS_OF_PLATFORMS: dict[str, Words] = {}  # of models that are written from the pose of a platform


def words_of(model: Model, name: str) -> Words | None:
    """The words of the model of this name; None of one that nobody has described."""
    return (WORDS_OF_PLATFORMS if model.robot.platforms else WORDS).get(name)
