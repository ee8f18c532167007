"""The header for controllers: compiled with every warning an error, run, and compared with functions compiled in process."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import package_robots as robots
import pytest
from cpp_packages import STRICT, call, compiler, exported
from language_report import tool

import robosym
from robosym import models, packaging
from robosym.codegen import CodegenError
from robosym.robot import Robot

pytestmark = pytest.mark.delivery

COMPILERS = ("g++", "clang++")

HEAD = """
#include "{stem}.hpp"
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

static long taken = 0;  // how often memory was
void* operator new(std::size_t size) {{ ++taken; if (void* found = std::malloc(size)) {{ return found; }} throw std::bad_alloc(); }}
void operator delete(void* place) noexcept {{ std::free(place); }}
void operator delete(void* place, std::size_t) noexcept {{ std::free(place); }}

using namespace robosym::{stem};

template <class Numbers>
static void print(const Numbers& numbers)
{{
    for (std::size_t i = 0; i < numbers.size(); i++) {{ std::printf("%.17g ", numbers.data()[i]); }}
    std::printf("\\n");
}}
[[maybe_unused]] static void print(double number) {{ std::printf("%.17g\\n", number); }}
template <std::size_t N>
static std::array<double, N> read()
{{
    std::array<double, N> found{{}};
    for (double& one : found) {{ if (std::scanf("%lf", &one) != 1) {{ std::exit(2); }} }}
    return found;
}}
"""


def built(folder: Path, text: str, cpp: str, of_library: bool = True) -> Path:
    """A program with that text, with the library in C."""
    gcc = tool("c")
    (folder / "main.cpp").write_text(text, encoding="ascii")
    objects = []
    for source in sorted((folder / "src").glob("*.c")) if of_library else ():
        objects.append(str(source.with_suffix(".o")))
        call([gcc, "-O0", "-Iinclude", "-c", str(source), "-o", objects[-1]], folder)
    call([cpp, *STRICT, "-Iinclude", "main.cpp", *objects, "-lm", "-o", "main"], folder)
    return folder / "main"


def numbers(text: str) -> list[np.ndarray]:
    return [np.array(line.split(), dtype=float) for line in text.splitlines()]


def listed(*arrays: Any) -> str:
    return " ".join(repr(x) for array in arrays for x in np.ravel(array).tolist()) + "\n"


def same(found: np.ndarray, expected: Any) -> None:
    wanted = np.ravel(np.asarray(expected, dtype=float))
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9 * max(1.0, np.abs(wanted).max(initial=0.0)))


# --- values ----------------------------------------------------------------------------------------------------------

RX90 = ("inverse-dynamics", "gravity", "geometric", "jacobian", "forward-dynamics", "inverse-geometric", "energy")
MAIN_RX90 = """
static_assert(joint_count == 6 && position_size == 6 && first_position == 0);
static_assert(upper_limits[Joint::elbow] == {upper} && effort_limits[Joint::elbow] == unlimited);
static_assert(noexcept(std::declval<const Model&>().gravity(std::array<double, 6>{{}})));
static_assert(noexcept(std::declval<const Model&>().inverse_geometric(Matrix<4, 4>{{}})));
static_assert(noexcept(std::declval<JointOrder&>().to_model(std::array<double, 6>{{}})));

