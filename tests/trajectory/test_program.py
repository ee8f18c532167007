"""A trajectory as generated code: the same numbers as the object, in C and in Python."""

from __future__ import annotations

import ctypes
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from c_calls import call_c
from tool_runs import run_tool
from trajectory.motions import KA, KJ, KV, PROFILES, V0, VF, ZERO, D

from robosym import codegen, runtime
from robosym.trajectory import Trajectory, TrajectoryError, point_to_point, program, routine, tables, through


def moves() -> dict[str, Trajectory]:
    given = {"velocity": KV, "acceleration": KA, "jerk": KJ}
    found = {profile: point_to_point(ZERO, D, profile, **given) for profile in PROFILES}
    found["states"] = point_to_point(ZERO, D, "jerk-limited", v0=V0, vf=VF, **given)
    found["spline"] = through([ZERO, D, D / 2, -D], velocity=KV, acceleration=KA, degree=5)
    found["still"] = point_to_point(ZERO, ZERO)
    return found


MOVES = moves()


def times(move: Trajectory) -> np.ndarray:
    """Before, after, at the very ends of the pieces, and between."""
    return np.concatenate([[-1.0, move.duration + 1], move.times, np.linspace(0, move.duration, 41)])


@pytest.mark.parametrize("name", MOVES)
def test_compiled_and_interpreted(name: str) -> None:
    move = MOVES[name]
    made = program(move)
    function = runtime.compile_program(made)
    for t in times(move):
        expected = dict(zip(("q", "qd", "qdd"), move(t), strict=True))
        for found in (function(t=t), made.call(t=t)):
            for key, value in expected.items():
                np.testing.assert_allclose(found[key], value, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["trapeze", "states", "spline"])
def test_printed_c(name: str, tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    move = MOVES[name]
    made = program(move)
    (tmp_path / "motion.c").write_text(codegen.source(made, "c"))
    command = ["cc", "-O1", "-shared", "-fPIC", "-Wall", "-Werror", "-o", "motion.so", "motion.c", "-lm"]
    run_tool(command, tmp_path).check_returncode()
    library = ctypes.CDLL(str(tmp_path / "motion.so"))
    for t in times(move):
        found = call_c(library, made, {"t": np.array(t)}, [])
        for key, value in zip(("q", "qd", "qdd"), move(t), strict=True):
            np.testing.assert_allclose(found[key], value, rtol=0, atol=1e-12)


def test_printed_python() -> None:
    move = MOVES["states"]
    space: dict[str, object] = {}
    exec(compile(codegen.source(program(move), "python"), "motion.py", "exec"), space)
    for t in times(move):
        found = space["motion"](float(t))  # type: ignore[operator]
        for key, value in enumerate(move(t)):
            own = found[key] if isinstance(found, tuple) else found[("q", "qd", "qdd")[key]]
            np.testing.assert_allclose(own, value, rtol=0, atol=1e-12)


def test_every_language_prints_it() -> None:
    made = program(MOVES["trapeze"])
    for language in codegen.languages():
        assert codegen.source(made, language)


def test_too_many_pieces() -> None:
    points = np.random.default_rng(0).normal(size=(80, 2))
    move = through(points, velocity=1, acceleration=1)
    with pytest.raises(
        TrajectoryError, match="79 pieces are too many for a program without loops, expected 64 at most"
    ):
        program(move)


# --- a time that is none -----------------------------------------------------------------------------------------------


def random_move(rng: np.random.Generator) -> Trajectory:
    """Of any profile or through points, of a few joints, some of which may stay where they are."""
    n = int(rng.integers(1, 5))
    limits = {name: rng.uniform(0.5, 3, n) for name in ("velocity", "acceleration", "jerk")}
    a, b = rng.uniform(-1, 1, (2, n))
    b = np.where(rng.random(n) < 0.3, a, b)
    kind = str(rng.choice([*PROFILES, "spline", "still"]))
    if kind == "still":
        return point_to_point(a, a)
    if kind == "spline":
        points = [a, *rng.uniform(-1, 1, (int(rng.integers(1, 4)), n))]
        degree = int(rng.choice([3, 5]))
        return through(points, velocity=limits["velocity"], acceleration=limits["acceleration"], degree=degree)
    return point_to_point(a, b, kind, **limits)


def nan_gives_nan(seed: int) -> None:
    """Everything is nan at a time that is nan, and a number at every other time: as a program and with tables."""
    move = random_move(np.random.default_rng(seed))
    made, tabled = program(move), routine(move)
    space: dict[str, Any] = {}
    exec(compile(codegen.source(made, "python"), "motion.py", "exec"), space)

    def printed(t: float) -> dict[str, Any]:
        found = space["motion"](t)
        return found if isinstance(found, dict) else dict(zip(("q", "qd", "qdd"), found, strict=True))

    compiled, with_tables = runtime.compile_program(made), runtime.compile_program(tabled)
    calls = {
        "program": compiled,
        "interpreted": made.call,
        "printed": printed,
        "tables": lambda t: with_tables(t=t, **tables(move)),
    }
    for name, call in calls.items():
        for t, as_if in ((np.nan, None), (np.inf, move.duration), (-np.inf, 0.0), (0.4 * move.duration, None)):
            found = call(t=float(t))
            expected = move(0.0 if np.isnan(t) else float(t) if as_if is None else as_if)
            for key, value in zip(("q", "qd", "qdd"), expected, strict=True):
                own = np.asarray(found[key], dtype=float)
                where = f"{seed} {move} {name} {key} at {t}"
                if np.isnan(t):
                    assert np.isnan(own).all(), where
                else:
                    np.testing.assert_allclose(own, value, rtol=0, atol=1e-10, err_msg=where)


@pytest.mark.parametrize("seed", range(12))
def test_a_time_that_is_nan_moves_nothing(seed: int) -> None:
    nan_gives_nan(seed)


@pytest.mark.parametrize("name", ["trapeze", "bang-bang", "linear", "still"])
def test_a_time_that_is_nan_in_c(name: str, tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    made = program(MOVES[name])
    (tmp_path / "motion.c").write_text(codegen.source(made, "c"))
    run_tool(["cc", "-O2", "-shared", "-fPIC", "-o", "motion.so", "motion.c", "-lm"], tmp_path).check_returncode()
    found = call_c(ctypes.CDLL(str(tmp_path / "motion.so")), made, {"t": np.array(np.nan)}, [])
    assert all(np.isnan(values).all() for values in found.values())
