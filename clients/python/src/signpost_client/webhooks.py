"""Verification of webhook deliveries."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable
from typing import Protocol, cast

from .types import WebhookEvent

__all__ = ["WebhookEvent", "WebhookVerificationError", "verify"]

TOLERANCE_SECONDS = 300


class WebhookVerificationError(Exception):
    """The body is not a delivery of this endpoint: answer it with 400, and do not act on it."""


class Headers(Protocol):
    """A dict, or the headers of a request in Django, Flask, FastAPI, aiohttp or `http.server`."""

    def items(self) -> Iterable[tuple[str, str]]: ...


def verify(
    raw_body: bytes | str,
    headers: Headers,
    secret: str,
    *,
    tolerance: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> WebhookEvent:
    """
    The event of a delivery, once its signature is verified: `x-service-signature`, or the headers of Standard
    Webhooks. During a rotation the signature by the previous secret counts too.

    `raw_body` is the body as it arrived, before any JSON parser saw it. Raises `WebhookVerificationError` if the
    signature is missing, wrong, or more than `tolerance` seconds old.
    """
    if not isinstance(raw_body, bytes | str):
        raise TypeError("verify needs the raw body, bytes or a text, not what a JSON parser made of it.")
    # Anyone can sign with an empty secret.
    if not secret:
        raise ValueError("secret is empty: set it to the secret of the endpoint, whsec_….")
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    signatures = _signatures({name.lower(): value for name, value in headers.items()})
    if not signatures:
        raise WebhookVerificationError(
            "The request has neither x-service-signature nor webhook-signature: "
            "it does not come from Signpost, or a proxy removed them."
        )
    at = time.time() if now is None else now
    recent = [each for each in signatures if abs(at - int(each[0])) <= tolerance]
    if not recent:
        raise WebhookVerificationError(
            f"The signature is more than {tolerance:g} seconds old: check the clock of this machine."
        )
    for _, prefix, signature in recent:
        expected = hmac.digest(secret.encode(), prefix.encode() + body, hashlib.sha256)
        if hmac.compare_digest(expected, signature):
            return cast(WebhookEvent, json.loads(body))
    raise WebhookVerificationError(
        "The signature does not match: check that you use the secret of this endpoint, and that the body is unchanged."
    )


def _signatures(headers: dict[str, str]) -> list[tuple[str, str, bytes]]:
    """The signatures of both schemes: timestamp, what is signed before the body, signature."""
    found = []
    for name in ("x-service-signature", "x-service-signature-previous"):
        own = re.fullmatch(r"t=([0-9]{1,15}),v1=([0-9a-f]{64})", headers.get(name, ""))
        if own:
            found.append((own[1], f"t.{own[1]}.", bytes.fromhex(own[2])))
    id_, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if id_ and re.fullmatch(r"[0-9]{1,15}", timestamp):
        for each in headers.get("webhook-signature", "").split(" "):
            if re.fullmatch(r"v1,[A-Za-z0-9+/]{43}=", each):
                found.append((timestamp, f"{id_}.{timestamp}.", base64.b64decode(each[3:])))
    return found
