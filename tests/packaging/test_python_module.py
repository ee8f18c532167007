"""The extension module: built as its user builds it, compared with functions compiled in process, given what it cannot take."""

from __future__ import annotations

import array
import ast
import importlib
import inspect
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import threading
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np
import package_robots as robots
import pytest
from language_report import tool

import robosym
from robosym import models, packaging

pytestmark = pytest.mark.delivery

RX90 = ("inverse-dynamics", "gravity", "geometric", "energy", "step")


def build(robot: robosym.Robot, folder: Path, names: Sequence[str], **options: Any) -> Path:
    """The folder with the built module, as it would be installed."""
    tool("c")
    pytest.importorskip("setuptools", reason="setuptools is not installed: the module is not built")
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        pytest.skip("Python.h is not installed: the module is not built")
    assert packaging.export(robot, "c", folder, kind="python", models=names, **options) == []
    flags = {"CFLAGS": "-O0 -Wall -Wextra -Wconversion -Werror"}
    command = [sys.executable, "setup.py", "-q", "build", "--build-lib", "lib", "--build-temp", "objects"]
    done = subprocess.run(command, cwd=folder, env={**os.environ, **flags}, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return folder / "lib"


def imported(folder: Path, name: str) -> ModuleType:
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(robosym.load("rx90"), tmp_path_factory.mktemp("python") / "out", RX90, name="rx90_built")


@pytest.fixture(scope="module")
def rx90(built: Path) -> ModuleType:
    return imported(built, "rx90_built")


@pytest.fixture(scope="module")
def own() -> dict[str, Any]:
    """The same models, compiled in process."""
    robot = robosym.load("rx90")
    return {name.replace("-", "_"): models.MODELS[name](robot).compile() for name in RX90}


def same(found: Any, expected: Any) -> None:
    wanted = np.asarray(expected)
    assert type(found) is np.ndarray
    assert found.dtype == np.float64
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-11 * max(1.0, np.abs(wanted).max(initial=0.0)))


# --- values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lead", [(), (1,), (5,), (0,), (2, 3)])
def test_one_state_and_many(rx90: ModuleType, own: dict[str, Any], lead: tuple[int, ...]) -> None:
    random = np.random.default_rng(1)
    q, qd, qdd = (random.uniform(-1, 1, (*lead, 6)) for _ in range(3))
    wrench, dt = random.uniform(-1, 1, (*lead, 1, 6)), random.uniform(0, 0.01, lead)

    def expected(name: str, **inputs: np.ndarray) -> Any:
        """State by state: what is compiled in process has its own rules for batches."""
        if not lead:
            return own[name](**inputs)
        count = int(np.prod(lead))
        flat = {k: x.reshape(count, *x.shape[len(lead) :]) for k, x in inputs.items()}
        found = [own[name](**{k: x[i] for k, x in flat.items()}) for i in range(count)]
        empty = own[name](**{k: np.zeros(x.shape[1:]) for k, x in flat.items()})
        if not isinstance(empty, dict):
            return np.array(found).reshape(*lead, *empty.shape)
        return {k: np.array([one[k] for one in found]).reshape(*lead, *x.shape) for k, x in empty.items()}

    same(rx90.gravity(q), expected("gravity", q=q))
    same(rx90.geometric(q=q), expected("geometric", q=q))
    same(rx90.inverse_dynamics(q, qd, qdd), expected("inverse_dynamics", q=q, qd=qd, qdd=qdd))
    torques = expected("inverse_dynamics", q=q, qd=qd, qdd=qdd, wrench=wrench)
    same(rx90.inverse_dynamics(q, qd, wrench=wrench, qdd=qdd), torques)
    energy, wanted = rx90.energy(q, qd), expected("energy", q=q, qd=qd)
    assert isinstance(energy, rx90.EnergyResult)
    for name in ("kinetic", "potential", "total"):
        same(getattr(energy, name), wanted[name])
    after, wanted = rx90.step(q, qd, qdd, dt), expected("step", q=q, qd=qd, tau=qdd, dt=dt)
    same(after.q_next, wanted["q_next"])
    same(after.qd_next, wanted["qd_next"])


