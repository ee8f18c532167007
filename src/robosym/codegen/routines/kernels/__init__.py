"""The texts of the kernels: ``NAME.c`` with ``$function`` and the sizes ``$n``, ``$k`` to fill in, ``NAME.python`` as is.

The algorithms are those of any textbook on numerical linear algebra (Golub and Van Loan, Matrix Computations, chapters
3 and 7): Gaussian elimination with pivoting, reduction to Hessenberg form, the QR algorithm with double shifts, inverse
iteration.
"""

from __future__ import annotations

from importlib.resources import files
from string import Template

from ....program.routine import Kernel
from ..facts import RoutineFacts


def key_of(facts: RoutineFacts, stage: Kernel) -> str:
    """The name of the C function, one for each size: ``kernel_solve_6_1``."""
    return "_".join(["kernel", stage.name, *map(str, _sizes(facts, stage).values())])


def kernel_text(language: str, facts: RoutineFacts, stage: Kernel) -> str:
    """The definition of a kernel."""
    text = files(__name__).joinpath(f"{stage.name}.{language}").read_text(encoding="ascii").rstrip("\n")
    if language == "python":
        return text
    return Template(text).substitute(function=key_of(facts, stage), **_sizes(facts, stage))


def _sizes(facts: RoutineFacts, stage: Kernel) -> dict[str, int]:
    shape = facts.shape(stage.inputs[0])
    if stage.name != "solve":
        return {"n": shape[0]}
    right = facts.shape(stage.inputs[1])
    return {"n": shape[0], "k": right[1] if len(right) == 2 else 1}
