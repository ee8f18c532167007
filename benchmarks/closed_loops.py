"""Robots with closed loops: what their models cost, how long generating them takes, and how fast they are beside others.

Forward dynamics from Python beside ``pin.constraintDynamics``, and the compiled models beside C by CasADi of the same equations:
a plain Newton-Euler over the tree, with the passive joints in closed form and everything projected on the driven ones, numbers
in the code. Results must agree to 1e-9 before they are timed. The last columns are what we ask of ourselves.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from casadi_kernels import generated_c
from native import Compiler, Run, pointer, with_compiler
from plain_loops import Plain, counted, numbers
from rich.console import Console
from rich.table import Table
from run_time import in_turns, verdict
from sizes import installed, sized
from timing import best_of

import robosym
from robosym import library, models
from robosym.robot import FIXED, Robot
from robosym.runtime import CompiledFunction

TOLERANCE = 1e-9
STATES, ROUNDS, CALLS = sized((256, 20, 2000), (16, 1, 2))
OF_PINOCCHIO, OF_CASADI, LONGEST_GENERATION = 0.20, 0.5, 1.0
FROM_PYTHON = sized(("five-bar", "five-bar-general", "sr400"), ("five-bar",))
NATIVE = sized(("four-bar", "five-bar", "five-bar-general", "sr400"), ("four-bar",))
GENERATED = (
    "loop-geometry",
    "inverse-dynamics",
    "forward-dynamics",
    "inertia-matrix",
    "bias",
    "gravity",
    "coriolis",
    "energy",
    "jacobian",
    "velocities",
    "accelerations",
)

LOOPS = """
typedef void (*three)(const double *, const double *, const double *, double *, double *);

