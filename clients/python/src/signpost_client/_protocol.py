"""How calls become requests, and what answers mean: the same for both clients."""

from __future__ import annotations

import json
import random
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any, Generic, Literal, TypedDict, TypeVar, cast
from urllib.parse import SplitResult, quote, urljoin, urlsplit

import httpx

from ._errors import ERROR_CLASSES
from .types import ClickReceivedEventData
from .errors import (
    PASSING_STATUSES,
    SignpostError,
    TimedOutError,
    UnexpectedAnswerError,
    explain_failure,
)

TIMEOUT_SECONDS = 30.0
MAX_RETRIES = 2
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 60.0
"""A server that wants a longer pause is not asked again."""

Data = TypeVar("Data")
Meta = TypeVar("Meta")


class Options(TypedDict, total=False):
    """What can be set for a single call."""

    timeout: float
    """How many seconds the server may be silent."""
    max_retries: int
    """How often a failed call is sent again, where that is safe."""
    idempotency_key: str
    """Of all requests with one key a single one has an effect. Without it, each call has a key of its own."""
    if_match: str
    """The `etag` of an answer: the change is refused (`PreconditionFailedError`) if there is a newer version."""
    headers: Mapping[str, str]
    """Further headers of the request."""


@dataclass(frozen=True)
class Answer(Generic[Data, Meta]):
    """What the server answered."""

    data: Data
    meta: Meta
    """The id of the request and, where the API has it, more about `data`."""
    etag: str | None
    """The version of the resource, for `if_match`."""
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    options: Options
    query: Mapping[str, Any] | None = None
    body: Any = None
    form: Mapping[str, Any] | None = None
    keyed: bool = False
    """Takes an Idempotency-Key."""

    def asking(self, changes: Mapping[str, Any]) -> Request:
        """The same request with another query."""
        return replace(self, query={**(self.query or {}), **changes})

    def behind(self, event_id: str | None) -> Request:
        """The same request for what came after an event."""
        headers = self.options.get("headers", {})
        behind = {} if event_id is None else {"last-event-id": event_id}
        return replace(self, options={**self.options, "headers": {**headers, **behind}})

    def pause_after(self, error: SignpostError, attempt: int, settings: Settings) -> float | None:
        """Seconds until the request is sent again; None if it should not be."""
        # Without a key, only these have the same effect however often they arrive; a 429 has had none.
        is_safe = self.keyed or self.method not in ("PATCH", "DELETE") or error.status == 429
        pause = pause_before(error, attempt)
        if attempt >= self.options.get("max_retries", settings.max_retries):
            return None
        return pause if is_safe and error.is_passing and pause <= LONGEST_PAUSE_SECONDS else None


def pause_before(error: SignpostError, attempt: int) -> float:
    """As long as the server asks for, else twice as long each time, at random so that clients spread."""
    if error.retry_after is not None:
        return error.retry_after
    doubled = min(FIRST_PAUSE_SECONDS * 2.0**attempt, LONGEST_PAUSE_SECONDS / 2)
    return doubled * random.uniform(0.5, 1)


