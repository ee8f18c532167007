"""The processor: how many numbers it takes at once, and what it can do."""

from __future__ import annotations

import numpy as np
import pytest
from runtime.hosts import running_on
from sample_programs import arm

from robosym.runtime import compile_program
from robosym.runtime import host as processor

VALUES = {"L1": 0.5, "L2": 0.4}


def refused() -> None:
    raise RuntimeError("failed to get host cpu features.")


@pytest.mark.parametrize("features", [refused, lambda: processor.llvm.FeatureMap()], ids=["refused", "nothing"])
def test_a_processor_that_llvm_cannot_ask(monkeypatch, features):
    """Only what every processor of its kind can do: its name may promise more than the system allows."""
    monkeypatch.setattr(processor.llvm, "get_host_cpu_features", features)
    found = processor.host.__wrapped__()
    assert (found.cpu, found.features, found.lanes) == ("generic", "", 2)
    if found.triple.startswith("x86_64"):
        assert not found.fused
    q = np.random.default_rng(0).uniform(-3, 3, (200, 2))
    expected = compile_program(arm(), values=VALUES)(q=q)
    with running_on(found):
        there = compile_program(arm(), values=VALUES)(q=q)
    for name, array in expected.items():
        np.testing.assert_allclose(there[name], array, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(
    ("features", "lanes", "fused"),
    [
        ({"avx512f": True, "avx512dq": True, "avx": True, "fma": True}, 8, True),
        ({"avx512f": True, "avx512dq": False, "avx": True, "fma": True}, 4, True),
        ({"avx": True, "fma": False}, 4, False),
        ({"sse2": True}, 2, False),
    ],
)
def test_what_the_features_say(monkeypatch, features, lanes, fused):
    known = processor.llvm.FeatureMap()
    known.update(features)
    monkeypatch.setattr(processor.llvm, "get_host_cpu_features", lambda: known)
    monkeypatch.setattr(processor.llvm, "get_process_triple", lambda: "x86_64-unknown-linux-gnu")
    found = processor.host.__wrapped__()
    assert (found.lanes, found.fused, found.together) == (lanes, fused, min(lanes, 4))
