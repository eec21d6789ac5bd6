"""Sends requests and waits for answers; `_transport.py` is the same without `await`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

import anyio
import httpx

from ._protocol import Answer, EventStream, LiveEvent, Request, Settings, next_query, pause_before
from ._transport import explained
from .types import BatchEvent
from .errors import NetworkError, SignpostError

Row = TypeVar("Row")
Meta = TypeVar("Meta")


@dataclass
class AsyncPage(Generic[Row, Meta]):
    """A page of a list. Iterate over it for its rows and the rows of all following pages."""

    data: list[Row]
    meta: Meta
    _ask: Callable[[dict[str, Any]], Awaitable[AsyncPage[Row, Meta]]]

    async def next_page(self) -> AsyncPage[Row, Meta] | None:
        """None after the last page."""
        changes = next_query(len(self.data), self.meta)
        return None if changes is None else await self._ask(changes)

    async def __aiter__(self) -> AsyncIterator[Row]:
        page: AsyncPage[Row, Meta] | None = self
        while page:
            for row in page.data:
                yield row
            page = await page.next_page()


class AsyncList(Generic[Row, Meta]):
    """A list. Await it for its first page, or iterate over it for the rows of all pages."""

    def __init__(self, first: Callable[[], Awaitable[AsyncPage[Row, Meta]]]) -> None:
        self._first = first

    def __await__(self) -> Generator[Any, None, AsyncPage[Row, Meta]]:
        return self._first().__await__()

    async def __aiter__(self) -> AsyncIterator[Row]:
        async for row in await self._first():
            yield row


class AsyncDownload:
    """A file. Read it with `read()`, or iterate over its bytes; leave it early with `aclose()` or `async with`."""

    def __init__(self, response: httpx.Response, settings: Settings) -> None:
        self.headers: Mapping[str, str] = response.headers
        self._response = response
        self._settings = settings

    async def read(self) -> bytes:
        return b"".join([chunk async for chunk in self])

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async with self:
            with explained(self._settings):
                async for chunk in self._response.aiter_bytes():
                    yield chunk

    async def aclose(self) -> None:
        await self._response.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class AsyncTransport:
    def __init__(self, settings: Settings, http: httpx.AsyncClient) -> None:
        self._settings = settings
        self._http = http

    async def send(self, request: Request) -> Answer[Any, Any]:
        return self._settings.read(await self._open(request, is_file=False))

    def list(self, request: Request) -> AsyncList[Any, Any]:
        return AsyncList(lambda: self._page(request))

    async def _page(self, request: Request) -> AsyncPage[Any, Any]:
        answer = await self.send(request)
        return AsyncPage(answer.data, answer.meta, lambda changes: self._page(request.asking(changes)))

    async def download(self, request: Request) -> AsyncDownload:
        return AsyncDownload(await self._open(request, is_file=True), self._settings)

    async def follow_clicks(self, request: Request) -> AsyncIterator[LiveEvent]:
        """Clicks as they come. After a lost connection it continues behind the last one."""
        last_id: str | None = None
        failures = 0
        while True:
            try:
                stream = EventStream()
                async for chunk in await self.download(request.behind(last_id)):
                    failures = 0
                    for event in stream.feed(chunk):
                        last_id = event["id"] or last_id
                        yield event
                if request.query and "maxSeconds" in request.query:
                    return
                raise NetworkError("The feed has ended.")
            except SignpostError as error:
                if not error.is_passing:
                    raise
                await anyio.sleep(pause_before(error, failures))
                failures += 1

    async def follow_events(self, request: Request) -> AsyncIterator[BatchEvent]:
        """Events as they come; it continues after failures that pass."""
        failures = 0
        while True:
            try:
                batch = (await self.send(request)).data
            except SignpostError as error:
                if not error.is_passing:
                    raise
                await anyio.sleep(pause_before(error, failures))
                failures += 1
                continue
            failures = 0
            for event in batch["events"]:
                yield event
            request = request.asking({"cursor": batch["cursor"]})

    async def _open(self, request: Request, *, is_file: bool) -> httpx.Response:
        """The successful answer, its body read unless it is a file."""
        arguments = self._settings.arguments(request)
        attempt = 0
        while True:
            try:
                return await self._open_once(arguments, request, is_file=is_file)
            except SignpostError as error:
                pause = request.pause_after(error, attempt, self._settings)
                if pause is None:
                    raise
                await anyio.sleep(pause)
                attempt += 1

    async def _open_once(
        self, arguments: dict[str, Any], request: Request, *, is_file: bool
    ) -> httpx.Response:
        with explained(self._settings, request):
            sent = self._http.build_request(**arguments)
            # A key goes to no other host than this one.
            response = await self._http.send(sent, stream=is_file, follow_redirects=False)
            if not response.is_success:
                await response.aread()
        self._settings.check(response)
        return response