class Settings:
    def __init__(self, base_url: str, api_key: str | None, timeout: float, max_retries: int) -> None:
        parts = _address(base_url)
        if parts is None:
            raise ValueError(
                "base_url must be the address of your Signpost server, such as https://links.example.com; "
                f"it is {base_url!r}."
            )
        # The key itself is not told: errors end in logs.
        if api_key is not None and not re.fullmatch(r"sp_\w+", api_key, re.ASCII):
            raise ValueError("api_key must be an API key, sp_…; create one in the settings of the dashboard.")
        self.origin = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        self.root = f"{self.origin}{re.sub(r'(/v1)?/*$', '', parts.path)}/v1"
        self.api_key = api_key
        self.timeout = timeout
        self.max_retries = max_retries
        self.agent = f"signpost-client-python/{version('signpost-client')}"

    def arguments(self, request: Request) -> dict[str, Any]:
        """The arguments of `httpx.Client.build_request`, the same for each attempt."""
        options = request.options
        key = options.get("idempotency_key") or (str(uuid.uuid4()) if request.keyed else None)
        headers = {
            "user-agent": self.agent,
            **({"authorization": f"Bearer {self.api_key}"} if self.api_key else {}),
            **({"idempotency-key": key} if key and request.method != "GET" else {}),
            **({"if-match": options["if_match"]} if options.get("if_match") else {}),
            **options.get("headers", {}),
        }
        return {
            "method": request.method,
            "url": self.root + request.path,
            "params": _without_nones(request.query),
            "headers": headers,
            "timeout": options.get("timeout", self.timeout),
            **({"json": request.body} if request.body is not None else {}),
            **_form(request.form),
        }

    def explain(self, error: httpx.RequestError, request: Request | None = None) -> SignpostError:
        if isinstance(error, httpx.TimeoutException):
            seconds = request.options.get("timeout", self.timeout) if request else self.timeout
            return TimedOutError(
                f"{self.origin} was silent for {seconds:g} seconds: try again, or set a longer timeout.",
                code="TIMEOUT",
            )
        return explain_failure(error, self.origin)

    def read(self, response: httpx.Response) -> Answer[Any, Any]:
        """The answer in a successful response."""
        body = _parse(response) if response.status_code != 204 else {"data": None}
        if "data" not in body:
            raise self._unexpected(response)
        meta = body.get("meta", {"requestId": response.headers.get("x-request-id")})
        return Answer(body["data"], meta, response.headers.get("etag"), response.headers)

    def check(self, response: httpx.Response) -> None:
        """Raises what a response says unless it is a success of a Signpost server, which have all an id."""
        request_id = response.headers.get("x-request-id")
        if response.is_success and request_id:
            return
        error = {} if response.is_success else _parse(response).get("error")
        if not isinstance(error, dict) or not isinstance(error.get("code"), str):
            raise self._unexpected(response)
        raise ERROR_CLASSES.get(error["code"], SignpostError)(
            str(error.get("message", "")),
            code=error["code"],
            status=response.status_code,
            request_id=request_id,
            details=error.get("details"),
            retry_after=_retry_after(response),
        )

    def _unexpected(self, response: httpx.Response) -> UnexpectedAnswerError:
        return UnexpectedAnswerError(
            self._explain_answer(response),
            code="UNEXPECTED_ANSWER",
            status=response.status_code,
            retry_after=_retry_after(response),
        )

    def _explain_answer(self, response: httpx.Response) -> str:
        status = response.status_code
        if 300 <= status < 400 and status != 304:
            target = urlsplit(urljoin(str(response.request.url), response.headers.get("location", "")))
            return (
                f"{self.origin} redirects to {target.scheme}://{target.netloc}: "
                "set base_url to the address of the Signpost server itself."
            )
        is_html = response.headers.get("content-type", "").startswith("text/html")
        what = "an HTML page" if is_html else "text"
        if status in PASSING_STATUSES:
            return (
                f"{self.origin} answers {status} with {what} of a proxy: "
                "check that the Signpost server behind it runs."
            )
        return (
            f"{self.origin} answers {status} with {what} instead of Signpost's JSON: "
            "check base_url, and the proxy in front of the server."
        )


def _address(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        is_usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        return None
    return parts if is_usable else None


def path_part(name: str, value: str) -> str:
    """An empty part, or one of dots, would be the path of another operation."""
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ValueError(f"{name} must be a text that is not empty; it is {value!r}.")
    return quote(value, safe="")


def next_query(count: int, meta: Any) -> dict[str, Any] | None:
    """What the query of the next page of a list changes, after a page of `count` rows; None after the last one."""
    if count == 0 or count < meta["limit"]:
        return None
    if "nextCursor" in meta:
        cursor = meta["nextCursor"]
        return None if cursor is None else {"cursor": cursor, "offset": None}
    end = meta["offset"] + count
    return None if meta.get("totalIsExact", True) and end >= meta["total"] else {"offset": end}


def _without_nones(query: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (query or {}).items() if value is not None}


def _form(fields: Mapping[str, Any] | None) -> dict[str, Any]:
    """Of the fields of a form, those that are no texts or numbers are files."""
    given = _without_nones(fields)
    if not given:
        return {}
    texts = {name: value for name, value in given.items() if isinstance(value, str | int | float)}
    return {"data": texts, "files": {name: given[name] for name in given.keys() - texts.keys()}}


def _retry_after(response: httpx.Response) -> float | None:
    seconds = response.headers.get("retry-after", "")
    return float(seconds) if re.fullmatch(r"[0-9]{1,9}", seconds) else None


def _parse(response: httpx.Response) -> dict[str, Any]:
    try:
        value = json.loads(response.content)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


class LiveClick(TypedDict):
    """A click as it came."""

    type: Literal["click"]
    id: str
    data: ClickReceivedEventData


class SkippedClicksData(TypedDict):
    clicks: int | None


class SkippedClicks(TypedDict):
    """How many clicks were left out because too many came at once; None if that is unknown."""

    type: Literal["skipped"]
    id: None
    data: SkippedClicksData


LiveEvent = LiveClick | SkippedClicks


class EventStream:
    """Server-sent events in the bytes of an answer."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> list[LiveEvent]:
        """The clicks, and notes of skipped ones, that the chunk completes."""
        *blocks, self._rest = (self._rest + chunk).split(b"\n\n")
        events = [_fields(block.decode()) for block in blocks]
        return [_live_event(each) for each in events if each.get("event") in ("click", "skipped")]


def _live_event(fields: dict[str, str]) -> LiveEvent:
    event = {"type": fields["event"], "id": fields.get("id"), "data": json.loads(fields["data"])}
    return cast(LiveEvent, event)


def _fields(block: str) -> dict[str, str]:
    lines = (line.partition(":") for line in block.split("\n"))
    return {name: value.removeprefix(" ") for name, _, value in lines if name}
