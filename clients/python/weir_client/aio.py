"""The client for asyncio. A call that is cancelled while its event is held stops asking; the event stays held."""

from __future__ import annotations

import functools
import inspect
from contextlib import asynccontextmanager
from typing import Any, AsyncIterator, Callable, Dict, Iterable, Mapping, Optional, cast

from .client import Function
from .core import Core, Options
from .guard import Known, arguments_of, event_of
from .transport import OnLoop
from .types import Event, Hold, Keys, OnHeld, Refused, Store, VerifiedDecision, Verdict
from .verify import CheckSignature


class AsyncClient:
    """`Client` for asyncio: the same settings and calls, which are awaited. No thread waits while an event is held."""

    def __init__(
        self,
        url: str,
        api_key: str,
        *,
        agent_token: Optional[str] = None,
        wait_s: float = 60,
        patience_s: float = 10,
        on_failure: str = "deny",
        keys: Optional[Keys] = None,
        check_signature: Optional[CheckSignature] = None,
        store: Optional[Store] = None,
    ) -> None:
        options = Options(url, api_key, agent_token, wait_s, patience_s, on_failure, keys, check_signature, store)
        self._core = Core(options, OnLoop())

    async def score(self, event: Event) -> Dict[str, Any]:
        """See `Client.score`."""
        return await self._core.score(event)

    async def gate(self, event: Event, *, wait_s: Optional[float] = None, on_held: Optional[OnHeld] = None) -> Verdict:
        """See `Client.gate`."""
        return await self._core.gate(event, wait_s, on_held)

    async def ask(
        self,
        tool: str,
        args: Mapping[str, Any],
        *,
        messages: Iterable[Mapping[str, Any]] = (),
        known: Known = None,
        server: Optional[str] = None,
        wait_s: Optional[float] = None,
    ) -> Verdict:
        """See `Client.ask`."""
        return await self.gate(event_of(tool, args, messages, known, server), wait_s=wait_s)

    async def wait(
        self, event_id: str, *, wait_s: Optional[float] = None, on_held: Optional[OnHeld] = None
    ) -> Optional[Hold]:
        """See `Client.wait`."""
        return await self._core.wait(event_id, wait_s, on_held)

    async def verify(self, cosignature: str, event: Event) -> Optional[VerifiedDecision]:
        """See `Client.verify`."""
        return await self._core.verify(cosignature, event)

    def guard(
        self,
        tool: Optional[str] = None,
        *,
        known: Known = None,
        server: Optional[str] = None,
        on_refused: Optional[Callable[[Verdict], Any]] = None,
    ) -> Callable[[Function], Function]:
        """Decorates a coroutine function; see `Client.guard`."""

        def decorate(function: Function) -> Function:
            if not inspect.iscoroutinefunction(function):
                raise TypeError(f"`{function.__name__}` is not a coroutine function: Client guards it")
            arguments = arguments_of(function)

            @functools.wraps(function)
            async def guarded(*args: Any, **kwargs: Any) -> Any:
                named = arguments(*args, **kwargs)
                verdict = await self.ask(tool or function.__name__, named, known=known, server=server)
                if verdict:
                    return await function(*args, **kwargs)
                if on_refused is None:
                    raise Refused(verdict)
                return on_refused(verdict)

            return cast(Function, guarded)

        return decorate

    @asynccontextmanager
    async def gated(self, event: Event, *, wait_s: Optional[float] = None) -> AsyncIterator[Verdict]:
        """`async with client.gated(event) as verdict:`; see `Client.gated`."""
        verdict = await self.gate(event, wait_s=wait_s)
        if not verdict:
            raise Refused(verdict)
        yield verdict
