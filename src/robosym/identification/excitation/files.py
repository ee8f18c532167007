"""Motions as files: samples as CSV, and the motion itself as a function in C."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import RobosymError
from ...files import write_text
from ...options.markers import Count, Positive
from ...reals import Floats
from .motions import DEGREE, FourierMotion, Motion, SplineMotion

RATE = 500.0  # samples a second, unless another rate is given
_COEFFICIENTS = {"Fourier": ("offset", "sine", "cosine"), "spline": ("control",)}


def write_csv(motion: Motion, path: str | Path, rate: Positive = RATE, repeats: Count = 1) -> None:
    """Write the samples of a motion to a CSV file: t, then q, qd and qdd of every joint.

    Columns are named "t", "q.elbow", "qd.elbow" and so on. Units are SI units.

    Parameters
    ----------
    motion
        Motion to sample.
    path
        Path of the file.
    rate
        Sampling rate [Hz].
    repeats
        Number of periods of a periodic motion.
    """
    write_text(path, as_csv(motion, rate, repeats))


def as_csv(motion: Motion, rate: Positive = RATE, repeats: Count = 1) -> str:
    """Samples of a motion as CSV, with numbers that are read back exactly.

    Parameters
    ----------
    motion
        Motion to sample.
    rate
        Sampling rate [Hz].
    repeats
        Number of periods of a periodic motion.

    Returns
    -------
    str
        Text of the file, as ``write_csv`` writes it.
    """
    import csv
    import io

    made = motion.sampled(rate, repeats)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["t", *(f"{what}.{joint}" for what in ("q", "qd", "qdd") for joint in motion.joints)])
    for t, *rows in zip(made.time, made.q, made.qd, made.qdd, strict=True):
        writer.writerow([repr(float(t)), *(repr(float(x) + 0.0) for row in rows for x in row)])
    return text.getvalue()


def motion_as_dict(motion: Motion) -> dict[str, Any]:
    """The coefficients of a motion, from which it can be made again."""
    about = {"kind": motion.kind, "joints": list(motion.joints), "duration": motion.duration}
    if isinstance(motion, FourierMotion):
        return about | {name: getattr(motion, name).tolist() for name in ("offset", "sine", "cosine")}
    if isinstance(motion, SplineMotion):
        return about | {"degree": DEGREE, "control": motion.control.tolist()}
    raise RobosymError(f"no motion that can be written: {motion!r}")


def motion_from_dict(given: Mapping[str, Any]) -> Motion:
    """The motion of its coefficients, as ``motion_as_dict`` gives them."""
    try:
        joints, duration = tuple(map(str, given["joints"])), float(given["duration"])
        arrays = {name: np.array(given[name], dtype=float) for name in _COEFFICIENTS[given["kind"]]}
    except (KeyError, TypeError, ValueError) as error:
        raise RobosymError(
            f"motion: expected kind, joints, duration and coefficients of a motion, got {given!r:.60}"
        ) from error
    tables = [array for name, array in arrays.items() if name != "offset"]
    shapes = {name: (len(joints),) if name == "offset" else (len(joints), *tables[0].shape[1:2]) for name in arrays}
    if tables[0].ndim != 2 or not tables[0].size or any(arrays[name].shape != shape for name, shape in shapes.items()):
        raise RobosymError(f"motion: expected coefficients for each of the joints {', '.join(joints):.80}")
    if not 0 < duration < math.inf or not all(np.isfinite(array).all() for array in arrays.values()):
        raise RobosymError("motion: expected a duration above zero and finite coefficients")
    if given["kind"] == "Fourier":
        return FourierMotion(joints, duration, **arrays)
    if given.get("degree", DEGREE) != DEGREE:
        raise RobosymError(f"motion: degree: expected {DEGREE}, got {given['degree']!r:.20}")
    if tables[0].shape[1] <= DEGREE:
        raise RobosymError(f"motion: expected more than {DEGREE} control points for each joint")
    return SplineMotion(joints, duration, **arrays)


# --- C -------------------------------------------------------------------------------------------------------------------


def write_c(motion: Motion, path: str | Path, name: str = "motion") -> None:
    """The motion as a function in C99 that needs nothing else."""
    write_text(path, as_c(motion, name))


def as_c(motion: Motion, name: str = "motion") -> str:
    """The same as a text: void motion(double t, double q[], double qd[], double qdd[])."""
    if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
        raise RobosymError(f"name: got {name!r:.60}, expected a name of C: letters, digits and _")
    if isinstance(motion, FourierMotion):
        body = _fourier_in_c(motion, name)
    elif isinstance(motion, SplineMotion):
        body = _spline_in_c(motion, name)
    else:
        raise RobosymError(f"no motion that can be written: {motion!r}")
    joints = "".join(f" *  {i}  {_comment(joint)}\n" for i, joint in enumerate(motion.joints))
    after = "It goes on with the same period." if motion.periodic else "Before and after it the joints stand still."
    upper = name.upper()
    return (
        f"/* {motion.kind} motion of {motion.duration!r} s: positions, velocities and accelerations at time t, in SI units.\n"
        f" * {after} Joints:\n{joints} */\n#include <math.h>\n\n"
        f"#define {upper}_JOINTS {len(motion.joints)}\n#define {upper}_DURATION {motion.duration!r}\n\n{body}"
    )


def _comment(text: str) -> str:
    """A name inside a comment: nothing that ends it."""
    return re.sub(r"[^\w .:+-]", "?", text)


def _table(name: str, rows: Floats) -> str:
    """A table of doubles with two indices."""
    lines = ",\n".join("    {" + ", ".join(repr(float(x)) for x in row) + "}" for row in rows)
    return f"static const double {name}[{rows.shape[0]}][{rows.shape[1]}] = {{\n{lines}\n}};\n"


def _fourier_in_c(motion: FourierMotion, name: str) -> str:
    n, waves = motion.sine.shape
    upper = name.upper()
    return (
        _table(f"{name}_sine", motion.sine)
        + _table(f"{name}_cosine", motion.cosine)
        + _table(f"{name}_offset", motion.offset[:, None])
        + f"""
