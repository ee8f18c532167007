"""What the verifier finds, one fault at a time."""

from __future__ import annotations

from typing import Any

import pytest

from robosym.expr import parameter, symbol, variable
from robosym.program import Array, Program, ProgramError, Step, verified, violations

x, y = variable("x"), variable("y")
p, k, s, t = parameter("p"), symbol("k", "constant"), symbol("s", "local"), symbol("t", "local")
SOUND = Program(
    "sound",
    (Array("in", (2,), (x, y)),),
    (p,),
    (Step(k, p * p),),
    (Step(s, x * k), Step(t, s + y)),
    (Array("out", (1,), (t,)),),
)


def test_a_sound_program_has_no_violations() -> None:
    assert violations(SOUND) == []
    assert verified(SOUND) is SOUND


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"steps": (Step(t, s + y), Step(s, x * k))}, "'t' uses 's' before it is defined"),
        ({"steps": (*SOUND.steps, Step(symbol("u", "local"), x + y))}, "'u' is never used"),
        ({"steps": (Step(s, x * k), Step(s, x + k), Step(t, s + y))}, "'s' is not"),
        ({"precompute": (Step(k, p * x),)}, "precompute step 'k' uses 'x' before it is defined"),
        ({"precompute": (Step(s, p * p),)}, "expected a constant"),
        ({"inputs": (Array("in", (2,), (x, p)),)}, "expected a variable"),
        ({"parameter_symbols": ()}, "'k' uses 'p' before it is defined"),
        ({"outputs": (Array("out", (1,), (variable("z"),)),)}, "uses 'z', which is not defined"),
        ({"outputs": (Array("in", (1,), (t,)),)}, "two arrays are called 'in'"),
        ({"outputs": (Array("out", (1,), (t,)), Array("out", (1,), (s,)))}, "two arrays are called 'out'"),
    ],
)
def test_every_fault_is_found(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        verified(SOUND.replace(**changes))
