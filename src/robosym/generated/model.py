"""``Model``: what every function of ``robosym.models`` returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..arguments import judged, strictly
from ..brief import brief
from ..expr import Operations
from ..notices import LOG
from ..program import Program, ProgramError
from ..program.derived import Derived
from ..program.optional import default_inputs, with_optional
from ..program.routine import Routine

if TYPE_CHECKING:
    import numpy as np

    from ..robot import Robot
    from ..runtime import CompiledFunction


@dataclass(frozen=True, repr=False)
class Model:
    """A program or a routine with the robot's default parameter values and its provenance."""

    name: str
    robot: Robot
    made: Program | Routine | Callable[[], Routine]  # or what makes it, when it is first needed
    values: Mapping[str, float] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    parameter_set: str = "standard"  # "standard" or "base": which set of inertial parameters it is written in
    # Inputs that are zero by default, with the names of their rows: {"wrench": ("link6",)}.
    optional: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Inputs that have another value than zero when they are left out: {"seed": array}.
    defaults: Mapping[str, Any] = field(default_factory=dict)
    # Parameters that follow from others, which may be given in their place.
    derived: Derived = field(default_factory=Derived)
    # Where states can be tried, of inputs that cannot be anything: {"q": array}.
    centre: Mapping[str, Any] = field(default_factory=dict)
    # Draws the inputs that cannot be chosen one by one: a platform's pose and twist.
    drawing: Callable[[np.random.Generator, Mapping[str, float] | None], Mapping[str, Any]] | None = None
    # Every parameter of the robot, also those that this model does not depend on: giving one is no mistake.
    known: frozenset[str] = frozenset()
    # Of a robot with closed loops: the same model of the tree that it is assembled to, whose closure says how joints follow.
    of_tree: Model | None = None

    def __repr__(self) -> str:
        return brief(f"{self.name} of {self.robot.name!r:.42}: {self.operations}")

    @cached_property
    def code(self) -> Program | Routine:
        """What is counted, printed, compiled and interpreted."""
        return self.made if isinstance(self.made, (Program, Routine)) else self.made()

    @property
    def program(self) -> Program:
        """The code, if it is one straight line."""
        if isinstance(self.code, Program):
            return self.code
        raise ProgramError(f"{self.name} of {self.robot.name} has loops and branches: it is no program but a routine")

    @property
    def routine(self) -> Routine:
        """The code, if it has stages."""
        if isinstance(self.code, Routine):
            return self.code
        raise ProgramError(f"{self.name} of {self.robot.name} is one straight line: it is no routine but a program")

    @property
    def operations(self) -> Operations:
        """What one call costs: mul, add, div, trig, other, and the strict total. Of a routine: what every call does."""
        return self.code.operations

    @property
    def precompute_operations(self) -> Operations:
        """What is done once for given parameters."""
        return self.code.precompute_operations

    @strictly
    def source(self, language: str = "c", *, numeric: bool = False, **options: Any) -> str:
        """The model as source code, in one text. ``numeric`` writes the robot's values into it as numbers."""
        from .. import codegen

        return codegen.source(self.with_values() if numeric else self.code, language, **options)

    @strictly
    def generate(self, language: str = "c", *, numeric: bool = False, **options: Any) -> dict[str, str]:
        """The model as files by name."""
        from .. import codegen

        return codegen.generate(self.with_values() if numeric else self.code, language, **options)

    def with_values(self) -> Program | Routine:
        """The code with the robot's values in place of all parameters."""
        from ..program.numeric import in_numbers

        return in_numbers(self.code, self.numbers())

    def numbers(self) -> dict[str, float]:
        """A number for every parameter; an error that names those that have none."""
        missing = [symbol.name for symbol in self.code.parameter_symbols if symbol.name not in self.values]
        if missing:
            names = ", ".join(missing[:10]) + (f" and {len(missing) - 10} more" if len(missing) > 10 else "")
            raise ProgramError(
                f"{self.robot.name}: {self.name}: no value for {names}: a model in numbers needs them all"
            )
        return {symbol.name: float(self.values[symbol.name]) for symbol in self.code.parameter_symbols}

    @strictly
    def compile(self, *, numeric: bool | None = None, fused: bool = False) -> CompiledFunction:
        """The model as a function compiled in process: ``f(q=[...])``, one state or a batch.

        If the robot has a value for every parameter they become numbers in the code (``numeric=False``: arguments of it),
        and a call that gives ``parameters=`` is served by a second version, compiled at the first such call. ``fused``
        rounds a product and its sum once instead of twice.
        """
        LOG.debug("compiling %s of %s", self.name, self.robot.name)
        from .. import runtime

        return runtime.compile_program(
            self.code,
            values=self.values,
            optional=self.optional,
            defaults=self.defaults,
            derived=self.derived,
            known=sorted(self.known),
            numeric=numeric,
            fused=fused,
        )

    @judged
    def evaluate(self, /, *, parameters: Mapping[str, float] | None = None, **state: Any) -> Any:
        """The outputs at a state by interpretation: slow, simple, and independent of the compiled code."""
        defaults = default_inputs(self.code, self.optional, self.defaults)
        given = with_optional(self.code, self.optional, state, defaults)
        changed = {} if parameters is None else parameters
        if not isinstance(changed, Mapping):
            raise ProgramError("parameters: expected a mapping from names to numbers, such as {'D3': 0.45}")
        used = {symbol.name for symbol in self.code.parameter_symbols}
        unknown = [name for name in changed if name not in {*used, *self.known, *self.values, *self.derived.sources}]
        if unknown:
            raise ProgramError(f"{self.robot.name}: {self.name} takes no parameter {', '.join(map(repr, unknown))}")
        outputs = self.code.call(parameters={**self.values, **self.derived.completed(changed)}, **given)
        return next(iter(outputs.values())) if len(outputs) == 1 else outputs

    @judged
    def random_state(
        self, random: np.random.Generator, reach: float = 1.2, parameters: Mapping[str, float] | None = None
    ) -> dict[str, Any]:
        """Inputs at which the model can be tried, drawn at random; those that have defaults are left out. ``parameters`` are
        those it will be tried with, should the inputs hang on them."""
        found = {
            a.name: random.uniform(-reach, reach, a.shape) for a in self.code.inputs if a.name not in self.defaults
        }
        found |= {name: x + found[name] / 10 for name, x in self.centre.items() if name in found}
        return found if self.drawing is None else {**found, **self.drawing(random, parameters)}

    @strictly
    def explain(self, latex: bool = False) -> str:
        """The steps as readable maths, one a line; of a routine the stages too."""
        from .explain import explain

        return explain(self, latex)

    def as_dict(self) -> dict[str, Any]:
        """The counts and where they come from, as the command line's --json prints them."""
        return {
            "robot": self.robot.name,
            "model": self.name,
            "parameters": self.parameter_set,
            "options": dict(self.options),
            "operations": self.operations.as_dict(),
            "precompute": self.precompute_operations.as_dict(),
        }
