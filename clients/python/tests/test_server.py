"""Both clients against a running server."""

from __future__ import annotations

import asyncio
import json
import queue
import threading
import uuid
from http.server import BaseHTTPRequestHandler

import httpx
import pytest

from conftest import Serve, Server, answer, origin_of
from signpost_client import (
    AsyncClient,
    Client,
    ConflictError,
    ForbiddenError,
    NotFoundError,
    PlanLimitReachedError,
    PreconditionFailedError,
    UnauthorizedError,
    ValidationError,
    types,
)
from signpost_client.webhooks import WebhookVerificationError, verify

TARGET = "https://example.com/"
BROWSER = {"user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}


def new_name() -> str:
    return f"link-{uuid.uuid4().hex[:12]}"


def test_creates_reads_changes_and_deletes_a_link(client: Client) -> None:
    created = client.links.create({"name": "Docs", "destinationUrl": TARGET, "slug": new_name()})
    link: types.Link = created.data
    read = client.links.get(link["id"])
    assert read.meta["requestId"].startswith("req_")
    assert read.etag
    changed = client.links.update(link["id"], {"name": "Manual"}, if_match=read.etag)
    assert changed.data["name"] == "Manual"
    with pytest.raises(PreconditionFailedError) as refused:
        client.links.update(link["id"], {"name": "Guide"}, if_match=read.etag)
    assert refused.value.details["etag"] == changed.etag
    assert client.links.delete(link["id"]).data is None


def test_iterates_over_the_pages_of_lists_by_cursor_and_by_offset(client: Client) -> None:
    mark = new_name()
    names = [f"{mark} {i}" for i in range(7)]
    rows = client.links.create_many([{"name": name, "destinationUrl": TARGET} for name in names])
    assert rows.meta["succeeded"] == 7
    links = client.links.list({"limit": 3, "search": mark})
    assert sorted(link["name"] for link in links) == names
    for name in names[:4]:
        client.folders.create({"name": name})
    page = client.folders.list({"limit": 3})
    assert [len(page.data), page.meta["limit"]] == [3, 3]
    assert {folder["name"] for folder in page} >= set(names[:4])
    last = client.folders.list({"limit": 1, "offset": page.meta["total"] - 1})
    assert last.next_page() is None


def test_raises_errors_by_code_with_the_facts_of_the_server(client: Client) -> None:
    slug = new_name()
    client.links.create({"name": "Taken", "destinationUrl": TARGET, "slug": slug})
    with pytest.raises(ConflictError):
        client.links.create({"name": "Taken", "destinationUrl": TARGET, "slug": slug})
    with pytest.raises(NotFoundError) as missing:
        client.links.get("lnk_unknown")
    assert missing.value.code == "NOT_FOUND"
    assert missing.value.request_id and missing.value.request_id in str(missing.value)
    with pytest.raises(ValidationError) as invalid:
        client.links.create({"name": "", "destinationUrl": "x"})
    assert [each["path"] for each in invalid.value.details] == ["name"]


def test_says_what_a_key_lacks(server: Server) -> None:
    with Client(server.origin, server.readingKey) as reading, pytest.raises(ForbiddenError, match="links:write"):
        reading.links.create({"name": "A", "destinationUrl": TARGET})
    with Client(server.origin, server.expiredKey) as expired, pytest.raises(UnauthorizedError, match="API key"):
        expired.links.count()
    with Client(server.origin, server.freeKey) as free, pytest.raises(PlanLimitReachedError) as limited:
        for i in range(4):
            free.domains.create({"hostname": f"host-{i}.example.com"})
    assert limited.value.details["max"] == 3


def test_reads_files_and_sends_them(client: Client) -> None:
    link = client.links.create({"name": "QR", "destinationUrl": TARGET}).data
    assert client.links.qr(link["id"], {"format": "svg"}).read().startswith(b"<svg")
    with client.links.qr(link["id"]) as file:
        assert file.headers["content-type"] == "image/png"
        assert next(iter(file)).startswith(b"\x89PNG")
    rows = f"name,destinationUrl\n{link['name']},{TARGET}\n"
    sent = client.links.imports.create({"file": ("links.csv", rows.encode(), "text/csv"), "dryRun": True})
    assert sent.data["id"].startswith("imp_")
    with pytest.raises(NotFoundError):
        client.links.qr("lnk_unknown")


def test_follows_clicks_as_they_happen(client: Client) -> None:
    link = client.links.create({"name": "Live", "destinationUrl": TARGET}).data
    is_seen = threading.Event()

    def visit() -> None:
        while not is_seen.wait(0.2):
            httpx.get(link["shortUrl"], headers=BROWSER)

    visitor = threading.Thread(target=visit)
    visitor.start()
    try:
        for event in client.analytics.live({"linkId": link["id"]}):
            assert event["type"] == "click"
            assert event["data"]["link"]["slug"] == link["slug"]
            break
    finally:
        is_seen.set()
        visitor.join()


def test_iterates_over_events_as_they_come(client: Client) -> None:
    heard: queue.Queue[types.BatchEvent] = queue.Queue()
    name = new_name()

    def listen() -> None:
        for event in client.webhooks.listen({"events": "link.created", "waitSeconds": 1}):
            if json.loads(event["payload"])["name"] == name:
                return heard.put(event)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        client.links.create({"name": name, "destinationUrl": TARGET})
        try:
            event = heard.get(timeout=0.5)
        except queue.Empty:
            continue
        assert event["type"] == "link.created"
        break


def test_verifies_a_delivery_in_both_schemes_and_during_a_rotation(client: Client, serve: Serve) -> None:
    deliveries: queue.Queue[tuple[bytes, dict[str, str]]] = queue.Queue()

    def receive(request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers["content-length"]))
        deliveries.put((body, dict(request.headers.items())))
        answer(request, 204, "")

    url = f"{origin_of(serve(receive))}/hook"
    endpoint = client.webhooks.endpoints.create(
        {"url": url, "events": ["link.created"], "standardHeaders": True}
    ).data
    client.webhooks.endpoints.rotate_secret(endpoint["id"], {"overlapHours": 1})
    client.links.create({"name": "Sent", "destinationUrl": TARGET})
    body, headers = deliveries.get(timeout=30)
    secret = client.webhooks.endpoints.get_secret(endpoint["id"]).data["secret"]
    assert secret != endpoint["secret"]
    event = verify(body, headers, endpoint["secret"])
    assert event["type"] == "link.created" and event["data"]["name"] == "Sent"
    standard = {name: value for name, value in headers.items() if not name.lower().startswith("x-service")}
    for given in (headers, standard):
        assert verify(body.decode(), given, secret) == event
    for wrong_body, given in ((body + b" ", headers), (body, {})):
        with pytest.raises(WebhookVerificationError):
            verify(wrong_body, given, secret)
    client.webhooks.endpoints.delete(endpoint["id"])


