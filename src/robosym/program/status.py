"""Results with status: the status of a state never changes the shape of a result.

Status outputs say whether a state is possible (``assembled``) and what an iteration reached (``residual``, ``passive``). They are
attributes of the result. The other outputs are its values: one value is an array, several are ``Outputs``. Where ``assembled`` is 0
the values are nan.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import numpy as np

from .batches import Shape
from .outputs import Outputs, shown
from .program import Program, ProgramError
from .routine import Routine

ASSEMBLED = "assembled"  # the status output that is 0 where a state is not possible
ALWAYS = np.ones(())  # the status of one state of a function whose states are all possible
ALWAYS.flags.writeable = False


class OutputArray(np.ndarray):
    """The only value of a call, with its status: ``tau.assembled`` or ``tau["assembled"]``; ``tau["tau"]`` is the plain array.

    Results of arithmetic, slices and reshaped arrays are plain arrays without status. Copies keep it.
    """

    __slots__ = ("_named",)
    _named: tuple[str, Mapping[str, Any]]  # the name of the value, and its status

    def __getattr__(self, name: str) -> Any:
        if name == "_named":  # of an array made of another one
            return "", {}
        try:
            return self._status[name]
        except KeyError:
            raise AttributeError(f"no attribute or status '{name}' (status: {', '.join(self._status)})") from None

    @property
    def _status(self) -> Mapping[str, Any]:
        return self._named[1]

    @property
    def _name(self) -> str:
        return self._named[0]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._status})

    def __getitem__(self, key: Any) -> Any:
        if type(key) is not str:
            return self.view(np.ndarray)[key]
        if key != self._name:
            return self._status[key]
        return self.view(np.ndarray)

    def __contains__(self, key: Any) -> bool:
        return key == self._name or key in self._status if isinstance(key, str) else key in self.view(np.ndarray)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.view(np.ndarray))

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """The result of arithmetic. An operation in place gives the array itself."""
        return array if array is self else array.view(np.ndarray)[() if array.ndim == 0 else ...]

    def __array_function__(self, function: Any, types: Any, given: Any, named: Any) -> Any:
        return _plain(super().__array_function__(function, types, given, named))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return array_with_status, (self.view(np.ndarray), self._name, dict(self._status))

    def __copy__(self) -> OutputArray:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> OutputArray:
        return self.copy()

    def copy(self, order: Any = "C") -> OutputArray:
        """A copy of the values and of their status."""
        status = {name: array.copy() for name, array in self._status.items()}
        return array_with_status(self.view(np.ndarray).copy(order), self._name, status)

    def __repr__(self) -> str:
        return shown(type(self).__name__, {self._name: self.view(np.ndarray), **self._status})


def _plain(made: Any) -> Any:
    """Arrays without status."""
    if type(made) in (list, tuple):
        return type(made)(map(_plain, made))
    return made.view(np.ndarray) if type(made) is OutputArray else made


def _of_plain(name: str) -> Callable[..., Any]:
    method = getattr(np.ndarray, name)

    def call(self: OutputArray, *given: Any, **named: Any) -> Any:
        return method(self.view(np.ndarray), *given, **named)

    call.__name__, call.__doc__ = name, method.__doc__
    return call


def _part_of_plain(name: str) -> Callable[[OutputArray], Any]:
    return lambda self: getattr(self.view(np.ndarray), name)


SAME = ("copy", "view", "setflags", "resize")  # methods of an array itself
for _name in dir(np.ndarray):
    if not _name.startswith("_") and callable(getattr(np.ndarray, _name)) and _name not in SAME:
        setattr(OutputArray, _name, _of_plain(_name))
for _name in ("T", "mT", "real", "imag"):
    if hasattr(np.ndarray, _name):  # mT is new in NumPy 2
        setattr(OutputArray, _name, property(_part_of_plain(_name)))


def array_with_status(array: Any, name: str, status: Mapping[str, Any]) -> OutputArray:
    """The array itself, not a copy, with this status."""
    result: OutputArray = array.view(OutputArray)
    result._named = name, status
    return result


class OutputsWithStatus(Outputs):
    """Several values and their status, ``r.assembled`` or ``r["assembled"]``; all else speaks of the values only."""

    __slots__ = ("_status",)
    _status: Mapping[str, Any]

    def __init__(self, values: Any = (), status: Mapping[str, Any] | None = None) -> None:
        super().__init__(values)
        self._status = status or {}

    def __missing__(self, key: Any) -> Any:
        return self._status[key] if isinstance(key, str) else super().__missing__(key)

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or key in self._status

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(key, self._status.get(key, default))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._status})

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self), (dict(self), dict(self._status))

    def copy(self) -> OutputsWithStatus:
        return type(self)(self, self._status)

    def __repr__(self) -> str:
        return shown(type(self).__name__, {**self, **self._status})


class Status:
    """The status outputs of a program. ``result`` makes of all its outputs what a call gives.

    ``names`` are those of its status outputs. ``assembled`` may be among them although the program has no such output: all its states
    are possible then. What a routine keeps from one call to the next is never nan.
    """

    def __init__(self, program: Program | Routine, names: Collection[str]) -> None:
        self._outputs = program.outputs
        outputs = {array.name: len(array.shape) for array in program.outputs}
        unknown = [name for name in names if name not in outputs and name != ASSEMBLED]
        if unknown or not outputs.keys() - names:
            problem = ", ".join(map(repr, unknown)) or "all outputs"
            raise ProgramError(
                f"status: expected the names of some outputs, got {problem} (outputs: {', '.join(outputs)})"
            )
        self.values = tuple(name for name in outputs if name not in names)
        self.names = tuple(name for name in outputs if name in names)
        self._first, self._single = self.values[0], len(self.values) == 1
        self._axes = outputs[self._first]
        self._always = ASSEMBLED in names and ASSEMBLED not in outputs
        kept = {slot.name for slot in program.state} if isinstance(program, Routine) else set()
        self._meaningless = tuple(name for name in self.values if name not in kept) if ASSEMBLED in self.names else ()

    def result(self, outputs: dict[str, Any]) -> Any:
        """The values with their status, nan where a state is not possible. The dict, which has all outputs, is used up."""
        if self._meaningless:
            self.clear(outputs)
        return self.shaped(outputs)

    def shaped(self, outputs: dict[str, Any]) -> Any:
        """The values as they are, with their status."""
        if self._always:
            array = outputs[self._first]
            before = array.ndim - self._axes
            outputs[ASSEMBLED] = np.ones(array.shape[:before]) if before else ALWAYS
        if self._single:
            result: OutputArray = outputs.pop(self._first).view(OutputArray)
            result._named = self._first, outputs
            return result
        return OutputsWithStatus({name: outputs.pop(name) for name in self.values}, outputs)

    def clear(self, outputs: Mapping[str, Any]) -> None:
        """Write nan into the values at states that are not possible."""
        assembled = outputs[ASSEMBLED]
        if assembled.ndim == 0:
            if not assembled:
                for name in self._meaningless:
                    outputs[name][...] = np.nan
        elif not assembled.all():
            for name in self._meaningless:
                outputs[name][assembled == 0] = np.nan

    def places(self, out: Any, lead: Shape) -> Any:
        """The arrays to be filled by name: those of an earlier result with its status; new ones for status that is left out."""
        status = getattr(out, "_status", {})
        if not isinstance(out, Mapping):
            if not self._single:
                return out
            out = {self._first: out}
        shapes = {array.name: array.shape for array in self._outputs if array.name in self.names}
        given = {name: status[name] for name in shapes if name in status} | {**out}
        return {name: np.empty((*lead, *shape)) for name, shape in shapes.items() if name not in given} | given

    def watched(self, run: Callable[[], Any], outputs: Mapping[str, Any]) -> Callable[[], Any]:
        """A function that fills these outputs, with nan where a state is not possible."""
        if not self._meaningless:
            return run

        def step() -> Any:
            result = run()
            self.clear(outputs)
            return result

        return step
