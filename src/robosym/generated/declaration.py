"""What a model function declares of itself, once. Lists, menus, command line, heads of code, ``verify`` and packages read it.

    @declare(
        title="Gravity torques",
        family="dynamic",
        rank=50,
        inputs="q",
        outputs="Q",
        about="Torques that hold the robot against gravity, at rest",
        arrays={"Q": torques},
    )
    def gravity(robot: Robot, *, ...) -> Model:
        ""\"Gravity torques: ...

        Parameters
        ----------
        ...
        ""\"

Options are the parameters of the function, explained in the ``Parameters`` section of its docstring (``options/``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, ParamSpec, TypeVar

from ..options.docstrings import docstring_of
from ..options.signatures import Option, options_of
from ..options.validate import validated
from .checks import Check
from .documentation.case import Case, Said
from .documentation.platforms import COMMON as OF_PLATFORMS
from .documentation.words import WORDS, WORDS_OF_PLATFORMS, Words

if TYPE_CHECKING:
    from ..robot import Robot
    from .model import Model

Family = Literal["geometric", "kinematic", "dynamic", "identification"]
FAMILIES: tuple[Family, ...] = ("geometric", "kinematic", "dynamic", "identification")
About = str | Callable[[Case], str]
P = ParamSpec("P")
M = TypeVar("M", bound="Model")


@dataclass(frozen=True)
class Parallel:
    """A model written from the pose of a parallel robot's platform: its sentence and arrays, options, and coordinates."""

    about: About
    arrays: Mapping[str, Said] = field(default_factory=dict)
    options: tuple[str, ...] = ()  # beside mode, near, coordinates and tool
    motors: bool = False  # whether it can be written in the coordinates of the motors, too
    tool: bool = True  # whether the pose may be that of a tool
    flexible: bool = True  # whether robots with flexible joints have it

    @property
    def every_option(self) -> tuple[str, ...]:
        more = (*(("coordinates",) if self.motors else ()), *(("tool",) if self.tool else ()))
        return (*self.options, "mode", "near", *more)


@dataclass(kw_only=True, eq=False)
class Declaration:
    """What a model function declares. Called with the function, it registers both and returns the function.

    ``inputs`` and ``outputs`` are names with commas between them, a question mark after inputs that may be left out.
    """

    title: str
    family: Family
    rank: int  # place in lists of its family
    inputs: str | tuple[str, ...]
    outputs: str | tuple[str, ...]  # of every robot; some robots or options add others
    about: About = ""
    arrays: Mapping[str, Said] = field(default_factory=dict)
    available: Callable[[Robot], bool] | None = None  # None: every robot has it
    parallel: Parallel | None = None
    parallel_only: tuple[str, ...] = ()  # options that only models of parallel robots have
    gravity: bool = False  # whether gravity enters
    rotors: bool = False  # whether rotor inertias enter without an option that says so
    section: str = ""  # of the papers
    checks: Sequence[Check] = ()
    unchecked: str = "the reference has nothing to compare it with"  # why ``verify`` does not compare it
    optional: frozenset[str] = field(init=False)  # inputs that may be left out
    function: Callable[..., Model] = field(init=False)

    def __post_init__(self) -> None:
        names = _names(str(self.inputs))
        self.optional = frozenset(name.rstrip("?") for name in names if name.endswith("?"))
        self.inputs = tuple(name.rstrip("?") for name in names)
        self.outputs = _names(str(self.outputs))

    def __call__(self, function: Callable[P, M]) -> Callable[P, M]:
        self.function = checked = validated(function)
        DECLARATIONS[self.name] = self
        inertia = self.gravity or self.family == "dynamic"
        words = Words(self.about, self.arrays, gravity=self.gravity, inertia=inertia, rotors=self.rotors)
        if self.about:
            WORDS[self.name] = words
        if (of := self.parallel) is not None:
            WORDS_OF_PLATFORMS[self.name] = replace(words, about=of.about, arrays=of.arrays, common=OF_PLATFORMS)
        return checked

    @property
    def name(self) -> str:
        """The model on the command line."""
        return name_of(self.function.__name__)

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return docstring_of(self.function).summary

    @property
    def options(self) -> dict[str, Option]:
        return options_of(self.function)

    def has(self, robot: Robot) -> bool:
        """Whether a robot without parallel parts has the model."""
        return self.available is None or self.available(robot)


DECLARATIONS: dict[str, Declaration] = {}  # of the models whose modules are imported
declare = Declaration


def name_of(function: str) -> str:
    """The model of a function's name, as the command line writes it."""
    return function.removesuffix("_model").replace("_", "-")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
