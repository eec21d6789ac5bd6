"""The two clients."""

from __future__ import annotations

from typing import Self

import httpx

from ._async_resources import AsyncResources
from ._async_transport import AsyncTransport
from ._protocol import MAX_RETRIES, TIMEOUT_SECONDS, Settings
from ._resources import Resources
from ._transport import Transport


class Client(Resources):
    """
    A client of one server, with one key. It keeps connections open: use one client for all calls.

    `timeout` is how many seconds the server may be silent, `max_retries` how often a failed call is sent again where
    that is safe. `http_client` sends the requests, for proxies and certificates of your own.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        timeout: float = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        http_client: httpx.Client | None = None,
    ) -> None:
        settings = Settings(base_url, api_key, timeout, max_retries)
        self._http = http_client or httpx.Client()
        super().__init__(Transport(settings, self._http))

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(AsyncResources):
    """
    A client of one server, with one key. It keeps connections open: use one client for all calls.

    `timeout` is how many seconds the server may be silent, `max_retries` how often a failed call is sent again where
    that is safe. `http_client` sends the requests, for proxies and certificates of your own.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        timeout: float = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        settings = Settings(base_url, api_key, timeout, max_retries)
        self._http = http_client or httpx.AsyncClient()
        super().__init__(AsyncTransport(settings, self._http))

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