void {name}(double t, double q[{n}], double qd[{n}], double qdd[{n}])
{{
    const double w = {2 * 3.141592653589793!r} / {upper}_DURATION;
    for (int i = 0; i < {n}; i++) {{
        q[i] = {name}_offset[i][0];
        qd[i] = 0.0;
        qdd[i] = 0.0;
    }}
    for (int k = 0; k < {waves}; k++) {{
        const double rate = (k + 1) * w, s = sin(rate * t), c = cos(rate * t);
        for (int i = 0; i < {n}; i++) {{
            const double a = {name}_sine[i][k], b = {name}_cosine[i][k];
            q[i] += a * s + b * c;
            qd[i] += rate * (a * c - b * s);
            qdd[i] -= rate * rate * (a * s + b * c);
        }}
    }}
}}
"""
    )


def _spline_in_c(motion: SplineMotion, name: str) -> str:
    """By its polynomials: for each segment and joint the coefficients of powers of the time in the segment, highest first."""
    n, segments = len(motion.joints), motion.waves
    begins = motion.spline.t[DEGREE : DEGREE + segments]
    taylor = [motion.derivative(begins, k) / math.factorial(k) for k in reversed(range(DEGREE + 1))]
    table = np.stack(taylor, axis=-1).reshape(segments * n, DEGREE + 1)
    upper = name.upper()
    return (
        _table(f"{name}_powers", table)
        + f"""
void {name}(double t, double q[{n}], double qd[{n}], double qdd[{n}])
{{
    const double step = {upper}_DURATION / {segments};
    const double moves = t < 0.0 || t > {upper}_DURATION ? 0.0 : 1.0;
    const double at = t <= 0.0 ? 0.0 : t >= {upper}_DURATION ? {upper}_DURATION : t;
    int segment = (int)(at / step);
    if (segment > {segments - 1})
        segment = {segments - 1};
    const double x = at - segment * step;
    for (int i = 0; i < {n}; i++) {{
        const double *c = {name}_powers[segment * {n} + i];
        double value = 0.0, slope = 0.0, half = 0.0;
        for (int k = 0; k <= {DEGREE}; k++) {{
            half = half * x + slope;
            slope = slope * x + value;
            value = value * x + c[k];
        }}
        q[i] = value;
        qd[i] = moves * slope;
        qdd[i] = moves * 2.0 * half;
    }}
}}
"""
    )
