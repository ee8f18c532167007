"""What the code of a trajectory computes, in words."""

from __future__ import annotations

from ..program.documentation import Described, Documentation, Entry
from .trajectory import WORDS, Trajectory

SAID = {"q": "positions", "qd": "speeds", "qdd": "accelerations"}


def documentation_of(trajectory: Trajectory) -> Documentation:
    """Joints by their names; a trajectory does not know which of them slide."""
    joints = tuple(map(Entry, trajectory.joints))
    unit = {"q": "rad, m", "qd": "rad/s, m/s", "qdd": "rad/s2, m/s2"}
    arrays = {
        "t": Described(
            "time since the motion began; before it the state is that at the start, after the end that at the end",
            unit="s",
        )
    }
    for word in WORDS:
        turns, slides = unit[word].split(", ")
        arrays[word] = Described(
            f"{SAID[word]} of the joints, in {turns} of those that turn, {slides} of those that slide", joints
        )
    arrays["times"] = Described("where the pieces begin, and the end", unit="s")
    arrays["coefficients"] = Described(
        "of the powers 0, 1, 2 ... of the time in s since a piece began, for each joint in the order of q"
    )
    about = f"Motion of {len(joints)} joints in time, {trajectory.name}"
    return Documentation(about, (), arrays)
