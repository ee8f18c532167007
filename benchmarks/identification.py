"""Identification of an arm of six axes from a million samples: time and memory of ``robosym.identify``, the parts of the way beside the plain
one (Pinocchio's regressor in a loop, SciPy's decimation of every column, one least-squares problem of all rows), and the convex step.

Every identification runs in a process of its own, imports and compilation included, and the parameters must come out before a time
counts. The last column of each table is what we ask of ourselves.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import native  # noqa: F401  (for the path of the tests)
import numpy as np
from chains import pinocchio_chain
from rich.console import Console
from rich.table import Table
from run_time import verdict
from sizes import SMALL, installed, sized

import robosym
from robosym import models
from robosym.identification.excitation.one_thread import one_thread

ARM, JOINTS = sized(("rx90", 6), ("planar-2r", 2))
RATE = 1000.0
SAMPLES, FEWER = sized(
    (1_000_000, 100_000), (10_000, 1000)
)  # of the recording, and of the part that the plain way goes
DECIMATION = 20
TURNS = sized(2, 1)
PIECE = sized(4000, 500)  # states in one call
FRICTION = ("viscous", "coulomb", "offset")
NOISE = 1e-3  # of the torques, relative to the largest of each joint
LONGEST, MOST_MEMORY = 5.0, 500.0  # s, MB
LEAST_RATIO = 10.0
LONGEST_CONVEX = 1.0  # s
WAYS = {
    "signals, by 20": (20, "signals"),
    "signals, by 10": (10, "signals"),
    "columns, by 20": (20, "columns"),
    "columns, by 10": (10, "columns"),
    "every sample": (1, "signals"),
}
if SMALL:
    WAYS = {"signals, by 20": WAYS["signals, by 20"]}

CHILD = """
import json, resource, sys, time
wall, cpu = time.perf_counter(), time.process_time()
import robosym
robosym.identify
importing = time.process_time() - cpu
found = robosym.identify(sys.argv[1])
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
values = {name: one.value for name, one in found.parameters.items()}
rows = int(found.estimate.rows.sum())
print(json.dumps({"wall": wall, "cpu": cpu, "import": importing, "memory": memory, "values": values, "rows": rows}))
"""

CONVEX = """
import json, sys, time
from dataclasses import replace
import robosym
from robosym.identification import from_recipe
from robosym.identification.data.recipe import Recipe
start = time.perf_counter()
import cvxpy
importing = time.perf_counter() - start
recipe = Recipe.read(sys.argv[1])
recipe = replace(recipe, estimate=replace(recipe.estimate, physical=True))
taken, own = [], from_recipe._physical
def timed(*given):
    start = time.perf_counter()
    found = own(*given)
    taken.append(time.perf_counter() - start)
    return found
from_recipe._physical = timed
found = from_recipe.identify(recipe)
print(json.dumps({"import": importing, "wall": taken[0], "rise": found.physical.rise}))
"""


# --- a recording ---------------------------------------------------------------------------------------------------------


def motion(t: np.ndarray, joints: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Five harmonics of a tenth of a hertz for each joint, and their derivatives."""
    rng = np.random.default_rng(seed)
    q, qd, qdd = np.zeros((3, len(t), joints))
    for k in range(1, 6):
        pace = 2 * np.pi * 0.1 * k
        for j in range(joints):
            size, phase = rng.uniform(0.2, 0.6) / np.sqrt(k), rng.uniform(0, 2 * np.pi)
            angle = pace * t + phase
            s, c = size * np.sin(angle), size * np.cos(angle)
            q[:, j] += s
            qd[:, j] += pace * c
            qdd[:, j] -= pace**2 * s
    return q, qd, qdd


def write_recording(path: Path, samples: int) -> None:
    import pyarrow as arrow
    from pyarrow import parquet

    robot = robosym.load(ARM)
    torque = models.inverse_dynamics(robot, friction=True).compile()
    rng, piece, n = np.random.default_rng(1), 100_000, len(robot.moving)
    writer = None
    for start in range(0, samples, piece):
        t = np.arange(start, min(samples, start + piece)) / RATE
        q, qd, qdd = motion(t, n)
        tau = np.asarray(torque(q=q, qd=qd, qdd=qdd))
        tau += NOISE * np.abs(tau).max(axis=0) * rng.normal(size=tau.shape)
        columns = {f"q{j + 1}": q[:, j] for j in range(n)} | {f"tau{j + 1}": tau[:, j] for j in range(n)}
        table = arrow.table(columns)
        writer = writer or parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


def write_recipe(path: Path, recording: Path, decimation: int, where: str) -> Path:
    def names(letter: str) -> str:
        return json.dumps([f"{letter}{j}" for j in range(1, JOINTS + 1)])

    path.write_text(f"""
robot = "{ARM}"
[data]
files = ["{recording.name}"]
rate = {RATE}
[position]
columns = {names("q")}
[torque]
columns = {names("tau")}
[processing]
cutoff = 20.0
decimation = {decimation}
where = "{where}"
low_speed = [0.02]
""")
    return path


# --- ours ----------------------------------------------------------------------------------------------------------------


def in_a_process(code: str, argument: Path) -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", code, str(argument)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def check(values: dict[str, float]) -> None:
    """The parameters that the recording was made with."""
    model = models.regressor(robosym.load(ARM), friction=FRICTION, rotor_inertia=True)
    truth = model.described_values()
    scale = max(map(abs, truth.values()))
    worst = max(abs(values[name] - truth[name]) for name in truth)
    if worst > 1e-2 * scale:
        raise SystemExit(f"a parameter is wrong by {worst:g}")


