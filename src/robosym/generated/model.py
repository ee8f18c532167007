"""``Model``: what every function of ``robosym.models`` returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..brief import brief
from ..expr import Operations
from ..program import Program, ProgramError
from ..program.derived import Derived
from ..program.optional import with_optional

if TYPE_CHECKING:
    from ..robot import Robot
    from ..runtime import CompiledFunction


@dataclass(frozen=True, repr=False)
class Model:
    """A program with the robot's default parameter values and its provenance."""

    name: str
    robot: Robot
    program: Program
    values: Mapping[str, float] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    parameter_set: str = "standard"  # "standard" or "base": which set of inertial parameters it is written in
    # Inputs that are zero by default, with the names of their rows: {"wrench": ("link6",)}.
    optional: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Parameters that follow from others, which may be given in their place.
    derived: Derived = field(default_factory=Derived)
    # Every parameter of the robot, also those that this model does not depend on: giving one is no mistake.
    known: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return brief(f"{self.name} of {self.robot.name!r:.42}: {self.operations}")

    @property
    def operations(self) -> Operations:
        """What one call costs: mul, add, div, trig, other, and the strict total."""
        return self.program.operations

    @property
    def precompute_operations(self) -> Operations:
        """What is done once for given parameters."""
        return self.program.precompute_operations

    def source(self, language: str = "c", *, numeric: bool = False, **options: Any) -> str:
        """The model as source code, in one text. ``numeric`` writes the robot's values into it as numbers."""
        from .. import codegen

        return codegen.source(self.with_values() if numeric else self.program, language, **options)

    def generate(self, language: str = "c", *, numeric: bool = False, **options: Any) -> dict[str, str]:
        """The model as files by name."""
        from .. import codegen

        return codegen.generate(self.with_values() if numeric else self.program, language, **options)

    def with_values(self) -> Program:
        """The program with the robot's values in place of all parameters."""
        from ..program.numeric import with_numbers

        return with_numbers(self.program, self.numbers())

    def numbers(self) -> dict[str, float]:
        """A number for every parameter; an error that names those that have none."""
        missing = [symbol.name for symbol in self.program.parameter_symbols if symbol.name not in self.values]
        if missing:
            names = ", ".join(missing[:10]) + (f" and {len(missing) - 10} more" if len(missing) > 10 else "")
            raise ProgramError(
                f"{self.robot.name}: {self.name}: no value for {names}: a model in numbers needs them all"
            )
        return {symbol.name: float(self.values[symbol.name]) for symbol in self.program.parameter_symbols}

    def compile(self, *, numeric: bool | None = None, fused: bool = False) -> CompiledFunction:
        """The model as a function compiled in process: ``f(q=[...])``, one state or a batch.

        If the robot has a value for every parameter they become numbers in the code (``numeric=False``: arguments of it),
        and a call that gives ``parameters=`` is served by a second version, compiled at the first such call. ``fused``
        rounds a product and its sum once instead of twice.
        """
        from .. import runtime

        return runtime.compile_program(
            self.program,
            values=self.values,
            optional=self.optional,
            derived=self.derived,
            known=sorted(self.known),
            numeric=numeric,
            fused=fused,
        )

    def evaluate(self, **state: Any) -> Any:
        """The outputs at a state by interpretation: slow, simple, and independent of the compiled code."""
        given = with_optional(self.program, self.optional, state)
        changed = given.get("parameters") or {}
        if not isinstance(changed, Mapping):
            raise ProgramError("parameters: expected a mapping from names to numbers, such as {'D3': 0.45}")
        used = {symbol.name for symbol in self.program.parameter_symbols}
        unknown = [name for name in changed if name not in {*used, *self.known, *self.values, *self.derived.sources}]
        if unknown:
            raise ProgramError(f"{self.robot.name} has no parameter {', '.join(map(repr, unknown))}")
        given["parameters"] = {**self.values, **self.derived.completed(changed)}
        outputs = self.program.call(**given)
        return next(iter(outputs.values())) if len(outputs) == 1 else outputs

    def explain(self, latex: bool = False) -> str:
        """The steps as readable maths, one a line."""
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
