"""The API of a Signpost server: links, analytics, webhooks."""

from . import _errors, types, webhooks
from ._async_transport import AsyncDownload, AsyncList, AsyncPage
from ._errors import *  # noqa: F403
from ._protocol import Answer, LiveEvent, Options
from ._transport import Download, Page
from .client import AsyncClient, Client
from .errors import NetworkError, SignpostError, TimedOutError, UnexpectedAnswerError

__all__ = [
    "Answer",
    "AsyncClient",
    "AsyncDownload",
    "AsyncList",
    "AsyncPage",
    "Client",
    "Download",
    "LiveEvent",
    "NetworkError",
    "Options",
    "Page",
    "SignpostError",
    "TimedOutError",
    "UnexpectedAnswerError",
    "types",
    "webhooks",
]
__all__ += _errors.__all__
