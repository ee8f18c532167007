"""How JAX spells expressions: the functions of NumPy under another name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ....expr.functions import CONDITIONS, FUNCTIONS
from ..numpy.printer import NumpyPrinter


class JaxPrinter(NumpyPrinter):
    calls: ClassVar[Mapping[str, str]] = {
        name: f"jnp.{f.on_arrays}" for name, f in FUNCTIONS.items() if name not in CONDITIONS
    }
    negation = "jnp.logical_not"
    where = "jnp.where"
