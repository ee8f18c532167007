"""Mistyped words: what they may have been, and what was expected."""

from __future__ import annotations

import pytest
from cli.test_cli import fails

from robosym.cli.guesses import guess


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("count", "rx90", "jacobia"), "there is no model 'jacobia' (did you mean jacobian?)"),
        (("eval", "rx90", "inverse_dynamic", "--at", "-"), "did you mean inverse-dynamics?"),
        (("generate", "rx90", "Jacobian"), "did you mean jacobian?"),
        (("count", "jacobian", "rx90"), "'rx90', which is a robot: the robot comes first"),
        (("count", "rx90", "jacobian", "--axs", "local"), "did you mean --axes?"),
        (("count", "rx90", "jacobian", "--frame", "lnk6"), "there is no frame 'lnk6' (did you mean 'link6'?"),
        (("count", "rx90", "transform", "--part", "postion"), "did you mean position?"),
        (("count", "rx90", "controller", "--law", "pdgravity"), "did you mean pd-gravity?"),
        (("show", "rx91"), "did you mean rx90"),
        (("generate", "rx90", "jacobian", "--to", "pyhton"), "did you mean 'python'"),
        (("shwo", "rx90"), "Did you mean 'show'?"),
    ],
)
def test_did_you_mean(words: tuple[str, ...], said: str) -> None:
    code = 2 if "frame" not in said and said[-4:] != "rx90" else 1
    assert said in fails(code, *words)


def test_a_word_that_resembles_nothing_gets_the_list() -> None:
    assert "models: geometric, transform" in fails(2, "count", "rx90", "zzz")
    assert guess("zzz", ["one", "two"]) == ""


EXPECTED = "x,y,z,qx,qy,qz,qw (m, unit quaternion)"


@pytest.mark.parametrize("pose", ["nan", "1,2", "1,2,3", "a,b,c", "0,0,inf", "1,2,3,nan,0,0,1"])
def test_a_pose_that_is_none_says_what_was_expected(pose: str) -> None:
    said = fails(2, "ik", "rx90", "--pose", pose)
    assert "--pose: got" in said
    assert EXPECTED in said


def test_redundant_arms_name_the_option() -> None:
    assert "--given panda_joint7=0.3" in fails(1, "ik", "panda", "--pose", "0.3,0.2,0.4,0,0,0,1")
