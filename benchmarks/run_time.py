"""How fast the compiled models are: one call, a call from Python, a million states, the first torque of a process.

Peers run in the same process, in turns with ours, and the best time of each counts. Every result must agree with
Pinocchio to 1e-10 before it is timed; a wrong one ends the benchmark. The last column of each table is what we ask of
ourselves.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from casadi_kernels import Kernels
from limits import limits_of
from native import Compiler, Run, path_of, with_compiler
from rich.console import Console
from rich.table import Table
from sizes import installed, sized

import robosym
from robosym import models
from robosym.robot import FIXED, RobotWarning
from robosym.runtime import CompiledFunction

TIPS = sized({"puma": "l6", "arm7": "l7", "humanoid30": "l30"}, {"puma": "l6"})
TOLERANCE = 1e-10
STATES, ROUNDS, TURNS = sized((256, 20, 40), (16, 1, 1))
MILLION = sized(1_000_000, 2000)
THREADED, THREADED_STATES = sized(("humanoid30", 200_000), ("puma", 2000))


@dataclass(frozen=True)
class Kind:
    """A model, CasADi's name of it, its inputs, and the part of CasADi's time we ask for."""

    model: str
    kernel: str
    inputs: tuple[str, ...]
    asked: Mapping[str, float]


def every(ratio: float) -> dict[str, float]:
    return dict.fromkeys(TIPS, ratio)


KINDS = (
    Kind("inverse-dynamics", "rnea", ("q", "qd", "qdd"), {"puma": 0.52, "arm7": 0.55, "humanoid30": 0.50}),
    Kind("inertia-matrix", "crba", ("q",), every(0.60)),
    Kind("forward-dynamics", "aba", ("q", "qd", "tau"), every(0.65)),
    Kind("jacobian", "jac", ("q",), every(0.50)),
)


def model_of(name: str, kind: str) -> robosym.Model:
    options: dict[str, Any] = {}
    if kind == "jacobian":
        options["frame"] = TIPS[name]
    if kind.endswith("-dynamics"):
        options["wrench"] = "none"
    return models.MODELS[kind](loaded(name), **options)


def loaded(name: str) -> robosym.Robot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotWarning)
        return robosym.load(path_of(name))


class Pinocchio:
    """The results everything is compared with, in our order of the joints."""

    def __init__(self, name: str) -> None:
        import pinocchio as pin  # type: ignore[import-untyped]

        self.pin, self.model = pin, pin.buildModelFromUrdf(str(path_of(name)))
        self.data = self.model.createData()
        self.tip = self.model.getFrameId(TIPS[name])
        robot = loaded(name)
        theirs = list(self.model.names)[1:]
        ours = [robot.frame(j).joint.name for j in robot.order if robot.frame(j).sigma != FIXED]
        self.order = np.array([theirs.index(joint) for joint in ours])

    def sent(self, x: np.ndarray) -> np.ndarray:
        """States (..., n) in Pinocchio's order, which is CasADi's too."""
        found = np.empty_like(x)
        found[..., self.order] = x
        return found

    def back(self, matrix: np.ndarray, kind: str) -> np.ndarray:
        """A result in our order."""
        matrix = matrix[..., self.order]
        return matrix[self.order] if kind == "inertia-matrix" else matrix

    def __call__(self, kind: str, *state: np.ndarray) -> np.ndarray:
        pin, model, data = self.pin, self.model, self.data
        given = [self.sent(part) for part in state]
        if kind == "inverse-dynamics":
            return self.back(np.array(pin.rnea(model, data, *given)), kind)
        if kind == "forward-dynamics":
            return self.back(np.array(pin.aba(model, data, *given)), kind)
        if kind == "inertia-matrix":
            upper = np.triu(pin.crba(model, data, *given))
            return self.back(upper + np.triu(upper, 1).T, kind)
        axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        return self.back(np.array(pin.computeFrameJacobian(model, data, *given, self.tip, axes)), kind)


def agree(what: str, found: np.ndarray, expected: np.ndarray) -> None:
    """Relative to the largest entry, for torques may be large."""
    worst = float(np.abs(found - expected).max() / max(1.0, np.abs(expected).max()))
    if not worst <= TOLERANCE:
        raise SystemExit(f"{what}: differs from Pinocchio by {worst:.1e}, expected at most {TOLERANCE}")


def in_turns(works: Mapping[str, Callable[[], Any]], turns: int = TURNS) -> dict[str, float]:
    """The best time of each, in seconds: others may use the machine, and then all of them suffer."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(sized(turns, 1)):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def verdict(found: float, asked: float, most: bool = True) -> str:
    met = found <= asked if most else found >= asked
    return f"{'at most' if most else 'at least'} {asked:g}: {'[green]met' if met else '[red]missed'}"


