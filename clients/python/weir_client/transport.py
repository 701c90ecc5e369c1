"""One HTTP exchange, blocking or on an asyncio loop. No redirect is followed, and no exchange takes longer than it may."""

from __future__ import annotations

import asyncio
import io
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Callable, Mapping, Protocol, TypeVar, cast
from urllib.parse import urlsplit

Result = TypeVar("Result")

# What an exchange raises when there is no answer. asyncio's TimeoutError is a class of its own before Python 3.11.
NO_ANSWER = (OSError, EOFError, HTTPException, asyncio.TimeoutError)


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes = b""

    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    def port(self) -> int:
        return urlsplit(self.url).port or (443 if self.is_secure() else 80)

    def is_secure(self) -> bool:
        return urlsplit(self.url).scheme == "https"

    def target(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"


@dataclass(frozen=True)
class Reply:
    status: int
    body: bytes
    has_retry_after: bool


class Transport(Protocol):
    """The blocking one never suspends, so that a coroutine over it runs to its end in one step."""

    async def exchange(self, request: Request, timeout_s: float) -> Reply: ...

    async def pause(self, seconds: float) -> None: ...

    async def aside(self, work: Callable[..., Result], *args: Any) -> Result:
        """Runs what blocks for a moment: files, the checker of signatures."""


def exchange(request: Request, timeout_s: float) -> Reply:
    """Raises one of NO_ANSWER."""
    kind = HTTPSConnection if request.is_secure() else HTTPConnection
    connection = kind(request.host(), request.port(), timeout=timeout_s)
    end = time.monotonic() + timeout_s
    try:
        connection.connect()
        # A socket's time-out starts anew with each byte that comes; this one does not.
        cut = threading.Timer(max(end - time.monotonic(), 0), partial(_shut, connection))
        cut.daemon = True
        cut.start()
        try:
            connection.request(request.method, request.target(), request.body or None, dict(request.headers))
            return _reply(connection.getresponse())
        finally:
            cut.cancel()
    finally:
        connection.close()


class Blocking:
    async def exchange(self, request: Request, timeout_s: float) -> Reply:
        return exchange(request, timeout_s)

    async def pause(self, seconds: float) -> None:
        time.sleep(seconds)

    async def aside(self, work: Callable[..., Result], *args: Any) -> Result:
        return work(*args)


class OnLoop:
    async def exchange(self, request: Request, timeout_s: float) -> Reply:
        return await asyncio.wait_for(self._exchange(request), timeout_s)

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def aside(self, work: Callable[..., Result], *args: Any) -> Result:
        return await asyncio.to_thread(work, *args)

    async def _exchange(self, request: Request) -> Reply:
        context = ssl.create_default_context() if request.is_secure() else None
        reader, writer = await asyncio.open_connection(request.host(), request.port(), ssl=context)
        try:
            writer.write(_bytes_of(request))
            await writer.drain()
            # `Connection: close` ends the answer with the connection.
            answer = await reader.read()
        finally:
            writer.close()
        response = HTTPResponse(cast(socket.socket, _Read(answer)))
        response.begin()
        return _reply(response)


class _Read:
    """An answer that was read, in the place of a socket: the parser of the standard library reads from one."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer

    def makefile(self, *_: object) -> io.BytesIO:
        return io.BytesIO(self._answer)


def _bytes_of(request: Request) -> bytes:
    host = f"[{request.host()}]" if ":" in request.host() else request.host()
    headers = {"Host": f"{host}:{request.port()}", "Connection": "close", **request.headers}
    if request.body:
        headers["Content-Length"] = str(len(request.body))
    lines = [f"{request.method} {request.target()} HTTP/1.1", *(f"{name}: {text}" for name, text in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + request.body


def _reply(response: HTTPResponse) -> Reply:
    return Reply(response.status, response.read(), response.headers.get("Retry-After") is not None)


def _shut(connection: HTTPConnection) -> None:
    try:
        if connection.sock is not None:
            connection.sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # It has ended by itself.
