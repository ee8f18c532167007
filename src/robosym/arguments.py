"""Former names, until every module imports ``options.validate``."""

from typing import Any

from .options.kinds import fits as fits
from .options.kinds import kind_of
from .options.validate import ArgumentError as ArgumentError
from .options.validate import shown as shown
from .options.validate import validated

judged = strictly = validated


def words(hint: Any) -> str:
    return kind_of(hint).phrase()
