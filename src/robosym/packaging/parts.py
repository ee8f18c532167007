"""What a package holds: a part for each model the robot has, printed; and those it has not, with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from ..brief import one_line
from ..codegen import CodegenError, generate, languages
from ..codegen.names import identifier, shortened
from ..errors import RobosymError
from ..program.optional import default_inputs
from ..program.program import Program
from ..program.routine import Routine
from .names import HEADERS, PYTHON_MODULES
from .samples import Reference, reference

if TYPE_CHECKING:
    from ..generated import Model
    from ..generated.declaration import Declaration
    from ..robot import Robot

LONGEST_STEM = 31  # letters: with the longest name of a model 63, so that no two functions are cut to the same name


CMAKE, ROS2_CONTROL, PYTHON = KINDS = ("cmake", "ros2-control", "python")  # packages that stand on the library in C


@dataclass(frozen=True, repr=False)
class Order:
    """What is requested."""

    __repr__ = one_line

    robot: Robot
    language: str
    name: str
    precision: str = "double"
    numeric: bool = False
    frame: int | str | None = None  # the frame of the models that are about one
    loops: Mapping[str, Any] = field(default_factory=dict)  # how closed loops are assembled: mode or near
    mode: str | None = None  # the assembly mode this is, or the working mode of legs; None: there are no closed loops
    coordinates: str | None = None  # of a platform on legs: what its models take, where there is a choice
    kind: str = CMAKE  # in C: what stands around the library
    models: tuple[str, ...] = ()  # those that must be in it; none: all that the robot has

    @property
    def stem(self) -> str:
        """What every name in the package begins with."""
        stem = identifier(shortened(self.name, LONGEST_STEM, room=0))
        if self.kind != CMAKE:  # as distributions of Python and packages of ROS are called
            stem = re.sub("__+", "_", stem).rstrip("_")
        taken = PYTHON_MODULES if self.kind == PYTHON else HEADERS
        return f"{stem}_robot" if self.language == "c" and stem.lower() in taken else stem

    @property
    def alone(self) -> bool:
        """Whether the folder may hold nothing else before."""
        return self.kind != CMAKE or bool(self.models)

    @property
    def frame_name(self) -> str:
        """The frame that models of one frame are about, if it was said; else an empty text."""
        if self.frame is None:
            return ""
        j = self.robot.number(self.frame)
        return self.robot.frame(j).name if j else self.robot.base.name

    def function(self, model: str) -> str:
        return identifier(f"{self.stem}_{model}")

    @property
    def checked(self) -> bool:
        """Whether the package checks itself."""
        return self.language == "c"


@dataclass(frozen=True, repr=False)
class Part:
    """A model: what is printed of it, and in a package that checks itself what it must compute."""

    __repr__ = one_line

    name: str
    function: str
    printed: Program | Routine
    files: Mapping[str, str]
    values: Mapping[str, float]  # those the robot has, of the parameters of what is printed
    cost: str
    reference: Reference | None
    about: str = ""  # what the model is, in a sentence
    defaults: Mapping[str, Any] = field(default_factory=dict)  # of the inputs that may be left out
    rows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # what the rows of such inputs are called

    @property
    def missing(self) -> list[str]:
        """The parameters without a value."""
        return [symbol.name for symbol in self.printed.parameter_symbols if symbol.name not in self.values]


@dataclass(frozen=True, repr=False)
class Refused:
    """A model the robot does not have, or the language not."""

    __repr__ = one_line

    name: str
    reason: str


TOO_COARSE = "numbers of this precision are too coarse to tell whether the platform fits on its legs: expected double"


def chosen(names: Sequence[str]) -> tuple[str, ...]:
    """Names of models, each once. An unknown name raises an error.

    Parameters
    ----------
    names
        Names of models.
    """
    from ..models import MODELS

    for name in names:
        if name not in MODELS:
            near = get_close_matches(name, MODELS, n=1)
            hint = f", did you mean '{near[0]}'" if near else ""
            raise CodegenError(f"there is no model '{name}'{hint} (models: {', '.join(MODELS)})")
    return tuple(dict.fromkeys(names))


def _wanted(order: Order) -> Sequence[str]:
    from ..models.available import models_of, platform_models
    from .platforms import has_platform_models

    if order.models or not has_platform_models(order.robot):
        return order.models or models_of(order.robot)
    return platform_models(order.robot)


def steps(order: Order) -> int:
    return len(_wanted(order))


def parts(order: Order) -> Iterator[Part | Refused]:
    """Models of a package one by one. A model that is named in the options must exist.

    Parameters
    ----------
    order
        Checked options.
    """
    for name in _wanted(order):
        part = _made(order, name)
        if order.models and isinstance(part, Refused):
            raise CodegenError(f"{order.robot.name}: {name}: {part.reason}")
        yield part


def _made(order: Order, name: str) -> Part | Refused:
    from ..models.catalogue import declaration_of

    declared = declaration_of(name)
    try:
        model = declared.function(order.robot, **_about(order, declared))
        code = model.with_values(model.late) if order.numeric else model.documented
    except RobosymError as error:
        return Refused(name, _reason(order, error))
    if isinstance(code, Routine) and order.language not in languages(routines=True):
        return Refused(name, f"it has loops and branches, and is not written in {order.language}")
    part = _part(order, name, model, code)
    lost = order.precision != "double" and part.reference is not None and not part.reference.assembled
    return Refused(name, TOO_COARSE) if lost else part


def _about(order: Order, declared: Declaration) -> dict[str, Any]:
    """The options that say which frame a model is about, and how closed loops are assembled."""
    asked = {**order.loops, **({} if order.frame is None else {"frame": order.frame})}
    if order.coordinates is not None and declared.parallel is not None and declared.parallel.motors:
        asked["coordinates"] = order.coordinates
    return {name: value for name, value in asked.items() if name in declared.options}


def _part(order: Order, name: str, model: Model, code: Program | Routine) -> Part:
    from ..models.catalogue import declaration_of

    function = order.function(name)
    in_doubles = isinstance(code, Routine) or order.precision == "double"
    options = {} if in_doubles else {"precision": order.precision}
    return Part(
        name=name,
        function=function,
        printed=code,
        files=generate(code, order.language, name=function, **options),
        values={k: v for k, v in model.values.items() if k in model.late} if order.numeric else model.values,
        cost=str(code.operations),
        reference=reference(model, order.precision) if order.checked else None,
        about=declaration_of(name).summary,
        defaults=default_inputs(model.code, model.optional, model.defaults),
        rows=model.optional,
    )


def _reason(order: Order, error: RobosymError) -> str:
    """The message on one line, without the robot's name."""
    return " ".join(str(error).removeprefix(f"{order.robot.name}: ").split())
