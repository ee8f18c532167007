"""What the code of a trajectory computes, in words: every array of its program, with units."""

from __future__ import annotations

from robosym.trajectory import point_to_point, program
from robosym.trajectory.documentation import documentation_of


def test_every_array_of_the_program_is_described() -> None:
    motion = point_to_point([0, 0], [1, -0.5], duration=1.0, joints=["hip", "knee"])
    found, made = documentation_of(motion), program(motion)
    arrays = [*made.inputs, *made.outputs]
    assert {array.name for array in arrays} <= set(found.arrays)
    for name, order in (("q", ""), ("qd", "/s"), ("qdd", "/s2")):
        text = found.arrays[name].text if hasattr(found.arrays[name], "text") else str(found.arrays[name])
        assert f"rad{order} of those that turn" in text
        assert f"m{order} of those that slide" in text
        assert "hip" in str(found.arrays[name])
    assert "2 joints" in str(found)
