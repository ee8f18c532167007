"""``CompiledFunction``: the calling convention. Arrays by name in, arrays out, one state or a batch of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np

from ..brief import brief
from ..codegen.interface import Argument
from ..errors import RobosymError
from ..program.batches import common, in_a_row, leading
from ..program.derived import Derived
from ..program.numeric import in_numbers
from ..program.optional import default_inputs, with_optional
from ..program.outputs import Outputs, named
from ..program.program import Program
from ..program.routine import Routine, verified_routine
from ..program.status import Status
from ..reals import Floats
from . import python_call
from .arguments import as_floats, check_apart, check_bound, check_inputs, check_options, given_outputs
from .described import OPTIONS, OfEach, documented, signature_of
from .direct import DirectCalls
from .engine import SPEED_LEVEL
from .errors import CallError
from .machine_code import MachineCode, many_states
from .parameters import NONE, Parameters, ParameterSets
from .routine_code import RoutineCode

# What LLVM may do with sums and products; zeros may lose their sign where the order is free.
Fused = bool | Literal["fastmath", "reordered"]  # "reordered" is the old name of "fastmath"
FASTMATH = "contract reassoc nsz"
FLAGS: dict[Fused, str] = {False: "", True: "contract", "fastmath": FASTMATH, "reordered": FASTMATH}


def compile_program(
    program: Program | Routine,
    *,
    values: Mapping[str, float] | None = None,
    optional: Mapping[str, tuple[str, ...]] | None = None,
    derived: Derived | None = None,
    known: Iterable[str] = (),
    numeric: bool | None = None,
    fused: Fused = False,
    speed_level: int = SPEED_LEVEL,
    defaults: Mapping[str, Any] | None = None,
    status: Collection[str] = (),
) -> CompiledFunction:
    """Compile a program or a routine in this process.

    ``values`` are the parameters' numbers used when a call gives none; ``optional`` the inputs that are zero when a call
    gives none, with the names of their rows; ``defaults`` arrays that stand for inputs a call leaves out; ``derived`` the
    parameters that follow from others when those are given; ``known`` the parameters that a call may give although the
    program does not read them.

    ``numeric`` puts the values into the code as numbers, which makes it shorter; by default that is done if every
    parameter has one. A call that gives ``parameters=`` is then served by a second version, compiled at the first such
    call, that reads them from memory. ``fused`` lets the machine round a product and the sum it goes into once instead
    of twice: faster, no less exact, but the last digits then depend on the machine. "fastmath" (formerly "reordered") lets
    it add and multiply in another order too, so that less has to wait.

    ``status`` are the names of the outputs that are attributes of a result, not its values (``program/status.py``).
    """
    if not isinstance(fused, (bool, str)) or fused not in FLAGS:
        raise CallError(f"fused: expected False, True or 'fastmath', got {fused!r:.60}")
    return CompiledFunction(
        _Convention(
            program, values, optional, derived, tuple(known), numeric, fused, speed_level, defaults, tuple(status)
        )
    )


class CompiledFunction:
    """A program or a routine as machine code; threads may call it at the same time.

    ``f(q=..., parameters=...)``: every input has its own shape, or that shape after the axes of a batch, however many;
    they broadcast as in NumPy, and inputs without them are shared by all states. ``parameters`` is a mapping of some names to
    numbers (the others keep their default values) or an array in the order of ``program.parameter_symbols``; either may have
    axes of a batch too. One value comes back as an array, several as ``Outputs``: ``r["A"]``, ``r.A`` or ``A, H = r``.

    Status outputs are attributes of the result: ``r.assembled`` is 1 at the states at which a robot with closed loops or a
    parallel robot can be, and 0 elsewhere, where the values are nan. ``f.status`` are their names.

    ``out`` is an array (or a dict of arrays) to be filled instead of a new one; arrays for status may be left out. For batches ``threads`` says how many work
    at a time, and ``layout="soa"`` gives outputs in which the same entry of all states lies together; how the inputs lie in
    memory is seen by itself, so that ``f(q=Q.T)`` takes an array Q of shape (n, batch) as it is.

    ``bind(q=..., ...)`` gives a function of nothing that works on these arrays again and again: the quickest call.
    """

    # The call is a value of each object, not a method: Python then goes straight to the builtin function kept here.
    __slots__ = ("__call__", "__weakref__", "_convention", "address", "program", "signature")
    __call__: Callable[..., Any]

    def __init__(self, convention: _Convention) -> None:
        self._convention = convention
        self.program = convention.program
        self.signature = convention.code.signature  # of the function at ``address``, in C
        self.address = convention.code.address
        self.__call__ = convention.direct()

    __signature__ = OfEach(None, signature_of)  # of a call, in Python: for ``inspect.signature``

    @property
    def __name__(self) -> str:
        """The name of the function, as generated source has it."""
        return str(self._convention.code.facts.function)

    @property
    def defaults(self) -> dict[str, Floats]:
        """The inputs that a call may leave out, with what they are then."""
        return {name: array.copy() for name, array in self._convention.defaults.items()}

    @property
    def values(self) -> dict[str, float]:
        """The default values of the parameters that it depends on."""
        known = self._convention.values
        return {symbol.name: known[symbol.name] for symbol in self.program.parameter_symbols if symbol.name in known}

    @property
    def inputs(self) -> dict[str, tuple[int, ...]]:
        """The shape of each input, without a batch axis."""
        return {array.name: array.shape for array in self.program.inputs}

    @property
    def outputs(self) -> dict[str, tuple[int, ...]]:
        """The shape of each output, without a batch axis; status outputs too."""
        return {array.name: array.shape for array in self.program.outputs}

    @property
    def status(self) -> tuple[str, ...]:
        """The names of the outputs that are attributes of a result."""
        return self._convention.made_with[-1]

    def by_name(self, result: Any) -> dict[str, Any]:
        """The values of a result by name, also if there is only one."""
        return named(next(name for name in self.outputs if name not in self.status), result)

    def __repr__(self) -> str:
        taken = ", ".join(f"{name} {shape}" for name, shape in self.inputs.items())
        given = ", ".join(f"{name} {shape}" for name, shape in self.outputs.items())
        return brief(f"compiled {self.program.name!r:.60}: {taken} -> {given}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process compiles the program again, or finds its code on disk."""
        return _again, self._convention.made_with

    def bind(self, /, *, out: Any = None, parameters: Any = None, **arrays: Floats) -> Callable[[], Any]:
        """A function without arguments that reads these arrays, as they are when it is called, and fills ``out`` (or
        arrays of its own, the same at each call), which it returns, with the status of that call. The arrays must be of
        doubles, by rows, for one state: they are not copied. Optional inputs that are not given are zero, or what their default is. Outputs of a
        routine must not lie where inputs do, but for its state, which may be changed in place."""
        return self._convention.bound(out, parameters, arrays)


