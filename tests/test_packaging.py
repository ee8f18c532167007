"""Packages from one order: of all models of a robot, built, run and broken on purpose; and orders that cannot be."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from cpp_packages import exported
from language_report import tool
from robots_with import OF_SOME

import robosym
from robosym import models, packaging
from robosym.codegen import CodegenError
from robosym.errors import RobosymError
from robosym.packaging import write

STRICT = ["-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-pedantic"]

URDF = """<robot name="bench arm">
  <link name="base"/>
  {links}
</robot>"""
LINK = """
  <link name="l{i}"><inertial>
    <origin xyz="0.1 0.02 0" rpy="0.1 0 0"/><mass value="{mass}"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.015" ixy="0.001" ixz="0" iyz="0"/>
  </inertial></link>
  <joint name="j{i}" type="{kind}"><parent link="{parent}"/><child link="l{i}"/>
    <origin xyz="0.2 0 0.1" rpy="0.3 {i} 0"/><axis xyz="0 1 0.5"/>
    <limit lower="-2" upper="2" effort="9" velocity="9"/></joint>"""


def bench_arm(folder: Path) -> robosym.Robot:
    """Four joints out of line, numbers only, as a file of a CAD program has them."""
    kinds = ("revolute", "prismatic", "revolute", "revolute")
    links = [
        LINK.format(i=i, kind=kind, mass=1.5 / i, parent=f"l{i - 1}" if i > 1 else "base")
        for i, kind in enumerate(kinds, 1)
    ]
    path = folder / "bench.urdf"
    path.write_text(URDF.format(links="".join(links)), encoding="utf-8")
    return robosym.load(str(path))


@pytest.fixture(scope="module")
def checked(gcc: str, tmp_path_factory: pytest.TempPathFactory):
    """Compiles everything, every warning an error, and runs the self-check. A text is compiled once in all tests."""
    objects = tmp_path_factory.mktemp("objects")

    def run(folder: Path) -> subprocess.CompletedProcess[str]:
        compiler = [gcc, *STRICT, f"-I{folder / 'include'}"]
        listed = [*sorted((folder / "src").glob("*.c")), folder / "test" / "check.c"]
        names = {hashlib.sha1(path.read_bytes()).hexdigest(): path for path in listed}
        new = [name for name in names if not (objects / f"{name}.o").exists()]
        for name in new:
            shutil.copy(names[name], objects / f"{name}.c")
        done = call([*compiler, "-c", *(f"{name}.c" for name in new)], objects)
        assert done.returncode == 0, done.stderr[:4000]
        done = call([gcc, *(f"{name}.o" for name in names), "-lm", "-o", "check"], objects)
        assert done.returncode == 0, done.stderr[:4000]
        return call([str(objects / "check")], objects)

    return run


def call(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=200)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def rx90(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[packaging.Refused]]:
    folder = tmp_path_factory.mktemp("package") / "rx90"
    return folder, packaging.export(robosym.load("rx90"), "c", folder)


# --- the library in C ------------------------------------------------------------------------------------------------


@pytest.mark.delivery
def test_every_model_of_a_robot_is_built_and_right(rx90, checked):
    folder, refused = rx90
    assert [one.name for one in refused] == ["expanded"]
    assert refused[0].reason.startswith("has 6 joints")
    done = checked(folder)
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    names = [name for name in models.MODELS if name not in ("expanded", *OF_SOME)]
    assert [line.split()[:2] for line in lines[:-1]] == [["ok", name] for name in names]
    assert lines[-1] == "0 of 35 models wrong"
    readme = (folder / "README.md").read_text()
    assert "- expanded: has 6 joints" in readme
    assert all(f"| {name} | `rx90_" in readme for name in names)


def broken(folder: Path, to: Path, file: str, old: str, new: str) -> Path:
    shutil.copytree(folder, to)
    text = (to / file).read_text()
    assert old in text
    (to / file).write_text(text.replace(old, new, 1))
    return to


@pytest.mark.slow
def test_a_wrong_reference_value_is_noticed(rx90, checked, tmp_path):
    text = (rx90[0] / "test" / "check.c").read_text()
    table = text[text.index("check_rx90_gravity") :]
    second = table[table.index("of_Q") :].split("{")[2].split(",")[1].strip()
    assert text.count(second) == 1
    done = checked(broken(rx90[0], tmp_path / "a", "test/check.c", second, repr(float(second) * (1 + 1e-7))))
    assert done.returncode == 1
    assert [line.split()[1] for line in done.stdout.splitlines() if line.startswith("WRONG")] == ["gravity"]


def test_wrong_code_is_noticed(rx90, checked, tmp_path):
    """A solution that is lost, and one that is not a number."""
    file = "src/rx90_inverse_geometric.c"
    done = checked(broken(rx90[0], tmp_path / "a", file, "return total + 1;", "return total;"))
    assert done.returncode == 1
    assert "WRONG inverse-geometric" in done.stdout
    file = "src/rx90_energy.c"
    done = checked(broken(rx90[0], tmp_path / "b", file, "kinetic[0] = ", "kinetic[0] = (0.0/0.0) + "))
    assert done.returncode == 1
    assert "WRONG energy" in done.stdout


@pytest.mark.delivery
def test_cmake_builds_and_tests_it(gcc, rx90, tmp_path):
    cmake, ctest = shutil.which("cmake"), shutil.which("ctest")
    if cmake is None or ctest is None:
        pytest.skip("cmake is not installed: the package is not built with it")
    build = tmp_path / "build"
    flags = "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror -O0"
    for command in (
        [cmake, "-S", str(rx90[0]), "-B", str(build), flags, "-DCMAKE_BUILD_TYPE=Debug"],
        [cmake, "--build", str(build), "-j", "2"],
        [ctest, "--test-dir", str(build)],
    ):
        done = subprocess.run(command, capture_output=True, text=True, timeout=200)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.delivery
def test_a_robot_from_a_drawing(checked, tmp_path):
    """Numbers everywhere: nothing takes parameters, and there are no values to keep beside."""
    refused = packaging.export(bench_arm(tmp_path), "c", tmp_path / "out", frame="l4")
    done = checked(tmp_path / "out")
    assert done.returncode == 0, done.stdout
    assert "0 of 36 models wrong" in done.stdout, refused
    assert not (tmp_path / "out" / "parameters.json").exists()
    assert "as numbers: no function takes parameters" in (tmp_path / "out" / "README.md").read_text()


@pytest.mark.delivery
def test_parameters_without_values(checked, tmp_path):
    """They stay arguments; only the check has numbers for them, and the page says so."""
    robot = robosym.load("planar-2r")
    some = dict(list(robot.values.items())[1:])
    left = next(iter(robot.values))
    packaging.export(replace(robot, values=some), "c", tmp_path / "out", name="my arm")
    done = checked(tmp_path / "out")
    assert done.returncode == 0, done.stdout
    assert f"Without a value: {left}." in (tmp_path / "out" / "README.md").read_text()
    headers = "".join(path.read_text() for path in (tmp_path / "out" / "include").iterdir())
    assert "my_arm_transform_parameters" not in headers
    assert "my_arm_gravity_parameters" not in headers
    refused = packaging.export(replace(robot, values=some), "c", tmp_path / "numbers", numeric=True)
    assert any(one.name == "transform" for one in refused)
    assert all(f"no value for {left}: a model in numbers" in one.reason for one in refused)
    assert not (tmp_path / "numbers" / "include" / "planar_2r_transform.h").exists()
    assert (tmp_path / "numbers" / "include" / "planar_2r_transmission.h").exists()  # a direct drive has no parameter


@pytest.mark.delivery
@pytest.mark.parametrize(
    "options", [{"numeric": True}, {"precision": "float"}, {"numeric": True, "precision": "float"}]
)
def test_in_numbers_and_in_floats(checked, tmp_path, options):
    packaging.export(robosym.load("planar-2r"), "c", tmp_path / "out", **options)
    done = checked(tmp_path / "out")
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("0 of 36 models wrong\n")
    header = (tmp_path / "out" / "include" / "planar_2r_transform.h").read_text()
    assert ("const float *q" in header) == ("precision" in options)
    assert ("parameters" in header) == ("numeric" not in options)


# --- other languages -------------------------------------------------------------------------------------------------


@pytest.mark.delivery
def test_python_files_of_every_model(tmp_path):
    robot = robosym.load("planar-2r")
    refused = packaging.export(robot, "python", tmp_path / "out")
    made = {path.name for path in (tmp_path / "out").iterdir()}
    wanted = {f"planar_2r_{name.replace('-', '_')}.py" for name in models.MODELS if name not in OF_SOME}
    assert made == (wanted - {f"planar_2r_{one.name.replace('-', '_')}.py" for one in refused}) | {
        "README.md",
        "parameters.json",
        write.MANIFEST,
    }
    scope: dict = {}
    exec((tmp_path / "out" / "planar_2r_transform.py").read_text(), scope)
    listed = json.loads((tmp_path / "out" / "parameters.json").read_text())["models"]["transform"]
    found = scope["planar_2r_transform"]([0.3, -0.4], [one["value"] for one in listed])
    np.testing.assert_allclose(found, models.transform(robot).evaluate(q=[0.3, -0.4]), atol=1e-14)


@pytest.mark.delivery
@pytest.mark.parametrize("mode", ["cut+", "cut-"])
def test_closed_loops(checked, tmp_path, mode):
    """Every model in the mode requested, which each header says; the states of the self-check are those that can be assembled."""
    refused = packaging.export(robosym.load("four-bar"), "c", tmp_path / "out", mode=mode)
    assert not {"loop-geometry", "inverse-geometric", "forward-dynamics"} & {one.name for one in refused}
    done = checked(tmp_path / "out")
    assert done.returncode == 0, done.stdout
    headers = [path for path in (tmp_path / "out" / "include").glob("*.h") if path.stem not in NOT_MODELS]
    assert len(headers) > 20
    for path in headers:
        assert f"Closed loops assembled in mode: {mode}" in path.read_text(), path.name
    assert f"Closed loops assembled in mode: {mode}." in (tmp_path / "out" / "README.md").read_text()


NOT_MODELS = ("four_bar", "four_bar_parameters")


def test_how_closed_loops_are_assembled(tmp_path):
    robot = robosym.load("four-bar")
    near = packaging.order(robot, "c", near={"crank": 1.0, "coupler": -2.5})
    assert near.mode == "cut-"
    assert packaging.order(robot, "c", structure="tree").robot.structure == "tree"
    with pytest.raises(RobosymError, match="mode: got 'x', expected one of 'cut"):
        packaging.export(robot, "c", tmp_path / "out", mode="x")
    with pytest.raises(RobosymError, match="there is no closed loop"):
        packaging.order(robosym.load("planar-2r"), "c", mode="cut+")
    assert not (tmp_path / "out").exists()


@pytest.mark.delivery
def test_a_language_without_routines_leaves_them_out(tmp_path):
    refused = packaging.export(robosym.load("planar-2r"), "jax", tmp_path / "out")
    reason = "it has loops and branches, and is not written in jax"
    assert packaging.Refused("inverse-geometric", reason) in refused
    assert packaging.export(robosym.load("planar-2r"), "json", tmp_path / "data") == []


@pytest.mark.delivery
def test_headers_of_every_model_in_cpp(tmp_path):
    gpp = tool("cpp")
    packaging.export(robosym.load("planar-2r"), "c++", tmp_path / "out")
    headers = sorted(path.name for path in (tmp_path / "out").glob("*.hpp"))
    assert "planar_2r_inverse_dynamics.hpp" in headers
    use = tmp_path / "use.cpp"
    use.write_text("".join(f'#include "{name}"\n' for name in headers) + "int main() { return 0; }\n")
    command = [gpp, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{tmp_path / 'out'}", str(use)]
    subprocess.run(command, check=True, timeout=60)


def test_an_option_the_language_has_not_is_named():
    with pytest.raises(CodegenError, match="'python' has no option 'precision'"):
        packaging.order(robosym.load("planar-2r"), "python", precision="float")
    with pytest.raises(CodegenError, match="did you mean 'rust'"):
        packaging.order(robosym.load("planar-2r"), "rusty")


# --- orders -------------------------------------------------------------------------------------------------------------


@pytest.mark.delivery
def test_the_same_order_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        packaging.export(robosym.load("double-pendulum"), "c", tmp_path / name)
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")


def test_what_is_requested_must_be_there(tmp_path: Path) -> None:
    robot = robosym.load("rx90")
    with pytest.raises(CodegenError, match="expanded: has 6 joints"):
        packaging.export(robot, "c", tmp_path / "out", kind="ros2-control", models=["gravity", "expanded"])
    with pytest.raises(CodegenError, match="there is no model 'gravty', did you mean 'gravity'"):
        packaging.order(robot, kind="python", models=["gravty"])
    with pytest.raises(CodegenError, match="expected one of 'cmake', 'ros2-control', 'python'"):
        packaging.order(robot, kind="ros")
    with pytest.raises(CodegenError, match="made of C, not of rust"):
        packaging.order(robot, "rust", kind="python")
    with pytest.raises(CodegenError, match="computes in doubles"):
        packaging.order(robot, kind="ros2-control", precision="float")
    assert not (tmp_path / "out").exists()


def test_a_folder_with_other_things_is_refused_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    robot = robosym.load("planar-2r")
    folder = exported(robot, tmp_path / "out", ["gravity"])
    (folder / "build").mkdir()
    exported(robot, folder, ["gravity"])  # again, whatever was built in it
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    monkeypatch.setattr(packaging, "parts", None)  # not asked for
    for options in ({"kind": "ros2-control"}, {"kind": "python"}, {"models": ["gravity"]}):
        with pytest.raises(RobosymError, match="holds other files"):
            packaging.export(robot, "c", tmp_path / "mine", **options)  # type: ignore[arg-type]
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (
            {"language": "c", "kind": ""},
            "got the kind of package '', expected one of 'cmake', 'ros2-control', 'python'",
        ),
        ({"language": "rust", "kind": "python"}, "a package of the kind 'python' is made of C, not of rust"),
        (
            {"kind": "python", "precision": "float"},
            "a package of the kind 'python' computes in doubles, got the precision 'float'",
        ),
        ({"language": "rust", "precision": "float"}, "the language 'rust' has no option 'precision'"),
        ({"models": ["gravty"]}, "there is no model 'gravty'"),
        ({"frame": "hand"}, "there is no frame 'hand'"),
        ({"frame": 99}, "there is no frame 99"),
        ({"coordinates": "motors"}, "only a platform on legs has other coordinates than q"),
        ({"language": "cobol"}, "cobol"),
    ],
)
def test_orders_that_make_no_sense(options: dict, problem: str) -> None:
    with pytest.raises(RobosymError) as raised:
        packaging.order(robosym.load("planar-2r"), **options)
    assert problem in str(raised.value)


def test_an_order_knows_what_it_was_given() -> None:
    robot = robosym.load("planar-2r")
    order = packaging.order(robot, "C++", name="arm", frame="link1", models=("gravity", "jacobian", "gravity"))
    assert (order.robot, order.language, order.name, order.kind) == (robot, "cpp", "arm", packaging.CMAKE)
    assert (order.frame, order.models, order.mode, order.precision) == (1, ("gravity", "jacobian"), None, "double")
    assert packaging.order(robot).name == "planar-2r"


def test_an_order_of_a_platform_knows_its_mode_and_coordinates() -> None:
    order = packaging.order(robosym.load("planar-3rrr"), mode="leg2 elbow-", coordinates="motors")
    assert (order.coordinates, order.mode) == ("motors", "leg1 elbow+, leg2 elbow-, leg3 elbow+")
    assert order.loops == {"mode": "leg2 elbow-", "near": None}
    assert packaging.order(robosym.load("four-bar"), near={"crank": 1.0, "coupler": -2.5}).mode == "cut-"


def test_what_is_left_out_and_how_much_there_is_to_do(tmp_path: Path) -> None:
    order = packaging.order(robosym.load("planar-2r"), "jax", models=["gravity", "transform"])
    found, count = packaging.work(order)
    made = list(found)
    assert [part.name for part in made] == ["gravity", "transform"]
    assert count == 2
    refused = packaging.Refused("step", "no")
    assert packaging.left_out([*made, refused]) == [refused]
    assert packaging.left_out(made) == []


def test_files_that_are_exported_are_those_that_are_assembled(tmp_path: Path) -> None:
    robot = robosym.load("planar-2r")
    assert packaging.export(robot, "rust", tmp_path / "out", models=["gravity"]) == []
    order = packaging.order(robot, "rust", models=["gravity"])
    expected = packaging.assembled(order, list(packaging.parts(order)))
    found = {name: text.decode() for name, text in files_of(tmp_path / "out").items() if name != write.MANIFEST}
    assert found == expected
