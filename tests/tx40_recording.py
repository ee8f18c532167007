"""A recording of an arm like the Staubli TX40, simulated, with parameters that are known.

Six joints with reductions, the fourth motor turning the other way, the sixth one turning with joints 5 and 6 together. Positions
are counted by encoders behind the motors, torques of the motors are noisy, and their noise is alike from sample to sample.
Torques are Pinocchio's, rotors and friction are added here: nothing of Robosym takes part.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from written_robots import QUARTER, Turn, random_body, text_of

EXAMPLE = Path(__file__).parents[1] / "examples" / "tx40"
RATE, SECONDS = 500, 9.0
COUNTS = 8192  # of an encoder, in a turn of its motor
REST = np.array([0, -QUARTER, QUARTER, 0, 0, 0])  # of the joints, where the encoders are zero
N = np.diag([32.0, 32, 45, -48, 45, 32])  # turns of the motors for those of the joints
N[5, 4] = 32
NOISE = np.array([1.5, 1.5, 0.6, 0.25, 0.3, 0.25])  # N m, at the joints: 4 to 7 % of their torques
ALIKE = 0.03  # s, over which the noise is

# alpha, d, r, and the angle of the frame at zero; mass and half the size of the body.
LINKS = (
    (0.0, 0.0, 0.0, 0.0, 9.0, 0.12),
    (-QUARTER, 0.0, 0.0, 0.0, 8.0, 0.14),
    (0.0, 0.225, 0.035, 0.0, 5.0, 0.10),
    (QUARTER, 0.0, 0.225, 0.0, 2.5, 0.07),
    (-QUARTER, 0.0, 0.0, 0.0, 1.2, 0.05),
    (QUARTER, 0.0, 0.0, np.pi, 0.5, 0.04),
)
INERTIA = ("XX", "XY", "XZ", "YY", "YZ", "ZZ")
# At the joints; motor 6 has a part in joints 5 and 6, and what they share is the last number of its row.
ROTORS = (0.35, 0.38, 0.10, 0.032, 0.05, 0.011)
VISCOUS = (7.5, 5.8, 2.1, 1.2, 1.7, 0.7)
COULOMB = (6.5, 8.0, 5.7, 2.3, 2.8, 0.5)
OFFSET = (0.4, -1.1, 0.3, -0.15, 0.06, 0.12)
SHARED_ROTOR, SHARED_VISCOUS, SHARED_COULOMB = 0.011, 0.55, 1.8


def joints(rng: np.random.Generator, heavier: float = 0.0) -> list[Turn]:
    """``heavier``: by up to so much each body is, or lighter, as the CAD model of an arm says."""
    found = []
    for j, (alpha, d, r, turn, mass, size) in enumerate(LINKS):
        place = (d, -r * np.sin(alpha), r * np.cos(alpha))
        rpy = (alpha, 0, 0) if not turn else (-alpha, 0, turn)  # about x first, then half a turn about the new z
        body = random_body(np.random.default_rng(40 + j), mass * (1 + heavier * rng.uniform(-1, 1)), size)
        found.append(Turn(f"l{j}" if j else "base", place, rpy, (0, 0, 1), body))
    return found


def truth() -> dict[str, float]:
    """Every standard parameter: inertias about the origins of the frames, rotors, friction."""
    found = {"IA5_6": SHARED_ROTOR, "Fv5_6": SHARED_VISCOUS, "Fsm6": SHARED_COULOMB}
    for j, joint in enumerate(joints(np.random.default_rng(0)), 1):
        m, c = joint.body.mass, joint.body.centre
        about = joint.body.moments + m * (c @ c * np.eye(3) - np.outer(c, c))
        found |= {f"{name}{j}": about["XYZ".index(name[0]), "XYZ".index(name[1])] for name in INERTIA}
        found |= {f"MX{j}": m * c[0], f"MY{j}": m * c[1], f"MZ{j}": m * c[2], f"M{j}": m}
        for name, column in (("IA", ROTORS), ("Fv", VISCOUS), ("Fs", COULOMB), ("offset", OFFSET)):
            found[f"{name}{j}"] = column[j - 1]
    return found


def motion(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sums of eight sines; the wrist is quicker than the arm."""
    rng = np.random.default_rng(4)
    pace = 2 * np.pi / SECONDS * np.arange(1, 9)
    reach = np.array([0.8, 0.6, 0.8, 1.0, 0.9, 1.3])
    a, b = rng.normal(size=(2, 8, 6)) * reach / np.arange(1, 9)[:, None] ** 0.9
    s, c = np.sin(np.outer(t, pace)), np.cos(np.outer(t, pace))
    middle = np.array([0, -0.6, 1.4, 0, 0.3, 0])
    return middle + s @ a + c @ b, (c * pace) @ a - (s * pace) @ b, -(s * pace**2) @ a - (c * pace**2) @ b


