"""The words of a report on mobility, from its data."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from robosym.models.loops.mobility_report import Mobility, Place

PLACE = Place({"a": 0.1, "b": 2.0}, 3, 1, False, 0.123456, {})
FOUR_BAR = Mobility(
    robot="x",
    joints=4,
    loops=1,
    gruebler=-2,
    loop_spaces=(3,),
    gruebler_by_loop=1,
    rank=3,
    mobility=1,
    instantaneous=1,
    redundant=3,
    redundant_constraints=("cut vz", "cut wx", "cut wy"),
    other_mobilities=(),
    driven=("crank",),
    passive=("coupler", "rocker", "cut"),
    controlled=1,
    idle=(),
    exchanges={"crank": ("coupler", "rocker", "cut")},
    suggested=("crank",),
    position={"crank": 0.1},
)


def lines(**changes: object) -> list[str]:
    return list(replace(FOUR_BAR, **changes).lines())  # type: ignore[arg-type]


def test_a_four_bar() -> None:
    assert lines() == [
        "4 joints, 1 loop, mobility 1",
        "Gruebler's count: 4 - 6 x 1 = -2",
        "with the dimension of each loop's own motions: 4 - 3 = 1",
        "rank of the 6 constraints: 3",
        "redundant constraints: 3 (cut vz, cut wx, cut wy)",
        "driven: crank",
        "fully actuated: the driven joints can be chosen freely and determine all others",
        "  in place of crank one could drive coupler, rocker or cut",
    ]
    assert lines(exchanges={"crank": ("cut",)})[-1] == "  in place of crank one could drive cut"
    assert not any("in place of" in line for line in lines(exchanges={"crank": ()}))
    said = lines(loops=2, loop_spaces=(3, 6), redundant=0)
    assert "with the dimension of each loop's own motions: 4 - 3 - 6 = 1" in said
    assert "rank of the 12 constraints: 3" in said
    assert not any("redundant" in line for line in said)
    assert not any("dimension" in line for line in lines(gruebler=1))


def test_an_arm_has_no_lines_about_loops() -> None:
    assert lines(joints=1, loops=0, loop_spaces=())[:2] == ["1 joint, 0 loops, mobility 1", "driven: crank"]


@pytest.mark.parametrize(
    ("controlled", "mobility", "spare", "free"), [(1, 1, 0, 0), (1, 2, 0, 1), (0, 1, 1, 1), (0, 0, 1, 0)]
)
def test_motors_too_many_or_too_few(controlled: int, mobility: int, spare: int, free: int) -> None:
    one = replace(FOUR_BAR, controlled=controlled, mobility=mobility)
    assert (one.spare, one.free, one.fully_actuated) == (spare, free, spare == free == 0)
    said = list(one.lines())
    over = f"over-actuated: of 1 driven joint only {controlled} can be chosen freely; 1 motor too many"
    under = f"under-actuated: 1 way of moving no motor controls (1 driven joint, mobility {mobility})"
    assert (over in said, under in said) == (spare > 0, free > 0)
    choice = "a choice that determines all others: crank"
    assert (choice in said) == (mobility > 0 and not one.fully_actuated)
    data = json.loads(json.dumps(one.as_dict()))
    assert (data["spare"], data["free"], data["fully_actuated"]) == (spare, free, spare == free == 0)


def test_what_cannot_move_and_what_only_shakes() -> None:
    structure = "it cannot move: it is a structure, which closes at single positions"
    assert structure in lines(mobility=0, idle=("a",))
    assert not any(line.startswith("cannot move") for line in lines(mobility=0, idle=("a",)))
    assert "cannot move: a, b" in lines(idle=("a", "b"))
    assert "it shakes: 2 motions more of the first order, which cannot go on" in lines(instantaneous=3)
    assert "it shakes: 1 motion more of the first order, which cannot go on" in lines(instantaneous=2)
    assert not any("shakes" in line for line in lines())
    assert "other ways of assembling it have mobility 2, 3" in lines(other_mobilities=(2, 3))
    assert "no value for L, M: numbers were drawn" in lines(assumed=("L", "M"))
    assert "driven: none" in lines(driven=(), controlled=0)


def test_a_place() -> None:
    control = "  the motors control it: W_p has an inverse (smallest / largest singular value 0.123)"
    assert list(PLACE.lines()) == ["at a 0.1, b 2", "  rank 3, mobility 1", control]
    singular = replace(PLACE, actuation_singular=True, uncontrolled={"b": 1.0, "c": -0.5})
    assert list(singular.lines())[2:] == [
        "  singularity of the actuation: with the motors held it can move, at speeds in the ratios",
        "    b 1, c -0.5",
    ]
    frame = replace(PLACE, frame="tip", frame_rank=1, frame_singular=True)
    assert list(frame.lines())[-1] == "  tip moves in 1 way, fewer than elsewhere: a singularity"
    assert list(replace(frame, frame_rank=2, frame_singular=False).lines())[-1] == "  tip moves in 2 ways"
    assert lines(at=PLACE)[-3:] == list(PLACE.lines())
    data = replace(FOUR_BAR, at=PLACE).as_dict()["at"]
    assert data["position"] == {"a": 0.1, "b": 2.0}
    assert FOUR_BAR.as_dict()["at"] is None
    assert FOUR_BAR.as_dict()["passive"] == ["coupler", "rocker", "cut"]
