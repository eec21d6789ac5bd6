"""Both clients against servers that fail."""

from __future__ import annotations

import asyncio
import json
import pickle
import socket
import ssl
import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from conftest import Serve, Server, answer, origin_of
from signpost_client import (
    AsyncClient,
    Client,
    NetworkError,
    RateLimitedError,
    SignpostError,
    TimedOutError,
    UnavailableError,
    UnexpectedAnswerError,
    types,
)

LINK: types.CreateLink = {"name": "Docs", "destinationUrl": "https://example.com/"}
KEY = "sp_0123456789"
DONE = '{"data": {}, "meta": {}}'


def run(origin: str, is_async: bool, **settings: Any) -> Any:
    """What a creation of a link answers or raises."""

    async def run_async() -> Any:
        async with AsyncClient(origin, KEY, **settings) as client:
            return await client.links.create(LINK)

    if is_async:
        return asyncio.run(run_async())
    with Client(origin, KEY, **settings) as client:
        return client.links.create(LINK)


both = pytest.mark.parametrize("is_async", [False, True])


def refuse(request: BaseHTTPRequestHandler, status: int, **headers: str) -> None:
    code = "RATE_LIMITED" if status == 429 else "UNAVAILABLE"
    body = json.dumps({"error": {"code": code, "message": "Later.", "details": []}})
    answer(request, status, body, x_request_id="req_1", **headers)


@both
def test_a_call_is_repeated_with_one_key_after_the_pause_that_the_server_asks_for(
    serve: Serve, is_async: bool
) -> None:
    asked: list[tuple[str, float]] = []

    def handle(request: BaseHTTPRequestHandler) -> None:
        asked.append((request.headers["idempotency-key"], time.monotonic()))
        if len(asked) == 1:
            refuse(request, 503)
        elif len(asked) == 2:
            refuse(request, 429, retry_after="1")
        else:
            answer(request, 201, DONE, x_request_id="req_1")

    run(origin_of(serve(handle)), is_async)
    assert len(asked) == 3
    assert len({key for key, _ in asked}) == 1 and asked[0][0]
    assert asked[2][1] - asked[1][1] >= 0.99


@both
def test_a_call_without_an_answer_is_repeated(serve: Serve, is_async: bool) -> None:
    requests: list[str] = []

    def handle(request: BaseHTTPRequestHandler) -> None:
        requests.append(request.path)
        if len(requests) == 1:
            request.connection.shutdown(socket.SHUT_RDWR)
        else:
            answer(request, 201, DONE, x_request_id="req_1")

    run(origin_of(serve(handle)), is_async)
    assert len(requests) == 2


def test_a_call_is_not_repeated_where_that_could_do_harm_or_takes_too_long(serve: Serve) -> None:
    requests: list[str] = []

    def handle(request: BaseHTTPRequestHandler) -> None:
        requests.append(request.command)
        if request.command == "GET":
            refuse(request, 429, retry_after="3600")
        else:
            refuse(request, 503)

    with Client(origin_of(serve(handle)), KEY) as client:
        with pytest.raises(UnavailableError):
            client.links.update("lnk_1", {"name": "A"})
        with pytest.raises(RateLimitedError) as limited:
            client.links.list()
        with pytest.raises(UnavailableError):
            client.links.create(LINK, max_retries=0)
    assert limited.value.retry_after == 3600
    assert requests == ["PATCH", "GET", "POST"]


@both
def test_a_call_ends_at_its_time_limit(serve: Serve, is_async: bool) -> None:
    started = serve(lambda _: time.sleep(2))
    with pytest.raises(TimedOutError, match="silent for 0.1 seconds: try again"):
        run(origin_of(started), is_async, timeout=0.1, max_retries=0)


