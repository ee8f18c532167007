"""Names a Julia identifier of ours must not take: keywords, and what Base exports that generated code may meet."""

from __future__ import annotations

from .printer import JuliaPrinter

_KEYWORDS = """
abstract baremodule begin break catch const continue do else elseif end export false finally for function global if
import in isa let local macro module mutable new outer primitive public quote return struct true try type using
where while
"""

_NAMES = """
AbstractArray AbstractFloat AbstractMatrix AbstractVector Any Array Base BigFloat Bool Complex Core DimensionMismatch
Float16 Float32 Float64 Function I Inf Int Int32 Int64 Integer LinearAlgebra Main Matrix NaN Nothing Number Real String
Symbol Tuple Type Union Vector ccall cglobal im missing nothing pi undef
"""

_FUNCTIONS = """
all any argmax axes cat ceil collect convert copy cosd cosh cot count diff display div eachindex eachrow eigvals eltype
error eval exit exp10 exp2 expm1 eye fill filter first float fma get hcat hypot identity ifelse imag include inv isfinite
issuccess isnan iszero last length log10 log1p log2 lu map maximum minimum mod muladd ndims one ones permutedims print
println prod promote_type rand range real reduce rem repeat reshape round show similar sincos sinh size sortperm step sum svd
tanh throw transpose trunc typeof values vcat vec view zero zeros
"""

_OURS = ("element",)  # locals of the frame

KEYWORDS = frozenset(_KEYWORDS.split())
RESERVED = KEYWORDS | {*_NAMES.split(), *_FUNCTIONS.split(), *JuliaPrinter.calls.values(), *_OURS}
