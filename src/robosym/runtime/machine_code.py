"""A program as machine code: called for one state, for states one after the other, or for blocks of states in vectors."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, cached_property
from threading import Thread
from typing import Any

import numpy as np

from ..codegen.interface import Argument
from ..codegen.targets.c import facts_of, signature
from ..reals import Floats
from . import batch_ir, ir
from .direct import place_of_set
from .engine import Engine, engine
from .host import Host, host
from .parameters import BatchCall, Parameters
from .python_call import ALWAYS, Callee, address_of, batches_record

CACHE = 24 * 1024  # bytes of the nearest cache that a block of states may fill
LONGEST_BLOCK = 2  # vectors of states in a block: more of them would come from memory in bursts
FEW = 128  # states for which vector code is not worth compiling
LINE = 64  # bytes of a line of the cache
_PAIR = struct.Struct("2q")


class MachineCode:
    """``flags`` are those of ``emitter``. The code of one state is there at once, that of batches when first used."""

    facts: Any  # an Interface; that of a routine has the same fields

    def __init__(self, program: Any, speed_level: int, flags: str = "") -> None:
        facts = self.facts = self._described(program)
        self.signature = self._signature()  # of the function at ``address``, in C
        self._speed_level, self._flags = speed_level, flags
        self.engine = self._engine(self._assembly())
        self.address = self.engine.address(ir.RUN)
        self.table_address = self.engine.address(f"{ir.RUN}_table")
        self.count = len(facts.read) + len(facts.outputs)
        self._one = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.table_address)
        self._table = ctypes.c_int64 * self.count
        self._batches = batches_record(self._few())  # ``_record`` completes it when the function of a block is compiled
        self.precompute: BatchCall | None = None
        if facts.has_precompute:
            self.precompute = BatchCall(self.engine.address(f"{ir.PRECOMPUTE}_batch"))

    def _described(self, program: Any) -> Any:
        return facts_of(program)

    def _signature(self) -> str:
        return signature(self.facts)

    def _assembly(self) -> str:
        return ir.module(self.facts, host(), self._flags)

    def _engine(self, assembly: str) -> Engine:
        return engine(assembly, self._speed_level)

    def _few(self) -> int:
        """Batches of fewer states are done one state after the other."""
        return FEW

    @property
    def long(self) -> bool:
        """Whether one state may take long: straight lines do not."""
        return False

    def one(self, arrays: Sequence[Floats], parameters: Parameters) -> list[Floats]:
        """The outputs at one state; the arrays have the shapes of the inputs."""
        taken = [np.ascontiguousarray(array) for array in arrays]
        made = [np.empty(argument.array.shape) for argument in self.facts.outputs]
        self.run([array.ctypes.data for array in (*taken, *parameters.arrays, *made)])
        return made

    def run(self, addresses: Sequence[int]) -> None:
        """The function of one state on the arrays at these addresses."""
        self._one(self._table(*addresses))

    def answer(self, batch: int, arrays: Sequence[Floats], parameters: Parameters) -> Any:
        """What a call gives for plain arrays of many states, if there is a quicker way than ``many``."""
        return NotImplemented

    def many(
        self,
        batch: int,
        arrays: Sequence[tuple[Floats, bool]],
        parameters: Parameters,
        results: Sequence[Floats],
        threads: int,
    ) -> None:
        """Fill the results at many states. Each array comes with whether its first axis is the batch."""
        if batch == 0:
            return
        plain = all(array.flags.c_contiguous for array in results)
        if parameters.batch is not None or (batch < FEW and "_block" not in self.__dict__ and plain and threads == 1):
            self._one_after_the_other(batch, arrays, parameters, results)
            return
        job = self._job(arrays, parameters, results)
        parts = max(1, min(threads, batch // (4 * self._block_size)))
        ends = [batch * i // parts // self._block_size * self._block_size for i in range(parts)] + [batch]
        owned = (arrays, parameters, results)  # a worker holds what it works on, also after its caller left
        others: list[Worker] = []
        try:
            for i in range(1, parts):
                others.append(Worker(owned, self._states, job, *ends[i : i + 2]))
            self._states(job, *ends[:2])  # calls through ctypes let other threads run
        finally:
            for worker in others:
                worker.join()
        for worker in others:
            if worker.error is not None:
                raise worker.error

    def _one_after_the_other(
        self, batch: int, arrays: Sequence[tuple[Floats, bool]], parameters: Parameters, results: Sequence[Floats]
    ) -> None:
        plain = [array if array.flags.c_contiguous else np.empty(array.shape) for array in results]
        taken = [(np.ascontiguousarray(array), batched) for array, batched in arrays]
        taken += [(array, parameters.batch is not None) for array in parameters.arrays]
        self._loop(batch, [*taken, *((array, True) for array in plain)])
        for array, computed in zip(results, plain, strict=True):
            if array is not computed:
                array[...] = computed

    @cached_property
    def _loop(self) -> BatchCall:
        return BatchCall(self.engine.address(f"{ir.RUN}_batch"))

    # --- blocks of states ----------------------------------------------------------------------------------------

    @cached_property
    def _rows(self) -> tuple[int, int]:
        """How many rows of a buffer the inputs and the outputs take."""
        lanes = host().lanes
        taken = (self.facts.inputs, self.facts.outputs)
        return tuple(sum(batch_ir.rows_of(argument.size, lanes) for argument in part) for part in taken)  # type: ignore[return-value]

    @cached_property
    def _block_size(self) -> int:
        """As many states as fit into the cache, in whole vectors."""
        lanes = host().lanes
        return lanes * max(1, min(LONGEST_BLOCK, CACHE // (8 * lanes * max(sum(self._rows), 1))))

    @cached_property
    def _block(self) -> Engine:
        assembly = batch_ir.block_module(self.facts, host(), self._block_size, self._flags)
        return engine(assembly, self._speed_level)

    def _states(self, job: bytes, first: int, last: int) -> None:
        """Do a job for a range of states, with buffers of this call's own."""
        lengths = [8 * rows * self._block_size for rows in self._rows]  # whole vectors, but not always whole lines
        buffers = np.empty((sum(lengths) + 2 * LINE) // 8)
        inner = -(-address_of(buffers) // LINE) * LINE
        outer = -(-(inner + lengths[0]) // LINE) * LINE
        _driver(host())(job, first, last, _PAIR.pack(inner, outer))

    @cached_property
    def _first_rows(self) -> list[int]:
        """Where each input begins in its buffer, and each output in its own."""
        found = []
        for arguments in (self.facts.inputs, self.facts.outputs):
            row = 0
            for argument in arguments:
                found.append(row)
                row += batch_ir.rows_of(argument.size, host().lanes)
        return found

    @cached_property
    def callee(self) -> Callee:
        """What calls without Python in between need to know."""
        facts = self.facts
        rows = iter(self._first_rows)
        taken, made = (
            [(argument.array.name, argument.array.shape, next(rows)) for argument in arguments]
            for arguments in (facts.inputs, facts.outputs)
        )
        return Callee(facts.function, self.table_address, self._batches, taken, made, self.long)

    @cached_property
    def callee_of_sets(self) -> Callee:
        """The same for a set of parameters in each state: its arrays are inputs, and one state is done after the other."""
        plain = self.callee
        others = self.facts.read[len(self.facts.inputs) :]
        sets = [(place_of_set(i), argument.array.shape, 0) for i, argument in enumerate(others)]
        return replace(plain, batches=batches_record(ALWAYS), inputs=[*plain.inputs, *sets])

    def shared(self, parameters: Parameters) -> tuple[int, int]:
        """The addresses of the parameters and of the constants, 0 for what is not read."""
        others = iter(parameters.addresses)
        return next(others) if self.facts.reads_parameters else 0, next(others) if self.facts.has_precompute else 0

    @cached_property
    def _record(self) -> struct.Struct:
        """The form of a job. From now on calls without Python in between find the functions of blocks, too."""
        size = self._block_size
        driver = ctypes.cast(_driver(host()), ctypes.c_void_p).value or 0
        lengths = [8 * rows * size for rows in self._rows]
        self._batches[3:] = [size, host().lanes, *lengths]
        self._batches[1:3] = [driver, self._block.address(batch_ir.BLOCK)]
        return struct.Struct(f"{batch_ir.JOB + batch_ir.ARGUMENT * len(self._first_rows)}q")

    def _job(self, arrays: Sequence[tuple[Floats, bool]], parameters: Parameters, results: Sequence[Floats]) -> bytes:
        """The record that ``batch_ir`` describes, for arrays that are even."""
        facts, record, step = self.facts, self._record, host().lanes
        words: list[int] = []
        given = [*arrays, *((array, True) for array in results)]
        for argument, (array, batched), row in zip(
            (*facts.inputs, *facts.outputs), given, self._first_rows, strict=True
        ):
            found = distances(argument, array, batched)
            if found is None:
                raise ValueError(f"the array for '{argument.array.name}' is not even")
            words += [address_of(array), *found, argument.size, row]
            if batched and found[1] != 1:  # the same entry of many states lies together: more of it is read at once
                step = self._block_size
        head = [self._block.address(batch_ir.BLOCK), *self.shared(parameters), self._block_size, step]
        return record.pack(*head, len(facts.inputs), len(facts.outputs), *words)


class Worker(Thread):
    """A thread that begins at once and keeps what went wrong."""

    def __init__(self, owned: Any, work: Callable[..., None], *args: Any) -> None:
        super().__init__(daemon=True)
        self._owned, self._work, self._args = owned, work, args
        self.error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self._work(*self._args)
        except BaseException as error:
            self.error = error


@cache
def _driver(described: Host) -> Any:
    """What brings states into buffers: the same for all programs, so it stays."""
    living = engine(batch_ir.states_module(described))
    kind = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_char_p)
    run = kind(living.address(batch_ir.STATES))
    run.keeps = living  # type: ignore[attr-defined]
    return run


def distances(argument: Argument, array: Floats, batched: bool) -> tuple[int, int] | None:
    """From a state to the next and from an entry to the next, in doubles; None if those are not all there is to say.

    The distance along an axis of one entry is never walked, whatever NumPy has written there.
    """
    flags = array.flags
    if not flags.aligned:
        return None
    if flags.c_contiguous:
        return argument.size if batched and len(array) > 1 else 0, 1
    from_state = array.strides[0] if batched and len(array) > 1 else 0
    step, next_axis = 8, None  # between entries, and what the axis outside of those seen must then have
    for length, stride in zip(reversed(argument.array.shape), reversed(array.strides[batched:]), strict=True):
        if length == 1:
            continue
        if next_axis is None:
            step = stride
        elif stride != next_axis:
            return None
        next_axis = stride * length
    return None if from_state % 8 or step % 8 else (from_state // 8, step // 8)


def is_even(argument: Argument, array: Floats, batched: bool) -> bool:
    """Whether the entries of a state lie at equal distances, whole doubles apart."""
    return distances(argument, array, batched) is not None


def many_states(
    code: MachineCode,
    batch: int,
    taken: Sequence[tuple[Floats, bool]],
    parameters: Parameters,
    out: list[Floats] | None,
    threads: int,
    layout: str,
) -> list[Floats]:
    """The outputs at many states: new arrays, or those of ``out``."""
    inputs, outputs = code.facts.inputs, code.facts.outputs
    arrays = [
        (array if is_even(argument, array, batched) else np.ascontiguousarray(array), batched)
        for argument, (array, batched) in zip(inputs, taken, strict=True)
    ]
    if out is None:  # nothing else lies where new arrays do
        results = [_new(argument, batch, layout) for argument in outputs]
        code.many(batch, arrays, parameters, results, threads)
        return results
    read = [*(array for array, _ in arrays), *parameters.arrays]
    places = [
        array if _is_free(o, array, read) else np.empty(array.shape) for o, array in zip(outputs, out, strict=True)
    ]
    code.many(batch, arrays, parameters, places, threads)
    for result, place in zip(out, places, strict=True):
        if result is not place:
            result[...] = place
    return out


def _new(argument: Argument, batch: int, layout: str) -> Floats:
    """A new array for an output; in the layout "soa" the batch is the axis along which neighbours lie in memory."""
    shape = argument.array.shape
    if layout == "aos":
        return np.empty((batch, *shape))
    return np.empty((*shape, batch)).transpose(len(shape), *range(len(shape)))


def _is_free(argument: Argument, array: Floats, read: Sequence[Floats]) -> bool:
    """Whether results may be written while other states are still read."""
    return is_even(argument, array, True) and not any(np.may_share_memory(array, other) for other in read)