@both
def test_what_is_wrong_with_the_address_is_one_sentence_that_says_what_to_do(
    serve: Serve, server: Server, is_async: bool
) -> None:
    def error_of(origin: str) -> SignpostError:
        with pytest.raises(SignpostError) as raised:
            run(origin, is_async, max_retries=0)
        return raised.value

    def served(status: int, body: str, **headers: str) -> SignpostError:
        return error_of(origin_of(serve(lambda request: answer(request, status, body, **headers))))

    html = served(200, "<h1>Welcome to nginx</h1>", content_type="text/html")
    assert isinstance(html, UnexpectedAnswerError)
    assert "answers 200 with an HTML page instead of Signpost's JSON: check base_url" in str(html)
    proxy = served(502, "<h1>Bad Gateway</h1>", content_type="text/html")
    assert "answers 502 with an HTML page of a proxy: check that the Signpost server" in str(proxy)
    moved = served(301, "", location="https://links.example.com/v1/links")
    assert "redirects to https://links.example.com: set base_url" in str(moved)

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    nobody = error_of(f"http://127.0.0.1:{port}")
    assert isinstance(nobody, NetworkError)
    assert f"no answer from http://127.0.0.1:{port}" in str(nobody)
    assert "check base_url, and that the server runs" in str(nobody)
    assert "signpost.invalid" in str(error_of("http://signpost.invalid"))

    started = serve(lambda request: answer(request, 200, DONE))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(server.certificate)
    started.socket = context.wrap_socket(started.socket, server_side=True)
    distrusted = str(error_of(f"https://localhost:{started.server_port}"))
    assert "is not trusted here" in distrusted and "SSL_CERT_FILE" in distrusted
    plain = serve(lambda request: answer(request, 200, DONE))
    assert "does not speak TLS" in str(error_of(f"https://127.0.0.1:{plain.server_port}"))


def test_settings_that_cannot_work_are_refused_without_telling_the_key() -> None:
    for base_url in ("", "links.example.com", "ftp://links.example.com", "http://links:x", "http://[::1"):
        with pytest.raises(ValueError, match="base_url must be the address"):
            Client(base_url, KEY)
    with pytest.raises(ValueError, match="api_key must be an API key") as refused:
        Client("https://links.example.com", "hunter2")
    assert "hunter2" not in str(refused.value)


def test_an_error_survives_another_process() -> None:
    error = RateLimitedError("Later.", code="RATE_LIMITED", status=429, retry_after=1)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.code, copy.retry_after) == ("Later.", "RATE_LIMITED", 1)


@both
def test_a_feed_that_ends_is_opened_again_behind_its_last_click(serve: Serve, is_async: bool) -> None:
    asked: list[str | None] = []

    def handle(request: BaseHTTPRequestHandler) -> None:
        asked.append(request.headers["last-event-id"])
        click = f'event: click\nid: {len(asked)}\ndata: {{"clickId": "\u2028"}}\n\n'
        answer(request, 200, f"event: ping\ndata: {{}}\n\n{click}", x_request_id="req_1")

    origin = origin_of(serve(handle))

    async def follow() -> list[str | None]:
        async with AsyncClient(origin, KEY) as client:
            live = client.analytics.live()
            return [(await anext(live))["id"] for _ in range(2)]

    if is_async:
        ids = asyncio.run(follow())
    else:
        with Client(origin, KEY) as client:
            live = client.analytics.live()
            ids = [next(live)["id"] for _ in range(2)]
    assert ids == ["1", "2"]
    assert asked == [None, "1"]


def test_the_address_may_have_a_path_and_end_in_v1(serve: Serve) -> None:
    asked: list[str] = []

    def handle(request: BaseHTTPRequestHandler) -> None:
        asked.append(request.path)
        answer(request, 200, DONE, x_request_id="req_1")

    origin = origin_of(serve(handle))
    for path in ("", "/", "/v1", "/v1/", "/short/v1"):
        with Client(origin + path, KEY) as client:
            client.links.get("lnk_a/b")
    plain = "/v1/links/lnk_a%2Fb"
    assert asked == [plain] * 4 + [f"/short{plain}"]


def test_an_id_that_is_empty_or_a_dot_reaches_no_other_operation() -> None:
    with Client("http://127.0.0.1:9", KEY) as client:
        for id in ("", ".", ".."):
            with pytest.raises(ValueError, match="id must be a text that is not empty"):
                client.links.delete(id)