def test_some_inputs_for_all_states(rx90: ModuleType, own: dict[str, Any]) -> None:
    random = np.random.default_rng(2)
    q, qd, wrench = random.uniform(-1, 1, (4, 6)), random.uniform(-1, 1, 6), random.uniform(-1, 1, 6)
    expected = [own["inverse_dynamics"](q=x, qd=qd, qdd=qd, wrench=wrench) for x in q]
    same(rx90.inverse_dynamics(q, qd, qd, wrench), expected)  # the only row of the wrench, as a vector
    same(rx90.inverse_dynamics(q, qd, qd, None), [own["inverse_dynamics"](q=x, qd=qd, qdd=qd) for x in q])


def test_other_parameters(rx90: ModuleType, own: dict[str, Any]) -> None:
    q = np.random.default_rng(3).uniform(-1, 1, (3, 6))
    for changed in ({"M3": 9.5, "D3": 0.5}, {"M3": 9, "YY1": 2.0}, MappingProxyType({"RL4": np.float64(0.3)}), {}):
        expected = [own["gravity"](q=x, parameters=changed) for x in q]
        same(rx90.gravity(q, parameters=changed), expected)
    same(rx90.gravity(q, parameters=None), [own["gravity"](q=x) for x in q])  # nothing has stayed changed
    assert rx90.parameters["D3"] == robosym.load("rx90").values["D3"].number
    assert rx90.missing_parameters == ()


def odd_arrays(q: np.ndarray) -> Iterator[tuple[str, Any]]:
    wide = np.zeros((len(q), 2 * q.shape[1]))
    wide[:, ::2] = q
    yield "every other column", wide[:, ::2]
    yield "backwards", np.ascontiguousarray(q[::-1, ::-1])[::-1, ::-1]
    yield "by columns", np.asfortranarray(q)
    yield "the other way round in memory", q.astype(">f8")
    off = np.zeros(q.nbytes + 1, dtype=np.uint8)[1:].view()
    off[:] = np.frombuffer(q.tobytes(), dtype=np.uint8)
    yield "not aligned", off.view(np.float64).reshape(q.shape)
    fixed = q.copy()
    fixed.flags.writeable = False
    yield "read only", fixed
    yield "lists", q.tolist()
    yield "rows", tuple(q)
    yield "a memoryview", memoryview(q)
    yield "a subclass", q.view(np.recarray)
    yield "nothing masked", np.ma.masked_array(q)
    yield "arrays of Python", [array.array("d", row) for row in q]
    yield "long doubles", q.astype(np.longdouble)


def test_numbers_in_any_container(rx90: ModuleType) -> None:
    q = np.random.default_rng(4).uniform(-1, 1, (3, 6))
    expected = rx90.gravity(q.copy())
    for what, given in odd_arrays(q):
        np.testing.assert_array_equal(rx90.gravity(given), expected, err_msg=what)
    whole = np.arange(18).reshape(3, 6)
    for kind in (np.int8, np.uint16, np.int64, np.float16, np.float32):
        np.testing.assert_array_equal(rx90.gravity(whole.astype(kind)), rx90.gravity(whole.astype(float)))
    np.testing.assert_array_equal(rx90.gravity(whole.tolist()), rx90.gravity(whole.astype(float)))
    single = q.astype(np.float32)
    np.testing.assert_array_equal(rx90.gravity(single), rx90.gravity(single.astype(float)))
    np.testing.assert_array_equal(rx90.gravity(whole > 3), rx90.gravity((whole > 3).astype(float)))


# --- what it cannot take ---------------------------------------------------------------------------------------------

