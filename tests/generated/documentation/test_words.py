"""Words of models by name, and those of models that are written from the pose of a platform."""

from __future__ import annotations

from generated.cases import arm, bare_model, case_of

import robosym
from robosym.generated.documentation.words import WORDS, WORDS_OF_PLATFORMS, Words, words_of
from robosym.models.catalogue import declaration_of


def test_a_sentence_is_a_text_or_made_for_the_model() -> None:
    case = case_of(frame=2)
    assert Words("Plain").sentence(case) == "Plain"
    assert Words(lambda one: f"Of {one.frame}").sentence(case) == "Of frame lower"


def test_parallel_robots_have_words_of_their_own() -> None:
    name = "inverse-dynamics"
    assert declaration_of(name).parallel is not None
    assert words_of(bare_model(name, arm()), name) is WORDS[name]
    assert words_of(bare_model(name, robosym.load("planar-3rrr")), name) is WORDS_OF_PLATFORMS[name]
    assert WORDS[name] != WORDS_OF_PLATFORMS[name]


def test_a_model_that_nobody_described_has_none() -> None:
    assert words_of(bare_model("nobody", arm()), "nobody") is None
