"""Compiled functions: a ``Program`` or a ``Routine`` through LLVM in this process. No C compiler is needed; nothing here
knows robots.

::

    f = compile_program(program, values={"L1": 0.4})
    f(q=[0.1, 0.2])            # one state
    f(q=states)                # states of shape (batch, 2)
"""

from .errors import CallError
from .function import CompiledFunction, compile_program

__all__ = ["CallError", "CompiledFunction", "compile_program"]