Z = np.zeros(6)
BAD = [
    ((np.zeros(5), Z, Z), {}, ValueError, r"inverse_dynamics: q: has the shape \(5,\), expected \(6,\) or, of many states, \(\.\.\., 6\): waist \[rad\]"),
    ((0.0, Z, Z), {}, ValueError, r"q: has the shape \(\)"),
    ((Z, np.zeros((6, 5)), Z), {}, ValueError, r"qd: has the shape \(6, 5\)"),
    ((np.zeros((2, 6)), np.zeros((3, 6)), Z), {}, ValueError, r"qd: has states by \(3,\), and q by \(2,\)"),
    ((np.zeros((2, 6)), Z, np.zeros((1, 2, 6))), {}, ValueError, r"qdd: has states by \(1, 2\), and q by \(2,\)"),
    ((Z, Z, Z), {"wrench": np.zeros((2, 6))}, ValueError, r"wrench: has the shape \(2, 6\), expected \(1, 6\)"),
    ((np.zeros((1,) * 9 + (6,)), Z, Z), {}, ValueError, "q: has the shape"),
    ((Z, Z), {}, TypeError, r"inverse_dynamics\(\) needs 'qdd'"),
    ((), {}, TypeError, r"needs 'q'"),
    ((Z, Z, None), {}, TypeError, "qdd: expected real numbers, got object"),
    ((Z, Z, Z, None, None), {}, TypeError, "at most 4 positional arguments, got 5"),
    ((Z, Z, Z), {"q": Z}, TypeError, r"got 'q' twice"),
    ((Z, Z, Z), {"tau": Z}, TypeError, r"has no argument 'tau'"),
    ((Z, Z, ["1"] * 6), {}, TypeError, "expected real numbers, got <U1"),
    ((Z, Z, [None] * 6), {}, TypeError, "expected real numbers, got object"),
    ((Z, Z, Z + 1j), {}, TypeError, "expected real numbers, got complex128"),
    ((Z, Z, [[1, 2], [3]]), {}, ValueError, "qdd: expected an array of real numbers"),
    ((Z, Z, np.ma.masked_array(Z, Z == 0)), {}, TypeError, "got a masked array"),
    ((Z, Z, np.array(["2026-01-01"] * 6, "M8[D]")), {}, TypeError, "expected real numbers, got datetime64"),
    ((Z, Z, np.full(6, np.longdouble("1e400"))), {}, ValueError, "too large for a double"),
    ((Z, Z, Z), {"parameters": [("M3", 1.0)]}, TypeError, "parameters: expected a mapping"),
    ((Z, Z, Z), {"parameters": 3}, TypeError, "parameters: expected a mapping"),
    ((Z, Z, Z), {"parameters": {"X": 1.0}}, ValueError, "the robot has no parameter 'X'"),
    ((Z, Z, Z), {"parameters": {"\udc80": 1.0}}, ValueError, "the robot has no parameter"),
    ((Z, Z, Z), {"parameters": {3: 1.0}}, TypeError, "parameters: expected names, got 3"),
    ((Z, Z, Z), {"parameters": {"M3": "heavy"}}, TypeError, "parameters: M3: expected a number"),
    ((Z, Z, Z), {"parameters": {"M3": np.ones(2)}}, TypeError, "parameters: M3: expected a number"),
    ((Z, Z, Z), {"parameters": {"M3": float("nan")}}, ValueError, "parameters: M3: expected a finite number"),
]  # fmt: skip


@pytest.mark.parametrize(("args", "named", "kind", "said"), BAD)
def test_what_it_cannot_take(
    rx90: ModuleType, args: tuple[Any, ...], named: dict[str, Any], kind: type[Exception], said: str
) -> None:
    if "400" in str(args) and np.finfo(np.longdouble).max < np.longdouble("1e400"):
        pytest.skip("long doubles are doubles here")
    with pytest.raises(kind, match=said):
        rx90.inverse_dynamics(*args, **named)


def test_memory_stays_flat(rx90: ModuleType) -> None:
    """A hundred thousand calls of every kind, right and wrong ones: no object and no byte is left behind."""
    q, many, text = np.zeros(6), np.zeros((4, 12))[:, ::2], "M3"
    changed, wrong = {text: 5.0}, {text: "heavy"}

    def calls() -> None:
        rx90.gravity(q)
        rx90.gravity(q.tolist())
        rx90.energy(many, qd=q)
        rx90.gravity(q, parameters=changed)
        for args, named in (((many[:, :5],), {}), ((q,), {"parameters": wrong}), ((text,), {}), ((), {"x": q})):
            try:
                rx90.gravity(*args, **named)
            except (TypeError, ValueError):
                continue
            raise AssertionError("not noticed")

    def state() -> tuple[int, ...]:
        held = (q, many, text, changed, wrong, None, rx90.EnergyResult, np.ndarray, rx90.gravity)
        return tuple(map(sys.getrefcount, held))

    for _ in range(100):
        calls()
    before = state()
    tracemalloc.start()
    try:
        calls()
        least = tracemalloc.get_traced_memory()[0]
        for _ in range(2000):
            calls()
        assert tracemalloc.get_traced_memory()[0] - least < 20_000
    finally:
        tracemalloc.stop()
    resident = pages()
    for _ in range(100_000):
        rx90.gravity(q)
    for _ in range(10_000):
        calls()
    assert all(abs(after - at_first) < 50 for after, at_first in zip(state(), before, strict=True))
    assert pages() - resident < 1000  # 4 MB; 110 000 lost arrays would be more than 10