def test_does_the_same_with_asyncio(server: Server) -> None:
    async def story() -> None:
        mark = new_name()
        async with AsyncClient(server.origin, server.apiKey) as client:
            names = [f"{mark} {i}" for i in range(5)]
            made = [client.links.create({"name": name, "destinationUrl": TARGET}) for name in names]
            links = [answer.data for answer in await asyncio.gather(*made)]
            page = await client.links.list({"limit": 2, "search": mark})
            assert len(page.data) == 2
            for rows in (page, client.links.list({"limit": 2, "search": mark})):
                assert sorted([link["name"] async for link in rows]) == names
            file = await client.links.qr(links[0]["id"], {"format": "svg"})
            assert (await file.read()).startswith(b"<svg")
            with pytest.raises(NotFoundError):
                await client.links.get("lnk_unknown")

            async def first_click() -> str:
                async for event in client.analytics.live({"linkId": links[0]["id"]}):
                    assert event["type"] == "click"
                    return event["data"]["link"]["id"]
                raise AssertionError

            clicked = asyncio.create_task(first_click())
            async with httpx.AsyncClient(headers=BROWSER) as visitor:
                while not clicked.done():
                    await visitor.get(links[0]["shortUrl"])
                    await asyncio.wait([clicked], timeout=0.2)
            assert await clicked == links[0]["id"]

    asyncio.run(story())
