"""The blocking client."""

from __future__ import annotations

import functools
import inspect
from contextlib import contextmanager
from typing import Any, Callable, Coroutine, Dict, Iterable, Iterator, Mapping, Optional, TypeVar, cast

from .core import Core, Options
from .guard import Known, arguments_of, event_of
from .transport import Blocking
from .types import Event, Hold, Keys, OnHeld, Refused, Store, VerifiedDecision, Verdict
from .verify import CheckSignature

Result = TypeVar("Result")
Function = TypeVar("Function", bound=Callable[..., Any])


class Client:
    """
    Asks Weir before an agent acts. May be used from several threads.

    - `url`: of the scoring API, such as `http://127.0.0.1:8000`; `api_key`: a gate's key.
    - `agent_token`: an agent, subagent or session token, when your agents have them.
    - `wait_s`: how long one `gate` waits for a person, in seconds. Default: 60.
    - `patience_s`: how long Weir may be unavailable before a call fails; retries use the same event_id. Default: 10.
    - `on_failure`: what `gate` says when Weir did not answer. Default: `deny`, so that nothing is done because nobody answered.
    - `keys`: the customer's public keys, or a function that reads them (`keys_from`). With them, `gate` allows an approved
      action only when its cosignature verifies, by the program `openssl` or by `check_signature`.
    - `store`: remembers held and used events. Default: this process's memory. `FileStore` survives a restart.
    """

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
        self._core = Core(options, Blocking())

    def score(self, event: Event) -> Dict[str, Any]:
        """Scores an event: the answer of `POST /events`. Raises WeirError when Weir refuses it or does not answer."""
        return _finish(self._core.score(event))

    def gate(self, event: Event, *, wait_s: Optional[float] = None, on_held: Optional[OnHeld] = None) -> Verdict:
        """
        Whether this action may be carried out now: scores it, waits for a decision if it is held, and verifies the decision. An
        approval is used once. Without an `event_id`, the same agent asking for the same action, target and parameters continues
        the event that is still held or was approved meanwhile.
        """
        return _finish(self._core.gate(event, wait_s, on_held))

    def ask(
        self,
        tool: str,
        args: Mapping[str, Any],
        *,
        messages: Iterable[Mapping[str, Any]] = (),
        known: Known = None,
        server: Optional[str] = None,
        wait_s: Optional[float] = None,
    ) -> Verdict:
        """`gate` for one tool call of a model. `messages` is the conversation so far, with the results of tools."""
        return self.gate(event_of(tool, args, messages, known, server), wait_s=wait_s)

    def wait(self, event_id: str, *, wait_s: Optional[float] = None, on_held: Optional[OnHeld] = None) -> Optional[Hold]:
        """The state of a held event after a decision or after `wait_s` seconds; None when it is not held. Raises WeirError."""
        return _finish(self._core.wait(event_id, wait_s, on_held))

    def verify(self, cosignature: str, event: Event) -> Optional[VerifiedDecision]:
        """The decision in a cosignature, if one of the customer's keys signed it for exactly this action; otherwise None."""
        return _finish(self._core.verify(cosignature, event))

    def guard(
        self,
        tool: Optional[str] = None,
        *,
        known: Known = None,
        server: Optional[str] = None,
        on_refused: Optional[Callable[[Verdict], Any]] = None,
    ) -> Callable[[Function], Function]:
        """
        Decorates a function: each call asks first, as a call of the tool `tool` (default: the function's name) with the call's
        arguments. A refused call raises `Refused`, or returns what `on_refused` returns.
        """

        def decorate(function: Function) -> Function:
            if inspect.iscoroutinefunction(function):
                raise TypeError(f"`{function.__name__}` is a coroutine function: AsyncClient guards those")
            arguments = arguments_of(function)

            @functools.wraps(function)
            def guarded(*args: Any, **kwargs: Any) -> Any:
                verdict = self.ask(tool or function.__name__, arguments(*args, **kwargs), known=known, server=server)
                if verdict:
                    return function(*args, **kwargs)
                if on_refused is None:
                    raise Refused(verdict)
                return on_refused(verdict)

            return cast(Function, guarded)

        return decorate

    @contextmanager
    def gated(self, event: Event, *, wait_s: Optional[float] = None) -> Iterator[Verdict]:
        """`with client.gated(event) as verdict:` runs its block only when the action is allowed; otherwise raises `Refused`."""
        verdict = self.gate(event, wait_s=wait_s)
        if not verdict:
            raise Refused(verdict)
        yield verdict


def _finish(work: Coroutine[Any, Any, Result]) -> Result:
    """Runs a coroutine over the blocking transport: nothing in it suspends."""
    try:
        work.send(None)
    except StopIteration as done:
        return cast(Result, done.value)
    finally:
        work.close()
    raise RuntimeError("the blocking transport has suspended")
