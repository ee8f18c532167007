"""Direct calls: the builtin functions (``python_call``) that serve plain calls, one for each set of parameters in use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Protocol

from ..reals import Floats
from . import python_call
from .parameters import REMEMBERED, Parameters
from .python_call import Callee


class Code(Hashable, Protocol):
    """What a code must say of itself to be called directly."""

    @property
    def callee(self) -> Callee: ...

    @property
    def callee_of_sets(self) -> Callee:
        """The same with the arrays of ``Parameters`` as further inputs, named ``place_of_set(0)`` and so on."""

    def shared(self, parameters: Parameters) -> tuple[int, int]:
        """The addresses of the parameters and of the constants, 0 for what is not read."""


@cache
def place_of_set(index: int) -> str:
    """A name that no input has; direct calls know names by the object."""
    return sys.intern(f"parameters of each state, {index}")


class DirectCalls:
    """``defaults`` are the inputs that a call may leave out; ``result`` makes of all outputs what a call gives."""

    def __init__(self, defaults: Mapping[str, Floats], result: Callable[[dict[str, Any]], Any] | None = None) -> None:
        self._defaults, self._result = defaults, result
        self._with = lru_cache(REMEMBERED)(self._made)

    def first(self, code: Code, parameters: Parameters, fallback: Callable[..., Any]) -> Callable[..., Any]:
        """A call that goes to the code with these parameters, or else to the fallback."""
        addresses, shared = parameters.addresses, code.shared(parameters)
        owned = [code, parameters]
        return python_call.direct_call(code.callee, self._defaults, addresses, shared, fallback, owned, self._result)

    def answer(self, code: Code, parameters: Parameters, given: Mapping[str, Any], out: Any, layout: str) -> Any:
        """The answer to a call in one thread; ``NotImplemented`` if it is not a plain one."""
        if not python_call.available():
            return NotImplemented
        if parameters.batch is None:
            return self._with(code, parameters)(**given, out=out, layout=layout)
        if not parameters.arrays:  # nothing would tell how many states there are
            return NotImplemented
        sets = {place_of_set(i): array for i, array in enumerate(parameters.arrays)}
        return self._with(code, None)(**given, **sets, out=out, layout=layout)

    def _made(self, code: Code, parameters: Parameters | None) -> Callable[..., Any]:
        if parameters is not None:
            return self.first(code, parameters, _not_here)
        return python_call.direct_call(code.callee_of_sets, self._defaults, (), (0, 0), _not_here, [code], self._result)


def direct(callee: Callee, parameters: Parameters, shared: tuple[int, int], owned: Sequence[Any]) -> Callable[..., Any]:
    """A direct call that answers ``NotImplemented`` to what is not plain; nothing may be left out."""
    if not python_call.available():
        return _not_here
    return python_call.direct_call(callee, {}, parameters.addresses, shared, _not_here, owned)


def _not_here(**given: Any) -> Any:
    return NotImplemented
