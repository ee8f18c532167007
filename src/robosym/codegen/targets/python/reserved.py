"""Names a Python identifier of ours must not take."""

from __future__ import annotations

from keyword import kwlist, softkwlist

from .printer import PythonPrinter

KEYWORDS = frozenset([*kwlist, *softkwlist, "float", "print"])  # and what every generated text may call
RESERVED = KEYWORDS | {*PythonPrinter.helpers, "math", "abs"}
