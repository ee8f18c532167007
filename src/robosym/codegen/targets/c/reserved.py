"""Names a C identifier of ours must not take: keywords, <math.h>, what compilers know without a header."""

from __future__ import annotations

from .printer import CPrinter

_KEYWORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
alignas alignof asm atomic bool complex constexpr false generic imaginary noreturn nullptr thread_local true typeof
and and_eq bitand bitor catch class compl concept const_cast decltype delete dynamic_cast explicit export friend mutable
namespace new noexcept not not_eq operator or or_eq private protected public reinterpret_cast requires static_assert
static_cast template this throw try typeid typename using virtual wchar_t xor xor_eq
"""

_MATH = """
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma fmax fmin
fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter
nexttoward pow remainder remquo rint round scalbln scalbn sin sinh sqrt tan tanh tgamma trunc
drem exp10 finite gamma isinf isnan j0 j1 jn pow10 scalb significand sincos y0 y1 yn
"""

_MACROS = """
fpclassify isfinite isgreater isgreaterequal isless islessequal islessgreater isnormal isunordered signbit
FP_FAST_FMA FP_ILOGB0 FP_ILOGBNAN FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO HUGE_VAL HUGE_VALF HUGE_VALL
INFINITY MATH_ERREXCEPT MATH_ERRNO NAN math_errhandling signgam double_t float_t HUGE MAXFLOAT DOMAIN SING OVERFLOW
UNDERFLOW PLOSS TLOSS X_TLOSS M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI
M_SQRT2 M_SQRT1_2 I NULL EOF errno assert linux unix i386 near far
"""

_LIBRARY = """
abort abs alloca atexit atof atoi atol bcmp bcopy bsearch bzero calloc clock div exit ffs fprintf fputc fputs
free fscanf fwrite getenv imaxabs index isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct
isspace isupper isxdigit labs ldiv llabs main malloc memchr memcmp memcpy memmove memset printf putchar puts qsort rand
random realloc rindex scanf snprintf sprintf srand sscanf stpcpy strcat strchr strcmp strcpy strcspn strdup strlen
strncat strncmp strncpy strpbrk strrchr strspn strstr strtod strtol system time tolower toupper vfprintf vprintf
vscanf vsnprintf vsprintf creal cimag cabs carg cexp clog conj cpow cproj csin ccos csqrt ctan
"""

_FLOAT_VERSIONS = frozenset(name + suffix for name in _MATH.split() for suffix in ("f", "l"))

RESERVED = frozenset(
    [*_KEYWORDS.split(), *_MATH.split(), *_MACROS.split(), *_LIBRARY.split(), *_FLOAT_VERSIONS, *CPrinter.helpers]
)
