"""Names a Maple identifier of ours must not take: keywords, and names that Maple protects or gives a value."""

from __future__ import annotations

_KEYWORDS = """
and assuming break by catch description do done elif else end error export fi finally for from global if implies import
in intersect local minus mod module next not od option options or proc quit read record return save static stop subset
then to try union until use uses while xor
"""

_CONSTANTS = """
Catalan D Digits FAIL FC FS FX I NULL O Order Pi RootOf SC Testzero UseHardwareFloats false gamma infinity
kernelopts lasterror libname printlevel self thismodule true undefined args nargs nparams nrest procname
"""

_FUNCTIONS = """
AiryAi AiryBi Beta BesselI BesselJ BesselK BesselY Chi Ci Dirac EllipticE EllipticF EllipticK EllipticPi GAMMA GF
Heaviside Im Li Limit LegendreP Psi Re Shi Si Ssi Zeta abs arccos arccosh arccot arccoth arccsc arccsch arcsec arcsech
arcsin arcsinh arctan arctanh argument bernoulli binomial cat ceil conjugate cos cosh cot coth csc csch csgn degree
denom det diff dilog dsolve erf erfc euler eval evala evalb evalc evalf evalhf exp expand factor factorial floor frac
fsolve gcd hypergeom ilog int iquo irem ithprime lcm ldegree limit ln lnGAMMA log log10 log2 map max min modp norm
normal numer op ops piecewise polylog pow product quo rand randomize rationalize rem residue round sec sech select series
sign signum sin sinh simplify solve sqrt subs subsop sum surd tan tanh taylor trunc unapply zip
"""

_DATA_AND_COMMANDS = """
Array Cell DataFrame Description DynamicSystems HFloat LinearAlgebra List Matrix NAN Object Or And Not Record SFloat Set
String Threads Units Value Vector VectorCalculus about alias anames animate anything algebraic array assign assigned
assume character charpoly close coeff coeffs collect column combine complex constant content convert copy cross curl
currentdir dismantle div entries equation even evalm evaln fclose feof fflush float fopen fprintf frontend fscanf function
galois genpoly grad has hasfun hastype heap help hfarray history ifelse ifactor igcd indets index indices infnorm
infolevel inner insert integer interface inverse isolate isprime iscont is language lattice length lexorder lhs linear
list lists listlist literal lprint macro march match matrix maximize member mellin minimize monomial mul add seq name names
negative nops nonneg nprintf odd open order orient packages parse pipe plot plot3d point polar polynom positive posint
primpart print printf procedure projection prime protect queue radical random range rank rational ratio readlib readline
realcons restart rhs rotate row rsolve rtable save scanf searchtext select sequence set shake sort sprintf ssystem stack
sscanf string style substring symbol symmetric system table text time timelimit title trace traperror transform
translate transpose trig type typematch unames unassign union unprotect uneval value vector verify version view
whattype with writeto writeline writestat zero
"""

RESERVED = frozenset([*_KEYWORDS.split(), *_CONSTANTS.split(), *_FUNCTIONS.split(), *_DATA_AND_COMMANDS.split()])
