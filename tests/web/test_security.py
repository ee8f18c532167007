"""What the server refuses, by requests that are really sent, and what nobody gets to see."""

from __future__ import annotations

import gzip
import http.client
import io
import json
import os
import re
import socket
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import repeat
from typing import Any
from urllib.parse import quote, urlsplit

import numpy as np
import pytest
from browser import served
from web_requests import ask, raw, running

from robosym.web.workers import Workers

FOREIGN = "http://evil.example"


# --- who may ask --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}", "", "127.0.0.1:{port}@evil.example", "0.0.0.0:{port}", "192.168.1.7:{port}"])  # fmt: skip
def test_a_foreign_host_is_refused(server: str, host: str) -> None:
    answer = ask(server, "GET", "/", host=host.format(port=urlsplit(server).port))
    assert answer.status == 400
    assert "host" in answer.message


def test_this_host_by_its_names(server: str) -> None:
    for name in ("127.0.0.1", "localhost", "LOCALHOST"):
        assert ask(server, "GET", "/", host=f"{name}:{urlsplit(server).port}").status == 200


def test_two_hosts_are_none(server: str) -> None:
    host = f"127.0.0.1:{urlsplit(server).port}"
    both = raw(server, f"GET / HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n".encode())
    assert both.startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT", "PATCH", "OPTIONS"])
@pytest.mark.parametrize("origin", [FOREIGN, None, "null", "http://127.0.0.1", "https://127.0.0.1:{port}"])
def test_a_foreign_origin_changes_nothing(server: str, method: str, origin: str | None) -> None:
    given = origin.format(port=urlsplit(server).port) if origin else None
    answer = ask(server, method, "/api/robots", {"name": "rx90"}, origin=given)
    assert answer.status == 403
    assert "access-control-allow-origin" not in answer.headers


def test_other_sites_may_not_even_read(server: str) -> None:
    for path in ("/api/robots", "/static/main.js", "/"):
        assert ask(server, "GET", path, sec_fetch_site="cross-site", sec_fetch_mode="no-cors").status == 403
    assert ask(server, "POST", "/api/robots", {"name": "rx90"}, sec_fetch_site="cross-site").status == 403


def test_a_link_elsewhere_opens_the_page_and_nothing_else(server: str) -> None:
    followed = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}
    assert ask(server, "GET", "/", **followed).status == 200
    assert ask(server, "GET", "/api/robots", **followed).status == 403
    assert ask(server, "GET", "/", **{**followed, "sec_fetch_dest": "iframe"}).status == 403


def test_another_address_needs_the_token() -> None:
    with served("--host", "0.0.0.0") as address:
        token = address.partition("?token=")[2]
        assert len(token) >= 40
        for path in (
            "/",
            "/static/main.js",
            "/api/robots",
            "/?token=",
            f"/?token={token[:-1]}",
            f"/api/alive?token={token}",
        ):
            assert ask(address, "GET", path).status == 401, path
        assert ask(address, "POST", "/api/robots", {"name": "rx90"}).status == 401
        let_in = ask(address, "GET", f"/?token={token}")
        assert let_in.status == 200
        cookie = let_in.headers["set-cookie"]
        assert "SameSite=Strict" in cookie
        assert "HttpOnly" in cookie
        known = cookie.partition(";")[0]
        assert ask(address, "GET", "/api/alive", cookie=known).status == 200
        assert ask(address, "GET", "/api/alive", cookie=known[:-1]).status == 401
        assert ask(address, "GET", "/api/alive", cookie="\x01=; ;;" + known[:-1]).status == 401
        assert ask(address, "GET", "/api/alive", cookie=known, host="evil.example:80").status == 400
        assert ask(address, "POST", "/api/robots", {"name": "rx90"}, cookie=known, origin=FOREIGN).status == 403
        by_number = f"192.0.2.7:{urlsplit(address).port}"  # the machine has such an address, and nobody can rename it
        assert ask(address, "GET", "/api/alive", cookie=known, host=by_number).status == 200


def test_a_short_token_is_no_token() -> None:
    from robosym import RobosymError
    from robosym.web.running import serve

    for token in ("", "secret", "0123456789 abcdefghijk", "x" * 15):
        with pytest.raises(RobosymError, match="--token"):
            serve(0, token=token, open_page=False)


