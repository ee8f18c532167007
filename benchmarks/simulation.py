"""The 1 kHz closed loop (quintic, computed torque, saturation, RK4) beside MuJoCo's C library, in nanoseconds a step.

MuJoCo's loop is a C program compiled here against the library of its Python package: reference and law by hand, torques by
mj_inverse, motion by mj_step with RK4, contacts off. Ours is ``robosym.simulate``'s kernel: one rollout, 64 rollouts in lanes, and
all of ``simulate`` with 10 000 rollouts of a second on two threads. CPU time of the thread, by turns, the best of several rounds:
others may use the machine.
"""

from __future__ import annotations

import math
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from native import path_of
from rich.console import Console
from rich.table import Table
from sizes import SMALL, installed, sized

import robosym
from robosym import caches
from robosym.control import computed_torque
from robosym.robot import RobotWarning
from robosym.simulation import simulator
from robosym.simulation.kernel import CHUNK

ROBOTS = {
    "puma": (0.07, 0.022),
    "arm7": (0.11, 0.035),
    "humanoid30": (0.20, 0.06),
}  # with the ratios that were asked for
CALLS, ROUNDS, MANY = sized((20, 12, 64), (1, 1, 2))
TURNS = sized((20, 3), (1, 1))  # of one rollout and of many, in each round
BATCH = sized(10_000, 8)  # rollouts of all of simulate
if SMALL:
    ROBOTS = {"puma": ROBOTS["puma"]}

PEER = r"""
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
int main(int argc, char **argv) {
    mjModel *m = mj_loadModel(argv[1], NULL);
    const int steps = atoi(argv[2]), rounds = atoi(argv[3]), n = m->nv;
    const double w = 20, T = 1.0;
    double best = 1e9, *end = calloc(n, sizeof(double));
    mjData *d = mj_makeData(m), *model = mj_makeData(m);
    for (int j = 0; j < n; j++) end[j] = 0.5 - 0.03 * j;
    for (int round = 0; round < rounds; round++) {
        mj_resetData(m, d);
        double start = now();
        for (int k = 0; k < steps; k++) {
            double s = k * m->opt.timestep / T;
            s = s > 1 ? 1 : s;
            const double r = s * s * s * (10 + s * (-15 + 6 * s)), rd = 30 * s * s * (1 - s) * (1 - s) / T,
                         rdd = 60 * s * (1 - s) * (1 - 2 * s) / T / T;
            for (int j = 0; j < n; j++) {
                model->qpos[j] = d->qpos[j];
                model->qvel[j] = d->qvel[j];
                model->qacc[j] = rdd * end[j] + 2 * w * (rd * end[j] - d->qvel[j]) + w * w * (r * end[j] - d->qpos[j]);
            }
            mj_inverse(m, model);
            for (int j = 0; j < n; j++) {
                const double tau = model->qfrc_inverse[j];
                d->qfrc_applied[j] = tau > 1e4 ? 1e4 : tau < -1e4 ? -1e4 : tau;
            }
            mj_step(m, d);
        }
        const double taken = (now() - start) / steps;
        best = taken < best ? taken : best;
    }
    printf("%.17g\n", best);
    for (int j = 0; j < n; j++) printf("%.17g ", d->qpos[j]);
    return 0;
}
"""


def peer(folder: Path) -> Path | None:
    """The C program, if there is a compiler and the library."""
    if not installed("mujoco", "its times are"):
        return None
    import mujoco

    home = Path(mujoco.__file__).parent
    library = next(home.glob("libmujoco.so*"), None)
    if library is None or shutil.which("gcc") is None:
        print("a C compiler or MuJoCo's library is not here: its times are left out")
        return None
    (folder / "peer.c").write_text(PEER)
    made = folder / "peer"
    command = ["gcc", "-O3", "-march=native", f"-I{home / 'include'}", "peer.c", "-o", str(made), str(library)]
    command += ["-lm", f"-Wl,-rpath,{home}"]
    return made if subprocess.run(command, cwd=folder, check=False).returncode == 0 else None


def in_mujoco(name: str, folder: Path) -> Path:
    """The robot as MuJoCo has it, without geometry and contacts; inertias that cannot be are mended by it."""
    import mujoco

    spec = mujoco.MjSpec.from_file(str(path_of(name)))
    spec.compiler.balanceinertia = True
    spec.compiler.boundmass = spec.compiler.boundinertia = 1e-9
    spec.compiler.discardvisual = True
    spec.option.timestep = 1e-3
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    off = mujoco.mjtDisableBit
    spec.option.disableflags |= int(off.mjDSBL_CONTACT) | int(off.mjDSBL_LIMIT) | int(off.mjDSBL_CONSTRAINT)
    model = spec.compile()
    path = folder / f"{name}.mjb"
    mujoco.mj_saveModel(model, str(path), None)
    return path


