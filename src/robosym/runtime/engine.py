"""The LLVM objects: from assembly to addresses in this process. All that depends on the version of llvmlite is here."""

from __future__ import annotations

import ctypes.util
import re
import sys
import weakref
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import count
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from ..errors import RobosymError
from . import disk_cache
from .host import host

SPEED_LEVEL = 1  # LLVM's O1 passes: what more costs in time it does not give back on straight-line code
# Choosing and ordering instructions is another matter: level 2 takes no longer there, and large models run in half the time.
INSTRUCTION_LEVEL = 2
# What does most of it for long code with loops and branches, in a quarter of the time of LLVM's O1.
LIGHT = ("always_inliner", "sroa", "sccp", "instruction_combine", "simplify_cfg", "loop_rotate")
PUBLIC = re.compile(r"^define (?!internal |private )[^@\n]*@([\w.]+)\(", re.MULTILINE)
# Engines that share a linker, which takes 170 kB. It forgets an engine that is gone all but 10 kB: those go with the linker.
TOGETHER = 16
LONGEST = 100_000  # lines of assembly; its time grows with their square, so longer ones are written down as they come


class EngineError(RobosymError):
    """LLVM refused a program: a mistake of ours, not of the caller."""


class Engine:
    """Machine code. It lives as long as this object, so whoever holds an address holds the engine.

    LLVM's newer linker puts all sections of an object into one block of memory. The older one asks the system for each, and
    where they come to lie more than 2 GB apart, as in a process of some size, ends the process: code reaches no further."""

    def __init__(self, code: bytes, functions: Sequence[str]) -> None:
        _start()
        library = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        for name in functions:
            library.export_symbol(name)
        number = next(_numbers)
        try:
            self._library = library.link(_linker(number // TOGETHER), f"library {number}")
        except RuntimeError as error:
            raise EngineError(f"LLVM cannot link the program: {error}") from error

    def address(self, function: str) -> int:
        return int(self._library[function])


_numbers = count()


@lru_cache(maxsize=1)
def _linker(_number: int) -> Any:
    """The linker of some engines; it lives as long as one of them. (On Windows LLVM has the older one only.)"""
    return llvm.create_lljit_compiler(use_jit_link=sys.platform != "win32", suppress_errors=True)


_living: weakref.WeakValueDictionary[str, Engine] = weakref.WeakValueDictionary()


def engine(assembly: str, speed_level: int = SPEED_LEVEL, passes: Sequence[str] = ()) -> Engine:
    """The engine of an assembly: one that lives already, else from machine code on disk, else compiled now, with LLVM's
    passes of the level or with these."""
    key = disk_cache.key_of(
        assembly,
        speed_level,
        *passes,
        INSTRUCTION_LEVEL,
        llvmlite.__version__,
        *map(str, llvm.llvm_version_info),
        host(),
    )
    found = _living.get(key)
    if found is None:
        code = disk_cache.load(key)
        if code is None:
            code = compiled(assembly, speed_level, passes)
            disk_cache.store(key, code)
        found = _living[key] = Engine(code, PUBLIC.findall(assembly))
    return found


def compiled(assembly: str, speed_level: int, chosen: Sequence[str] = ()) -> bytes:
    """Machine code for this processor, as an object file."""
    _start()
    try:
        module = llvm.parse_assembly(assembly)
        module.verify()
    except RuntimeError as error:
        raise EngineError(f"LLVM cannot read the program: {error}") from error
    careful = speed_level and assembly.count("\n") <= LONGEST
    machine = _machine(INSTRUCTION_LEVEL if careful else 0)
    options = llvm.create_pipeline_tuning_options(speed_level=speed_level)
    builder = llvm.create_pass_builder(machine, options)
    passes = llvm.create_new_module_pass_manager() if chosen else builder.getModulePassManager()
    for name in chosen:
        getattr(passes, f"add_{name}_pass")()
    try:
        passes.run(module, builder)
    finally:
        _released(passes)
    code: bytes = machine.emit_object(module)
    return code


def _released(passes: Any) -> None:
    """Give the memory of a pass manager back. Its own ``close`` does not: llvmlite's ``ModulePassManager`` inherits the
    empty ``_dispose`` of ``ObjectRef`` before the real one, and every compilation would keep some 70 kB."""
    llvm.newpassmanagers.NewPassManager._dispose(passes)
    passes.detach()  # it is gone: nothing may give it back a second time


@cache
def _start() -> None:
    """Once a process: the native target, and the functions of libm that compiled code calls."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    if any(llvm.address_of_symbol(name) is None for name in ("sin", "atan2", "exp2")):
        library = ctypes.util.find_library("m" if sys.platform != "win32" else "ucrtbase")
        if library is None:
            raise EngineError("the mathematical library (libm) was not found on this machine")
        llvm.load_library_permanently(library)


def _machine(level: int) -> Any:
    """The processor of this machine, with all it can do. Code and constants lie together: addresses are relative."""
    target = llvm.Target.from_triple(host().triple)
    options = {"cpu": host().cpu, "features": host().features, "opt": level}
    return target.create_target_machine(**options, reloc="pic", codemodel="small")
