"""Names a Python identifier of ours must not take in code for CasADi."""

from __future__ import annotations

from keyword import kwlist, softkwlist

RESERVED = frozenset([*kwlist, *softkwlist, "ca", "casadi", "kind", "made", "print"])
