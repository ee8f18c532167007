"""What a call with several outputs gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Outputs(dict[str, Any]):
    """The outputs of a call: by name, ``r["A"]`` or ``r.A``, and in their order, ``A, H = r``.

    A dict in all but one thing: iterating over it gives the arrays, not their names, which are ``r._fields`` or ``r.keys()``. Methods
    of a dict go before outputs of the same name, which are then ``r["values"]``.
    """

    __slots__ = ()  # compiled functions turn a plain dict into one: nothing may be added to it

    @property
    def _fields(self) -> tuple[str, ...]:
        """The names of the outputs in their order, as a named tuple has them."""
        return tuple(self.keys())

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

    def __repr__(self) -> str:
        """One output a line, its rows below each other."""
        lines = []
        for name, value in self.items():
            shown = repr(value).replace("\n", "\n" + " " * (len(name) + 5))
            lines.append(f"    {name}={shown},\n")
        return f"Outputs(\n{''.join(lines)})" if lines else "Outputs()"
