"""What a call with several outputs gives."""

from __future__ import annotations

from collections.abc import Iterator
from operator import index
from typing import Any


class Outputs(dict[str, Any]):
    """The outputs of a call: by name, ``r["A"]`` or ``r.A``, and in their order, ``A, H = r`` or ``r[0]``.

    A dict in all but one thing: iterating over it gives the arrays, not their names, which are ``r._fields`` or ``r.keys()``. Methods
    of a dict go before outputs of the same name, which are then ``r["values"]``.
    """

    __slots__ = ()  # compiled functions turn a plain dict into one: nothing may be added to it

    @property
    def _fields(self) -> tuple[str, ...]:
        """The names of the outputs in their order, as a named tuple has them."""
        return tuple(self.keys())

    def __missing__(self, key: Any) -> Any:
        """An output by its place."""
        try:
            place = index(key)
        except TypeError:
            raise KeyError(key) from None
        return tuple(self.values())[place]

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no output '{name}' (outputs: {', '.join(self.keys())})") from None

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(name for name in self.keys() if str(name).isidentifier())})

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values())

    def __reversed__(self) -> Iterator[Any]:
        return reversed(self.values())

    def copy(self) -> Outputs:
        """The same arrays in a new bundle."""
        return type(self)(self)

    def __repr__(self) -> str:
        """One output a line, its rows below each other."""
        return shown(type(self).__name__, self)


def named(name: str, result: Any) -> dict[str, Any]:
    """The values of a result by name; ``name`` is that of the first, which may be the only one."""
    return dict(result) if isinstance(result, Outputs) else {name: result}


def shown(name: str, outputs: dict[str, Any]) -> str:
    """Outputs in a text, one a line."""
    lines = []
    for key, value in outputs.items():
        text = repr(value).replace("\n", "\n" + " " * (len(key) + 5))
        lines.append(f"    {key}={text},\n")
    return f"{name}(\n{''.join(lines)})" if lines else f"{name}()"
