"""Names a C++ identifier of ours must not take: those of C (whose keywords list has C++'s too), and what we use."""

from __future__ import annotations

from ..c.reserved import RESERVED as OF_C

_WORDS = """
char8_t char16_t char32_t co_await co_return co_yield consteval constinit import module override final reflexpr
synchronized transaction_safe std detail entry is_nested Scalar size_t ptrdiff_t
"""

RESERVED = OF_C | frozenset([*_WORDS.split(), "real_sign", "real_min", "real_max"])
