"""Mappings that do not change, so that what holds them can be hashed and shared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V]):
    """A dict that cannot be changed; equal ones have equal hashes, whatever their order."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)

    def __copy__(self) -> FrozenDict[K, V]:
        return self

    def _refused(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("the parts of a robot do not change: robot.replace(values={...}) makes another robot")

    __setitem__ = __delitem__ = __ior__ = _refused
    clear = pop = popitem = setdefault = update = _refused


def freeze(owner: object, *names: str) -> None:
    """The mappings of a frozen object as such that do not change; copies, so that whoever made them cannot either."""
    for name in names:
        value: Mapping[Any, Any] = getattr(owner, name)
        if type(value) is not FrozenDict:
            object.__setattr__(owner, name, FrozenDict(value))
