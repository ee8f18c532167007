"""Names and texts of a description as those of C, C++ and Python: whatever a file says, they stay names and texts."""

from __future__ import annotations

import re
import sys
from keyword import kwlist, softkwlist

# C's own headers: a file of such a name in the include folder would stand before them.
_C_HEADERS = """
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbool
stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
"""
HEADERS = frozenset(_C_HEADERS.split())

# A module of such a name would hide another one, or could not be imported; all in small letters, as some file systems are.
_PACKAGES = "build c distutils numpy pip robosym scipy setup setuptools src test tests wheel"
PYTHON_MODULES = frozenset(
    name.lower() for name in [*sys.stdlib_module_names, *kwlist, *softkwlist, *_PACKAGES.split(), "__init__"]
)


def c_string(text: str) -> str:
    """The text as a string of C or C++ in plain ASCII: other bytes of its UTF-8 in octal, which always ends after three digits.
    A question mark is escaped too: two of them may begin a trigraph."""
    plain = text.encode("utf-8", "surrogatepass")
    return '"' + "".join(chr(b) if _is_plain(b) else f"\\{b:03o}" for b in plain) + '"'


def _is_plain(byte: int) -> bool:
    return 32 <= byte < 127 and byte not in b'"\\?'


def python_string(text: str) -> str:
    """The text as a string of Python in plain ASCII."""
    return ascii(text)


def plain(text: str) -> str:
    """The text on one line that may stand in a comment, a docstring or a page: it can end none of them."""
    return re.sub(r"[^A-Za-z0-9 _.,:;()\[\]+=^/'<>-]+", "_", text.replace('"', "'"))
