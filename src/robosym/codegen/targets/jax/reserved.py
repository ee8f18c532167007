"""Names a Python identifier of ours must not take in code for JAX."""

from __future__ import annotations

from ..python.reserved import KEYWORDS

RESERVED = KEYWORDS | {"jax", "jnp"}
