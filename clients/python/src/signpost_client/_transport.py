"""Sends requests and waits for answers; `_async_transport.py` is the same with `await`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

import httpx

from ._protocol import Answer, EventStream, LiveEvent, Request, Settings, next_query, pause_before
from .types import BatchEvent
from .errors import NetworkError, SignpostError

Row = TypeVar("Row")
Meta = TypeVar("Meta")


@dataclass
class Page(Generic[Row, Meta]):
    """A page of a list. Iterate over it for its rows and the rows of all following pages."""

    data: list[Row]
    meta: Meta
    _ask: Callable[[dict[str, Any]], Page[Row, Meta]]

    def next_page(self) -> Page[Row, Meta] | None:
        """None after the last page."""
        changes = next_query(len(self.data), self.meta)
        return None if changes is None else self._ask(changes)

    def __iter__(self) -> Iterator[Row]:
        page: Page[Row, Meta] | None = self
        while page:
            yield from page.data
            page = page.next_page()


class Download:
    """A file. Read it with `read()`, or iterate over its bytes; leave it early with `close()` or a `with` block."""

    def __init__(self, response: httpx.Response, settings: Settings) -> None:
        self.headers: Mapping[str, str] = response.headers
        self._response = response
        self._settings = settings

    def read(self) -> bytes:
        return b"".join(self)

    def __iter__(self) -> Iterator[bytes]:
        with self, explained(self._settings):
            yield from self._response.iter_bytes()

    def close(self) -> None:
        self._response.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Transport:
    def __init__(self, settings: Settings, http: httpx.Client) -> None:
        self._settings = settings
        self._http = http

    def send(self, request: Request) -> Answer[Any, Any]:
        return self._settings.read(self._open(request, is_file=False))

    def list(self, request: Request) -> Page[Any, Any]:
        answer = self.send(request)
        return Page(answer.data, answer.meta, lambda changes: self.list(request.asking(changes)))

    def download(self, request: Request) -> Download:
        return Download(self._open(request, is_file=True), self._settings)

    def follow_clicks(self, request: Request) -> Iterator[LiveEvent]:
        """Clicks as they come. After a lost connection it continues behind the last one."""
        last_id: str | None = None
        failures = 0
        while True:
            try:
                stream = EventStream()
                for chunk in self.download(request.behind(last_id)):
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
                time.sleep(pause_before(error, failures))
                failures += 1

    def follow_events(self, request: Request) -> Iterator[BatchEvent]:
        """Events as they come; it continues after failures that pass."""
        failures = 0
        while True:
            try:
                batch = self.send(request).data
            except SignpostError as error:
                if not error.is_passing:
                    raise
                time.sleep(pause_before(error, failures))
                failures += 1
                continue
            failures = 0
            yield from batch["events"]
            request = request.asking({"cursor": batch["cursor"]})

    def _open(self, request: Request, *, is_file: bool) -> httpx.Response:
        """The successful answer, its body read unless it is a file."""
        arguments = self._settings.arguments(request)
        attempt = 0
        while True:
            try:
                return self._open_once(arguments, request, is_file=is_file)
            except SignpostError as error:
                pause = request.pause_after(error, attempt, self._settings)
                if pause is None:
                    raise
                time.sleep(pause)
                attempt += 1

    def _open_once(self, arguments: dict[str, Any], request: Request, *, is_file: bool) -> httpx.Response:
        with explained(self._settings, request):
            sent = self._http.build_request(**arguments)
            # A key goes to no other host than this one.
            response = self._http.send(sent, stream=is_file, follow_redirects=False)
            if not response.is_success:
                response.read()
        self._settings.check(response)
        return response


@contextmanager
def explained(settings: Settings, request: Request | None = None) -> Iterator[None]:
    try:
        yield
    except httpx.RequestError as error:
        raise settings.explain(error, request) from error