# --- one call --------------------------------------------------------------------------------------------------------


def one_call(compiler: Compiler) -> Table:
    heads = ["operations", "ours", "ours, fused", "CasADi, C", "ratio", "fused", "asked"]
    table = Table("robot", "model", *heads, title="one call, ns (loop in C; CasADi's kernels by gcc -O3 -march=native)")
    for name in TIPS:
        reference = Pinocchio(name)
        for kind in KINDS:
            table.add_row(name, kind.model, *call_row(compiler, name, kind, reference))
    return table


def call_row(compiler: Compiler, name: str, kind: Kind, reference: Pinocchio) -> list[str]:
    model = model_of(name, kind.model)
    n, shape = model.program.inputs[0].shape[0], model.program.outputs[0].shape
    size = int(np.prod(shape))
    x = np.random.default_rng(0).uniform(-3, 3, (len(kind.inputs), STATES, n))
    functions = {"ours": model.compile(), "fused": model.compile(fused=True)}
    runs: dict[str, Run] = {label: compiler.ours(f.address, len(kind.inputs), size) for label, f in functions.items()}
    source = Kernels(name, reference.model).source(kind.kernel, compiler.folder)
    runs["casadi"] = compiler.casadis(f"{kind.kernel}_{name}", size, source)
    for i in range(0, STATES, 16):
        expected = reference(kind.model, *x[:, i])
        one = np.ascontiguousarray(x[:, i : i + 1])
        for label, run in runs.items():
            if label == "casadi":
                found = reference.back(casadis_matrix(run(reference.sent(one), 1), shape, kind), kind.model)
            else:
                found = run(one, 1).reshape(shape)
            agree(f"{name}, {kind.model}, {label}", found, expected)
    best = in_turns({label: partial(run, x, ROUNDS) for label, run in runs.items()})
    ns = {label: seconds / (ROUNDS * STATES) * 1e9 for label, seconds in best.items()}
    ratio, fused = (ns[label] / ns["casadi"] for label in ("ours", "fused"))
    counts = f"{model.operations.mul} + {model.operations.add}"
    times = [f"{ns[label]:.0f}" for label in ("ours", "fused", "casadi")]
    return [counts, *times, f"{ratio:.2f}", f"{fused:.2f}", verdict(ratio, kind.asked[name])]


def casadis_matrix(flat: np.ndarray, shape: tuple[int, ...], kind: Kind) -> np.ndarray:
    """Column after column; of the inertia matrix the upper half."""
    if len(shape) == 1:
        return flat
    matrix = flat.reshape(shape[::-1]).T
    return np.triu(matrix) + np.triu(matrix, 1).T if kind.model == "inertia-matrix" else matrix


# --- from Python -----------------------------------------------------------------------------------------------------


def from_python(compiler: Compiler) -> Table:
    heads = ["pin.rnea", "f(q=...)", "bound", "in C", "f / pin", "asked", "pin / in C", "asked "]
    table = Table("robot", *heads, title="one inverse dynamics from Python, ns")
    for name in TIPS:
        table.add_row(name, *python_row(compiler, name))
    return table