# The class has its text, and each function one of its own: ``help(f)`` tells shapes and defaults.
CompiledFunction.__doc__ = OfEach(CompiledFunction.__doc__, documented)  # type: ignore[assignment]


def _again(*made_with: Any) -> CompiledFunction:
    return CompiledFunction(_Convention(*made_with))


class _Convention:
    """What a call means, written in Python; the plain calls go around it (``python_call``)."""

    def __init__(
        self,
        program: Program | Routine,
        values: Mapping[str, float] | None,
        optional: Mapping[str, tuple[str, ...]] | None,
        derived: Derived | None,
        known: tuple[str, ...],
        numeric: bool | None,
        fused: Fused,
        speed_level: int,
        defaults: Mapping[str, Any] | None = None,
        status: tuple[str, ...] = (),
    ) -> None:
        self.made_with = (program, values, optional, derived, known, numeric, fused, speed_level, defaults, status)
        self.program = verified_routine(program) if isinstance(program, Routine) else program
        self._input_names = {array.name for array in program.inputs}
        taken = sorted(self._input_names & OPTIONS.keys())
        if taken:
            raise CallError(f"an input cannot be called {', '.join(taken)}: calls have options of that name")
        self.values = dict(values or {})
        self._optional = dict(optional or {})
        self.defaults = default_inputs(program, self._optional, defaults or {})
        self._names = [sys.intern(array.name) for array in program.inputs]
        empty = {array.name: np.zeros(array.shape) for array in program.inputs if 0 in array.shape}
        self._output_names = [sys.intern(array.name) for array in program.outputs]
        self._status = Status(program, status) if status else None
        self._directs = DirectCalls(empty | self.defaults, None if self._status is None else self._status.result)
        self._derived = derived or Derived()
        self._known = known
        self._speed_level, self._flags = speed_level, FLAGS[fused]
        have = {
            symbol.name: self.values[symbol.name] for symbol in program.parameter_symbols if symbol.name in self.values
        }
        complete = len(have) == len(program.parameter_symbols)
        if numeric and not complete:
            missing = [symbol.name for symbol in program.parameter_symbols if symbol.name not in have]
            raise CallError(f"parameters without a value cannot become numbers: {', '.join(missing)}")
        self.numeric = complete if numeric is None else numeric
        if self.numeric:
            try:
                program = in_numbers(program, have)
            except (
                RobosymError,
                ArithmeticError,
                TypeError,
                ValueError,
            ) as error:  # 1/0, infinite, not a number at all
                if numeric:
                    raise CallError(f"the parameters cannot become numbers in '{program.name}': {error}") from error
                self.numeric = False
        self.code = self._compiled(program)

    def _compiled(self, program: Program | Routine) -> MachineCode:
        kind = RoutineCode if isinstance(program, Routine) else MachineCode
        return kind(program, self._speed_level, self._flags)

    @cached_property
    def sets(self) -> ParameterSets:
        """The sets of parameters of the version that reads them from memory."""
        code, facts = self.general, self.general.facts
        return ParameterSets(
            self.program,
            self.values,
            self._derived,
            self._known,
            code.precompute,
            facts.constants.size,
            facts.reads_parameters,
        )

    @cached_property
    def general(self) -> MachineCode:
        return self._compiled(self.program) if self.numeric and self.program.parameter_symbols else self.code

    def chosen(self, parameters: Any) -> tuple[MachineCode, Parameters]:
        """The version that serves a call, and its parameters."""
        if parameters is None and self.numeric:
            return self.code, NONE
        return self.general, self.sets.default if parameters is None else self.sets.given(parameters)

    def direct(self) -> Callable[..., Any]:
        """The function that calls go to first."""
        others = NONE if self.numeric else self._default_or_none()
        if others is None or not python_call.available():
            return self.call
        return self._directs.first(self.code, others, self.call)

    def _default_or_none(self) -> Parameters | None:
        """The default parameters, if every one has a value."""
        have = all(symbol.name in self.values for symbol in self.program.parameter_symbols)
        return self.sets.default if have else None

    def call(
        self,
        /,
        *unnamed: Any,
        parameters: Any = None,
        out: Any = None,
        threads: int = 1,
        layout: str = "aos",
        **given: Any,
    ) -> Any:
        if unnamed:
            names = ", ".join(f"{array.name}=..." for array in self.program.inputs)
            raise CallError(f"inputs are given by name: f({names})")
        threads = check_options(threads, layout)
        code, chosen = self.chosen(parameters)
        direct = threads == 1 and len(chosen.lead) <= 1
        if parameters is not None and direct:  # with the default ones a direct call was tried before
            answer = self._directs.answer(code, chosen, given, out, layout)
            if answer is not NotImplemented:
                return answer
        arrays = self._arrays(given)
        if direct and any(given.get(name, array) is not array for name, array in zip(self._names, arrays, strict=True)):
            converted = dict(zip(self._names, arrays, strict=True))
            answer = self._directs.answer(code, chosen, converted, out, layout)
            if answer is not NotImplemented:
                return answer
        return self._with_status(self._served(code, chosen, arrays, out, threads, layout))

    def _with_status(self, made: Any) -> Any:
        """What a call gives, from all outputs."""
        if self._status is None:
            return made
        return self._status.result(dict(made) if isinstance(made, Outputs) else {self._output_names[0]: made})

    def _places(self, out: Any, front: tuple[int, ...]) -> list[Floats]:
        """The arrays to be filled, for all outputs."""
        if self._status is not None:
            out = self._status.places(out, front)
        return given_outputs(self.code.facts.outputs, out, front)

    def _served(
        self, code: MachineCode, chosen: Parameters, arrays: Sequence[Floats], out: Any, threads: int, layout: str
    ) -> Any:
        """Any call, of arrays of doubles."""
        inputs, outputs = code.facts.inputs, code.facts.outputs
        leads = [
            leading(f"input '{argument.array.name}'", array, argument.array.shape, CallError)
            for argument, array in zip(inputs, arrays, strict=True)
        ]
        found = {*leads, chosen.lead}
        if found == {()}:
            results = code.one(arrays, chosen)
            if out is not None:
                results = _copied(results, self._places(out, ()))
        elif len(found - {()}) > 1 or any(len(lead) > 1 for lead in found):
            return self._arranged(
                code, chosen, dict(zip(self._names, leads, strict=True)), arrays, out, threads, layout
            )
        else:
            ((batch,),) = found - {()}
            if out is None and threads == 1 and layout == "aos":
                answer = code.answer(batch, arrays, chosen)
                if answer is not NotImplemented:
                    return answer
            taken = [(array, bool(lead)) for array, lead in zip(arrays, leads, strict=True)]
            places = None if out is None else self._places(out, (batch,))
            results = many_states(code, batch, taken, chosen, places, threads, layout)
        return _named(outputs, results)

    def _arranged(
        self,
        code: MachineCode,
        chosen: Parameters,
        leads: Mapping[str, tuple[int, ...]],
        arrays: Sequence[Floats],
        out: Any,
        threads: int,
        layout: str,
    ) -> Any:
        """A call at states in any arrangement, which broadcast: all of them in a row, and back."""
        outputs = code.facts.outputs
        whole = common({**leads, "parameters": chosen.lead}, CallError)
        places = None if out is None else self._places(out, whole)
        rows = [
            in_a_row(array, lead, whole) if lead else array for array, lead in zip(arrays, leads.values(), strict=True)
        ]
        found = self._served(code, chosen.spread(whole), rows, None, threads, layout)
        made = [found] if len(outputs) == 1 else list(found)
        results = [array.reshape(*whole, *array.shape[1:]) for array in made]
        return _named(outputs, results if places is None else _copied(results, places))

    def _arrays(self, given: Mapping[str, Any]) -> list[Floats]:
        """The inputs of a call in their order; what may be left out is completed."""
        if self.defaults:
            left_out = self.defaults.keys().isdisjoint(given)
            given = (
                {**self.defaults, **given}
                if left_out
                else with_optional(self.program, self._optional, given, self.defaults)
            )
        inputs = self.code.facts.inputs
        if given.keys() != self._input_names:
            check_inputs(given, inputs)
        return [as_floats(argument, given) for argument in inputs]

    def bound(self, out: Any, parameters: Any, arrays: Mapping[str, Floats]) -> Callable[[], Any]:
        code, chosen = self.chosen(parameters)
        facts = code.facts
        if chosen.batch is not None:
            raise CallError("bind works on one state, got a batch of parameters")
        check_inputs({**self.defaults, **arrays}, facts.inputs)
        taken = []
        for argument in facts.inputs:
            name, shape = argument.array.name, argument.array.shape
            array = arrays[name] if name in arrays else self.defaults.get(name, np.empty(shape))
            check_bound("input", name, array, shape)
            taken.append(array)
        if out is None:
            made = [np.empty(argument.array.shape) for argument in facts.outputs]
        else:
            made = self._places(out, ())
            for argument, array in zip(facts.outputs, made, strict=True):
                check_bound("output", argument.array.name, array, argument.array.shape)
            if isinstance(self.program, Routine):
                check_apart(facts.inputs, taken, facts.outputs, made)
        outputs = dict(zip(self._output_names, made, strict=True))
        result = _named(facts.outputs, made) if self._status is None else self._status.shaped({**outputs})
        addresses = [array.ctypes.data for array in (*taken, *chosen.arrays, *made)]
        if python_call.available():
            owned = [code, chosen, taken, made]
            run = python_call.bound_call(facts.function, code.table_address, addresses, result, owned, code.long)
        else:
            run = partial(_run, code, addresses, result, (taken, chosen, made))
        return run if self._status is None else self._status.watched(run, outputs)


def _run(code: MachineCode, addresses: Sequence[int], result: Any, owned: Any) -> Any:
    """One call of a function that is bound to the arrays it owns."""
    code.run(addresses)
    return result


def _named(outputs: Sequence[Argument], results: Sequence[Floats]) -> Any:
    """What a call gives: the only array, or all of them by name."""
    if len(results) == 1:
        return results[0]
    return Outputs((argument.array.name, array) for argument, array in zip(outputs, results, strict=True))


def _copied(results: Sequence[Floats], places: list[Floats]) -> list[Floats]:
    for place, result in zip(places, results, strict=True):
        place[...] = result
    return places
