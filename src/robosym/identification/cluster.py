"""Many recordings on a cluster: ``identify(recipe, client=distributed.Client(...))``.

Each recording is inspected, prepared and reduced to factors by one of Dask's workers, which read the files themselves: a recipe goes
out, a few megabytes of factors come back, and their sum is that of one process. A worker makes the identification model of a recipe
once; compiled functions are not sent.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..errors import RobosymError
from .data.delay import Delays
from .data.inspection import Survey
from .data.joint_side import joint_side
from .data.notes import Notes
from .data.preparing import Prepared, prepare_one
from .data.recipe import Recipe
from .data.recording import Recording
from .data.signals import Array
from .estimation.estimation import EstimationError
from .estimation.factors import Factors, summed
from .excitation.one_thread import one_thread
from .from_recipe import NOTHING_LEFT, Progress, factors_of, regressor_of
from .sampled import Sampler


@dataclass(frozen=True)
class Reduced:
    """What a worker makes of one recording."""

    survey: Survey
    notes: Notes
    delay: Array
    estimated: Delays | None
    factors: Factors | None  # None: no equations are left


@dataclass(frozen=True)
class OnCluster:
    """The recordings of a recipe, and the factors of each."""

    prepared: tuple[Prepared, ...]
    factors: tuple[Factors | None, ...]

    def factors_of(self, recordings: Sequence[Prepared]) -> Factors:
        """The sum over some of the recordings."""
        chosen = [any(one is each for each in recordings) for one in self.prepared]
        parts = [part for part, wanted in zip(self.factors, chosen, strict=True) if wanted and part is not None]
        found = summed(parts)
        if found is None:
            raise EstimationError(NOTHING_LEFT)
        return found


def reduce_on(client: Any, recipe: Recipe, tell: Progress) -> OnCluster:
    """The recordings of a recipe, reduced by the workers of a ``distributed.Client``."""
    try:
        import distributed
    except ImportError as error:
        raise RobosymError("clusters need dask and distributed: pip install robosym[cluster]") from error
    completed: Any = distributed.as_completed
    recordings = recipe.recordings()
    sides = [
        joint_side(recipe, one) for one in recordings
    ]  # what the recipe has wrong is found before anything is sent
    sent = client.scatter(_sendable(recipe), broadcast=True, hash=False)
    count = len(recipe.data.recordings)
    futures = [client.submit(reduce_one, sent, k, pure=False) for k in range(count)]
    for done, _ in enumerate(completed(futures), 1):
        tell(f"factors of {count} recordings", done / count)
    found: list[Reduced] = client.gather(futures)
    prepared = tuple(
        Prepared(recipe, recording, side, one.survey, one.notes, one.delay, one.estimated, role, loaded)
        for one, recording, side, role, loaded in zip(
            found, recordings, sides, recipe.roles, recipe.loaded, strict=True
        )
    )
    return OnCluster(prepared, tuple(one.factors for one in found))


def reduce_one(sent: bytes, place: int) -> Reduced:
    """What a worker does: one recording of the recipe."""
    with one_thread():
        sampler = _sampler(sent)
        recipe = sampler.recipe
        ready = prepare_one(
            recipe, recipe.recordings()[place], recipe.roles[place], sampler.dense, recipe.loaded[place]
        )
        try:
            factors: Factors | None = factors_of(sampler, [ready], workers=1)
        except EstimationError:  # the other recordings may have some
            factors = None
    return Reduced(ready.survey, ready.notes, ready.delay, ready.estimated, factors)


@lru_cache(maxsize=2)
def _sampler(sent: bytes) -> Sampler:
    recipe: Recipe = pickle.loads(sent)
    return Sampler(recipe, regressor_of(recipe))


def _sendable(recipe: Recipe) -> bytes:
    """The recipe with the whole paths of its recordings: workers have folders of their own."""
    files = tuple(
        one if isinstance(one, Recording) else tuple(Path(path).resolve() for path in one)
        for one in recipe.data.recordings
    )
    return pickle.dumps(replace(recipe, data=replace(recipe.data, recordings=files)))
