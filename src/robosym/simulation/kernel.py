"""The kernel: reference, sensors, controller, actuators, friction and integrator as one routine, compiled once.

A call makes some ticks of the controller (``ticks``), each followed by ``substeps`` steps of the integrator of length ``h``
with the torques of the law held, and records what is asked for at the beginning of ticks. Everything that may differ from run to
run comes in as data: states, references and noise as samples at the ticks, torques, disturbances and wrenches that are functions
of time as samples within the steps (``changing``), gains as parameters. So one kernel serves any
motion, duration and gains, and batches of them. A state that is no number any more is put back where it was last one and
stays there; ``lasted`` counts the ticks before, ``bad`` marks the speeds that were lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..control.law import JOINTS, Law
from ..expr import absolute, expr, floor, logical_and, logical_not, logical_or, maximum, minimum, select
from ..expr.functions import less
from ..models.integration.integrators import step_of
from ..models.integration.mechanism import ABSOLUTE_WORK, TORQUE, WORK
from ..program import Program
from ..program.numeric import numeric_routine
from ..program.of_arrays import program_of, run_over
from ..program.routine import (
    Copy,
    Fill,
    Record,
    Repeat,
    Routine,
    Run,
    Slot,
    Stage,
    Take,
    relabelled,
    verified_routine,
)
from ..reals import Floats
from ..robot.joint_entries import speed_entries
from ..runtime import CompiledFunction, compile_program
from .changing import Changing, actuators_at
from .felt import FORCE, felt, measures_force
from .plant import LARGEST, Plant
from .sticking import sticking_step

CHUNK = 256  # ticks in a call at most: their samples stay in the cache
TICK, SUBSTEP = "tick", "substep"


@dataclass(frozen=True, eq=False)
class Setup:
    """What a kernel is made for."""

    plant: Plant
    law: Law | None
    integrator: str = "rk4"
    limits: Floats | None = None  # (nv,) largest torques, infinite where there is none
    motor_limits: tuple[Floats, Floats] | None = (
        None  # J^T and limits of the motors' torques, where those couple joints
    )
    delay: int = 0  # ticks between a torque asked for and its acting
    resolution: Floats | None = None  # (n,) of the positions measured, 0 where exact
    noisy: frozenset[str] = frozenset()  # of "q", "qd": samples of noise are given
    measured: str = "joints"  # or "motors": what the law sees where joints are flexible
    torque: bool = False  # samples of torques instead of a law
    disturbed: bool = False  # samples of torques that are added
    pushed: bool = False  # samples of wrenches on the environment
    changing: frozenset[str] = frozenset()  # of "command", "disturbance", "wrench": they change within a step
    held: bool = False  # functions of time keep the value that they have at the beginning of a period
    substeps: int = 1  # of a tick, where inputs change within them
    every: int = 1  # ticks from record to record
    varied: frozenset[str] = frozenset()  # parameters of the plant that differ from run to run, or are given later
    values: Mapping[str, float] = field(default_factory=dict)  # of the plant's parameters


@dataclass(frozen=True, eq=False)
class KernelCode:
    """The compiled kernel and what it takes."""

    setup: Setup
    routine: Routine
    function: CompiledFunction
    chunk: int  # ticks in a call at most
    samples: tuple[str, ...]  # arrays sampled at the ticks
    records: Mapping[str, str]  # what is recorded: the name for people, and the output


def kernel_of(setup: Setup) -> KernelCode:
    parts = _Parts(setup)
    routine = verified_routine(parts.routine())
    gains = {} if setup.law is None else setup.law.parameters()
    values = {**setup.values, **gains}
    known = [*gains, *setup.varied]
    function = compile_program(routine, values=values, numeric=False, known=known, fused="fastmath")
    return KernelCode(setup, routine, function, parts.chunk, tuple(parts.sampled), parts.records)


class _Parts:
    """The stages of a tick, with the arrays they need."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.plant, self.law = setup, setup.plant, setup.law
        self.nv = self.plant.nv
        self.n = len(speed_entries(self.plant.robot))
        most = max(1, CHUNK // setup.substeps)
        self.rows = max(1, most // setup.every)
        self.chunk = self.rows * setup.every if setup.every <= most else most
        self.sampled: list[str] = []
        self.inputs: list[Slot] = []
        self.state: list[Slot] = list(self.plant.slots)
        self.records: dict[str, str] = {}
        self.shapes: dict[str, tuple[int, ...]] = {}

    def routine(self) -> Routine:
        plant = self.plant
        before = [*self._pushed(), *self._reference(), *self._measured(), *self._commanded(), *self._actuated()]
        for slot in plant.slots:
            self._record(slot.name, slot.shape)
        recording = [Record(name, out, TICK, self.setup.every) for name, out in self.records.items()]
        kept = [Copy(pair.position, f"{pair.position}_kept") for pair in plant.pairs]
        together = [Fill("together", (), 1.0)] if plant.may_come_apart else []
        tick = (
            *before,
            *self._measures(),
            *recording,
            *kept,
            *together,
            self._steps(),
            *self._guarded(),
        )
        outputs = [Slot(out, (self.rows, *self.shapes[name])) for name, out in self.records.items()]
        first = (*(Fill(slot.name, slot.shape) for slot in outputs), *self._wrenches(), Copy("h", "dt"))
        about = f"{plant.robot.name} in motion" + ("" if self.law is None else f", controlled by {self.law.name}")
        inputs = (*self.state, Slot("h", ()), Slot("ticks", ()), Slot("substeps", ()), *self.inputs)
        stages: tuple[Stage, ...] = (*first, Repeat("ticks", tick, turn=TICK))
        return Routine(f"{plant.robot.name} simulation", inputs, (*self.state, *outputs), stages, (about,))

    # --- what the controller sees and does -----------------------------------------------------------------------------

    def _take(self, name: str, shape: tuple[int, ...]) -> Take:
        """An array sampled at the ticks."""
        self.sampled.append(name)
        self.inputs.append(Slot(f"{name}_samples", (self.chunk, *shape)))
        return Take(f"{name}_samples", TICK, name)

    def _reference(self) -> list[Stage]:
        if self.law is None:
            return [self._take("command", (self.nv,))] if self.setup.torque else [Fill("command", (self.nv,))]
        shapes = {slot.name: slot.shape for slot in self.law.routine.inputs}
        wanted = [self._take(name, shapes[name]) for name in JOINTS[self.law.reference] if name in shapes]
        return [*wanted, *felt(self.plant, self.law, self.setup.pushed, self.setup.varied)]

    def _pushed(self) -> list[Stage]:
        return [self._take("wrench", (len(self.plant.wrenches), 6))] if self.setup.pushed else []

    def _measured(self) -> list[Stage]:
        """Positions are rounded to what the sensors resolve, then noise is added."""
        if self.law is None:
            return []
        seen = {"q": "q_motor", "qd": "qd_motor"} if self.setup.measured == "motors" else {"q": "q", "qd": "qd"}
        stages: list[Stage] = []
        shapes = {slot.name: slot.shape for slot in self.plant.slots}
        resolution = (
            self.setup.resolution if self.setup.resolution is not None and self.setup.resolution.any() else None
        )
        for word, source in seen.items():
            rounded = resolution if word == "q" else None
            if rounded is None and word not in self.setup.noisy:
                continue
            size = shapes[source][0]
            given: dict[str, tuple[int, ...]] = {"x": (size,)}
            names = {"x": source, "seen": f"measured_{word}"}
            if word in self.setup.noisy:
                stages.append(self._take(f"noise_{word}", (size,)))
                given["noise"], names["noise"] = (size,), f"noise_{word}"
            stages.append(Run(program_of(f"measured {word}", given, _sensor(size, rounded)), names))
            seen[word] = f"measured_{word}"
            self._record(seen[word], (size,))
        self.seen = seen
        return stages

    def _commanded(self) -> list[Stage]:
        """The law, with its robot's values as numbers: the plant may have parameters of the same names."""
        law = self.law
        if law is None:
            return []
        gains = law.parameters().keys()
        own = {k: v for k, v in law.model.numbers().items() if k not in gains}
        routine = numeric_routine(law.routine, own)
        state = {slot.name for slot in law.state}
        references = set(JOINTS[law.reference])
        # Laws of robots with flexible joints have other names for what they measure.
        seen = {**self.seen, **{f"{word}_motor": where for word, where in self.seen.items()}}

        def place(name: str) -> str:
            if (name in references and name not in state) or (name == FORCE and measures_force(law)):
                return name
            return {**seen, TORQUE: "command"}.get(name, f"law_{name}")

        self.state += [Slot(f"law_{slot.name}", slot.shape) for slot in law.state]
        for slot in law.routine.outputs:
            if slot.name != TORQUE and slot.name not in state:
                self._record(f"law_{slot.name}", slot.shape)
        return list(relabelled(routine.stages, place))

    def _actuated(self) -> list[Stage]:
        """Delay, saturation, disturbance: from the torques asked for to those that act."""
        setup, nv = self.setup, self.nv
        stages: list[Stage] = []
        late = "command"
        if setup.delay:
            self.state.append(Slot("waiting", (setup.delay, nv)))
            shift = program_of(
                "delay",
                {"command": (nv,), "waiting": (setup.delay, nv)},
                lambda command, waiting: {"late": waiting[0], "waiting_now": np.vstack([waiting[1:], command[None]])},
            )
            stages.append(run_over(shift))
            late = "late"
        held = saturation(setup)
        if held is not None:
            applied = "applied" if setup.disturbed else TORQUE
            stages.append(Run(held, {"command": late, "applied": applied}))
            late = applied
        if late != "command":
            self._record("command", (nv,))
        if setup.disturbed:
            stages.append(self._take("disturbance", (nv,)))
            added = program_of(
                "disturbance",
                {"applied": (nv,), "disturbance": (nv,)},
                lambda applied, disturbance: {TORQUE: applied + disturbance},
            )
            stages.append(Run(added, {"applied": late}))
        elif late != TORQUE:
            stages.append(Copy(late, TORQUE))
        self._record(late, (nv,), TORQUE)
        self.acting = late
        if self.law is not None or setup.torque:
            for name in (WORK, ABSOLUTE_WORK):
                self.state.append(Slot(name, (self.n,)))
                self._record(name, (self.n,))
        return stages

    def _wrenches(self) -> tuple[Stage, ...]:
        links = len(self.plant.wrenches)
        return (Fill("wrench", (links, 6)),) if links and not self.setup.pushed else ()

    # --- the motion ----------------------------------------------------------------------------------------------------

    def _steps(self) -> Stage:
        """The steps of one tick."""
        setup = self.setup
        plant: Plant = self.plant
        counts = self.law is not None or setup.torque
        before: tuple[Stage, ...] = ()
        if counts:
            plant = replace(plant, actuators=actuators_at if "command" in setup.changing else lambda _: self.acting)
        if setup.changing:
            shapes = {"command": (self.nv,), "disturbance": (self.nv,), "wrench": (len(plant.wrenches), 6)}
            own = {name: shape for name, shape in shapes.items() if name in setup.changing}
            divided = plant.sticking is not None
            changing = Changing(
                setup.integrator, own, self.nv, self.acting, lambda command: _saturated(setup, command), divided
            )
            self.inputs += changing.inputs(self.chunk * setup.substeps)
            before = changing.taken(setup.substeps, TICK, SUBSTEP)
            plant = replace(plant, driven=changing.torques_at)
        made = sticking_step if plant.sticking is not None else step_of
        return Repeat("substeps", (*before, *self._numbers(made(plant, setup.integrator))), turn=SUBSTEP)

    def _numbers(self, stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
        """The plant's values as numbers in its programs, but those that vary."""
        whole, setup = Routine("", (), (), stages), self.setup
        used = {symbol.name for symbol in whole.parameter_symbols} - setup.varied
        return numeric_routine(whole, {k: v for k, v in setup.values.items() if k in used}).stages

    def _guarded(self) -> list[Stage]:
        slots = self.plant.slots
        self.state += [Slot("failed", ()), Slot("lasted", ()), Slot("bad", (self.nv,))]

        def body(failed: Any, lasted: Any, bad: Any, **given: Any) -> dict[str, Any]:
            fine = [less(absolute(x), LARGEST) for slot in slots for x in given[slot.name]]
            if "together" in given:
                fine.append(given["together"])
            lost = logical_or(failed, logical_not(_all(fine)))
            found: dict[str, Any] = {"failed_now": lost, "lasted_now": lasted + (1 - lost)}
            for pair in self.plant.pairs:
                x, v = given[pair.position], given[pair.speed]
                kept = zip(x, given[f"{pair.position}_kept"], strict=True)
                found[f"{pair.position}_now"] = [select(lost, old, new) for new, old in kept]
                found[f"{pair.speed}_now"] = [select(lost, 0, one) for one in v]
            x, v = [given["q"][k] for k in self.plant.pairs[0].beside_speeds], given["qd"]
            fine_v = [
                logical_and(less(absolute(a), LARGEST), less(absolute(b), LARGEST)) for a, b in zip(x, v, strict=True)
            ]
            # Loops that are open give no numbers either: no joint is to blame then.
            whose = [logical_and(logical_not(one), given.get("together", 1)) for one in fine_v]
            found["bad_now"] = [select(failed, old, one) for old, one in zip(bad, whose, strict=True)]
            return found

        shapes: dict[str, tuple[int, ...]] = {"failed": (), "lasted": (), "bad": (self.nv,)}
        shapes |= {slot.name: slot.shape for slot in slots}
        shapes |= {f"{pair.position}_kept": (pair.nq,) for pair in self.plant.pairs}
        if self.plant.may_come_apart:
            shapes["together"] = ()
        return [run_over(program_of("still numbers", shapes, body))]

    def _measures(self) -> list[Stage]:
        """Where not every tick is recorded: sums over all of them."""
        if self.setup.every == 1 or self.law is None or self.law.reference != "joints":
            return []
        n = self.n
        self.state += [Slot(name, (n,)) for name in MEASURES]

        def body(q: Any, q_d: Any, tau: Any, **given: Any) -> dict[str, Any]:
            e, own = q_d - q[-n:], tau[-n:]
            worst = [maximum(old, absolute(x)) for old, x in zip(given["largest_error"], e, strict=True)]
            peak = [maximum(old, absolute(x)) for old, x in zip(given["largest_torque"], own, strict=True)]
            return {
                "squared_error_now": given["squared_error"] + e * e,
                "largest_error_now": worst,
                "largest_torque_now": peak,
            }

        shapes: dict[str, tuple[int, ...]] = {"q": (self.plant.pairs[0].nq,), "q_d": (n,), "tau": (self.nv,)}
        shapes |= dict.fromkeys(MEASURES, (n,))
        return [run_over(program_of("measures", shapes, body), tau=self.acting)]

    def _record(self, name: str, shape: tuple[int, ...], called: str | None = None) -> None:
        self.records[name] = f"recorded_{called or name}"
        self.shapes[name] = shape


def _all(truths: list[Any]) -> Any:
    """Whether all hold, by halves: no long chain to wait for."""
    half = len(truths) // 2
    return truths[0] if len(truths) == 1 else logical_and(_all(truths[:half]), _all(truths[half:]))


MEASURES = ("squared_error", "largest_error", "largest_torque")


def _sensor(size: int, resolution: Floats | None) -> Any:
    def body(x: Any, noise: Any = None) -> dict[str, Any]:
        seen = list(x)
        if resolution is not None:
            first = size - len(resolution)
            for k, step in enumerate(resolution, first):
                if step:
                    seen[k] = floor(x[k] / float(step) + 0.5) * float(step)
        return {"seen": seen if noise is None else [a + b for a, b in zip(seen, noise, strict=True)]}

    return body


def saturation(setup: Setup) -> Program | None:
    """From the torques asked for to those that are possible, if there are limits."""
    if setup.limits is None and setup.motor_limits is None:
        return None
    return program_of(
        "saturation", {"command": (setup.plant.nv,)}, lambda command: {"applied": _saturated(setup, command)}
    )


def _saturated(setup: Setup, command: Any) -> list[Any]:
    found = list(command)
    if setup.motor_limits is not None:
        transposed, most = setup.motor_limits
        n, first = len(most), len(found) - len(most)
        motors = [
            sum((float(transposed[i, j]) * found[first + j] for j in range(n) if transposed[i, j]), start=expr(0))
            for i in range(n)
        ]
        held = [_within(x, float(k)) for x, k in zip(motors, most, strict=True)]
        back = np.linalg.inv(transposed)
        found[first:] = [
            sum((float(back[i, j]) * held[j] for j in range(n) if abs(back[i, j]) > 0), start=expr(0)) for i in range(n)
        ]
    if setup.limits is not None:
        found = [_within(x, float(k)) for x, k in zip(found, setup.limits, strict=True)]
    return found


def _within(x: Any, most: float) -> Any:
    return x if np.isinf(most) else minimum(maximum(x, -most), most)
