"""Names a Python identifier of ours must not take in code for CasADi."""

from __future__ import annotations

from ..python.reserved import KEYWORDS

RESERVED = KEYWORDS | {"ca", "casadi", "kind", "made"}