def pages() -> int:
    """Of memory that this process holds; 0 where the system does not say."""
    path = Path("/proc/self/statm")
    return int(path.read_text().split()[1]) if path.exists() else 0


def test_other_threads_go_on_during_a_batch(rx90: ModuleType) -> None:
    """Threads do not change by themselves here: another one runs during the batch only if the batch lets it."""
    q, seen = np.zeros((200_000, 6)), []
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60.0)
    try:
        for _ in range(5):
            started, done = threading.Event(), []

            def work(started: threading.Event = started, done: list[int] = done) -> None:
                started.set()
                rx90.gravity(q)
                done.append(1)

            thread = threading.Thread(target=work)
            thread.start()
            started.wait()
            seen.append(not done)
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert any(seen)


# --- what people read ------------------------------------------------------------------------------------------------


def test_docstrings_and_signatures(rx90: ModuleType) -> None:
    assert str(inspect.signature(rx90.inverse_dynamics)) == "(q, qd, qdd, wrench=None, *, parameters=None)"
    assert str(inspect.signature(rx90.step)) == "(q, qd, tau, dt, wrench=None, *, parameters=None)"
    words = rx90.inverse_dynamics.__doc__
    assert "q (6,): waist [rad], shoulder [rad], elbow [rad]" in words
    assert "qdd (6,): waist [rad/s^2]" in words
    assert "tau (6,): waist [N m]" in words
    assert "wrench (1, 6): forces, moments [N, N m] on the environment by link6" in words
    limits = robosym.load("rx90").frames[2].joint.limits
    assert rx90.joint_names == robosym.load("rx90").joint_names
    assert rx90.limits["elbow"][:4] == (limits.lower, limits.upper, limits.velocity, np.inf)