def ours(folder: Path, recording: Path) -> Table:
    table = Table(
        "decimated", "rows", "wall, s", "CPU, s", "memory, MB", "time asked", "memory asked", title=f"{SAMPLES} samples"
    )
    for name, (decimation, where) in WAYS.items():
        recipe = write_recipe(folder / f"{where}{decimation}.toml", recording, decimation, where)
        runs = [in_a_process(CHILD, recipe) for _ in range(TURNS)]
        check(runs[0]["values"])
        best = {key: min(run[key] for run in runs) for key in ("wall", "cpu", "memory", "rows")}
        asked = verdict(best["wall"], LONGEST), verdict(best["memory"], MOST_MEMORY)
        table.add_row(
            name, str(best["rows"]), *(f"{best[key]:.2f}" for key in ("wall", "cpu")), f"{best['memory']:.0f}", *asked
        )
    return table


# --- beside the plain way ------------------------------------------------------------------------------------------------


def beside_the_plain_way(folder: Path, recording: Path) -> Table:
    """In CPU time, for others may use the machine, without imports; ours is that of the million, bootstrap and validation too."""
    import pinocchio as pin  # type: ignore[import-untyped]

    q, qd, qdd = motion(np.arange(FEWER) / RATE, JOINTS)
    compiled = models.regressor(robosym.load(ARM), friction=FRICTION, rotor_inertia=True).compile()
    model = pinocchio_chain(JOINTS)
    data = model.createData()

    def loop() -> np.ndarray:
        return np.concatenate(
            [pin.computeJointTorqueRegressor(model, data, *state) for state in zip(q, qd, qdd, strict=True)]
        )

    def calls() -> None:
        for state in zip(q[:PIECE], qd[:PIECE], qdd[:PIECE], strict=True):
            pin.computeJointTorqueRegressor(model, data, *state)

    place = compiled(q=q[:PIECE], qd=qd[:PIECE], qdd=qdd[:PIECE])

    def batch() -> None:
        for start in range(0, FEWER, PIECE):
            part = slice(start, start + PIECE)
            compiled(q=q[part], qd=qd[part], qdd=qdd[part], out=place)

    with one_thread():  # else threads that wait count as work
        mine, theirs = (min(cpu_of(work)[0] for _ in range(5)) for work in (batch, calls))
        kept, D = cpu_of(loop)
        plain = kept + cpu_of(lambda: plain_estimate(D, qd, qdd, recording))[0]
    runs = [
        in_a_process(CHILD, write_recipe(folder / "plain.toml", recording, DECIMATION, "columns")) for _ in range(TURNS)
    ]
    way = min(run["cpu"] - run["import"] for run in runs)
    table = Table(
        "", "ours, us a sample", "plain, us a sample", "ratio", "asked", title="CPU time beside the plain way"
    )
    for name, first, second in (
        ("regressor", mine / FEWER, theirs / PIECE),
        ("all of it", way / SAMPLES, plain / FEWER),
    ):
        ratio = second / first
        table.add_row(
            name, f"{1e6 * first:.3g}", f"{1e6 * second:.3g}", f"{ratio:.1f}", verdict(ratio, LEAST_RATIO, most=False)
        )
    return table


def plain_estimate(D: np.ndarray, qd: np.ndarray, qdd: np.ndarray, recording: Path) -> np.ndarray:
    """Torques read and derivatives by the same filter, then every column decimated by SciPy and all rows solved at once."""
    from pyarrow import parquet
    from scipy.signal import butter, decimate, sosfiltfilt

    read = parquet.read_table(recording)
    q, tau = (
        np.stack([read[f"{letter}{j}"].to_numpy()[:FEWER] for j in range(1, JOINTS + 1)], axis=1)
        for letter in ("q", "tau")
    )
    smooth = sosfiltfilt(butter(4, 20.0, fs=RATE, output="sos"), q, axis=0)
    np.gradient(np.gradient(smooth, 1 / RATE, axis=0), 1 / RATE, axis=0)
    columns, torques = [], []
    for j in range(JOINTS):
        own = np.zeros((FEWER, 4 * JOINTS))
        own[:, 4 * j : 4 * j + 4] = np.stack((qdd[:, j], qd[:, j], np.sign(qd[:, j]), np.ones(FEWER)), axis=1)
        columns.append(decimate(np.concatenate((D[j::JOINTS], own), axis=1), DECIMATION, axis=0))
        torques.append(decimate(tau[:, j], DECIMATION))
    return np.linalg.lstsq(np.concatenate(columns), np.concatenate(torques), rcond=None)[0]


def cpu_of(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


# --- the convex step -----------------------------------------------------------------------------------------------------


def simulated_recipe() -> Path:
    """That of the TX40, for a recording that the tests simulate."""
    from tx40_recording import tx40

    recording = tx40()
    return Path(recording.recipe("recipe.toml", ('folder = "recording"', f"folder = '{recording.folder}'")))


def convex() -> Table:
    found = in_a_process(CONVEX, simulated_recipe())
    table = Table("importing cvxpy, s", "the step, s", "chi-squared, %", "asked", title="physically consistent, TX40")
    times = f"{found['import']:.2f}", f"{found['wall']:.2f}", f"+{100 * found['rise']:.2f}"
    table.add_row(*times, verdict(found["wall"], LONGEST_CONVEX))
    return table


def main() -> None:
    console = Console(width=140)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        recording = folder / "long.parquet"
        write_recording(recording, SAMPLES)
        console.print(ours(folder, recording))
        if installed("pinocchio", "the plain way is"):
            console.print(beside_the_plain_way(folder, recording))
    if installed("cvxpy", "the convex step is"):
        console.print(convex())


if __name__ == "__main__":
    main()