# --- what a browser may do with answers ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/", "/static/main.js", "/api/alive", "/api/robots/rx90", "/nothing", "/static/nothing"]
)
def test_every_answer_has_the_headers(server: str, path: str) -> None:
    headers = ask(server, "GET", path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy
    assert not re.search(r"https?:", policy)
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "server" not in headers


def test_the_page_has_no_inline_script_or_style(server: str) -> None:
    page = ask(server, "GET", "/").content.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert "<style" not in page
    assert not re.search(r"\son\w+=", page)


def test_what_a_page_has_is_not_sent_again(server: str) -> None:
    for path in ("/", "/static/main.js", "/static/vendor/three.mjs", "/api/robots"):
        first = ask(server, "GET", path)
        assert first.status == 200
        again = ask(server, "GET", path, if_none_match=f'"x", {first.headers["etag"]}')
        assert (again.status, again.content) == (304, b"")
        packed = ask(server, "GET", path, accept_encoding="gzip")
        plain = gzip.decompress(packed.content) if packed.headers["content-encoding"] == "gzip" else packed.content
        assert plain == first.content
    assert len(ask(server, "GET", "/static/vendor/three.mjs", accept_encoding="gzip").content) < 0.5 * len(
        ask(server, "GET", "/static/vendor/three.mjs").content
    )


# --- bodies and addresses -----------------------------------------------------------------------------------------------


def test_a_long_body_is_refused(server: str) -> None:
    long = b'{"text": "' + b"x" * (5 << 20) + b'"}'
    assert ask(server, "POST", "/api/robots", long).status == 413
    chunks = (b"x" * 65536 for _ in range(200))  # without a length: counted as it comes
    assert ask(server, "POST", "/api/robots", chunks).status == 413
    head = _head(server, "POST /api/uploads?name=x")
    assert raw(server, head + b"Content-Length: 300000000\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize("length", ["-1", "x", "1e3", "99999999999999999999999", "5, 6", "\u0664"])
def test_a_length_that_is_none_is_refused(server: str, length: str) -> None:
    sent = _head(server, "POST /api/robots") + f"Content-Length: {length}\r\nConnection: close\r\n\r\n".encode()
    assert re.match(rb"HTTP/1.1 4\d\d", raw(server, sent))


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    with running(slow=0.5) as server:
        late = raw(server, _head(server, "POST /api/robots") + b"Content-Length: 50\r\n\r\n{")
        assert late.startswith(b"HTTP/1.1 408")


def test_a_request_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("robosym.web.running.HEAD", 0.3)
    with running() as server:
        assert raw(server, b"GET / HTTP/1.1\r\nHost: ") == b""
        assert raw(server, b"") == b""


def test_a_connection_that_is_used_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also between requests: it was closed under clients that were about to send."""
    monkeypatch.setattr("robosym.web.running.HEAD", 0.3)
    with running() as server, closing(http.client.HTTPConnection("127.0.0.1", urlsplit(server).port)) as connection:
        for _ in range(6):
            connection.request("GET", "/api/alive")
            assert connection.getresponse().read()
            time.sleep(0.1)


def _head(server: str, line: str) -> bytes:
    host = f"127.0.0.1:{urlsplit(server).port}"
    return f"{line} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n".encode()


@pytest.mark.parametrize("path", ["/static/../server.py", "/static/%2e%2e/server.py", "/static/..%2fserver.py", "/static/%2e%2e%2f%2e%2e%2f__init__.py", "/static//etc/passwd", "/static/%2Fetc%2Fpasswd", "/static/..%5Cserver.py", "/static/%00", "/static/main.js%00.css", "/static/" + "a/" * 3000, "/static/", "/static", "/static/core", "/../../etc/passwd", "//etc/passwd"])  # fmt: skip
def test_only_files_of_the_page(server: str, path: str) -> None:
    answer = ask(server, "GET", path)
    assert answer.status == 404
    assert b"import" not in answer.content
    assert b"root:" not in answer.content


def test_strange_requests(server: str) -> None:
    assert ask(server, "HEAD", "/api/alive")[::2] == (200, b"")
    assert ask(server, "HEAD", "/").headers["content-security-policy"]
    assert ask(server, "BREW", "/api/robots").status == 405
    assert ask(server, "PUT", "/api/robots", {}).status == 405
    assert ask(server, "GET", "/api/" + "x" * 5000).status == 404
    assert raw(server, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n").startswith(b"HTTP/1.1 400")
    upgrade = (
        _head(server, "GET /")
        + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", urlsplit(server).port or 0), timeout=60) as connection:
        connection.sendall(upgrade)
        assert b"101" not in connection.recv(100)


DEEP = b"[" * 200_000
NOT_JSON = {
    "nothing": b"",
    "no object": b"[1]",
    "not closed": b'{"text": ',
    "deep": b'{"text": ' + DEEP,
    "deep and closed": b'{"a":' * 500 + b"1" + b"}" * 500,
    "many digits": b'{"text": ' + b"9" * 5000 + b"}",
    "hundreds of digits": b'{"text": ' + b"9" * 400 + b"}",
    "beyond floats": b'{"text": 1e999}',
    "nan": b'{"text": NaN}',
    "not utf-8": b'{"text": "\xff\xfe\xfd"}',
    "half a letter": rb'{"text": "\ud800"}',
}


@pytest.mark.parametrize("body", NOT_JSON.values(), ids=NOT_JSON)
def test_bodies_that_are_no_json(server: str, body: bytes) -> None:
    answer = ask(server, "POST", "/api/robots", body)
    assert answer.status == 400
    assert answer.message
    if body.isascii():  # of an address other bytes are replaced before anybody reads them
        assert ask(server, "GET", f"/api/robots/rx90/models/geometric?options={quote(body[:3000]) or 0}").status == 400


def test_bodies_of_other_kinds(server: str) -> None:
    for body in ({"text": 3}, {"name": ["rx90"]}, {"text": "", "format": {}}):
        assert ask(server, "POST", "/api/robots", body).status == 400


# --- hostile robots -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["nothing", "x" + "0" * 32, "..", "%2e%2e%2fpyproject", "a" * 4000, "%00", "rx90.toml", "%F0%9F%A4%96", "/etc/passwd"])  # fmt: skip
def test_keys_that_are_none(server: str, key: str) -> None:
    answer = ask(server, "GET", f"/api/robots/{key}/scene")
    assert answer.status == 404
    assert len(answer.content) < 400


HOSTILE = "</script><script>alert(1)</script>`${alert(1)}`\"'\\\n*/alert(1)/*"
ARM = """
name = {name}
[[joint]]
name = {joint}
sigma = 0
alpha = {alpha}
"""


def test_a_hostile_name_runs_nowhere(server: str) -> None:
    sent = ask(server, "POST", "/api/robots", {"text": _robot(name=HOSTILE), "format": "toml"})
    if sent.status == 422:  # refused with words is as good
        assert sent.message
        return
    assert sent.status == 200
    assert sent.headers["content-type"] == "application/json"
    for module in ("direct", "measures"):
        found = ask(server, "GET", f"/api/robots/{sent.headers['x-robot']}/{module}.mjs")
        if found.status == 200:
            code = re.sub(r'"(?:[^"\\\n]|\\.)*"|/\*.*?\*/|//[^\n]*', "", found.content.decode(), flags=re.S)
            assert "alert" not in code


@pytest.mark.parametrize("formula", ["__import__('os').system('true')", "(1).__class__", "lambda: 1", "9**9**9**9", "(" * 5000, "a" * 100_000, "1/0", "open('/etc/passwd')", "exec('1')", "sin(" * 300 + "1" + ")" * 300])  # fmt: skip
def test_a_hostile_formula_gets_words(server: str, formula: str) -> None:
    answer = ask(server, "POST", "/api/robots", {"text": _robot(alpha=formula), "format": "toml"})
    assert answer.status == 422
    assert answer.json["problems"]
    assert len(answer.message) < 2000
    _says_no_path(answer.message)


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("toml", "\x00\x01"),
        ("toml", "a" * 100_000),
        ("toml", "x = " + "[" * 5000),
        ("par", "(* " + "x" * 10_000),
        ("urdf", "<!DOCTYPE r [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><robot name='&a;'/>"),
        ("urdf", "<!DOCTYPE r [<!ENTITY a 'aaaaaaaaaa'>" + "".join(f"<!ENTITY {c} '&{b};&{b};&{b};&{b};&{b};&{b};&{b};&{b};&{b};'>" for b, c in zip("abcdefgh", "bcdefghi", strict=True)) + "]><robot name='&i;'/>"),
        ("urdf", "<a>" * 20_000),
        ("xml", "<mujoco><include file='/etc/passwd'/></mujoco>"),
        ("nonsense", "x"),
        ("../../x", "x"),
    ],
)  # fmt: skip
def test_a_hostile_description_gets_words(server: str, format: str, text: str) -> None:
    answer = ask(server, "POST", "/api/robots", {"text": text, "format": format})
    assert answer.status == 422
    assert answer.message
    assert "root:" not in answer.message
    assert len(answer.content) < 20_000
    _says_no_path(answer.message)


def _robot(**entries: str) -> str:
    given = {"name": "arm", "joint": "j1", "alpha": "0", **entries}
    return ARM.format(**{name: json.dumps(value) for name, value in given.items()})


def _says_no_path(message: str) -> None:
    assert not re.search(r"/(tmp|home|usr|work|src|var)/|\.py\b|Traceback|site-packages", message), message


class Trap:
    """What a pickle may do when it is read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (os.path.join(tempfile.gettempdir(), "robosym-trap"),)


def _pickled() -> bytes:
    file = io.BytesIO()
    np.save(file, np.array([Trap()], dtype=object), allow_pickle=True)
    return file.getvalue()


def _unfolds() -> bytes:
    """An archive of few bytes that holds many."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("q1.npy", b"\0" * (20 << 20))
    return file.getvalue()


RECORDINGS = {
    "nothing.csv": b"",
    "bytes.csv": bytes(range(256)) * 50,
    "words.csv": b"t,q1\n" + b"0,__import__('os').abort()\n" * 20,
    "wide.csv": b",".join(b"c%d" % k for k in range(500)) + b"\n",
    "pickle.npy": _pickled(),
    "unfolds.npz": _unfolds(),
    "no.mat": b"MATLAB 5.0 MAT-file" + b"\xff" * 500,
    "no.parquet": b"PAR1" + b"\xff" * 200 + b"PAR1",
    "no.h5": b"\x89HDF\r\n\x1a\n" + b"\xff" * 200,
    "../../../no.exe": b"MZ",
}


def test_hostile_recordings_get_words(server: str) -> None:
    pytest.importorskip("robosym.views.identification")
    sent = [ask(server, "POST", f"/api/uploads?name={quote(name)}", content) for name, content in RECORDINGS.items()]
    asked = {"kind": "look", "key": "rx90", "files": {"recordings": [one.json["id"] for one in sent]}}
    job = ask(server, "POST", "/api/jobs", asked).json["id"]
    said = ask(server, "GET", f"/api/jobs/{job}/events").content.decode()
    assert "event: done" in said, said
    found = ask(server, "GET", f"/api/jobs/{job}/result")
    problems = json.dumps(found.json["problems"])
    for name in ("nothing.csv", "bytes.csv", "pickle.npy", "no.mat", "no.parquet", "no.h5", "no.exe"):
        assert name in problems
    _says_no_path(found.content.decode())
    assert not os.path.exists(os.path.join(tempfile.gettempdir(), "robosym-trap"))


# --- limits -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hasty() -> Iterator[str]:
    with running(workers=partial(Workers, 1, seconds=3.0)) as address:
        yield address


def test_a_request_that_takes_too_long_is_ended_and_the_next_is_served(hasty: str) -> None:
    ask(hasty, "GET", "/api/robots")  # the worker is there
    wild = ask(hasty, "GET", "/api/robots/general-2000r/direct.mjs")
    assert wild.status == 503
    assert "longer than 3 s" in wild.message
    assert ask(hasty, "GET", "/api/robots").status == 200


def test_uploads_are_counted(server: str) -> None:
    chunks = repeat(b"x" * (1 << 20), 201)
    answer = ask(server, "POST", "/api/uploads?name=%2Ftmp%2Flong.csv", iter(chunks))
    assert answer.status == 413
    _says_no_path(answer.message)


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "", "..", "a\x00b", "\u202egpj.csv", "x" * 10_000, "C:\\Windows\\a.csv", "<b>.csv"]
)
def test_names_of_files_are_labels(name: str) -> None:
    from robosym.web.uploads import label

    found = label(name)
    assert re.fullmatch(r"[\w\-()+][\w.\- ()+]{0,79}", found)
    assert found not in ("", ".", "..")
