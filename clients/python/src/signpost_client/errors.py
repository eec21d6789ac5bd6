"""What a call can fail with."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator
from typing import Any

NO_PATH = {errno.ENETUNREACH, errno.ENETDOWN, errno.EHOSTUNREACH}
PASSING_STATUSES = {408, 429, 500, 502, 503, 504}


class SignpostError(Exception):
    """
    Anything that a call can fail with. What the server refused has a class by its code, such as `NotFoundError`;
    without a usable answer it is a `NetworkError`, a `TimedOutError` or an `UnexpectedAnswerError`.
    """

    code: str
    """For programs: `NOT_FOUND`."""
    status: int
    """The HTTP status; 0 without an answer."""
    request_id: str | None
    """The id under which the server logged the request."""
    details: Any
    """Facts about the error, or one entry for each wrong field."""
    retry_after: float | None
    """After how many seconds the server wants to be asked again."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        status: int = 0,
        request_id: str | None = None,
        details: Any = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id
        self.details = [] if details is None else details
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.message} ({self.request_id})" if self.request_id else self.message

    @property
    def is_passing(self) -> bool:
        """Whether the same request may succeed a moment later."""
        if self.status == 409 and isinstance(self.details, dict):
            return self.details.get("reason") == "request_under_way"
        return self.status == 0 or self.status in PASSING_STATUSES


class NetworkError(SignpostError):
    """There was no answer: no server, no network, a certificate that is not trusted."""


class TimedOutError(SignpostError):
    """The server was silent for `timeout` seconds."""


class UnexpectedAnswerError(SignpostError):
    """The answer is not one of Signpost: a wrong `base_url`, or a page of a proxy."""


def explain_failure(error: BaseException, origin: str) -> NetworkError:
    """What a failed connection says, as one sentence about what to do."""
    return NetworkError(_sentence(error, origin), code="NO_ANSWER")


def _sentence(error: BaseException, origin: str) -> str:
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return _certificate_sentence(cause, origin)
        if isinstance(cause, ssl.SSLError):
            return (
                f"{origin} does not speak TLS ({cause.reason}): "
                "check whether base_url begins with http:// or https://."
            )
        if isinstance(cause, socket.gaierror):
            if cause.errno == socket.EAI_AGAIN:
                return f"The host of {origin} cannot be looked up: check the network and the DNS of this machine."
            return f"The host of {origin} is unknown: check the spelling of base_url, and DNS."
        if isinstance(cause, OSError) and cause.errno in NO_PATH:
            return f"There is no network path to {origin}: check the connection of this machine."
    return f"There is no answer from {origin} ({error}): check base_url, and that the server runs."


def _certificate_sentence(error: ssl.SSLCertVerificationError, origin: str) -> str:
    reason = error.verify_message
    if "expired" in reason:
        return f"The certificate of {origin} has expired: renew it on the server."
    if "not valid for" in reason or "mismatch" in reason:
        return f"The certificate of {origin} is for another host: use the host that it names in base_url."
    return (
        f"The certificate of {origin} is not trusted here ({reason}): "
        "trust its authority, with SSL_CERT_FILE=ca.pem."
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and those that led to it."""
    yield error
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _causes(each)
    led = error.__cause__ or error.__context__
    if led is not None:
        yield from _causes(led)
