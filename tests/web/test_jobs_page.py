"""Jobs as rooms begin them, in a browser: progress, stop, refusal, files, and a server that forgot everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
import wild_jobs
from web_requests import running

from robosym.web.jobs import Jobs, Kind

KINDS = {
    "counts": Kind(wild_jobs.counts),
    "sleeps": Kind(wild_jobs.sleeps),
    "fails": Kind(wild_jobs.fails),
    "reads": Kind(wild_jobs.reads, files=("recording",)),
}
JOBS = 'const { job, upload } = await import("/static/core/jobs.js");'


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running(jobs_of=partial(Jobs, KINDS)) as found:
        yield found


def test_jobs_in_a_browser(visit: Callable[..., Any], address: str) -> None:
    page = visit(address=address, refused=True)
    page.evaluate(f"""async () => {{
        {JOBS}
        window.heard = [];
        window.found = await job("counts", {{ to: 3 }}, {{ progress: (one) => window.heard.push(one) }});
    }}""")
    assert page.evaluate("window.found") == {"robot": "rx90", "counted": 3}
    heard = page.evaluate("window.heard")
    assert heard[0] == {"share": 0, "words": "0 of 3"}
    assert [one["share"] for one in heard] == sorted(one["share"] for one in heard)

    refused = page.evaluate(f"""async () => {{
        {JOBS}
        try {{ await job("fails", {{}}, {{ robot: false }}); }} catch (error) {{ return [error.constructor.name, error.message]; }}
    }}""")
    assert refused[0] == "Refused"
    assert "something failed here" in refused[1]

    stopped = page.evaluate(f"""async () => {{
        {JOBS}
        const stop = new AbortController();
        const waiting = job("sleeps", {{ seconds: 600 }}, {{ robot: false, signal: stop.signal }});
        setTimeout(() => stop.abort(), 500);
        try {{ await waiting; }} catch (error) {{ return error.name; }}
    }}""")
    assert stopped == "AbortError"

    page.evaluate("""() => { window.file = new File(["0 1 2"], "my run.csv"); }""")
    read = f"""async () => {{
        {JOBS}
        return job("reads", {{}}, {{ robot: false, files: {{ recording: window.file }} }});
    }}"""
    assert page.evaluate(read) == {"read": "my run.csv", "letters": 5}


def test_a_server_that_forgot_is_told_again(visit: Callable[..., Any]) -> None:
    """The robot, the file and the job itself are gone with the first server; the second has its port."""
    from urllib.parse import urlsplit

    counted = f"""async () => {{
        {JOBS}
        window.file ??= new File(["0 1 2"], "my run.csv");
        window.counted = null;
        job("counts", {{ to: 40 }}).then((found) => {{ window.counted = found; }});
        return job("reads", {{}}, {{ robot: false, files: {{ recording: window.file }} }});
    }}"""
    with running(jobs_of=partial(Jobs, KINDS)) as first:
        page = visit(address=first, refused=True)
        assert page.evaluate(counted)["letters"] == 5
    with running(port=urlsplit(first).port, jobs_of=partial(Jobs, KINDS)):
        page.wait_for_function("() => window.counted !== null")
        assert page.evaluate("window.counted") == {"robot": "rx90", "counted": 40}
        assert page.evaluate(counted)["letters"] == 5