/* A function without a status leaves the last argument alone. */
void loop_closed(three f, const double *x, int n, int states, int rounds, double *out, double *status)
{
    const long all = (long)states * n;
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < states; i++) f(x + (long)i * n, x + all + (long)i * n, x + 2 * all + (long)i * n, out, status);
}
"""


def closed_robots() -> list[str]:
    return sized([name for name in library.robot_names() if robosym.load(name).loops], ["four-bar", "slider-crank"])


def states(robot: Robot, count: int) -> np.ndarray:
    """q, qd and qdd or tau near the positions of the description, where the loops close."""
    rng = np.random.default_rng(0)
    near = np.array([robot.frame(j).joint.position or 0.0 for j in robot.moving])
    if robot.name == "sr400":
        near[1], near[5] = -1.0, 0.3  # its parallelogram open
    if robot.name == "five-bar":
        near[1] = 1.2
    x = rng.uniform(-0.4, 0.4, (3, count, robot.nv))
    x[0] += near
    return x


# --- generating ------------------------------------------------------------------------------------------------------


def generation() -> Table:
    names = closed_robots()
    table = Table(
        "model", *names, title=f"ms to generate: operations (divisions); asked: at most {LONGEST_GENERATION:g} s"
    )
    longest = dict.fromkeys(names, 0.0)
    for kind in GENERATED:
        row = []
        for name in names:
            seconds, made = best_of(2, partial(generated, name, kind))
            longest[name] = max(longest[name], seconds)
            o = made.operations
            row.append(f"{seconds * 1e3:.0f}: {o.total}" + (f" ({o.div})" if o.div else ""))
        table.add_row(kind, *row)
    table.add_row("longest", *(f"{1e3 * x:.0f}, {verdict(x, LONGEST_GENERATION)}" for x in longest.values()))
    return table


def generated(name: str, kind: str) -> robosym.Model:
    """From the file: nothing of the loops is remembered."""
    robot = robosym.load(name)
    options = {"frame": robot.n_links} if kind in ("jacobian", "velocities", "accelerations") else {}
    return models.MODELS[kind](robot, **options)


# --- beside Pinocchio ------------------------------------------------------------------------------------------------


class Constrained:
    """Pinocchio's tree with a point of the axis of each cut joint held on both links."""

    def __init__(self, robot: Robot) -> None:
        import pinocchio as pin  # type: ignore[import-untyped]

        self.pin, self.robot, self.model = pin, robot, pin.Model()
        self.joints: dict[int, int] = {}
        for j in depth_first(robot):
            frame = robot.frame(j)
            carrier, place = self.carried(frame.antecedent)
            place = place * self.placement(j)
            if frame.sigma == FIXED or j > robot.n_links:
                continue
            self.joints[j] = self.model.addJoint(carrier, pin.JointModelRZ(), place, f"joint{j}")
            XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = numbers(robot, frame.link.inertial)
            ten = np.array([M, MX, MY, MZ, XX, XY, YY, XZ, YZ, ZZ])
            inertia = pin.Inertia.FromDynamicParameters(ten)
            self.model.appendBodyToJoint(self.joints[j], inertia, pin.SE3.Identity())
        self.model.gravity = pin.Motion(np.array(numbers(robot, robot.gravity)), np.zeros(3))
        for j, joint in self.joints.items():
            self.model.armature[self.model.joints[joint].idx_v] = numbers(robot, [robot.frame(j).actuator.Ia])[0]
        self.data = self.model.createData()
        self.rigid, self.rigid_data = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for cut in range(robot.n_links + 1, robot.n_links + robot.loops + 1):
            ends = [self.end(j) for j in (cut, cut + robot.loops)]
            one = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, self.model, *ends[0], *ends[1], pin.LOCAL)
            self.rigid.append(one)
            self.rigid_data.append(one.createData())
        pin.initConstraintDynamics(self.model, self.data, self.rigid, self.rigid_data)
        self.settings = pin.ProximalSettings(1e-14, 1e-8, 5)

    def placement(self, j: int) -> Any:
        gamma, b, alpha, d, theta, r = numbers(self.robot, self.robot.frame(j).geometry)
        z, x = np.array([0.0, 0, 1]), np.array([1.0, 0, 0])
        pin = self.pin
        turns = [pin.AngleAxis(angle, axis).toRotationMatrix() for angle, axis in ((gamma, z), (alpha, x), (theta, z))]
        ways = [b * z, d * x, r * z]
        one, two, three = (pin.SE3(turn, way) for turn, way in zip(turns, ways, strict=True))
        return one * two * three

    def carried(self, j: int) -> tuple[int, Any]:
        """The joint that carries a frame, and its place there."""
        place = self.pin.SE3.Identity()
        while j and j not in self.joints:
            place = self.placement(j) * place
            j = self.robot.frame(j).antecedent
        return (self.joints[j] if j else 0), place

    end = carried

    def order(self, frames: Sequence[int]) -> list[int]:
        return [int(self.model.joints[self.joints[j]].idx_v) for j in frames]

    def __call__(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        found: np.ndarray = self.pin.constraintDynamics(
            self.model, self.data, q, v, tau, self.rigid, self.rigid_data, self.settings
        )
        return found


def depth_first(robot: Robot) -> list[int]:
    order: list[int] = []
    waiting = [0]
    while waiting:
        j = waiting.pop()
        order += [j] if j else []
        waiting += [k for k, frame in enumerate(robot.frames, 1) if frame.antecedent == j]
    return order


def from_python() -> Table:
    heads = ("constraintDynamics", "f(q=...)", "bound", "f / Pinocchio", "asked")
    table = Table("robot", *heads, title="forward dynamics from Python, ns")
    for name in FROM_PYTHON:
        table.add_row(name, *python_row(name))
    return table


def python_row(name: str) -> list[str]:
    robot = robosym.load(name)
    other = Constrained(robot)
    f = models.forward_dynamics(robot, wrench="none").compile()
    place = models.loop_geometry(robot).compile()
    kinematics = models.loop_kinematics(robot, output="rates")
    q, v, tau = states(robot, 1)[:, 0]
    x = values(place(q=q), "positions")
    G = kinematics.compile()(q=q, qd=v)["G"]
    frames = [j for j in robot.order if robot.frame(j).sigma != FIXED and j <= robot.n_links]
    at = other.order(frames)
    theirs = np.zeros((3, len(frames)))
    theirs[0, at], theirs[1, at] = x[: len(frames)], G @ v
    theirs[2, other.order(robot.moving)] = tau
    agree(f"{name}, from Python", values(f(q=q, qd=v, tau=tau), "qdd"), other(*theirs)[other.order(robot.moving)])
    step, calls = f.bind(q=q, qd=v, tau=tau), CALLS

    def pinocchio() -> None:
        for _ in range(calls):
            other(*theirs)

    def called() -> None:
        for _ in range(calls):
            f(q=q, qd=v, tau=tau)

    def bound() -> None:
        for _ in range(calls):
            step()

    best = in_turns({"pin": pinocchio, "f": called, "bound": bound})
    ns = {label: seconds / calls * 1e9 for label, seconds in best.items()}
    share = ns["f"] / ns["pin"]
    return [*(f"{ns[label]:.0f}" for label in ("pin", "f", "bound")), f"{share:.2f}", verdict(share, OF_PINOCCHIO)]


def values(found: Any, name: str) -> np.ndarray:
    return np.asarray(found[name] if isinstance(found, Mapping) else found)


def agree(what: str, found: np.ndarray, expected: np.ndarray) -> None:
    worst = float(np.abs(found - expected).max() / max(1.0, np.abs(expected).max()))
    if not worst <= TOLERANCE:
        raise SystemExit(f"{what}: differs by {worst:.1e}, expected at most {TOLERANCE}")


# --- beside CasADi ---------------------------------------------------------------------------------------------------


def beside_casadi(compiler: Compiler) -> Table:
    loops = compiler.library("closed_loops", LOOPS)
    heads = ("ours", "in symbols", "CasADi", "ours, ns", "ours, fused", "CasADi, ns", "ratio", "fused", "asked")
    table = Table("robot", "model", *heads, title="one call (loop in C; gcc -O3 -march=native); operations mul + add")
    for name in NATIVE:
        for kind in ("inverse", "forward"):
            table.add_row(name, f"{kind} dynamics", *native_row(compiler, loops, name, kind))
    return table


def native_row(compiler: Compiler, loops: ctypes.CDLL, name: str, kind: str) -> list[str]:
    import casadi as ca

    robot = robosym.load(name)
    model = models.MODELS[f"{kind}-dynamics"](robot, wrench="none")
    plain = Plain(robot)
    made = plain.inverse() if kind == "inverse" else plain.forward()
    kernel = ca.Function(f"{kind}_{name.replace('-', '_')}", [plain.q, plain.v, plain.last], [made], {"cse": True})
    x, status = states(robot, STATES), np.zeros(1)

    def run(f: CompiledFunction, x: np.ndarray, rounds: int) -> np.ndarray:
        out = np.zeros(robot.nv)
        sizes = [ctypes.c_int(k) for k in (x.shape[2], x.shape[1], rounds)]
        loops.loop_closed(ctypes.c_void_p(f.address), pointer(x), *sizes, pointer(out), pointer(status))
        return out

    runs: dict[str, Run] = {"ours": partial(run, model.compile()), "fused": partial(run, model.compile(fused=True))}
    runs["casadi"] = compiler.casadis(kernel.name(), robot.nv, generated_c(kernel, compiler.folder))
    for i in range(0, STATES, 16):
        one = np.ascontiguousarray(x[:, i : i + 1])
        for label in ("ours", "fused"):
            agree(f"{name}, {kind} dynamics, {label}", runs[label](one, 1), runs["casadi"](one, 1))
    best = in_turns({label: partial(one, x, ROUNDS) for label, one in runs.items()})
    ns = {label: seconds / (ROUNDS * STATES) * 1e9 for label, seconds in best.items()}
    baked, o = model.with_values().operations, model.operations
    ratio, fused = (ns[label] / ns["casadi"] for label in ("ours", "fused"))
    many, few = counted(kernel)
    counts = [f"{baked.mul + baked.div} + {baked.add}", f"{o.mul + o.div} + {o.add}", f"{many} + {few}"]
    times = [f"{ns[label]:.0f}" for label in ("ours", "fused", "casadi")]
    return [*counts, *times, f"{ratio:.2f}", f"{fused:.2f}", verdict(ratio, OF_CASADI)]


def main() -> None:
    console = Console(width=200)
    console.print(generation())
    if installed("pinocchio", "calls from Python are"):
        console.print(from_python())
    if installed("casadi", "single calls in C are"):
        with_compiler(lambda compiler: console.print(beside_casadi(compiler)))


if __name__ == "__main__":
    main()
