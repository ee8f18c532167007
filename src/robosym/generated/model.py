"""``Model``: what every function of ``robosym.models`` returns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .. import hooks
from ..brief import brief, listed
from ..expr import Operations, free_symbols
from ..markup import Shown
from ..notices import LOG
from ..options.validate import validated
from ..program import Program, ProgramError
from ..program.batches import state_by_state
from ..program.derived import Derived
from ..program.documentation import Documentation
from ..program.optional import default_inputs, with_optional
from ..program.outputs import Outputs
from ..program.routine import Routine
from ..program.status import ASSEMBLED, Status

if TYPE_CHECKING:
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
    # Outputs that say what an iteration reached, beside whether it closed the loops or found the pose.
    reached: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return brief(f"{self.name} of {self.robot.name!r:.42}: {self.operations}")

    def _repr_html_(self) -> str:
        """The model in a notebook: its inputs and outputs, and its steps as maths."""
        from .display import html_of

        return html_of(self)

    def show(self, *, height: int = 560) -> Shown:
        """The model's robot in 3D in a notebook, then its equations."""
        shown: Shown = hooks.call("show_model", self, height=height)
        return shown

    def _repr_latex_(self) -> str | None:
        from .display import latex_of

        return latex_of(self)

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

    @cached_property
    def documentation(self) -> Documentation | None:
        """What the model computes: its inputs and outputs with units, frames and axes, its robot and its options; None of a model
        that is none of Robosym's."""
        from .documentation import documentation_of

        return documentation_of(self)

    @cached_property
    def documented(self) -> Program | Routine:
        """The code with this documentation, which printers write on top of it."""
        return self._with(self.documentation)

    def _with(self, said: Documentation | None) -> Program | Routine:
        if said is None:
            return self.code
        # Notes on arrays that the documentation knows would say the same twice.
        notes = tuple(note for note in self.code.notes if note.split(":")[0] not in said.arrays)
        return replace(self.code, notes=notes, documentation=said)

    @cached_property
    def status(self) -> tuple[str, ...]:
        """The outputs that are attributes of a result, not values: ``assembled`` for a robot with closed loops or a parallel
        robot, and where an iteration closes the loops or finds the pose, what it reached."""
        robot = self.robot
        assembled = (ASSEMBLED,) if robot.loops or robot.platforms or robot.closure is not None else ()
        return (*self.reached, *assembled)

    @property
    def operations(self) -> Operations:
        """What one call costs: mul, add, div, trig, other, and the strict total. Of a routine: what every call does."""
        return self.code.operations

    @property
    def precompute_operations(self) -> Operations:
        """What is done once for given parameters."""
        return self.code.precompute_operations

    @validated
    def source(self, language: str = "c", *, numeric: bool = False, **options: Any) -> str:
        """The model as source code, in one text. ``numeric`` writes the robot's values into it as numbers; the parameters of a payload
        stay what they are."""
        from .. import codegen

        return codegen.source(self._printed(numeric), language, **options)

    @validated
    def generate(self, language: str = "c", *, numeric: bool = False, **options: Any) -> dict[str, str]:
        """The model as files by name."""
        from .. import codegen

        return codegen.generate(self._printed(numeric), language, **options)

    def _printed(self, numeric: bool) -> Program | Routine:
        return self.with_values(self.late) if numeric else self.documented

    def with_values(self, keep: Collection[str] = ()) -> Program | Routine:
        """The code with the robot's values in place of all parameters but those to ``keep``."""
        from ..program.numeric import in_numbers
        from .documentation import documentation_of

        numbers = {name: value for name, value in self.numbers().items() if name not in keep}
        return in_numbers(self._with(documentation_of(self, numbers)), numbers)

    @property
    def late(self) -> frozenset[str]:
        """Parameters whose values come at run time, whatever they are now: those of payloads, and what is made of them."""
        own = self.robot.payload_names
        if not own:
            return own
        made = self.derived.expressions.items()
        return own | {name for name, one in made if any(symbol.name in own for symbol in free_symbols(one))}

    def numbers(self) -> dict[str, float]:
        """A number for every parameter; an error that names those that have none."""
        missing = [symbol.name for symbol in self.code.parameter_symbols if symbol.name not in self.values]
        if missing:
            names = listed(missing, 10)
            raise ProgramError(
                f"{self.robot.name}: {self.name}: no value for {names}: a model in numbers needs them all"
            )
        return {symbol.name: float(self.values[symbol.name]) for symbol in self.code.parameter_symbols}

    @validated
    def compile(
        self, *, numeric: bool | None = None, fused: bool | Literal["fastmath", "reordered"] = False
    ) -> CompiledFunction:
        """The model as a function compiled in process: ``f(q=[...])``, one state or a batch.

        One value comes back as an array, several as ``Outputs``, for every robot. Status is an attribute of the result
        (``CompiledFunction``).

        If the robot has a value for every parameter they become numbers in the code (``numeric=False``: arguments of it),
        and a call that gives ``parameters=`` is served by a second version, compiled at the first such call. ``fused``
        rounds a product and its sum once instead of twice; "fastmath" (formerly "reordered") also lets sums and products
        be done in another order.
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
            status=self.status,
        )

    @validated
    def evaluate(self, /, *, parameters: Mapping[str, float] | None = None, **state: Any) -> Any:
        """The outputs at a state by interpretation: slow, simple, and independent of the compiled code. States of any leading shape
        are done one after the other. The result has the form of that of the compiled function."""
        defaults = default_inputs(self.code, self.optional, self.defaults)
        given = with_optional(self.code, self.optional, state, defaults)
        changed = parameters or {}
        used = {symbol.name for symbol in self.code.parameter_symbols}
        unknown = [name for name in changed if name not in {*used, *self.known, *self.values, *self.derived.sources}]
        if unknown:
            raise ProgramError(f"{self.robot.name}: {self.name} takes no parameter {', '.join(map(repr, unknown))}")
        numbers = {**self.values, **self.derived.completed(changed)}
        outputs = state_by_state(
            lambda state: self.code.call(parameters=numbers, **state),
            given,
            {array.name: array.shape for array in self.code.inputs},
            [(array.name, array.shape) for array in self.code.outputs],
        )
        if self.status:
            return Status(self.code, self.status).result(outputs)
        return next(iter(outputs.values())) if len(outputs) == 1 else Outputs(outputs)

    @validated
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

    @validated
    def explain(self, latex: bool = False) -> str:
        """The steps as readable maths, one a line; of a routine the stages too."""
        from .explain import explain

        return explain(self, latex)

    def to_sympy(self, *, steps: bool = False, numeric: bool = False) -> Any:
        """The outputs in SymPy, as matrices of their shapes: one, or several by name (``Outputs``). Symbols are real.

        Every entry is written out in the inputs and parameters; with ``steps`` the result is, as that of ``sympy.cse``, a list of
        pairs (symbol, expression) in order and the outputs in these symbols. ``numeric`` writes the robot's values into it.
        """
        from .algebra import in_sympy

        return in_sympy(self, steps, numeric)

    def as_dict(self) -> dict[str, Any]:
        """The counts and where they come from, as the command line's --json prints them."""
        return {
            "robot": self.robot.name,
            "model": self.name,
            "parameters": self.parameter_set,
            "options": dict(self.options),
            "documentation": None if self.documentation is None else self.documentation.as_dict(),
            "operations": self.operations.as_dict(),
            "precompute": self.precompute_operations.as_dict(),
        }
