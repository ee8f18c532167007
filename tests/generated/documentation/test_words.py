"""Words of models by name."""

from __future__ import annotations

from generated.cases import arm, bare_model, case_of

import robosym
from robosym.generated.documentation.words import WORDS, WORDS_OF_PLATFORMS, Words, words_of
from robosym.models.catalogue import declarations


def test_a_sentence_may_follow_from_the_case() -> None:
    assert Words("A model").sentence(case_of()) == "A model"
    assert Words(lambda case: f"A model of {case.robot.name}").sentence(case_of()) == "A model of arm"


def test_parallel_robots_have_words_of_their_own() -> None:
    names = {one.name for one in declarations()}
    assert names - set(WORDS) == {"direct-geometric"}
    assert {one.name for one in declarations() if one.parallel} <= set(WORDS_OF_PLATFORMS)
    plain, parallel = bare_model("gravity", arm()), bare_model("gravity", robosym.load("delta"))
    assert words_of(plain, "gravity") is WORDS["gravity"]
    assert words_of(parallel, "gravity") is WORDS_OF_PLATFORMS["gravity"]
    assert words_of(plain, "none") is None
