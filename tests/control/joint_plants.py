"""Closed loops in a few lines: a law that is called and held, and Pinocchio that moves the robot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from robosym.control import Law

Rate = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]  # accelerations of q, qd, tau


def inputs_of(law: Law, given: dict[str, Any]) -> dict[str, Any]:
    names = {slot.name for slot in law.routine.inputs}
    return {name: value for name, value in given.items() if name in names}


def torques(law: Law, **given: Any) -> np.ndarray:
    """Of the first call, by interpretation."""
    found = law.model.evaluate(**inputs_of(law, given))
    return np.asarray(found["tau"] if isinstance(found, dict) else found)


class Caller:
    """The compiled law with its state, as a controller calls it."""

    def __init__(self, law: Law, **options: Any) -> None:
        self.law, self.call, self.options = law, law.compile(), options
        self.state = {slot.name: np.zeros(slot.shape) for slot in law.state}

    def __call__(self, **given: Any) -> np.ndarray:
        made = self.call(**inputs_of(self.law, given), **self.state, **self.options)
        found = made if isinstance(made, dict) else {"tau": made}
        self.state = {name: found[name] for name in self.state}
        return np.asarray(found["tau"])


def rk4(rate: Rate, q: np.ndarray, qd: np.ndarray, tau: Callable[..., np.ndarray], h: float) -> Any:
    """One step; ``tau`` of the time in the step, q and qd."""

    def slope(t: float, x: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return v, rate(x, v, tau(t, x, v))

    a = slope(0.0, q, qd)
    b = slope(h / 2, q + h / 2 * a[0], qd + h / 2 * a[1])
    c = slope(h / 2, q + h / 2 * b[0], qd + h / 2 * b[1])
    d = slope(h, q + h * c[0], qd + h * c[1])
    return tuple(x + h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]) for k, x in enumerate((q, qd)))


def held(
    law: Law,
    rate: Rate,
    q: Any,
    qd: Any,
    reference: Callable[[float], dict[str, Any]],
    calls: int,
    parts: int = 1,
    **options: Any,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions, velocities and torques at the calls: the torque is held between them, in ``parts`` steps of integration."""
    caller = Caller(law, **options)
    state = np.array(q, float), np.array(qd, float)
    rows = []
    for k in range(calls):
        tau = caller(q=state[0], qd=state[1], **reference(k * law.period))
        rows.append((*state, tau))
        for _ in range(parts):
            state = rk4(rate, *state, lambda t, x, v, now=tau: now, law.period / parts)
    rows.append((*state, tau))
    q_all, qd_all, tau_all = (np.array(column) for column in zip(*rows, strict=True))
    return q_all, qd_all, tau_all


def at_rest(q_d: Any) -> Callable[[float], dict[str, Any]]:
    """A position to go to."""
    still = np.zeros_like(np.asarray(q_d, float))
    return lambda t: {"q_d": np.asarray(q_d, float), "qd_d": still, "qdd_d": still}