def test_types(rx90: ModuleType, built: Path, tmp_path: Path) -> None:
    """The stub says what there is, and mypy believes it."""
    stub = ast.parse((built / "rx90_built" / "_native.pyi").read_text())
    typed = {one.name: one for one in stub.body if isinstance(one, ast.FunctionDef)}
    assert sorted(typed) == sorted(name.replace("-", "_") for name in RX90)
    for name, one in typed.items():
        listed = [argument.arg for argument in (*one.args.args, *one.args.kwonlyargs)]
        assert listed == list(inspect.signature(getattr(rx90, name)).parameters)
    assert (built / "rx90_built" / "py.typed").exists()
    mypy = shutil.which("mypy", path=str(Path(sys.executable).parent))
    if mypy is None:
        pytest.skip("mypy is not installed: the stub is read, not used")
    user = "import rx90_built as arm\nx: float = arm.limits['elbow'].upper\ny = arm.step([0.0] * 6, [0] * 6, [0] * 6, 0.1).q_next\n"
    (tmp_path / "right.py").write_text(user + "reveal_type(y)\n")
    (tmp_path / "wrong.py").write_text("import rx90_built as arm\narm.gravity()\narm.energy([1], [2]).totl\n")
    command = [mypy, "--strict", "--config-file=", "--cache-dir", str(tmp_path / "cache"), "right.py", "wrong.py"]
    environment = {**os.environ, "MYPYPATH": str(built)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert len(errors) == 2, done.stdout
    assert 'Missing positional argument "q"' in errors[0]
    assert 'has no attribute "totl"' in errors[1]
    assert "right.py:4" in done.stdout


def test_it_needs_no_robosym_and_checks_itself(built: Path, tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['robosym'] = None; import rx90_built as arm; print(sorted(arm.check())); "
        "print(arm.gravity([0.1] * 6).shape)"
    )
    environment = {"PYTHONPATH": str(built), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=100
    )
    assert done.stdout.splitlines() == [str(sorted(name.replace("-", "_") for name in RX90)), "(6,)"], done.stderr
    shutil.copytree(built, tmp_path / "broken")
    samples = tmp_path / "broken" / "rx90_built" / "samples.json"
    data = json.loads(samples.read_text())
    data["gravity"]["expected"][1]["Q"][1] *= 1 + 1e-7
    samples.write_text(json.dumps(data))
    for folder, code_, said in ((built, 0, "ok    gravity "), (tmp_path / "broken", 1, "wrong: gravity (")):
        done = subprocess.run(
            [sys.executable, "-m", "rx90_built"],
            cwd=tmp_path,
            env={**environment, "PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
            timeout=100,
        )
        assert done.returncode == code_, done.stderr
        assert said in done.stdout


# --- other robots ----------------------------------------------------------------------------------------------------


def test_hostile_names_and_a_parameter_without_a_value(tmp_path: Path) -> None:
    robot = robots.hostile()
    missing = next(s.name for s in models.gravity(robot).code.parameter_symbols)
    robot = robot.replace(values={name: value for name, value in robot.values.items() if name != missing})
    lib = build(robot, tmp_path / "out", ["gravity", "geometric"])
    (package,) = (path.name for path in lib.iterdir())
    module = imported(lib, package)
    assert module.joint_names == robot.joint_names
    assert list(module.limits) == list(robot.joint_names)
    assert module.missing_parameters == (missing,)
    module.check()
    with pytest.raises(ValueError, match=f"no value for the parameter '{missing}'"):
        module.gravity([0.1, 0.2, 0.3])
    found = module.gravity([0.1, 0.2, 0.3], parameters={missing: 0.75})
    same(found, models.gravity(robot).compile()(q=[0.1, 0.2, 0.3], parameters={missing: 0.75}))


def test_closed_loops_with_several_solutions(tmp_path: Path) -> None:
    robot = robosym.load("four-bar")
    module = imported(
        build(robot, tmp_path / "out", ["gravity", "loop-geometry", "inverse-geometric"], mode="cut-", name="four_bar_built"),
        "four_bar_built",
    )  # fmt: skip
    module.check()
    assert module.joint_names == ("crank",)
    assert module.following_joint_names == ("coupler", "rocker", "cut")
    loops = models.loop_geometry(robot, mode="cut-")
    q = np.array([[0.4], [1.1]])
    found = module.loop_geometry(q)
    same(found.positions, [loops.compile()(q=x)["positions"] for x in q])
    same(found.assembled, [1.0, 1.0])
    by_name = {name: float(x) for name, x in loops.by_name(loops.compile()(q=q[0])).items()}
    assert dict(zip(module.all_joint_names, found.positions[0], strict=True)) == pytest.approx(by_name)
    held = module.gravity(q)
    same(held.Q, [models.gravity(robot, mode="cut-").compile()(q=x)["Q"] for x in q])
    T = np.array(models.transform(robot, mode="cut-").evaluate(q=[0.4])["T"])
    solved = module.inverse_geometric(T, seed=[0.4])
    assert solved.count >= 1
    assert solved.solutions[0] == pytest.approx([0.4])


def test_mimic_and_a_free_base(tmp_path: Path) -> None:
    robot = robots.panda()
    module = imported(build(robot, tmp_path / "panda", ["gravity"], name="panda_built"), "panda_built")
    assert module.mimic == {"panda_finger_joint2": ("panda_finger_joint1", 1.0, 0.0)}
    assert module.limits["panda_finger_joint2"].upper == 0.04
    q = np.random.default_rng(9).uniform(-1, 1, 8)
    same(module.gravity(q), models.gravity(robot).compile()(q=q))
    robot = robots.floating()
    names = ["inverse-dynamics", "forward-dynamics"]
    module = imported(build(robot, tmp_path / "flyer", names, name="flyer_built"), "flyer_built")
    q = np.random.default_rng(9).uniform(-1, 1, (5, 9))
    q[:, 3:7] /= np.linalg.norm(q[:, 3:7], axis=1, keepdims=True)
    qd, qdd = np.random.default_rng(10).uniform(-1, 1, (2, 5, 8))
    tau = module.inverse_dynamics(q, qd, qdd)
    same(tau, models.inverse_dynamics(robot).compile()(q=q, qd=qd, qdd=qdd))
    same(module.forward_dynamics(q, qd, tau), qdd)
    words = " ".join(module.inverse_dynamics.__doc__.split())
    first = robot.joint_names[0]
    assert f"q (9,): base_x, base_y, base_z, base_qx, base_qy, base_qz, base_qw, {first} [rad]" in words
    assert f"tau (8,): the base in its own axes: force [N], moment [N m] (6), {first} [N m]" in words
