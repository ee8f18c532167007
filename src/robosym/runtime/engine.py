"""The LLVM objects: from assembly to addresses in this process. All that depends on the version of llvmlite is here."""

from __future__ import annotations

import ctypes.util
import sys
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from ..errors import RobosymError

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
    if hasattr(llvm, "create_pass_manager_builder"):  # llvmlite before 0.45 wants to be initialised; later ones refuse
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    if any(llvm.address_of_symbol(name) is None for name in ("sin", "atan2", "exp2")):
        library = ctypes.util.find_library("m" if sys.platform != "win32" else "ucrtbase")
        if library is None:
            raise EngineError("the mathematical library (libm) was not found on this machine")
        llvm.load_library_permanently(library)


@cache
def pointer_type() -> str:
    """How this LLVM writes a pointer: ``ptr`` from version 15 or so on, ``double*`` before."""
    _start()
    try:
        llvm.parse_assembly("define void @f(ptr %p) {\n ret void\n}\n")
    except RuntimeError:
        return "double*"
    return "ptr"


def _machine(speed_level: int) -> Any:
    """The processor of this machine, with all it can do."""
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=speed_level, jit=True)


def _optimise(module: Any, machine: Any, speed_level: int) -> None:
    if hasattr(llvm, "create_pass_builder"):
        options = llvm.create_pipeline_tuning_options(speed_level=speed_level)
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        return
    legacy = llvm.create_pass_manager_builder()
    legacy.opt_level = speed_level
    manager = llvm.create_module_pass_manager()
    machine.add_analysis_passes(manager)
    legacy.populate(manager)
    manager.run(module)
