"""Names a Python identifier of ours must not take."""

from __future__ import annotations

from keyword import kwlist, softkwlist

from .printer import PythonPrinter

RESERVED = frozenset([*kwlist, *softkwlist, *PythonPrinter.helpers, "math", "abs", "float", "print"])
