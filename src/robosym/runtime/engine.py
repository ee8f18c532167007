"""The LLVM objects: from assembly to addresses in this process. All that depends on the version of llvmlite is here."""

from __future__ import annotations

import ctypes.util
import sys
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from ..errors import RobosymError
from .host import host

SPEED_LEVEL = 2


class EngineError(RobosymError):
    """LLVM refused a program: a mistake of ours, not of the caller."""


class Engine:
    """Machine code. It lives as long as this object, so whoever holds an address holds the engine."""

    def __init__(self, assembly: str, speed_level: int = SPEED_LEVEL) -> None:
        _start()
        try:
            module = llvm.parse_assembly(assembly)
            module.verify()
        except RuntimeError as error:
            raise EngineError(f"LLVM cannot read the program: {error}") from error
        machine = _machine(speed_level)
        _optimise(module, machine, speed_level)
        self._compiler = llvm.create_mcjit_compiler(module, machine)
        self._compiler.finalize_object()

    def address(self, function: str) -> int:
        return int(self._compiler.get_function_address(function))


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


def _machine(speed_level: int) -> Any:
    """The processor of this machine, with all it can do."""
    target = llvm.Target.from_triple(host().triple)
    return target.create_target_machine(
        cpu=host().cpu, features=host().features, opt=speed_level, reloc="pic", codemodel="small"
    )


def _optimise(module: Any, machine: Any, speed_level: int) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=speed_level)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
