"""What a simulation gives: a ``Run``, or many ``Runs`` at once."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..brief import brief
from ..errors import RobosymError
from ..models.tree.paths import FrameName
from ..options.markers import Positive
from ..options.validate import validated
from ..reals import Floats
from .recorded import Recorded


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Run(Recorded):
    """One run."""

    failed: float | None = None  # when a number stopped being one
    reason: str = ""

    def __post_init__(self) -> None:
        self._check(())

    def __repr__(self) -> str:
        lost = "" if self.failed is None else f", lost at {self.failed:g} s"
        law = f" under {self.settings['law']}" if self.settings.get("law") else ""
        return brief(f"Run of {self.robot.name!r:.42}{law}, {self.duration:g} s in {len(self.time)} instants{lost}")

    def __str__(self) -> str:
        return self.summary()

    def __len__(self) -> int:
        return len(self.time)

    @property
    def lost(self) -> bool:
        return self.failed is not None

    @cached_property
    def valid(self) -> Run:
        """The part before the numbers were lost: the run itself, if they were not. It has an instant at least."""
        if self.failed is None:
            return self
        whole = (
            np.isfinite(self.q).all(axis=-1) & np.isfinite(self.qd).all(axis=-1) & np.isfinite(self.tau).all(axis=-1)
        )
        count = len(self.time) if np.all(whole) else max(1, int(np.argmin(whole)))
        cut = {name: getattr(self, name)[:count] for name in ("time", "q", "qd", "tau")}
        for group in ("reference", "more"):
            cut[group] = {name: values[:count] for name, values in getattr(self, group).items()}
        return replace(self, failed=None, reason="", counted={}, **cut)

    def summary(self) -> str:
        """In words: how long, how well, how hard, and what went wrong."""
        from .summary import in_words

        return in_words(self)

    def plot(self, path: str | Path, what: str = "tracking") -> None:
        """A picture (.png, .svg, .pdf) of the "tracking", the "torques", the "errors", the "energy" or "all"."""
        from .pictures import plot_run

        plot_run(self, path, what)

    @validated
    def animate(self, path: str | Path, fps: Positive = 30.0, frame: FrameName | None = None) -> None:
        """Write an animation of the robot to a page (.html) that needs no other file.

        Parameters
        ----------
        path
            Path of the page.
        fps
            Pictures per second of the simulation [Hz].
        frame
            Frame whose path is drawn, by number or name. None: the frame of the law, otherwise the tip frame.
        """
        from .animation import animate

        animate(self, path, fps, frame)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Runs(Recorded):
    """Many runs of one robot: every array has them as its first axis; ``time`` too, if their instants differ."""

    failed: Floats  # (B,), nan where all is well
    reasons: tuple[str, ...] = ()
    varied: Mapping[str, Floats] = field(default_factory=dict)  # what differs: a number or a row for each run

    def __post_init__(self) -> None:
        count = self.q.shape[0] if self.q.ndim == 3 else -1
        self._check((count,))
        if not self.reasons:
            object.__setattr__(self, "reasons", ("",) * count)
        if self.failed.shape != (count,) or len(self.reasons) != count:
            raise RobosymError(
                f"failed, reasons: got {self.failed.shape} and {len(self.reasons)}, expected {count} of each"
            )
        for name, values in self.varied.items():
            if values.shape[:1] != (count,):
                raise RobosymError(
                    f"varied '{name}': got the shape {values.shape}, expected a value for each of {count} runs"
                )

    def __repr__(self) -> str:
        lost = int(self.lost.sum())
        said = f", {lost} lost" if lost else ""
        over = f" over {', '.join(self.varied)}" if self.varied else ""
        return brief(f"{len(self)} Runs of {self.robot.name!r:.42}{over}, {self.duration:g} s{said}")

    def __str__(self) -> str:
        return self.summary()

    def __len__(self) -> int:
        return len(self.q)

    def __iter__(self) -> Iterator[Run]:
        return (self._one(k) for k in range(len(self)))

    def __getitem__(self, which: Any) -> Any:
        """A ``Run`` by its number, or the ``Runs`` of a slice, a list of numbers or a mask."""
        try:
            number = operator.index(which)
        except TypeError:
            return self._some(which)
        if not -len(self) <= number < len(self):
            raise IndexError(f"run {number}: there are {len(self)}")
        return self._one(number % len(self))

    def _one(self, k: int) -> Run:
        own = {name: _plain(values[k]) for name, values in self.varied.items()}
        changed = {name: own.pop(name) for name in list(own) if name in self.robot.parameter_names}
        settings = {**self.settings, **own}
        if changed:
            settings["parameters"] = {**(self.settings.get("parameters") or {}), **changed}
        lost = float(self.failed[k])
        return Run(
            **self._arrays(k, k),
            robot=self.robot,
            joints=self.joints,
            settings=settings,
            notes=self.notes,
            failed=None if np.isnan(lost) else lost,
            reason=self.reasons[k],
        )

    def _some(self, which: Any) -> Runs:
        numbers = np.arange(len(self))[which]
        if numbers.ndim != 1:
            raise RobosymError(f"runs: expected a number, a slice, a list of numbers or a mask, got {which!r:.60}")
        return replace(
            self,
            **self._arrays(
                which if isinstance(which, slice) else numbers, which if isinstance(which, slice) else numbers
            ),
            failed=self.failed[numbers],
            reasons=tuple(self.reasons[k] for k in numbers),
            varied={name: values[numbers] for name, values in self.varied.items()},
        )

    def _arrays(self, which: Any, when: Any) -> dict[str, Any]:
        found: dict[str, Any] = {name: getattr(self, name)[which] for name in ("q", "qd", "tau")}
        found["time"] = self.time if self.time.ndim == 1 else self.time[when]
        for group in ("reference", "more", "counted"):
            found[group] = {name: values[which] for name, values in getattr(self, group).items()}
        return found

    @property
    def lost(self) -> Any:
        return ~np.isnan(self.failed)

    @property
    def _parameters(self) -> dict[str, Any]:
        own = {name: values for name, values in self.varied.items() if name in self.robot.parameter_names}
        return super()._parameters | own

    @property
    def _tau_max(self) -> Floats | None:
        if "tau_max" not in self.varied:
            return super()._tau_max
        given = np.asarray(self.varied["tau_max"], dtype=float)
        return np.broadcast_to(given.reshape(len(self), -1), (len(self), len(self.joints)))

    def summary(self) -> str:
        """In words: how many, what differs, how well and how hard the best and the worst did, and which were lost."""
        from .summary import all_in_words

        return all_in_words(self)

    def plot(
        self,
        path: str | Path,
        x: str | None = None,
        y: str = "rms error",
        *,
        by: str | None = None,
        what: str = "errors",
        joint: str | int | None = None,
    ) -> None:
        """A picture of a measure ``y`` over a quantity ``x`` that was varied (a line for each value of another, ``by``); without
        ``x`` the curves of all runs: "tracking", "torques" or "errors", of one joint or all."""
        from .pictures import plot_runs

        plot_runs(self, path, x, y, by, what, joint)


def _plain(value: Any) -> Any:
    return value.item() if np.ndim(value) == 0 else np.asarray(value).tolist()
