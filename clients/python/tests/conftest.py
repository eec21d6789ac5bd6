from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from signpost_client import Client


@dataclass
class Server:
    """A running Signpost server, and keys for it. `test/clients/python.slow.test.ts` starts it."""

    origin: str
    apiKey: str
    readingKey: str
    expiredKey: str
    freeKey: str
    vectors: str
    certificate: str


@pytest.fixture(scope="session")
def server() -> Server:
    return Server(**json.loads(os.environ["SIGNPOST_TEST"]))


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.origin, server.apiKey) as client:
        yield client


Handle = Callable[[BaseHTTPRequestHandler], None]
Serve = Callable[[Handle], ThreadingHTTPServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts an HTTP server of a test."""
    servers: list[ThreadingHTTPServer] = []

    def start(handle: Handle) -> ThreadingHTTPServer:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                handle(self)

            do_POST = do_PATCH = do_GET

            def log_message(self, *_: object) -> None:
                pass

        started = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        started.daemon_threads = True
        servers.append(started)
        threading.Thread(target=started.serve_forever, args=(0.02,), daemon=True).start()
        return started

    yield start
    for each in servers:
        each.shutdown()
        each.server_close()


def origin_of(server: ThreadingHTTPServer) -> str:
    return f"http://127.0.0.1:{server.server_port}"


def answer(request: BaseHTTPRequestHandler, status: int, body: str, **headers: str) -> None:
    request.send_response(status)
    request.send_header("content-length", str(len(body.encode())))
    for name, value in headers.items():
        request.send_header(name.replace("_", "-"), value)
    request.end_headers()
    request.wfile.write(body.encode())
