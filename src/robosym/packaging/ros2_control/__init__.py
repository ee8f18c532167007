"""A package for controllers of ros2_control: a header in C++17 with named joints, around the library in C."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from xml.sax.saxutils import escape

from ... import __version__
from ...codegen.errors import CodegenError
from ...codegen.layout import WIDTH, render
from ...codegen.words import one_line
from ..c_library import cmake, sources, target
from ..calls import Call, calls_of, parameter_values
from ..joints import Joints, joints_of
from ..pages import how_assembled
from ..parts import Order, Part
from .check import check
from .header import header, identifiers, namespace, output_fields


def files(order: Order, parts: Sequence[Part], refused: str) -> dict[str, str]:
    """All files by their path inside the folder."""
    _check_single_axes(order)
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


def _check_single_axes(order: Order) -> None:
    """Raise CodegenError for a ball or a free joint, whose q has more numbers than its qd."""
    wide = [block for block in order.robot.blocks if block.frame and len(block.positions) != len(block.speeds)]
    for block in wide:
        assert block.kind is not None
        raise CodegenError(
            f"joint '{block.joint}': expected as many positions as velocities, as controllers have one of each for a joint, "
            f"got a {block.kind.name} joint with {block.kind.nq} and {block.kind.nv}. "
            "Write it as revolute and prismatic joints, or generate a C or Python package"
        )


def _package(order: Order) -> str:
    """The name as packages of ROS have it: small letters."""
    return order.stem.lower()


def _readme(order: Order, calls: Sequence[Call], joints: Joints, refused: str) -> str:
    missing = [name for name, value in parameter_values(order, calls).items() if value is None]
    without = (
        f"Without a value: {', '.join(map(one_line, missing))}. They are nan until they are set." if missing else ""
    )
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
        first=next(iter(identifiers(joint.name for joint in joints.driven).values()), "x"),
        example="\n".join(f"        {line}" for line in _example(calls, joints)),
    )


def _example(calls: Sequence[Call], joints: Joints) -> list[str]:
    """From what is measured to what is commanded: gravity, if the package has it as a function of q."""
    q = ["const auto q = order_.to_model(measured);"]
    if joints.floating:
        q = [
            "const std::array<double, 7> base = base_pose();  // x y z qx qy qz qw, from an estimator",
            "const auto q = arm::join_positions(base, order_.to_model(measured));",
        ]
    gravity = next((call for call in calls if call.name == "gravity" and [x.name for x in call.asked] == ["q"]), None)
    if gravity is None:
        tau = "std::array<double, arm::joint_count>{};  // call a model here"
    else:
        held = "model_.gravity(q)" if len(gravity.outputs) == 1 else f"model_.gravity(q).{output_fields(gravity)[0]}"
        tau = f"{f'arm::joint_part({held})' if joints.floating else held};  // in the model's order"
    return [*q, f"const auto tau = {tau}", "const auto commanded = order_.to_controller(tau);"]