def python_row(compiler: Compiler, name: str) -> list[str]:
    reference = Pinocchio(name)
    model = model_of(name, "inverse-dynamics")
    f = model.compile()
    n = model.program.inputs[0].shape[0]
    q, v, a = np.random.default_rng(1).uniform(-3, 3, (3, n))
    step = f.bind(q=q, qd=v, qdd=a)
    for found in (f(q=q, qd=v, qdd=a), step()):
        agree(f"{name}, from Python", found, reference("inverse-dynamics", q, v, a))
    rnea, pin_model, data = reference.pin.rnea, reference.model, reference.data
    x = np.random.default_rng(0).uniform(-3, 3, (3, STATES, n))
    run, calls = compiler.ours(f.address, 3, n), sized(16, 1) * STATES

    def theirs() -> None:
        for _ in range(calls):
            rnea(pin_model, data, q, v, a)

    def called() -> None:
        for _ in range(calls):
            f(q=q, qd=v, qdd=a)

    def bound() -> None:
        for _ in range(calls):
            step()

    best = in_turns({"pin": theirs, "f": called, "bound": bound, "c": lambda: run(x, calls // STATES)})
    ns = {label: seconds / calls * 1e9 for label, seconds in best.items()}
    share, times = ns["f"] / ns["pin"], ns["pin"] / ns["c"]
    cells = [f"{ns[label]:.0f}" for label in ("pin", "f", "bound", "c")]
    return [*cells, f"{share:.2f}", verdict(share, 1.0), f"{times:.1f}", verdict(times, 8.0, most=False)]


# --- batches ---------------------------------------------------------------------------------------------------------


def casadi_maps(compiler: Compiler, x: np.ndarray, out: np.ndarray) -> dict[str, Callable[[], Any]]:
    """CasADi's map over the compiled kernel, and the map itself as C; none where CasADi is not installed."""
    if not installed("casadi", "its map over a batch is"):
        return {}
    import casadi as ca  # type: ignore[import-not-found,import-untyped,unused-ignore]

    kernel = compiler.built("rnea_puma", Kernels("puma", Pinocchio("puma").model).source("rnea", compiler.folder))
    mapped = ca.external("rnea_puma", str(kernel)).map(x.shape[1])
    before = Path.cwd()
    try:
        os.chdir(compiler.folder)  # CasADi writes where it stands
        mapped.generate("mapped.c")
    finally:
        os.chdir(before)
    text = (compiler.folder / "mapped.c").read_text(encoding="utf-8")
    whole = compiler.built("mapped", text, [str(compiler.folder / "rnea_puma.c")])
    works = {}
    for label, function in (("map", mapped), ("map as C", ca.external(mapped.name(), str(whole)))):
        buffer, work = function.buffer()
        for i in range(3):
            buffer.set_arg(i, memoryview(x[i].reshape(-1)))
        buffer.set_res(0, memoryview(out.reshape(-1)))
        works[label] = lambda work=work, buffer=buffer: work()  # the buffer has to live
    return works


def million(compiler: Compiler) -> Table:
    """Inverse dynamics of puma."""
    reference = Pinocchio("puma")
    model = model_of("puma", "inverse-dynamics")
    x = np.random.default_rng(3).uniform(-3, 3, (3, MILLION, 6))
    across = [np.asfortranarray(one) for one in x]
    plain, fused = model.compile(), model.compile(fused=True)
    outs = {label: np.zeros((MILLION, 6)) for label in ("ours", "ours, fused", "CasADi")}
    sideways = np.zeros((6, MILLION)).T

    def with_inputs(f: CompiledFunction, arrays: Any, out: np.ndarray) -> Callable[[], Any]:
        q, v, a = arrays
        return lambda: f(q=q, qd=v, qdd=a, out=out)

    works = {
        "ours": with_inputs(plain, x, outs["ours"]),
        "ours, fused": with_inputs(fused, x, outs["ours, fused"]),
        "ours, entries together": with_inputs(plain, across, sideways),
        **{f"CasADi, {label}": work for label, work in casadi_maps(compiler, x, outs["CasADi"]).items()},
    }
    for label, work in works.items():
        work()
        found = sideways if label.endswith("together") else outs[label.split(", map")[0]]
        for i in range(0, MILLION, 9973):
            agree(f"batch, {label}", found[i], reference("inverse-dynamics", *x[:, i]))
    limits = limits_of(compiler, model, x)
    best = in_turns(works, 15)
    ns = {label: seconds / MILLION * 1e9 for label, seconds in best.items()}
    table = Table(
        "",
        "ns a state",
        "of CasADi's map",
        "of the limit",
        "asked",
        title=f"{MILLION} inverse dynamics of puma, one thread",
    )
    for label, value in ns.items():
        share = value / ns["CasADi, map"] if "CasADi, map" in ns else None
        near = value / limits.total
        asked = [verdict(share, 0.07)] if share is not None else []
        asked = [*asked, verdict(near, 1.3)] if label == "ours" else []
        table.add_row(label, f"{value:.1f}", "-" if share is None else f"{share:.3f}", f"{near:.2f}", ", ".join(asked))
    table.add_row("limit of this machine", f"{limits.total:.1f}", "", "", limits.text)
    return table


def two_threads() -> Table:
    model = model_of(THREADED, "inverse-dynamics")
    f = model.compile()
    reference = Pinocchio(THREADED)
    states, n = THREADED_STATES, model.program.inputs[0].shape[0]
    x = np.random.default_rng(4).uniform(-3, 3, (3, states, n))
    q, v, a = x
    outs = [np.empty((states, n)) for _ in range(2)]
    works = {
        str(threads): (lambda threads=threads, out=out: f(q=q, qd=v, qdd=a, out=out, threads=threads))
        for threads, out in enumerate(outs, 1)
    }
    for work, out in zip(works.values(), outs, strict=True):
        work()
        for i in range(0, states, 997):
            agree(f"{THREADED}, threads", out[i], reference("inverse-dynamics", *x[:, i]))
    best = in_turns(works, 25)
    times = best["1"] / best["2"]
    table = Table(
        "threads", "ns a state", "times faster", "asked", title=f"inverse dynamics of {THREADED}, {states} states"
    )
    table.add_row("1", f"{best['1'] / states * 1e9:.0f}", "", "")
    table.add_row("2", f"{best['2'] / states * 1e9:.0f}", f"{times:.2f}", verdict(times, 1.7, most=False))
    return table


# --- the first torque ------------------------------------------------------------------------------------------------

FIRST = """
import robosym
f = robosym.models.inverse_dynamics(robosym.load("puma560")).compile()
print(f(q=[0.1] * 6, qd=[0.2] * 6, qdd=[0.3] * 6)[0])
"""


def first_torque() -> Table:
    table = Table("", "seconds", "asked", title="the first torque of puma560 from a new process")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    for label, cache, asked in (("machine code on disk", {}, 0.35), ("compiled", {"ROBOSYM_CACHE": "off"}, 0.6)):
        command = [sys.executable, "-c", FIRST]
        work = partial(subprocess.run, command, env=environment | cache, check=True, capture_output=True)
        work()  # fills the cache, and Python's own
        seconds = in_turns({label: work}, 9)[label]
        table.add_row(label, f"{seconds:.3f}", verdict(seconds, asked))
    return table


def main() -> None:
    console = Console(width=160)

    def measure(compiler: Compiler) -> None:
        console.print(one_call(compiler))
        console.print(from_python(compiler))
        console.print(million(compiler))
        console.print(two_threads())

    if installed("pinocchio", "run times, whose results are compared with it, are"):
        with_compiler(measure)
    console.print(first_torque())


if __name__ == "__main__":
    main()
