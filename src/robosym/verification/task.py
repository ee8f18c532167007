"""What the models are compared with at one state: a task, whose attributes are the numbers of the reference.

The checks that models declare (``generated/checks.py``) read these attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .differences import runge_kutta, slopes
from .flexible import TwoMasses
from .mechanism import Floats
from .reference import Motion, Reference

State = Mapping[str, Floats]


@dataclass(frozen=True)
class Task:
    """The reference at a state, and the frame that is looked at."""

    reference: Reference
    motion: Motion
    state: State
    frame: int

    def moved(self, **changed: Floats) -> Motion:
        """The motion of the reference at another state."""
        state = {**self.state, **changed}
        return self.reference.motion(state["q"], state["qd"], self.motion.state.x)

    # --- the frame -------------------------------------------------------------------------------------------------------

    @property
    def pose(self) -> Floats:
        return self.motion.moment.pose(self.frame)

    @property
    def jacobian(self) -> Floats:
        return self.motion.jacobian(self.frame)

    @property
    def twist(self) -> Floats:
        return self.motion.twist(self.frame)

    @property
    def acceleration(self) -> Floats:
        return self.motion.acceleration(self.frame, self.state["qdd"])

    @property
    def drift(self) -> Floats:
        """The acceleration of the frame without qdd."""
        return self.motion.acceleration(self.frame, self._zero)

    @property
    def tree_rates(self) -> Floats:
        """The velocities of all joints of the tree over those of the actuated joints."""
        robot, columns = self.reference.robot, self.reference.mechanism.columns
        rows = [columns[j][0] for j in robot.order if j in columns and j <= robot.n_links and j]
        return np.asarray(self.motion.G[rows][:, -len(robot.moving) :])

    # --- masses ----------------------------------------------------------------------------------------------------------

    @property
    def mass(self) -> float:
        mechanism = self.reference.mechanism
        return float(sum(mechanism.inertial(j)[9] for j in mechanism.bodies))

    @property
    def momentum(self) -> Floats:
        """The centroidal momentum matrix."""
        return np.asarray(self.motion.moment.momentum() @ self.motion.G)

    @property
    def momentum_drift(self) -> Floats:
        """The rate of the centroidal momentum without qdd."""
        return self.motion.moment.momentum_rate(self.motion.accelerations(self._zero))

    # --- dynamics --------------------------------------------------------------------------------------------------------

    @property
    def torques(self) -> Floats:
        return self.motion.torques(self.state["qdd"])

    @property
    def bias(self) -> Floats:
        return self.motion.torques(self._zero)

    @property
    def forward(self) -> Floats:
        return self.motion.forward(self.state["tau"])

    @property
    def springs(self) -> Floats:
        return np.asarray(self.motion.G.T @ self.reference.mechanism.springs(self.motion.state))

    @property
    def coriolis_torques(self) -> Floats:
        """The bias without gravity, springs and dampers."""
        still = self.reference.mechanism.springs(self.motion.still)
        damping = self.springs - self.motion.G.T @ still
        return np.asarray(self.bias - self.moved(qd=self._zero).torques(self._zero) - damping)

    @property
    def base_acceleration(self) -> Floats:
        """The acceleration of a floating base that nothing holds, then the torques of the joints."""
        A, H, qdd = self.motion.inertia, self.bias, self.state["qdd"][6:]
        base = np.linalg.solve(A[:6, :6], -H[:6] - A[:6, 6:] @ qdd)
        return np.concatenate([base, A[6:, :6] @ base + A[6:, 6:] @ qdd + H[6:]])

    @property
    def torque_slopes(self) -> Floats:
        """Inverse dynamics by q and qd, by finite differences."""
        return np.hstack([self._slopes(lambda motion: motion.torques(self.state["qdd"]), name) for name in ("q", "qd")])

    @property
    def acceleration_slopes(self) -> Floats:
        """Forward dynamics by q, qd and tau, by finite differences."""
        by_state = [self._slopes(lambda motion: motion.forward(self.state["tau"]), name) for name in ("q", "qd")]
        return np.hstack([*by_state, np.linalg.inv(self.motion.inertia)])

    @property
    def step(self) -> Floats:
        """q and qd after one step of Runge and Kutta."""
        n = len(self.state["q"])

        def unit(y: Floats) -> Floats:
            y = np.array(y)
            for place in self.reference.quaternions:
                y[place : place + 4] /= np.linalg.norm(y[place : place + 4])
            return y

        def rate(y: Floats) -> Floats:
            y = unit(y)
            rates = self.reference.position_rates(y[:n], y[n:])
            return np.concatenate([rates, self.moved(q=y[:n], qd=y[n:]).forward(self.state["tau"])])

        return unit(runge_kutta(rate, np.concatenate([self.state["q"], self.state["qd"]]), float(self.state["dt"])))

    @cached_property
    def flexible(self) -> TwoMasses:
        """The same with two masses for each flexible joint."""
        return TwoMasses(self)

    @property
    def _zero(self) -> Floats:
        return np.zeros(self.motion.nv)

    def _slopes(self, function: Callable[[Motion], Floats], name: str) -> Floats:
        """Central differences by q, along small motions, or by qd."""
        if name == "q" and len(self.state["q"]) != self.motion.nv:
            q, rates = self.state["q"], self.reference.position_rates
            return slopes(lambda motion: function(self.moved(q=q + rates(q, motion))), self._zero)
        return slopes(lambda y: function(self.moved(**{name: y})), self.state[name])