int main()
{{
    Parameters heavier;
    heavier.M6 += 2.0;
    const Model model, loaded(heavier);
    const long before = taken;
    for (int k = 0; k < {count}; k++) {{
        const auto q = read<6>(), qd = read<6>(), qdd = read<6>(), wrench = read<6>();
        const auto tau = model.inverse_dynamics(q, qd, qdd, wrench);
        print(tau);
        print(model.inverse_dynamics(q, qd, qdd));
        print(loaded.inverse_dynamics(q, qd, qdd));
        print(model.gravity(q));
        const auto T = model.geometric(q);
        print(T);
        print(model.jacobian(q));
        print(model.forward_dynamics(q, qd, tau, wrench));
        const auto energy = model.energy(q, qd);
        print(energy.total);
        const auto any = model.inverse_geometric(T);
        print(any.count);
        const auto near = model.inverse_geometric(T, q);
        print(Input<6>::at(near.solutions.data())[Joint::elbow]);
        print(near.solutions(0, Joint::flange));
        print(model.inverse_geometric(T, {{}}, position_limits).count);
    }}
    return taken == before ? 0 : 3;
}}
"""


@pytest.mark.parametrize("cpp", COMPILERS)
def test_rx90(cpp: str, tmp_path: Path) -> None:
    path, robot = compiler(cpp), robosym.load("rx90")
    folder = exported(robot, tmp_path / "out", RX90)
    random, count = np.random.default_rng(5), 2
    upper = repr(robot.frames[2].joint.limits.upper)
    text = HEAD.format(stem="rx90") + MAIN_RX90.format(upper=upper, count=count)
    states = random.uniform(-1, 1, (count, 4, 6))
    found = iter(numbers(call([str(built(folder, text, path))], folder, listed(states))))
    own = {name: models.MODELS[name](robot).compile() for name in RX90 if name != "inverse-geometric"}
    solve = models.inverse_geometric(robot)
    limits = np.array([[j.bounds.lower, j.bounds.upper] for j in packaging_joints(robot)]).T
    for q, qd, qdd, wrench in states:
        tau = own["inverse-dynamics"](q=q, qd=qd, qdd=qdd, wrench=wrench)
        same(next(found), tau)
        same(next(found), own["inverse-dynamics"](q=q, qd=qd, qdd=qdd))
        heavier = {"M6": robot.values["M6"].number + 2.0}
        same(next(found), own["inverse-dynamics"](q=q, qd=qd, qdd=qdd, parameters=heavier))
        same(next(found), own["gravity"](q=q))
        T = own["geometric"](q=q)
        same(next(found), T)
        same(next(found), own["jacobian"](q=q))
        same(next(found), qdd)
        same(next(found), own["energy"](q=q, qd=qd)["total"])
        same(next(found), solve.code.call(T=T, parameters=solve.values, **solve.defaults)["count"])
        same(next(found), q[2])  # the nearest to the seed is the seed
        same(next(found), q[5])
        same(
            next(found), solve.code.call(T=T, parameters=solve.values, **{**solve.defaults, "limits": limits})["count"]
        )


def packaging_joints(robot: robosym.Robot) -> Any:
    from robosym.packaging.joints import joints_of

    return joints_of(robot).driven


MAIN_PANDA = """
static_assert(joint_count == 8 && joint_is_prismatic[Joint::panda_finger_joint1]);
static_assert(lower_limits[Joint::panda_joint4] == -3.0718 && velocity_limits[Joint::panda_joint5] == 2.61);
static_assert(effort_limits[Joint::panda_joint1] == 87.0 && following_upper_limits[0] == 0.04);
static_assert(mimic_joints.size() == 1 && mimic_joints[0].master == Joint::panda_finger_joint1);
static_assert(mimic_joints[0].ratio == 1.0 && mimic_joints[0].offset == 0.0);

