"""A model as its tables of words see it: the robot, the options by name, frames, axes and tools in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...program.documentation import Described
from ...robot import Robot
from ...robot.parts import FIXED

if TYPE_CHECKING:
    from ..model import Model

WORLD = WORLD_AXES = "world"
SPATIAL = "at the point of the body that passes the origin of the world, in the axes of the world (spatial)"


@dataclass(frozen=True)
class Case:
    """A model, and one of its arrays by name and shape."""

    model: Model
    array: str = ""
    shape: tuple[int, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)  # what stands in the code in place of parameters

    @property
    def robot(self) -> Robot:
        return self.model.robot

    @property
    def size(self) -> int:
        """Of a vector."""
        return self.shape[-1] if self.shape else 0

    def option(self, name: str, default: Any = None) -> Any:
        return self.model.options.get(name, default)

    @property
    def inputs(self) -> set[str]:
        return {one.name for one in self.model.code.inputs}

    @property
    def outputs(self) -> set[str]:
        return {one.name for one in self.model.code.outputs}

    @property
    def base_is_world(self) -> bool:
        """Whether the description places the base where the world is."""
        location = self.robot.base.location
        return all(entry.is_zero if i % 5 else str(entry) == "1" for i, entry in enumerate(location))

    # --- frames --------------------------------------------------------------------------------------------------------

    def frame_named(self, frame: Any) -> str:
        """A frame in words: ``frame link6 (the tip)``."""
        if isinstance(frame, str):
            if frame == WORLD and self.robot.base.name != WORLD:
                return "the world"
            j = self.robot.number(frame)
        else:
            j = int(frame)
        if j == 0:
            return f"frame {self.robot.base.name} (the base)"
        return f"frame {self.robot.frame(j).name}{' (the tip)' if is_only_end(self.robot, j) else ''}"

    @property
    def frame(self) -> str:
        """The frame that the model is about, or the tool in it."""
        if self.option("frames"):
            return "several frames, a row each,"
        tool, frame = self.option("tool"), self.frame_named(self.option("mounted_on", self.option("frame")))
        if tool is None:
            return frame
        if isinstance(tool[0], str):
            return f"the tool at ({', '.join(tool)}) m in {frame}"
        rows = ", ".join(f"[{', '.join(row)}]" for row in tool[:3])
        return f"the tool with the pose [{rows}] in {frame}"

    @property
    def axes(self) -> str:
        """At which point and in whose axes velocities and wrenches are."""
        named, tool = self.option("axes"), self.option("tool")
        if named == WORLD_AXES:
            return SPATIAL
        if self.option("frames"):
            return f"at their origins, in {self._several_axes(named)}"
        if named == "local-world-aligned":
            return "at its origin, in the axes of the world"
        if named == "local":
            at_point = tool and isinstance(tool[0], str)
            return f"at its origin, in {'the axes of the frame' if at_point else 'its own axes'}"
        return f"at its origin, in the axes of {self.frame_named(named)}"

    def _several_axes(self, named: Any) -> str:
        if named == "local":
            return "their own axes"
        return "the axes of the world" if named == "local-world-aligned" else f"the axes of {self.frame_named(named)}"

    @property
    def reference(self) -> str:
        return self.frame_named(self.option("reference", 0))

    @property
    def wrench_frames(self) -> tuple[str, ...]:
        """The frames whose wrenches on the environment are inputs."""
        return tuple(self.model.optional.get("wrench", ()))


Said = Callable[[Case], Described]


def is_only_end(robot: Robot, j: int) -> bool:
    """Whether no frame stands on frame j, and on every other one stands one: the tip in every sense."""
    carriers = {frame.antecedent for frame in robot.frames}
    ends = [k for k in range(1, len(robot.frames) + 1) if k not in carriers]
    moving = any(robot.frame(k).sigma != FIXED for k in robot.path(j))
    return ends == [j] and moving and not robot.loops and not robot.platforms