class Ours:
    """The kernel of ``simulate`` as it is called there: 256 ticks a call."""

    def __init__(self, name: str) -> None:
        self.robot = robosym.load(str(path_of(name)))
        n = len(self.robot.moving)
        self.law = computed_torque(self.robot, bandwidth=20, damping=1, limits=1e4)
        self.move = robosym.trajectory.point_to_point(np.zeros(n), 0.5 - 0.03 * np.arange(n), "quintic", duration=1.0)
        options: dict[str, Any] = {"friction": False, "limits": False, "duration": 1.0}
        self.run = robosym.simulate(self.robot, self.law, self.move, **options)
        self.runs = robosym.simulate(self.robot, self.law, self.move, batch={"seed": list(range(MANY))}, **options)
        known = vars(self.robot)[caches.PLACE][simulator._KERNELS]
        self.kernel, _ = next(iter(known.values()))
        t = np.arange(CHUNK) * 1e-3
        q, qd, qdd = map(np.ascontiguousarray, self.move(t))
        self.inputs = {slot.name: np.zeros(slot.shape) for slot in self.kernel.routine.inputs}
        self.inputs |= {"q_d_samples": q, "qd_d_samples": qd, "qdd_d_samples": qdd}
        self.inputs |= {"h": np.array(1e-3), "ticks": np.array(float(CHUNK)), "substeps": np.array(1.0)}
        state = [slot.name for slot in self.kernel.routine.state]
        self.many = self.inputs | {name: np.zeros((MANY, *self.inputs[name].shape)) for name in state}

        self.bound = self.kernel.function.bind(**self.inputs)  # as simulate calls it for one rollout

    def one(self) -> float:
        return _timed(lambda: [self.bound() for _ in range(CALLS)]) / (CHUNK * CALLS)

    def lanes(self) -> float:
        return _timed(lambda: self.kernel.function(**self.many)) / (CHUNK * MANY)


def _timed(work: Callable[[], Any]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def main() -> None:
    warnings.simplefilter("ignore", RobotWarning)
    table = Table(
        "ns a step", "MuJoCo C", "ours", "ratio", "asked", "64 rollouts", "ratio", "asked", "difference at 1 s"
    )
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        program = peer(folder)
        for name, asked in ROBOTS.items():
            ours = Ours(name)
            taken: list[tuple[float, float, float]] = []
            apart = math.nan
            model = in_mujoco(name, folder) if program else None
            for _ in range(ROUNDS):
                theirs = math.nan
                if program:
                    said = subprocess.run(
                        [program, model, "1000", "3"], capture_output=True, text=True, check=True
                    ).stdout
                    theirs = float(said.split()[0])
                    end = np.array(said.split()[1:], dtype=float)
                    apart = float(np.abs(end - ours.run.q[1000]).max()) if len(end) == ours.run.q.shape[1] else apart
                taken.append(
                    (theirs, min(ours.one() for _ in range(TURNS[0])), min(ours.lanes() for _ in range(TURNS[1])))
                )
            theirs, one, many = (min(column) * 1e9 for column in zip(*taken, strict=True))
            cells = [shown(theirs, ".0f"), f"{one:.0f}", shown(one / theirs, ".4f"), f"{asked[0]}", f"{many:.0f}"]
            table.add_row(name, *cells, shown(many / theirs, ".4f"), f"{asked[1]}", shown(apart, ".1e"))
    Console(width=130).print(table)
    large()


def shown(number: float, form: str) -> str:
    """A number, or a dash for what MuJoCo did not compute."""
    return "-" if math.isnan(number) else format(number, form)


def large() -> None:
    """The whole of ``simulate``: many rollouts of a second, gains that differ, on two threads."""
    robot = robosym.load(str(path_of("puma")))
    law = computed_torque(robot, bandwidth=20, damping=1)
    move = robosym.trajectory.point_to_point(np.zeros(6), [1.2, -0.8, 1.5, 2, -1, 0.5], "quintic", duration=1.0)
    batch = {"bandwidth": np.linspace(5, 40, BATCH)}
    robosym.simulate(robot, law, move, batch={"bandwidth": np.linspace(5, 40, min(BATCH, 64))}, threads=2, every=10)
    start = time.perf_counter()
    runs = robosym.simulate(robot, law, move, batch=batch, threads=2, every=10)
    taken = time.perf_counter() - start
    print(f"{BATCH} rollouts of 1 s of a PUMA on two threads: {taken:.2f} s (asked 3); {int(runs.lost.sum())} lost")


if __name__ == "__main__":
    main()
