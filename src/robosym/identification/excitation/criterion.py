"""How well a motion excites the parameters: the condition number of its stacked regressor, or the determinant.

The equations of all samples stand one above the other, D K = tau. Their condition number is that of D with its columns scaled
to length one, since the units of the parameters are arbitrary; the determinant of D^T D tells how large the joint region of
confidence of all parameters is, whatever their units.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...generated import Model
from ...models.regressors.regressor import Regressor
from ...reals import Floats

STEP = 1e-6  # of finite differences by q, qd and qdd
JUMP = 3e-3  # a difference this large over one step is Coulomb friction that changes its sign: no slope
NOTHING = 1e-12  # a column this short beside the longest one is zero but for rounding
DEPENDENT = 1e-8  # a column of length one with less than this beside the columns before it is one of them again

States = tuple[Floats, Floats, Floats]  # q, qd, qdd, each (N, n)


class Numeric:
    """A compiled model with its parameters: from states to one output, and where closed loops are assembled."""

    def __init__(self, model: Model, parameters: Mapping[str, float]) -> None:
        self._function = model.compile()
        self._inputs = [array.name for array in model.code.inputs if array.name in ("q", "qd", "qdd")]
        self._output = model.code.outputs[0].name
        used = {symbol.name for symbol in model.code.parameter_symbols} | model.derived.sources
        self._given = {name: value for name, value in parameters.items() if name in used}
        self.missing = [
            symbol.name
            for symbol in model.code.parameter_symbols
            if symbol.name not in model.values and symbol.name not in self._given
        ]

    def __call__(self, states: States) -> tuple[Floats, Any]:
        """(N, m) or (N, ...) and (N,): true where there is a result."""
        named = dict(zip(("q", "qd", "qdd"), states, strict=True))
        made = self._function(**{name: named[name] for name in self._inputs}, parameters=self._given or None)
        found = np.asarray(self._function.by_name(made)[self._output])
        return found, np.isfinite(found).all(axis=-1)


# --- slopes by finite differences --------------------------------------------------------------------------------------


def nudged(states: States) -> States:
    """The states, and below them the same with each of q, qd and qdd nudged in turn: one batch of 1 + 3 n blocks."""
    count, n = states[0].shape
    blocks = []
    for place, one in enumerate(states):
        stack = np.broadcast_to(one, (1 + 3 * n, count, n)).copy()
        for i in range(n):
            stack[1 + place * n + i, :, i] += STEP
        blocks.append(stack.reshape(-1, n))
    return blocks[0], blocks[1], blocks[2]


def pulled_back(values: Floats, weights: Floats) -> Floats:
    """(3, N, n): the slopes by q, qd and qdd of sum(weights * values), of values (1 + 3 n, N, m) at nudged states."""
    change = values[1:] - values[0]
    third = len(change) // 3
    by_speed = change[third : 2 * third]
    by_speed[np.abs(by_speed) > JUMP] = 0.0
    found = np.einsum("dke,ke->dk", change, weights) / STEP
    return np.asarray(found.reshape(3, -1, found.shape[1]).transpose(0, 2, 1))


# --- the criterion -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Conditions:
    """Of one motion. ``condition`` is with columns of length one, ``raw`` with the columns as they are, ``determinant`` the
    logarithm of det(D^T D / N) for each column."""

    condition: float
    raw: float
    determinant: float


class Criterion:
    """What is made small. ``weights`` multiply the rows: one over the noise of each joint's torque."""

    def __init__(self, model: Regressor, parameters: Mapping[str, float], weights: Floats, kind: str) -> None:
        self.model, self.kind = model, kind
        self.entries = Numeric(model, parameters)
        self._rows, self._columns = (np.array(x, dtype=int) for x in zip(*model.places["D"], strict=True))
        self._weights = weights
        self._kept = np.arange(len(model.columns))

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the parameters that count."""
        return tuple(self.model.columns[i] for i in self._kept)

    def leave_out_dependent(self, states: States) -> tuple[str, ...]:
        """The columns that are zero at all these states, or made of others before them: no motion can tell them apart. They count
        no more."""
        D = self.matrix(states).reshape(-1, len(self.model.columns))
        lengths = np.linalg.norm(D, axis=0)
        R = np.linalg.qr(D / np.where(lengths > 0, lengths, 1), mode="r")
        diagonal = np.zeros(D.shape[1])
        diagonal[: len(R)] = np.abs(np.diag(R))
        lost = (diagonal < DEPENDENT) | (lengths <= NOTHING * lengths.max(initial=0.0))
        self._kept = np.flatnonzero(~lost)
        return tuple(self.model.columns[i] for i in np.flatnonzero(lost))

    def _dense(self, entries: Floats) -> Floats:
        return np.asarray((self.model.dense(entries) * self._weights[:, None])[..., self._kept])

    def matrix(self, states: States) -> Floats:
        """(N, n, columns): the weighted regressor at all states."""
        return self._dense(self.entries(states)[0])

    def conditions(self, states: States) -> Conditions:
        """The numbers of a motion, by singular values."""
        D = self.matrix(states)
        D = D.reshape(-1, D.shape[-1])
        lengths = np.linalg.norm(D, axis=0)
        if not lengths.all():
            return Conditions(np.inf, np.inf, -np.inf)
        scaled = np.linalg.svd(D / lengths, compute_uv=False)
        raw = np.linalg.svd(D, compute_uv=False)
        logarithms = 2 * (np.log(np.maximum(scaled, 1e-300)).sum() + np.log(lengths).sum())
        determinant = logarithms / len(lengths) - np.log(len(states[0]))
        return Conditions(_ratio(scaled), _ratio(raw), float(determinant))

    def value_and_weights(self, entries: Floats, power: float) -> tuple[float, Floats]:
        """The criterion to be minimised, and its slope by each of the entries (N, m)."""
        D = self._dense(entries)
        rows = D.reshape(-1, D.shape[-1])
        value, by_squares = CRITERIA[self.kind](rows.T @ rows, len(entries), power)
        slope = (2 * rows @ by_squares).reshape(D.shape) * self._weights[:, None]
        whole = np.zeros((*D.shape[:2], len(self.model.columns)))
        whole[..., self._kept] = slope
        return value, whole[:, self._rows, self._columns]


def _ratio(singular_values: Any) -> float:
    smallest = singular_values[-1]
    return float(singular_values[0] / smallest) if smallest > 0 else float("inf")


def _spread(S: Floats, power: float) -> tuple[float, Floats]:
    """The logarithm of the condition number of D, smoothed, and its slope by S = D^T D.

    The largest and the smallest eigenvalue are replaced by the norms of all of them and of their inverses,
    (sum lambda^p)^(1/p): smooth where several are equal, and the larger the power the nearer.
    """
    lambdas, V = np.linalg.eigh(S)
    lambdas = np.maximum(lambdas, 1e-14 * lambdas[-1])
    top, bottom = lambdas / lambdas[-1], lambdas[0] / lambdas
    high, low = (top**power).sum(), (bottom**power).sum()
    value = 0.5 * (np.log(lambdas[-1] / lambdas[0]) + np.log(high) / power + np.log(low) / power)
    by_lambda = 0.5 * (top**power / high - bottom**power / low) / lambdas
    return float(value), (V * by_lambda) @ V.T


Slope = Callable[[Floats, int, float], tuple[float, Floats]]  # of D^T D, the number of samples and the power
CRITERIA: dict[str, Slope] = {}


def criterion_names() -> list[str]:
    """The criteria by name."""
    return list(CRITERIA)


def criterion(name: str) -> Callable[[Slope], Slope]:
    """Declare a function that gives the value of a criterion and its slope by D^T D."""

    def declared(slope: Slope) -> Slope:
        CRITERIA[name] = slope
        return slope

    return declared


@criterion("condition")
def _condition_slope(S: Floats, samples: int, power: float) -> tuple[float, Floats]:
    """With columns of length one."""
    lengths = np.sqrt(np.maximum(np.diag(S), 1e-300))
    scaled = S / np.outer(lengths, lengths)
    value, M = _spread(scaled, power)
    return value, M / np.outer(lengths, lengths) - np.diag((M * scaled).sum(axis=1) / lengths**2)


@criterion("raw")
def _raw_slope(S: Floats, samples: int, power: float) -> tuple[float, Floats]:
    """With the columns as they are."""
    return _spread(S, power)


@criterion("both")
def _both_slope(S: Floats, samples: int, power: float) -> tuple[float, Floats]:
    """The mean of the two: the geometric mean of the condition numbers."""
    (a, by_a), (b, by_b) = _condition_slope(S, samples, power), _raw_slope(S, samples, power)
    return (a + b) / 2, (by_a + by_b) / 2


@criterion("determinant")
def _determinant_slope(S: Floats, samples: int, power: float) -> tuple[float, Floats]:
    """Minus the logarithm of det(D^T D / N) for each column, and its slope."""
    lengths = np.sqrt(np.maximum(np.diag(S), 1e-300))
    lambdas, V = np.linalg.eigh(S / np.outer(lengths, lengths))
    lambdas = np.maximum(lambdas, 1e-14)
    value = -(np.log(lambdas).sum() + 2 * np.log(lengths).sum()) / len(S) + np.log(samples)
    return float(value), -((V / lambdas) @ V.T) / np.outer(lengths, lengths) / len(S)
