"""Keys under which workers keep robots: one for each robot that a page can ask for."""

from __future__ import annotations

import pytest

from robosym.web.refusal import RefusedError
from robosym.web.sources import Source


def test_a_built_in_robot_is_known_by_its_name() -> None:
    assert Source.built_in("rx90").key == Source(name="rx90").key == "rx90"


def test_robots_that_differ_have_different_keys() -> None:
    sources = [
        Source(name="rx90"),
        Source(name="rx90", floating=True),
        Source(name="scara", floating=True),
        Source(text="a"),
        Source(text="b"),
        Source(text="a", floating=True),
        Source(text="a", format="urdf"),
        Source(text="a", format="urdf", loops="l"),
    ]
    assert len({source.key for source in sources}) == len(sources)
    assert all(source.key for source in sources)


@pytest.mark.parametrize("name", ["", "../rx90", "rx 90", "rx90\n"])
def test_what_is_no_name_is_an_error(name: str) -> None:
    with pytest.raises(RefusedError, match="no robot"):
        Source.built_in(name)
