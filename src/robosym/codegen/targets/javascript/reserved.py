"""Names a JavaScript identifier of ours must not take."""

from __future__ import annotations

from .printer import JavaScriptPrinter

# Of the language, also in strict mode and in modules, and those it keeps for later.
_KEYWORDS = """
await break case catch class const continue debugger default delete do else enum export extends false finally for
function if implements import in instanceof interface let new null package private protected public return static super
switch this throw true try typeof var void while with yield
arguments async eval get of set
"""

# What every script finds around it, as far as generated code or its reader may mean it.
_GLOBALS = """
Array BigInt Boolean Date Error Float32Array Float64Array Function Infinity JSON Map Math NaN Number Object Promise
Proxy Reflect RegExp Set String Symbol globalThis isFinite isNaN undefined
window document self console process require module exports
"""

RESERVED = frozenset([*_KEYWORDS.split(), *_GLOBALS.split(), *JavaScriptPrinter.helpers])
