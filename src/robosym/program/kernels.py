"""The named numeric kernels a ``Routine`` may call: what they take and make, and their reference in NumPy.

| kernel | takes | makes |
| --- | --- | --- |
| eigenvalues | A (n, n) | roots (n, 2): real and imaginary part of each |
| eigenvector | A (n, n), root (2,) | v (n,): what A - (real part) takes to nearly nothing, its largest entry one |
| solve | A (n, n), B (n, k) or (n,) | X of the shape of B: A X = B; zero where A is singular, or A or X not finite |
| sort | values (m, ...), keys (m,), count () | the first count rows in the order of their keys, smallest first, nan last |

Eigenvalues come in no promised order; those of a matrix that is not finite are 0 and inf. Sorting keeps
rows with equal keys in their order and those after the first count where they are; a count that is no number of rows is taken
for the nearest, nan for 0. A printer has its own text of each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Shape = tuple[int, ...]


@dataclass(frozen=True)
class KernelSpec:
    """``shapes``: of the outputs, from those of the inputs, or None if these do not fit."""

    expected: str
    shapes: Callable[[Sequence[Shape]], list[Shape] | None]
    reference: Callable[..., list[Any]]


def whole(count: Any, most: int) -> int:
    """A number of rows, at most so many; nan is none."""
    number = float(count)
    return int(min(max(number, 0.0), most)) if number == number else 0


def _is_square(shape: Shape) -> bool:
    return len(shape) == 2 and shape[0] == shape[1] > 0


def _eigenvalues_shapes(taken: Sequence[Shape]) -> list[Shape] | None:
    return [(taken[0][0], 2)] if len(taken) == 1 and _is_square(taken[0]) else None


def _eigenvector_shapes(taken: Sequence[Shape]) -> list[Shape] | None:
    fits = len(taken) == 2 and _is_square(taken[0]) and taken[1] == (2,)
    return [taken[0][:1]] if fits else None


def _solve_shapes(taken: Sequence[Shape]) -> list[Shape] | None:
    fits = len(taken) == 2 and _is_square(taken[0]) and len(taken[1]) in (1, 2) and taken[1][0] == taken[0][0]
    return [taken[1]] if fits else None


def _sort_shapes(taken: Sequence[Shape]) -> list[Shape] | None:
    fits = len(taken) == 3 and len(taken[0]) > 0 and taken[1] == taken[0][:1] and taken[2] == ()
    return [taken[0]] if fits else None


def _eigenvalues(A: Any) -> list[Any]:
    import numpy as np

    roots = np.linalg.eigvals(A) if np.isfinite(A).all() else np.full(len(A), complex(0.0, np.inf))
    return [np.stack([roots.real, roots.imag], axis=1)]


def _eigenvector(A: Any, root: Any) -> list[Any]:
    import numpy as np

    shifted = A - root[0] * np.eye(len(A))
    if not np.isfinite(shifted).all():
        return [np.zeros(len(A))]
    v = np.linalg.svd(shifted)[2][-1]
    return [v / v[np.abs(v).argmax()]]


def _solve(A: Any, B: Any) -> list[Any]:
    import numpy as np

    if not np.isfinite(A).all():  # what elimination makes of infinities depends on the order of its steps
        return [np.zeros(B.shape)]
    try:
        X = np.linalg.solve(A, B if B.ndim == 2 else B[:, None]).reshape(B.shape)
    except np.linalg.LinAlgError:
        return [np.zeros(B.shape)]
    return [X if np.isfinite(X).all() else np.zeros(B.shape)]


def _sort(values: Any, keys: Any, count: Any) -> list[Any]:
    import numpy as np

    total = whole(count, len(keys))
    made = values.copy()
    made[:total] = values[:total][np.argsort(keys[:total], kind="stable")]
    return [made]


KERNELS: Mapping[str, KernelSpec] = {
    "eigenvalues": KernelSpec("A (n, n)", _eigenvalues_shapes, _eigenvalues),
    "eigenvector": KernelSpec("A (n, n), root (2,)", _eigenvector_shapes, _eigenvector),
    "solve": KernelSpec("A (n, n), B (n, k) or (n,)", _solve_shapes, _solve),
    "sort": KernelSpec("values (m, ...), keys (m,), count ()", _sort_shapes, _sort),
}
