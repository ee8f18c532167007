"""The texts of the kernels: ``targets/LANGUAGE/kernels/NAME.template``, with ``$function`` and the sizes ``$n``, ``$k``.

A language with arrays of any size, or functions that are generic in it, writes each kernel once, under the name
``kernel_NAME``; C writes it once for each size. The algorithms are those of any textbook on numerical linear algebra (Golub and Van
Loan, Matrix Computations, chapters 3 and 7): Gaussian elimination with pivoting, reduction to Hessenberg form, the QR
algorithm with double shifts, inverse iteration. A language that has linear algebra of its own calls that.
"""

from __future__ import annotations

import math
from importlib.resources import files
from string import Template

from ...program.kernels import KERNELS
from ...program.routine import Kernel
from .facts import RoutineFacts

NAMES = tuple(f"kernel_{name}" for name in KERNELS)  # those of the kernels for arrays of any size


def sized_name(facts: RoutineFacts, stage: Kernel) -> str:
    """The name of the function for these sizes: ``kernel_solve_6_1``."""
    return "_".join(["kernel", stage.name, *map(str, kernel_sizes(facts, stage).values())])


def sized_kernels(language: str, facts: RoutineFacts) -> list[str]:
    """The kernels the routine calls, one for each size."""
    found = {
        sized_name(facts, stage): _text(language, stage, sized_name(facts, stage), kernel_sizes(facts, stage))
        for stage in facts.kernels
    }
    return list(found.values())


def kernels(language: str, facts: RoutineFacts) -> list[str]:
    """The kernels the routine calls, for arrays of any size."""
    found = {stage.name: _text(language, stage, f"kernel_{stage.name}", {}) for stage in facts.kernels}
    return list(found.values())


def _text(language: str, stage: Kernel, function: str, sizes: dict[str, int]) -> str:
    folder = files("robosym.codegen.targets").joinpath(language, "kernels")
    text = folder.joinpath(f"{stage.name}.template").read_text(encoding="ascii").rstrip("\n")
    return Template(text).substitute(function=function, **sizes)


def kernel_sizes(facts: RoutineFacts, stage: Kernel) -> dict[str, int]:
    """The numbers that say how large the arrays of a kernel are."""
    shape = facts.shape(stage.inputs[0])
    if stage.name == "sort":  # rows, and numbers in each
        return {"n": shape[0], "k": math.prod(shape[1:])}
    if stage.name != "solve":
        return {"n": shape[0]}
    right = facts.shape(stage.inputs[1])
    return {"n": shape[0], "k": right[1] if len(right) == 2 else 1}
