"""Files written whole or not at all, whatever stands in their place."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from robosym.files import write_text


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    write_text(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_bytes)
        write_text(pipe, "through")
        assert read.result(timeout=20) == b"through"
    assert pipe.is_fifo()
