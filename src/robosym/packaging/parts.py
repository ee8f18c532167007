"""What a package holds: a part for each model the robot has, printed; and those it has not, with the reason."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..codegen import OF_ROUTINES, generate
from ..codegen.names import identifier, shortened
from ..errors import RobosymError
from ..models.parallel.doors import BY_MOTORS
from ..program.program import Program
from ..program.routine import Routine
from .samples import Reference, reference

if TYPE_CHECKING:
    from ..generated import Model
    from ..robot import Robot

# C's own headers: a file of such a name in the include folder would stand before them.
_HEADERS = frozenset(
    [
        "assert",
        "complex",
        "ctype",
        "errno",
        "fenv",
        "float",
        "inttypes",
        "iso646",
        "limits",
        "locale",
        "math",
        "setjmp",
        "signal",
        "stdalign",
        "stdarg",
        "stdatomic",
        "stdbool",
        "stddef",
        "stdint",
        "stdio",
        "stdlib",
        "stdnoreturn",
        "string",
        "tgmath",
        "threads",
        "time",
        "uchar",
        "wchar",
        "wctype",
    ]
)
LONGEST_STEM = 35  # letters: with the longest name of a model 63, so that no two functions are cut to the same name


@dataclass(frozen=True)
class Order:
    """What is requested."""

    robot: Robot
    language: str
    name: str
    precision: str = "double"
    numeric: bool = False
    frame: int | str | None = None  # the frame of the models that are about one
    loops: Mapping[str, Any] = field(default_factory=dict)  # how closed loops are assembled: mode or near
    mode: str | None = None  # the assembly mode this is, or the working mode of legs; None: there are no closed loops
    coordinates: str | None = None  # of a platform on legs: what its models take, where there is a choice

    @property
    def stem(self) -> str:
        """What every name in the package begins with."""
        stem = identifier(shortened(self.name, LONGEST_STEM, room=0))
        return f"{stem}_robot" if self.language == "c" and stem in _HEADERS else stem

    def function(self, model: str) -> str:
        return identifier(f"{self.stem}_{model}")

    @property
    def checked(self) -> bool:
        """Whether the package checks itself."""
        return self.language == "c"


@dataclass(frozen=True)
class Part:
    """A model: what is printed of it, and in a package that checks itself what it must compute."""

    name: str
    function: str
    printed: Program | Routine
    files: Mapping[str, str]
    values: Mapping[str, float]  # those the robot has, of the parameters of what is printed
    cost: str
    reference: Reference | None

    @property
    def missing(self) -> list[str]:
        """The parameters without a value."""
        return [symbol.name for symbol in self.printed.parameter_symbols if symbol.name not in self.values]


@dataclass(frozen=True)
class Refused:
    """A model the robot does not have, or the language not."""

    name: str
    reason: str


TOO_COARSE = "numbers of this precision are too coarse to tell whether the platform fits on its legs: expected double"


def steps(order: Order) -> int:
    from ..models import models_of

    return len(models_of(order.robot))


def parts(order: Order) -> Iterator[Part | Refused]:
    """All models in turn."""
    from ..models import MODELS, models_of

    for name in models_of(order.robot):
        function = MODELS[name]
        try:
            model = function(order.robot, **_about(order, function))
            code = model.with_values() if order.numeric else model.documented
        except RobosymError as error:
            yield Refused(name, _reason(order, error))
            continue
        if isinstance(code, Routine) and order.language not in OF_ROUTINES:
            yield Refused(name, f"it has loops and branches, and is not written in {order.language}")
        else:
            part = _part(order, name, model, code)
            lost = order.precision != "double" and part.reference is not None and not part.reference.assembled
            yield Refused(name, TOO_COARSE) if lost else part


def _about(order: Order, function: Callable[..., Any]) -> dict[str, Any]:
    """The options that say which frame a model is about, and how closed loops are assembled."""
    taken = inspect.signature(function).parameters
    asked = {**order.loops, **({} if order.frame is None else {"frame": order.frame})}
    if order.coordinates == "motors" and function.__name__ in BY_MOTORS:
        asked["coordinates"] = order.coordinates
    return {name: value for name, value in asked.items() if name in taken}


def _part(order: Order, name: str, model: Model, code: Program | Routine) -> Part:
    function = order.function(name)
    in_doubles = isinstance(code, Routine) or order.precision == "double"
    options = {} if in_doubles else {"precision": order.precision}
    return Part(
        name=name,
        function=function,
        printed=code,
        files=generate(code, order.language, name=function, **options),
        values={} if order.numeric else model.values,
        cost=str(code.operations),
        reference=reference(model, order.precision) if order.checked else None,
    )


def _reason(order: Order, error: RobosymError) -> str:
    """The message on one line, without the robot's name."""
    return " ".join(str(error).removeprefix(f"{order.robot.name}: ").split())
