"""A closed form as stages: sound for any arm, and right at special poses with and without a seed."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from models.inverse_geometry.robots import CHAINS
from sweeps import some

from robosym.models.inverse_geometry.chain.random_positions import forward, samples
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.closed_form.derivation import ClosedForm, derive
from robosym.models.inverse_geometry.closed_form.stages import closed_stages
from robosym.program.routine import Routine, Slot, verified_routine
from robosym.runtime import compile_program


@cache
def form_of(name: str) -> ClosedForm:
    return derive(chain_for(CHAINS[name](), given=["panda_joint7"] if name == "panda" else ()))


def routine_of(form: ClosedForm) -> Routine:
    n = len(form.chain.joints)
    given = (Slot("given", (len(form.chain.given),)),) if form.chain.given else ()
    inputs = (Slot("T", (4, 4)), *given, Slot("seed", (n,)), Slot("seeded", ()), Slot("limits", (2, n)))
    outputs = (Slot("solutions", (form.most, n)), Slot("count", ()), Slot("moving", ()))
    return Routine("arm", inputs, outputs, closed_stages(form))


@cache
def solver_of(name: str) -> Any:
    form = form_of(name)
    numbers = {symbol.name: value for symbol, value in samples(form.chain, 1)[0].numbers.items()}
    routine = routine_of(form)
    used = {symbol.name for symbol in routine.parameter_symbols}
    return compile_program(routine, values={key: value for key, value in numbers.items() if key in used})


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some(CHAINS, 2))
def test_the_stages_are_sound(name: str) -> None:
    routine = verified_routine(routine_of(form_of(name)))
    names = [program.name for program in routine.programs]
    assert len(set(names)) == len(names)
    search = sum(program.operations.total for program in routine.programs[1:])
    assert search < 2600  # what a special pose adds to the code of any arm: each piece is written once


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["puma560", "scara", "stanford"])
def test_a_self_motion_is_told_and_is_nearest_to_the_seed(name: str) -> None:
    """With the wrist stretched (or both links of the SCARA), and where it is not."""
    form, solve = form_of(name), solver_of(name)
    n, numbers = len(form.chain.joints), samples(form.chain, 1)[0].numbers
    for q, moving in (([0.3, -0.4, 0.5, 0.6, 0.0, 0.7], n == 6), ([0.3, -0.4, 0.5, 0.6, 0.8, 0.7], False)):
        T = forward(form.chain, numbers, q[:n])
        for seed in (np.zeros(n), np.array(q[:n]) + 0.05):
            made = solve(
                T=T, seed=seed, seeded=float(seed.any()), limits=np.full((2, len(seed)), [[-np.inf], [np.inf]])
            )
            assert bool(made["moving"]) == moving
            found = made["solutions"][: int(made["count"])]
            assert len(found)
            for row in found:
                assert np.abs(forward(form.chain, numbers, row.tolist()) - T).max() < 1e-9
            if moving and seed.any():  # along q4 + q6 the nearest is as far from both
                apart = np.abs(found - seed)
                row = found[apart.max(axis=1).argmin()]
                way = seed - row
                assert abs(way[3] - way[5]) < 1e-6
