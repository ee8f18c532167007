"""Names a Fortran identifier of ours must not take, in lower case: to Fortran, ``q`` and ``Q`` are one name.

Nothing is reserved by the language, but a name that means something misleads the reader, and hides an
intrinsic function of that name.
"""

from __future__ import annotations

from ...names import Names
from ...routines.kernels import NAMES
from .printer import FortranPrinter


class FortranNames(Names):
    """In any case."""

    folds_case = True


_STATEMENTS = """
abstract allocatable allocate assign associate asynchronous backspace bind block call case character class close
codimension common complex concurrent contains contiguous continue critical cycle data deallocate default deferred
dimension do double elemental else elseif elsewhere end enddo endfile endif entry enum enumerator equivalence error
exit extends external final flush forall format function generic go goto if implicit import impure in include inout
inquire integer intent interface intrinsic is kind len lock logical module namelist none non_overridable nopass
nullify only open operator optional out parameter pass pause pointer precision print private procedure program
protected public pure read real recursive result return rewind save select sequence stop submodule subroutine sync
target then to type unlock use value volatile wait where while write
"""

_INTRINSICS = """
abs achar acos acosh adjustl adjustr aimag aint all allocated anint any asin asinh associated atan atan2 atanh
bessel_j0 bessel_j1 bessel_jn bessel_y0 bessel_y1 bessel_yn bit_size btest ceiling char cmplx conjg cos cosh count
cpu_time cshift date_and_time dble digits dim dot_product dprod eoshift epsilon erf erfc exp exponent floor fraction
gamma hypot huge iachar iand ibclr ibits ibset ichar ieor index int ior ishft ishftc kind lbound len len_trim lge lgt
lle llt log log10 log_gamma logical matmul max maxexponent maxloc maxval merge merge_bits min minexponent minloc
minval mod modulo move_alloc mvbits nearest new_line nint norm2 not null pack parity precision present product radix
random_number random_seed range real repeat reshape rrspacing same_type_as scale scan selected_int_kind
selected_real_kind set_exponent shape sign sin sinh size spacing spread sqrt storage_size sum system_clock tan tanh
tiny transfer transpose trim ubound unpack verify dabs dacos dasin datan datan2 dcos dexp dlog dsign dsin dsqrt dtan
alog amax1 amin1 dmax1 dmin1 float iabs idint ifix isign sngl
"""

IEEE = ("ieee_negative_inf", "ieee_positive_inf", "ieee_quiet_nan")
_TEMPLATE = "dp real64 iso_fortran_env ieee_arithmetic ieee_value"
_KERNEL_PARTS = ("kernel_hessenberg", "kernel_reflect", "kernel_sweep", "kernel_pair")

RESERVED = frozenset(
    [
        *_STATEMENTS.split(),
        *_INTRINSICS.split(),
        *_TEMPLATE.split(),
        *IEEE,
        *FortranPrinter.helpers,
        *NAMES,
        *_KERNEL_PARTS,
    ]
)
