"""A package for controllers of ros2_control: a header in C++17 with named joints, around the library in C."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from xml.sax.saxutils import escape

from ... import __version__
from ...codegen.interface import one_line
from ...codegen.layout import WIDTH, render
from ...codegen.names import Names
from ..calls import Call, calls_of, parameter_values
from ..c_library import cmake, sources, target
from ..joints import Joints, joints_of
from ..pages import how_assembled
from ..parts import Order, Part
from .check import check
from .header import WORDS, header, namespace


def files(order: Order, parts: Sequence[Part], refused: str) -> dict[str, str]:
    """All files by their path inside the folder."""
    joints = joints_of(order.robot)
    calls = calls_of(order, parts, joints)
    found = sources(parts)
    headers = sorted(path.removeprefix("include/") for path in found if path.startswith("include/"))
    found[f"include/{order.stem}.hpp"] = header(order, calls, joints, headers)
    found["test/check.cpp"] = check(order, calls)
    installed = f"install(FILES package.xml DESTINATION share/{_package(order)})"
    found["CMakeLists.txt"] = cmake(order, found, "C CXX", "test/check.cpp", installed)
    robot = escape(one_line(order.robot.name))
    found["package.xml"] = render(
        __package__, "package_xml.template", name=_package(order), robot=robot, version=__version__
    )
    found["README.md"] = _readme(order, calls, joints, refused)
    return found


def _package(order: Order) -> str:
    """The name as packages of ROS have it: small letters."""
    return order.stem.lower()


def _readme(order: Order, calls: Sequence[Call], joints: Joints, refused: str) -> str:
    missing = [name for name, value in parameter_values(order, calls).items() if value is None]
    without = f"Without a value: {', '.join(map(one_line, missing))}. They are nan until they are set." if missing else ""
    following = ", ".join(one_line(joint.name) for joint in joints.following)
    return render(
        __package__,
        "readme.template",
        robot=one_line(order.robot.name),
        version=__version__,
        stem=order.stem,
        namespace=namespace(order),
        target=target(order),
        depend=_package(order),
        mode=how_assembled(order),
        rows="\n".join(f"| `{call.name}` | {call.part.cost} |" for call in calls),
        joints=", ".join(one_line(joint.name) for joint in joints.driven) or "none",
        following=f"Joints that follow: {following}." if following else "",
        parameters=fill(without, WIDTH),
        refused=refused,
        first=Names(WORDS).take(joints.driven[0].name) if joints.driven else "x",
        example="\n".join(f"        {line}" for line in _example(calls, joints)),
    )


def _example(calls: Sequence[Call], joints: Joints) -> list[str]:
    """From what is measured to what is commanded: gravity, if the package has it, and the robot stands on the ground."""
    has_gravity = any(call.name == "gravity" and len(call.outputs) == 1 for call in calls)
    if joints.floating:
        q = "arm::join_positions(base, order_.to_model(measured));  // base: x y z qx qy qz qw, from an estimator"
        tau = "arm::joint_part(model_.gravity(q))" if has_gravity else "order_.to_model(measured)"
        return [f"const auto q = {q}", f"const auto tau = {tau};", "const auto commanded = order_.to_controller(tau);"]
    tau = "model_.gravity(q)" if has_gravity else "..."
    return [
        "const auto q = order_.to_model(measured);",
        f"const auto tau = {tau};  // in the model's order" if has_gravity else "auto tau = q;  // call the model here",
        "const auto commanded = order_.to_controller(tau);",
    ]
