"""Small files that unpack to gigabytes, and damaged ones: one error with file and column, in bounded memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from identification.data.hostile_files import HOSTILE, SCALED, Q
from sweeps import many

from robosym.identification.data.recording import Recording
from robosym.identification.data.recording_errors import RecordingError

MEMORY = 900  # MB that a child process may reach: SciPy, pyarrow and h5py have 300 of them
CHILD = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
from robosym.errors import RobosymError
from robosym.identification.data import recording_files
from robosym.identification.data.recording import Recording
said, usual = [], recording_files.LARGE
for path, bad, scale in json.loads(sys.argv[1]):
    recording_files.LARGE = usual // scale
    try:
        Recording.read(path).columns((bad,))
        said.append("was read")
    except RobosymError as error:
        said.append(str(error))
    try:
        found = Recording.read(path).columns(("q",))
        said.append([len(found), float(found[-1, 0])])
    except RobosymError as error:
        said.append(str(error))
highest = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps([said, int(highest.split()[1]) / 1024]))
"""


def check_hostile(seed: int, folder: Path, kinds: tuple[str, ...] = tuple(HOSTILE)) -> None:
    """A hostile file of each kind: reading its bad column raises an error that names both, the good one is read, and the
    process stays small."""
    rng = np.random.default_rng(seed)
    made = []
    for kind in kinds:
        ending, write = HOSTILE[kind]
        path = folder / f"{kind.replace(' ', '_')}-{seed}.{ending}"
        bad = write(path, rng)
        assert path.stat().st_size < 20e6, kind
        made.append((str(path), bad, 16 if kind in SCALED else 1))
    child = subprocess.run([sys.executable, "-c", CHILD, json.dumps(made)], capture_output=True, text=True, check=False)
    assert child.returncode == 0, child.stderr[-2000:]
    said, memory = json.loads(child.stdout)
    for (path, bad, _), error, good in zip(made, said[::2], said[1::2], strict=True):
        assert error.startswith(path), error
        assert f"'{bad.rpartition('.')[0] if bad[-1].isdigit() and bad not in error else bad}'" in error, error
        if "parquet-" not in path:  # there all columns are as long
            assert good == [len(Q), 1.0], (path, good)
    assert memory < MEMORY, memory


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(many(2)))
def test_hostile_files_raise_one_error_and_take_little_memory(seed: int, tmp_path: Path) -> None:
    for module in ("h5py", "pyarrow"):
        pytest.importorskip(module)
    check_hostile(seed, tmp_path)


@pytest.mark.parametrize("missing", ["error", "drop"])
def test_a_stamp_far_from_the_others_does_not_fill_the_memory(missing: str) -> None:
    """The gap of 1.7e9 s would have 1.7e12 samples."""
    from robosym import load
    from robosym.identification.data.preparing import prepare
    from robosym.identification.data.recipe import Data, Recipe, Signal, Torque

    rng = np.random.default_rng(0)
    t = np.arange(2000) / 1000.0
    t[1:] += 1.7e9
    columns = {"t": t, "q": rng.normal(size=(2000, 2)), "tau": rng.normal(size=(2000, 2))}
    recorded = Recording.from_arrays(columns, "run")
    position, torque = Signal(recorded.expanded("q")), Torque(recorded.expanded("tau"))
    recipe = Recipe(load("planar-2r"), Data((recorded,), time="t", missing=missing), position, torque)
    with pytest.raises(RecordingError, match=r"run: column 't': the stamps go on for 1\.7e\+09 s"):
        prepare(recipe)
