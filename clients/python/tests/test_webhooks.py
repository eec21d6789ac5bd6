"""`verify` and the published signatures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import Server
from signpost_client.webhooks import WebhookVerificationError, verify


def is_accepted(vector: dict[str, Any], headers: dict[str, str], now: float) -> bool:
    rule = vector.get("bodyRule")
    body = rule["prefix"] + rule["repeat"] * rule["times"] + rule["suffix"] if rule else vector["body"]
    try:
        verify(body.encode(), headers, vector["secret"], now=now)
    except WebhookVerificationError:
        return False
    except json.JSONDecodeError:
        # The signature is verified before the body is parsed.
        return True
    return True


def test_accepts_and_refuses_the_published_signatures(server: Server) -> None:
    vectors = json.loads(Path(server.vectors).read_text())
    tolerance = vectors["toleranceSeconds"]
    for vector in vectors["accepted"]:
        own = {"X-Service-Signature": vector["header"]}
        for late in (0, tolerance, -tolerance):
            assert is_accepted(vector, own, vector["timestamp"] + late), vector["name"]
        assert not is_accepted(vector, own, vector["timestamp"] + tolerance + 1)
        if "standardWebhooks" in vector:
            assert is_accepted(vector, vector["standardWebhooks"], vector["timestamp"]), vector["name"]
    for vector in vectors["refused"]:
        headers = {"X-Service-Signature": vector["header"]}
        assert not is_accepted(vector, headers, vector["now"]), vector["name"]


def test_refuses_an_empty_secret_and_a_parsed_body() -> None:
    with pytest.raises(ValueError, match="secret is empty"):
        verify(b"{}", {}, "")
    with pytest.raises(TypeError, match="raw body"):
        verify({}, {}, "whsec_1")  # type: ignore[arg-type]
