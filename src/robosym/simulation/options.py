"""The options of simulations in groups: integration, sensing and loads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from ..models.integration.integrators import INTEGRATORS
from ..options.groups import OptionGroup
from ..options.markers import PER_JOINT, NotNegative, OneOf, Positive, Range, Seed
from .adaptive import METHODS

Tolerance = Annotated[float, Range(above=0, below=1)]
Event = Callable[..., float]  # of t, q and qd


def integrator_names() -> list[str]:
    """The integrators by name: compiled ones with a fixed step, then those with adaptive steps."""
    return [*INTEGRATORS, *METHODS]


@dataclass(frozen=True)
class Integration(OptionGroup):
    """Numerical integration of a simulation.

    Parameters
    ----------
    step
        Integration step [s]. It must divide the period of the control law.
    integrator
        Integration method: "rk4", "semi-implicit", "midpoint", "dop853" or "radau". "rk4" is the method of Runge and
        Kutta, of order 4. "semi-implicit" (order 1) is cheap and suits long motions where energy must not drift.
        "midpoint" (order 2) is implicit and suits stiff problems. "dop853" and "radau" (implicit) adapt their steps: they are
        slow references for one run.
    rtol
        Relative tolerance of "dop853" and "radau". None: 1e-10.
    atol
        Absolute tolerance of "dop853" and "radau" [rad, m, rad/s or m/s]. None: 1e-12.
    events
        Events for "dop853" and "radau": a function of t, q and qd, or a list of them. Their zeros are reported. A
        function with the attribute ``terminal = True`` ends the run; ``direction`` 1 or -1 selects the crossings.
    """

    step: Positive = 1e-3
    integrator: Annotated[str, OneOf(integrator_names)] = "rk4"
    rtol: Tolerance | None = None
    atol: Tolerance | None = None
    events: Event | Sequence[Event] | None = None

    @property
    def adapts(self) -> bool:
        """Whether the integrator adapts its steps."""
        return self.integrator in METHODS

    @property
    def adaptive_options(self) -> dict[str, Any]:
        """The options that only integrators with adaptive steps have, without those that are None."""
        options = {"rtol": self.rtol, "atol": self.atol, "events": self.events}
        return {name: value for name, value in options.items() if value is not None}


@dataclass(frozen=True)
class Sensing(OptionGroup):
    """Measurements of a control law, and the delay until its torques act.

    Parameters
    ----------
    delay
        Delay of the torques [s]. It must be a whole number of periods of the control law.
    resolution
        Resolution of the measured joint positions [rad or m]: one number, or one per joint. None: exact.
    noise
        Standard deviations of the measurement noise, as {"q": ..., "qd": ...}: one number, or one per joint. "q" is
        the noise of joint positions [rad or m], "qd" that of joint velocities [rad/s or m/s].
    seed
        Seed of the noise. The same seed gives the same noise. Run number k of a batch has the seed ``seed + k``.
    measured
        Side on which positions of flexible joints are measured: "motors" or "joints". None: "motors" for flexible
        joints on a fixed base, otherwise "joints".
    """

    delay: NotNegative = 0.0
    resolution: NotNegative | Sequence[NotNegative] | None = None
    noise: Mapping[Literal["q", "qd"], NotNegative | Sequence[NotNegative]] | None = None
    seed: Seed = 0
    measured: Literal["joints", "motors"] | None = None


@dataclass(frozen=True)
class Loads(OptionGroup):
    """Torques and wrenches besides those of a control law: numbers, or functions of time.

    Parameters
    ----------
    torque
        Actuator torques without a control law [N m or N]: one number per joint, values by joint, or a function of t.
        Values by joint can be functions of t.
    disturbance
        Disturbance torques [N m or N], added to those of the actuators: one number per joint, values by joint, or a
        function of t. Values by joint can be functions of t.
    wrench
        Wrenches of links on the environment: six numbers or a function of t, by link. Each is force [N], then moment
        [N m], in the axes of the link at its origin. A robot with one last link takes its wrench without a name.
    held
        Whether functions of t keep the value at the beginning of each period. False: the integrator evaluates them
        within its steps.
    """

    torque: Annotated[Any, PER_JOINT] = None
    disturbance: Annotated[Any, PER_JOINT] = None
    wrench: Any = None
    held: bool = False

    @property
    def inputs(self) -> dict[str, Any]:
        """The loads by the names of the inputs of a kernel."""
        return {"command": self.torque, "disturbance": self.disturbance, "wrench": self.wrench}
