"""Names a Matlab identifier of ours must not take: keywords, functions that our text calls, well-known functions.

A variable hides the function of its name, and a file of a well-known function's name would hide that everywhere.
"""

from __future__ import annotations

from ...routines.kernels import NAMES
from .printer import MatlabPrinter

_KEYWORDS = """
arguments break case catch classdef continue else elseif end enumeration events for function global if methods
otherwise parfor persistent properties return spmd switch try while do endfor endfunction endif endmethods
endproperties endswitch endwhile end_try_catch end_unwind_protect until unwind_protect unwind_protect_cleanup __FILE__
__LINE__
"""

_CONSTANTS = "i j pi Inf inf NaN nan NA eps ans true false realmin realmax nargin nargout varargin varargout end"

_FUNCTIONS = """
abs acos acosh all any arrayfun asin asinh atan atan2 atanh axis bsxfun cat cd ceil cell cell2mat char chol class clc
clear close cla colon complex cond conj conv copy cos cosh cot cross csc cumprod cumsum deal deconv det diag diary
diff dir disp display dot double eig end erf erfc error eval exist exit exp expm expm1 eye factor factorial fclose
feval fft figure find fix flip floor fopen format fprintf func2str gamma gcd get gradient grid help hist hold horzcat
hypot identity imag image ind2sub input int int32 interp1 inv inverse isa iscell ischar isempty isequal isfinite isinf
islogical isnan isnumeric isreal isscalar keyboard kron length legend line linsolve linspace load log log10 log1p log2
logical logm lookup ls lu magic mat2str matlab max mean median mesh min mldivide mod more mrdivide nnz norm not null
num2str numel ode45 ones open optimset orth path pause permute pinv plot plus pol2cart poly polyfit polyval power
print printf prod puts qr quit rand randn rank real rem repmat reshape reverse roots rot90 round rref run save sec set
shape sign sin single sinh size sort source sparse sprintf sqrt sqrtm squeeze std step strcmp string struct sub2ind
subplot sum surf svd tan tanh test text tic times title toc trace transpose triu tril type uint8 uminus union unique
var vertcat view warning which who whos xlabel xor ylabel zeros zlabel
"""

_TEMPLATE = "batch"

RESERVED = frozenset(
    [
        *_KEYWORDS.split(),
        *_CONSTANTS.split(),
        *_FUNCTIONS.split(),
        *_TEMPLATE.split(),
        *MatlabPrinter.helpers,
        *NAMES,
    ]
)
