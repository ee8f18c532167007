"""Names a Python identifier of ours must not take in code for JAX."""

from __future__ import annotations

from keyword import kwlist, softkwlist

RESERVED = frozenset([*kwlist, *softkwlist, "jax", "jnp", "float", "print"])
