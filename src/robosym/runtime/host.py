"""The processor this process runs on, as far as code for it depends on that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import llvmlite.binding as llvm


@dataclass(frozen=True)
class Host:
    """``features`` in LLVM's notation; ``lanes`` doubles fit into a vector register; ``fused``: a b + c at once."""

    triple: str
    cpu: str
    features: str
    lanes: int
    fused: bool

    @property
    def together(self) -> int:
        """How many angles scalar code takes at once: among scalar instructions, registers of 512 bits slow others down."""
        return min(self.lanes, 4)


@cache
def host() -> Host:
    try:
        has = dict(llvm.get_host_cpu_features())
        features = llvm.get_host_cpu_features().flatten()
    except RuntimeError:  # LLVM does not know how to ask on this system: what every such processor can do
        has, features = {}, ""
    triple = llvm.get_process_triple()
    arm = triple.startswith(("aarch64", "arm64"))
    lanes = 8 if has.get("avx512f") and has.get("avx512dq") else 4 if has.get("avx") else 2
    cpu = llvm.get_host_cpu_name() if has else "generic"  # its name alone may promise what the system does not allow
    return Host(triple, cpu, features, lanes, bool(arm or has.get("fma")))
