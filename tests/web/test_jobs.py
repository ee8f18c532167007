"""Long work by requests: progress, its end by all that may end it, and what is said of it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import pytest
import wild_jobs
from web_requests import Answer, ask, running

from robosym.web.jobs import Jobs, Kind

KINDS = {
    "counts": Kind(wild_jobs.counts),
    "sleeps": Kind(wild_jobs.sleeps),
    "runs_wild": Kind(wild_jobs.runs_wild, seconds=0.5),
    "eats_memory": Kind(wild_jobs.eats_memory, megabytes=1500),
    "dies": Kind(wild_jobs.dies),
    "fails": Kind(wild_jobs.fails),
    "reads": Kind(wild_jobs.reads, files=("recording",)),
    "tells": Kind(wild_jobs.tells),
}
Events = list[tuple[int, str, dict[str, Any]]]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with running(jobs_of=partial(Jobs, KINDS, most=3, most_of_page=2, quiet=1.0)) as address:
        yield address


def begun(server: str, kind: str, key: str | None = None, page: str = "", **more: Any) -> str:
    answer = ask(server, "POST", "/api/jobs", {"kind": kind, "key": key, **more}, x_page=page)
    assert answer.status == 200, answer.content
    return str(answer.json["id"])


def heard(server: str, id: str, after: str | None = None) -> Events:
    """All events of a job until it ends."""
    return list(listen(server, id, after))


def listen(server: str, id: str, after: str | None = None) -> Iterator[tuple[int, str, dict[str, Any]]]:
    port = urlsplit(server).port
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", f"/api/jobs/{id}/events", headers={"last-event-id": after} if after else {})
        answer = connection.getresponse()
        assert answer.status == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        fields: dict[str, str] = {}
        while line := answer.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if name:
                fields[name] = value
            elif fields.get("event"):
                yield int(fields["id"]), fields["event"], json.loads(fields["data"])
                fields = {}
    finally:
        connection.close()


def test_progress_then_the_result(server: str) -> None:
    id = begun(server, "counts", "rx90", arguments={"to": 4})
    events = heard(server, id)
    assert [number for number, _, _ in events] == sorted({number for number, _, _ in events})
    shares = [data["share"] for _, name, data in events if name == "progress"]
    assert shares, events
    assert shares == sorted(shares)
    assert events[-1][1:] == ("done", {"result": f"/api/jobs/{id}/result"})
    answer = ask(server, "GET", events[-1][2]["result"])
    assert answer.json == {"robot": "rx90", "counted": 4}
    assert ask(server, "GET", events[-1][2]["result"], if_none_match=answer.headers["etag"]).status == 304


def test_who_comes_back_hears_only_what_is_new(server: str) -> None:
    id = begun(server, "counts", "rx90", arguments={"to": 3})
    events = heard(server, id)
    last, name, _ = events[-1]
    assert heard(server, id, str(last - 1)) == [events[-1]]
    assert name == "done"
    assert heard(server, id, str(last)) == []
    assert heard(server, id, "no number") == events[-2:]  # of progress only the last word is kept


def test_stopped(server: str) -> None:
    id = begun(server, "sleeps", arguments={"seconds": 600})
    assert ask(server, "DELETE", f"/api/jobs/{id}").status == 204
    assert [name for _, name, _ in heard(server, id)] == ["stopped"]
    assert ask(server, "GET", f"/api/jobs/{id}/result").status == 404


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("runs_wild", "longer than 0.5 s"),
        ("eats_memory", "1500 MB"),
        ("dies", "the process that worked on this ended"),
        ("fails", "something failed here: ValueError"),
    ],
)
def test_a_job_that_fails_says_why(server: str, kind: str, words: str) -> None:
    (_, name, data) = heard(server, begun(server, kind))[-1]
    assert name == "failed"
    assert words in data["message"]
    assert ".py" not in data["message"]


def test_a_job_nobody_listens_to_is_ended(server: str) -> None:
    left = [begun(server, "sleeps", page="left", arguments={"seconds": 600}) for _ in range(2)]
    for id in left:
        _listens_shortly(server, id)
    deadline = time.monotonic() + 60
    while (again := _begins(server)).status == 429 and time.monotonic() < deadline:
        time.sleep(0.2)  # until their places are free
    ask(server, "DELETE", f"/api/jobs/{again.json['id']}")
    assert [name for _, name, _ in heard(server, left[0])] == ["stopped"]


def _begins(server: str) -> Answer:
    return ask(server, "POST", "/api/jobs", {"kind": "sleeps", "arguments": {"seconds": 600}}, x_page="left")


def _listens_shortly(server: str, id: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", urlsplit(server).port, timeout=60)
    connection.request("GET", f"/api/jobs/{id}/events")
    assert connection.getresponse().status == 200
    connection.close()


def test_so_many_for_a_page_and_so_many_for_all(server: str) -> None:
    ids = [begun(server, "sleeps", page=page, arguments={"seconds": 600}) for page in ("a", "a")]
    try:
        refused = ask(server, "POST", "/api/jobs", {"kind": "sleeps"}, x_page="a")
        assert refused.status == 429
        assert "2 computations of this page" in refused.message
        ids.append(begun(server, "sleeps", page="b", arguments={"seconds": 600}))
        refused = ask(server, "POST", "/api/jobs", {"kind": "sleeps"}, x_page="c")
        assert refused.status == 429
        assert "3 computations run already" in refused.message
    finally:
        for id in ids:
            ask(server, "DELETE", f"/api/jobs/{id}")


def test_words_of_progress_do_not_flood(server: str) -> None:
    events = heard(server, begun(server, "tells", arguments={"times": 20_000}))
    assert events[-1][1] == "done"
    assert events[-1][0] < 2000


def test_arguments_are_judged(server: str) -> None:
    failed = heard(server, begun(server, "sleeps", arguments={"hours": 1}))[-1]
    assert failed[1] == "failed"
    assert "seconds" in failed[2]["message"]
    for wrong in (
        {},
        {"kind": 3},
        {"kind": "sleeps", "arguments": []},
        {"kind": "sleeps", "files": 1},
        {"kind": "_work"},
    ):
        assert ask(server, "POST", "/api/jobs", wrong).status == 400
    assert ask(server, "POST", "/api/jobs", {"kind": "sleeps", "key": "x" + "0" * 32}).status == 404
    assert ask(server, "GET", "/api/jobs/nothing/events").status == 404


def test_files_come_from_uploads_and_are_called_by_their_labels(server: str) -> None:
    sent = ask(server, "POST", "/api/uploads?name=..%2F..%2Fetc%2Fmy%20run.csv", b"0 1 2\n")
    done = heard(server, begun(server, "reads", files={"recording": sent.json["id"]}))[-1]
    assert ask(server, "GET", done[2]["result"]).json == {"read": "my run.csv", "letters": 6}
    sent = ask(server, "POST", "/api/uploads?name=b.csv", b"bad")
    failed = heard(server, begun(server, "reads", files={"recording": sent.json["id"]}))[-1]
    assert failed[2]["message"] == "b.csv: line 1: bad"


def test_a_path_is_no_file(server: str) -> None:
    refused = ask(server, "POST", "/api/jobs", {"kind": "reads", "arguments": {"recording": "/etc/hostname"}})
    assert refused.status == 400
    assert "uploaded" in refused.message
    for id in ("/etc/hostname", "../x", None, 3):
        assert ask(server, "POST", "/api/jobs", {"kind": "reads", "files": {"recording": id}}).status == 404


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.skipif(not os.path.exists("/proc"), reason="processes are counted in /proc")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_the_server(end: signal.Signals) -> None:
    command = [sys.executable, "-m", "robosym", "web", "--no-open", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().split()[2]
    assert ask(address, "GET", "/api/robots").status == 200
    family = _below(process.pid)
    assert len(family) >= 2
    process.send_signal(end)
    process.wait(30)
    deadline = time.monotonic() + 30
    while (left := [pid for pid in family if _alive(pid)]) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == []


def _below(parent: int) -> list[int]:
    """All processes that a process started, and those they started."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = [parent]
    for one in found:
        found.extend(child for child, of in parents.items() if of == one)
    return found[1:]


def _alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
