"""Functions whose vector code is there, here and as on other processors."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from runtime.batches import VALUES, mixed, square, with_vectors
from runtime.hosts import OTHERS, running_on

from robosym.runtime import CompiledFunction


@pytest.fixture(scope="module")
def f() -> CompiledFunction:
    return with_vectors(mixed(), values=VALUES)


@pytest.fixture(scope="module")
def g() -> CompiledFunction:
    return with_vectors(square())


@pytest.fixture(params=list(OTHERS))
def elsewhere(request: pytest.FixtureRequest) -> Iterator[Callable[..., CompiledFunction]]:
    with running_on(OTHERS[request.param]):
        yield with_vectors