def torques(q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    """At the joints, without noise."""
    pin = pytest.importorskip("pinocchio")
    model = pin.buildModelFromXML(text_of("tx40", joints(np.random.default_rng(0))))
    data = model.createData()
    found = np.array([pin.rnea(model, data, *state) for state in zip(q, qd, qdd, strict=True)])
    found += qdd * ROTORS + qd * VISCOUS + np.sign(qd) * COULOMB + OFFSET
    common = SHARED_COULOMB * np.sign(qd[:, 4] + qd[:, 5])
    for k, other in ((4, 5), (5, 4)):
        found[:, k] += SHARED_ROTOR * qdd[:, other] + SHARED_VISCOUS * qd[:, other] + common
    return found


@dataclass(frozen=True)
class Recording:
    """Its folder, with the arm as URDF beside it, and what is in it."""

    folder: Path
    q: np.ndarray
    torque: np.ndarray  # of the joints, with noise
    noise: np.ndarray

    @property
    def prior(self) -> Path:
        return self.folder / "cad.urdf"

    @property
    def urdf(self) -> Path:
        return self.folder / "tx40.urdf"

    def recipe(self, name: str, *changes: tuple[str, str]) -> Path:
        """The recipe of the example, at the rate of this recording, with texts replaced."""
        text = (EXAMPLE / name).read_text(encoding="utf-8")
        steps = ("[10, 10]", "[5, 2]") if "[10, 10]" in text else ("decimation = 100", "decimation = 10")
        robot = ('robot = "tx40.toml"', f"robot = '{EXAMPLE / 'tx40.toml'}'")
        for old, new in (robot, ("rate = 5000", f"rate = {RATE}"), steps, *changes):
            assert old in text, old
            text = text.replace(old, new)
        path = Path(tempfile.mkdtemp(dir=self.folder)) / name
        path.write_text(text, encoding="utf-8")
        return path


def coloured(rng: np.random.Generator, count: int) -> np.ndarray:
    """Noise of standard deviation one that forgets itself by the time ``ALIKE``."""
    from scipy.signal import lfilter

    keep = np.exp(-1 / (RATE * ALIKE))
    white = rng.normal(size=(count, 6))
    return np.asarray(lfilter([np.sqrt(1 - keep**2)], [1, -keep], white, axis=0))


@cache
def tx40() -> Recording:
    """Written once in a process."""
    t = np.arange(round(RATE * SECONDS)) / RATE
    q, qd, qdd = motion(t)
    noise = NOISE * coloured(np.random.default_rng(1), len(t))
    torque = torques(q, qd, qdd) + noise
    step = 2 * np.pi / COUNTS
    counted = np.rint((q - REST) @ N.T / step) * step
    folder = Path(tempfile.mkdtemp(prefix="robosym-tx40-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, columns, digits in (("pos_read", counted, 8), ("curr", torque @ np.linalg.inv(N), 6)):
        header = ",".join(f"Joint_{j}" for j in range(1, 7))
        np.savetxt(folder / f"{name}_data.csv", columns, f"%.{digits}g", ",", header=header, comments="")
    recording = Recording(folder, q, torque, noise)
    recording.urdf.write_text(text_of("tx40", joints(np.random.default_rng(0)), "joint_"), encoding="ascii")
    recording.prior.write_text(text_of("tx40", joints(np.random.default_rng(2), 0.3), "joint_"), encoding="ascii")
    return recording
