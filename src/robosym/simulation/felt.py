"""What a force sensor in the frame of a law feels: the wrench of the environment on it, of the wrenches that a simulation is given.

Those are what links exert on the environment, in their own axes about their origins. The law's input F is the opposite of that of the
link that carries its frame, in world axes about the frame's origin.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..control.law import Law
from ..generated.stages import stages_of
from ..models import transform
from ..models.request import target
from ..program.numeric import in_numbers
from ..program.of_arrays import program_of
from ..program.routine import Fill, Run, Stage
from ..spatial.vectors import cross
from .plant import Plant, SimulationError

FORCE = "F"


def measures_force(law: Law) -> bool:
    return any(slot.name == FORCE for slot in law.routine.inputs)


def felt(plant: Plant, law: Law, pushed: bool, varied: frozenset[str]) -> list[Stage]:
    """Stages that make F, if the law has it. The geometry is that of the description: it is none of what is ``varied``."""
    if not measures_force(law):
        return []
    robot = plant.robot
    frame = target(robot, law.model.options.get("frame"))
    link = robot.carrier(frame)
    name = robot.frame(link).name if link else robot.base.name
    if not pushed or name not in plant.wrenches:
        return [Fill(FORCE, (6,))]
    row = plant.wrenches.index(name)
    poses = {
        "frame": transform(robot, frame=frame, tool=law.model.options.get("tool"), reference="world", **plant.closing),
        "link": transform(robot, frame=link, reference="world", **plant.closing),
    }
    stages: list[Stage] = []
    for word, model in poses.items():
        late = sorted(varied & {symbol.name for symbol in model.code.parameter_symbols})
        if late:
            raise SimulationError(f"{', '.join(late)}: the force that {law.name} measures needs a geometry that stays")
        own = replace(model, made=in_numbers(model.code, model.numbers()), values={})
        stages += stages_of(own, f"felt_{word}", {"q": "q", "T": f"felt_{word}_T"})

    def body(wrench: Any, at: Any, of: Any) -> dict[str, Any]:
        def turned(v: Any) -> list[Any]:
            return [sum(of[i, k] * v[k] for k in range(3)) for i in range(3)]

        force, moment = turned(wrench[row, :3]), turned(wrench[row, 3:])
        arm = (of[0, 3] - at[0, 3], of[1, 3] - at[1, 3], of[2, 3] - at[2, 3])
        about = [m + x for m, x in zip(moment, cross(arm, tuple(force)), strict=True)]
        return {FORCE: [-x for x in (*force, *about)]}

    shapes: dict[str, tuple[int, ...]] = {"wrench": (len(plant.wrenches), 6), "at": (4, 4), "of": (4, 4)}
    sensor = program_of("force that is felt", shapes, body)
    return [*stages, Run(sensor, {"at": "felt_frame_T", "of": "felt_link_T"})]
