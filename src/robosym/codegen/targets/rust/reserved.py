"""Names a Rust identifier of ours must not take."""

from __future__ import annotations

from .printer import RustPrinter

_KEYWORDS = """
as async await break const continue crate dyn else enum extern false fn for gen if impl in let loop match mod move mut
pub ref return self Self static struct super trait true type unsafe use where while
abstract become box do final macro override priv try typeof unsized virtual yield
auto default macro_rules raw safe union
"""

# A pattern that names a variant is no new variable; the others would only confuse the reader.
_PRELUDE = """
None Some Ok Err Option Result Box String Vec Iterator IntoIterator Clone Copy Debug Default Drop Eq Fn FnMut FnOnce From
Into Ord PartialEq PartialOrd Send Sized Sync ToOwned ToString TryFrom TryInto Unpin AsMut AsRef Extend drop main
bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f16 f32 f64 f128 std core alloc
"""

RESERVED = frozenset([*_KEYWORDS.split(), *_PRELUDE.split(), *RustPrinter.helpers])
