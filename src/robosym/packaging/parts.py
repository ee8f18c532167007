"""What a package holds: a part for each model the robot has, printed; and those it has not, with the reason."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..codegen import generate, routines
from ..codegen.names import identifier, shortened
from ..errors import RobosymError
from ..program.program import Program
from ..program.routine import Routine
from .samples import Reference, program_reference, routine_reference

if TYPE_CHECKING:
    from ..generated import Model
    from ..robot import Robot

INVERSE_GEOMETRIC = "inverse-geometric"
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


def steps() -> int:
    from ..models import MODELS

    return len(MODELS) + 1


def parts(order: Order) -> Iterator[Part | Refused]:
    """All models in turn, then inverse geometry."""
    from ..models import MODELS

    for name, function in MODELS.items():
        try:
            model = function(order.robot, **_about(order, function))
        except RobosymError as error:
            yield Refused(name, _reason(order, error))
        else:
            yield _model_part(order, name, model)
    yield _routine_part(order)


def _about(order: Order, function: Callable[..., Any]) -> dict[str, Any]:
    """The options that say which frame a model is about."""
    taken = inspect.signature(function).parameters
    return {"frame": order.frame} if "frame" in taken and order.frame is not None else {}


def _model_part(order: Order, name: str, model: Model) -> Part:
    program = model.with_values() if order.numeric else model.program
    function = order.function(name)
    options = {"precision": order.precision} if order.precision != "double" else {}
    return Part(
        name=name,
        function=function,
        printed=program,
        files=generate(program, order.language, name=function, **options),
        values={} if order.numeric else model.values,
        cost=str(program.operations),
        reference=program_reference(model, order.precision) if order.checked else None,
    )


def _routine_part(order: Order) -> Part | Refused:
    """Inverse geometry, if there is a closed form."""
    from ..models import inverse_geometric
    from ..models.inverse_geometry.solver.source import routine_of

    if order.language not in routines.languages():
        return Refused(INVERSE_GEOMETRIC, f"not written in {order.language}")
    try:
        solver = inverse_geometric(order.robot, frame=order.frame)
    except RobosymError as error:
        return Refused(INVERSE_GEOMETRIC, _reason(order, error))
    if solver.model is None:
        ask = f"robosym generate ROBOT {INVERSE_GEOMETRIC}"
        return Refused(INVERSE_GEOMETRIC, f"there is no closed form (the general method alone: {ask})")
    known = solver.model.values
    routine = routine_of(solver, solver.model.numbers() if order.numeric else None)
    function = order.function(INVERSE_GEOMETRIC)
    return Part(
        name=INVERSE_GEOMETRIC,
        function=function,
        printed=routine,
        files=routines.generate(routine, order.language, name=function),
        values={} if order.numeric else {s.name: known[s.name] for s in routine.parameter_symbols if s.name in known},
        cost=str(solver.operations),
        reference=routine_reference(order.robot, solver, routine) if order.checked else None,
    )


def _reason(order: Order, error: RobosymError) -> str:
    """The message on one line, without the robot's name."""
    return " ".join(str(error).removeprefix(f"{order.robot.name}: ").split())