int main()
{
    const auto q = read<8>(), qd = read<8>(), qdd = read<8>();
    const Model model;
    const std::vector<double> there(q.begin(), q.end()), short_one(7);
    const auto given = Input<8>::of(there);
    if (!given || Input<8>::of(short_one)) { return 4; }
    print(model.inverse_dynamics(*given, qd, qdd));
    print(model.gravity(q));
    print(model.geometric(q));
    std::printf("%s %s", joint_names[Joint::panda_joint4], following_joint_names[0]);
    std::printf(" %s\\n", all_joint_names[FollowingJoint::panda_finger_joint2]);
    JointOrder order;
    std::vector<std::string> names(joint_names.begin(), joint_names.end());
    std::swap(names[0], names[5]);
    std::swap(names[5], names[2]);
    if (!order.configure(names).empty()) { return 5; }
    print(order.to_model(q));
    print(order.to_controller(order.to_model(q)));
    print(static_cast<double>(order.model_index(0) * 10 + order.controller_index(0)));
    names[3] = "panda_finger_joint2";
    names.push_back(names[1]);
    names.push_back("gripper");
    std::printf("%s\\n", order.configure(names).c_str());
    print(order.to_model(q));
    return 0;
}
"""


@pytest.mark.parametrize("cpp", COMPILERS)
def test_panda_from_its_urdf(cpp: str, tmp_path: Path) -> None:
    path, robot = compiler(cpp), robots.panda()
    names = ("inverse-dynamics", "gravity", "geometric")
    folder = exported(robot, tmp_path / "out", names, frame="panda_hand_tcp")
    main = built(folder, HEAD.format(stem="panda") + MAIN_PANDA, path)
    q, qd, qdd = np.random.default_rng(6).uniform(-1, 1, (3, 8))
    said = call([str(main)], folder, listed(q, qd, qdd)).splitlines()
    same(numbers(said[0])[0], models.inverse_dynamics(robot).compile()(q=q, qd=qd, qdd=qdd))
    same(numbers(said[1])[0], models.gravity(robot).compile()(q=q))
    same(numbers(said[2])[0], models.geometric(robot, frame="panda_hand_tcp").compile()(q=q))
    assert said[3] == "panda_joint4 panda_finger_joint2 panda_finger_joint2"
    swapped = q.copy()
    swapped[[5, 0, 2]] = q[[0, 2, 5]]  # the controller's 0, 2 and 5 are the model's 5, 0 and 2
    same(numbers(said[4])[0], swapped)
    same(numbers(said[5])[0], q)
    assert said[6] == "52"
    assert said[7] == (
        "follows from other joints: 'panda_finger_joint2'; stands twice: 'panda_joint2'; "
        "is no joint of the robot: 'gripper'; is missing: 'panda_joint4'"
    )
    same(numbers(said[8])[0], swapped)  # as it was configured before


MAIN_SR400 = """
int main()
{
    const auto q = read<6>(), qd = read<6>(), qdd = read<6>();
    const Model model;
    print(model.inverse_dynamics(q, qd, qdd));
    print(model.gravity(q));
    const auto all = model.loop_geometry(q);
    print(all.positions);
    print(all.positions[FollowingJoint::elbow]);
    print(all.positions[FollowingJoint::coupler]);
    print(all.assembled);
    std::printf("%s %s\\n", joint_names[Joint::crank], all_joint_names[FollowingJoint::cut]);
    return 0;
}
"""


def test_closed_loops(tmp_path: Path) -> None:
    path, robot = compiler("g++"), robosym.load("sr400")
    folder = exported(robot, tmp_path / "out", ("inverse-dynamics", "gravity", "loop-geometry"))
    main = built(folder, HEAD.format(stem="sr400") + MAIN_SR400, path)
    q, qd, qdd = np.random.default_rng(7).uniform(-1, 1, (3, 6))
    *found, last = call([str(main)], folder, listed(q, qd, qdd)).splitlines()
    torques, gravity, positions, elbow, coupler, assembled = numbers("\n".join(found))
    same(torques, models.inverse_dynamics(robot).compile()(q=q, qd=qd, qdd=qdd))
    same(gravity, models.gravity(robot).compile()(q=q))
    loops = models.loop_geometry(robot)
    made = loops.compile()(q=q)
    same(positions, made["positions"])
    same(elbow, loops.by_name(made)["elbow"])
    same(coupler, loops.by_name(made)["coupler"])
    assert assembled == 1
    assert last == "crank cut"
    assert "assembled in the mode parallel" in (folder / "include" / "sr400.hpp").read_text()


MAIN_FLYER = """
static_assert(joint_count == 2 && position_size == 9 && velocity_size == 8 && first_position == 7);
int main()
{
    const auto base = read<7>();
    const auto joints = read<2>();
    const auto qd = read<8>(), qdd = read<8>();
    const Model model;
    const auto q = join_positions(base, joints);
    const auto tau = model.inverse_dynamics(q, qd, qdd);
    print(tau);
    print(joint_part(tau));
    print(model.forward_dynamics(q, qd, tau));
    print(join_velocities(Input<6>::at(qd.data()), joint_part(qd)));
    return 0;
}
"""


def test_a_free_base(tmp_path: Path) -> None:
    path, robot = compiler("g++"), robots.floating()
    folder = exported(robot, tmp_path / "out", ("inverse-dynamics", "forward-dynamics"))
    main = built(folder, HEAD.format(stem="flyer") + MAIN_FLYER, path)
    random = np.random.default_rng(8)
    q, qd, qdd = random.uniform(-1, 1, 9), random.uniform(-1, 1, 8), random.uniform(-1, 1, 8)
    q[3:7] /= np.linalg.norm(q[3:7])
    tau, joints, back, joined = numbers(call([str(main)], folder, listed(q, qd, qdd)))
    expected = models.inverse_dynamics(robot).compile()(q=q, qd=qd, qdd=qdd)
    same(tau, expected)
    same(joints, expected[6:])
    same(back, qdd)
    same(joined, qd)


# --- names and parameters --------------------------------------------------------------------------------------------

MAIN_NAMES = """
static_assert(Joint::a_b_ == 0 && Joint::a_b_2 == 1 && Joint::a_b == 2);
int main()
{
    for (const char* name : joint_names) { std::printf("<%s>", name); }
    const Model without;
    print(without.gravity(std::array<double, 3>{{0.1, 0.2, 0.3}}));
    Parameters all;
    for (const auto& field : parameter_fields) {
        if (all.*field.value != all.*field.value) {
            std::printf("%s is not known\\n", field.name);
            all.*field.value = 0.75;
        }
    }
    print(Model(all).gravity({{0.1, 0.2, 0.3}}));
    return 0;
}
"""


def test_hostile_names_and_a_parameter_without_a_value(tmp_path: Path) -> None:
    robot = robots.hostile()
    missing = next(s.name for s in models.gravity(robot).code.parameter_symbols)
    robot = robot.replace(values={name: value for name, value in robot.values.items() if name != missing})
    folder = exported(robot, tmp_path / "out", ("gravity", "inverse-dynamics"))
    stem = next((folder / "include").glob("*.hpp")).stem
    main = built(folder, HEAD.format(stem=stem) + MAIN_NAMES, compiler("g++"))
    said = call([str(main)], folder)
    names, _, rest = said.rpartition(">")
    assert names + ">" == "".join(f"<{name}>" for name in robot.joint_names)
    without, told, found = rest.splitlines()
    assert np.isnan(numbers(without)[0]).any()
    assert told == f"{missing} is not known"
    same(numbers(found)[0], models.gravity(robot).compile()(q=[0.1, 0.2, 0.3], parameters={missing: 0.75}))
    for path in folder.rglob("*"):
        if path.suffix in (".md", ".txt", ".xml"):
            assert '"x"' not in path.read_text()


# --- the package -----------------------------------------------------------------------------------------------------


def test_it_checks_itself_and_is_found_by_others(tmp_path: Path) -> None:
    """Built, tested and installed by CMake; found by another project; a broken function is noticed."""
    cmake, ctest = shutil.which("cmake"), shutil.which("ctest")
    if cmake is None or ctest is None:
        pytest.skip("cmake is not installed: the package is not built with it")
    compiler("g++")
    folder = exported(robosym.load("planar-2r"), tmp_path / "out", ["gravity", "jacobian", "inverse-geometric"])
    build, prefix, user = (tmp_path / name for name in ("build", "prefix", "user"))
    flags = [f"-DCMAKE_CXX_FLAGS={' '.join(STRICT)}", "-DCMAKE_BUILD_TYPE=Debug"]
    call([cmake, "-S", str(folder), "-B", str(build), *flags, f"-DCMAKE_INSTALL_PREFIX={prefix}"], tmp_path)
    call([cmake, "--build", str(build)], tmp_path)
    assert "100% tests passed" in call([ctest, "--test-dir", str(build)], tmp_path)
    call([cmake, "--install", str(build)], tmp_path)
    assert (prefix / "share" / "planar_2r" / "package.xml").exists()
    user.mkdir()
    (user / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.10)\nproject(user CXX)\nfind_package(planar_2r REQUIRED)\n"
        "add_executable(user main.cpp)\ntarget_link_libraries(user planar_2r::planar_2r)\n"
    )
    (user / "main.cpp").write_text(
        "#include <planar_2r.hpp>\nint main() { return robosym::planar_2r::Model().gravity({{0.1, 0.2}})[0] > 0 ? 0 : 1; }\n"
    )
    call([cmake, "-S", str(user), "-B", str(user / "b"), f"-DCMAKE_PREFIX_PATH={prefix}"], tmp_path)
    call([cmake, "--build", str(user / "b")], tmp_path)
    call([str(user / "b" / "user")], tmp_path)
    source = folder / "src" / "planar_2r_gravity.c"
    source.write_text(source.read_text().replace("Q[0] = ", "Q[0] = 1e-6 + "))
    call([cmake, "--build", str(build)], tmp_path)
    done = subprocess.run([str(build / "planar_2r_check")], capture_output=True, text=True)
    assert done.returncode == 1
    assert [line.split()[1] for line in done.stdout.splitlines() if "WRONG" in line] == ["gravity"]


STUBS = """
#pragma once
#include <string>
#include <vector>
#include <memory>
namespace rclcpp { struct Time {}; struct Duration {}; struct Logger {}; }
namespace rclcpp_lifecycle { struct State {}; }
#define RCLCPP_ERROR(logger, ...) (void)(logger), std::printf(__VA_ARGS__)
namespace controller_interface {
enum class CallbackReturn { SUCCESS, ERROR };
enum class return_type { OK, ERROR };
enum class interface_configuration_type { ALL, INDIVIDUAL, NONE };
struct InterfaceConfiguration { interface_configuration_type type; std::vector<std::string> names; };
struct Parameter { std::vector<std::string> as_string_array() const { return {}; } };
struct Node {
    Parameter get_parameter(const char*) const { return {}; }
    rclcpp::Logger get_logger() const { return {}; }
};
struct State { double get_value() const { return 0.0; } };
struct Command { bool set_value(double) { return true; } };
struct ControllerInterface {
    virtual ~ControllerInterface() = default;
    virtual CallbackReturn on_init() = 0;
    virtual CallbackReturn on_configure(const rclcpp_lifecycle::State&) = 0;
    virtual InterfaceConfiguration command_interface_configuration() const = 0;
    virtual InterfaceConfiguration state_interface_configuration() const = 0;
    virtual return_type update(const rclcpp::Time&, const rclcpp::Duration&) = 0;
    template <class T> T auto_declare(const char*, const T& value) { return value; }
    std::shared_ptr<Node> get_node() const { return nullptr; }
    std::array<double, 7> base_pose() const { return {}; }  // ours
    std::vector<State> state_interfaces_;
    std::vector<Command> command_interfaces_;
};
}
"""


@pytest.mark.parametrize("case", ["planar-2r", "four-bar", "flyer"])
def test_the_controller_of_the_readme_compiles(case: str, tmp_path: Path) -> None:
    """Against stand-ins for what it uses of ROS: of a robot, of one with loops that may not close, on a free base."""
    robot = robots.floating() if case == "flyer" else robosym.load(case)
    folder = exported(robot, tmp_path / "out", ["gravity"])
    (code,) = re.findall(r"```cpp\n(.*?)```", (folder / "README.md").read_text(), re.DOTALL)
    assert ("gravity(q).Q" in code) == (case == "four-bar")
    (folder / "controller_interface").mkdir()
    (folder / "controller_interface" / "controller_interface.hpp").write_text(
        "#include <array>\n#include <cstdio>\n" + STUBS.replace("#pragma once\n", "")
    )
    (folder / "use.cpp").write_text(code + "\nint main() { return GravityController().get_node() == nullptr; }\n")
    call([compiler("g++"), *STRICT, "-Wno-shadow", "-fsyntax-only", "-Iinclude", "-I.", "use.cpp"], folder)


# --- orders ----------------------------------------------------------------------------------------------------------


def test_values_in_the_code(tmp_path: Path) -> None:
    """In numbers there is nothing to set; of two models that differ in a value there is no package."""
    robot = robosym.load("planar-2r")
    folder = exported(robot, tmp_path / "out", ["gravity"], numeric=True)
    assert "struct Parameters {\n};" in (folder / "include" / "planar_2r.hpp").read_text()
    order = packaging.order(robot, kind="ros2-control", models=["gravity", "inverse-dynamics"])
    first, second = packaging.parts(order)
    assert isinstance(second, packaging.Part)
    other = replace(second, values=dict.fromkeys(second.values, 7.0))
    with pytest.raises(CodegenError, match="two models have different values for"):
        packaging.assembled(order, [first, other])


def test_joints_of_several_axes(tmp_path: Path) -> None:
    """A name for each entry where there are as many positions as velocities; the others are refused."""
    rows = [
        {"sigma": "universal", "joint": "cross", "M": 1, "MZ": 0.5, "XX": 1, "YY": 1, "ZZ": 1},
        {"d": 1, "M": 1, "joint": "knee"},
    ]
    exported(Robot.from_table("leg", rows), tmp_path, ["gravity"])
    header = next(tmp_path.rglob("*.hpp")).read_text()
    assert re.search(r'"cross.1",\s+"cross.2",\s+"knee"', header)
    ball = Robot.from_table("leg", [{**rows[0], "sigma": "ball"}])
    with pytest.raises(
        CodegenError, match=r"joint 'cross': expected as many positions .* got a ball joint with 4 and 3"
    ):
        exported(ball, tmp_path / "ball", ["gravity"])
