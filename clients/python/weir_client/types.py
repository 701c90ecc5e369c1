"""The public types. Events and answers are dictionaries with the wire's names; Weir's OpenAPI document has every field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional, Protocol, Union

Event = Mapping[str, Any]
"""The body of `POST /events`. Only `action` (`domain:scope:verb`) is required."""

KeySet = Mapping[str, Any]
"""A JWK Set, as `GET /keys/jwks/{customer_id}` of the auth service serves it."""

Keys = Union[KeySet, Callable[[], KeySet]]

Hold = Dict[str, Any]
"""`state` (held, approved, rejected, expired), `expires_at`, `decided_at`, `decided_by`, `reason`, `cosignature`."""

OnHeld = Callable[[Dict[str, Any]], None]
"""Called with `event_id`, `expires_at` and `reasoning` when an event is held, and about every 20 seconds while it is."""


@dataclass(frozen=True)
class Verdict:
    """
    Whether an action may be carried out now. True exactly when it may: `if client.gate(event): …`.

    `why` it may not: `undecided` (held, and no decision yet), `rejected`, `expired`, `blocked` (critical, and nothing is ever
    held), `conflict` (the event_id belongs to another action), `used` (its approval was used before), `unproven` (approved, but
    the cosignature does not verify), `denied` (Weir refused the request), `unavailable` (no answer in time).
    """

    is_allowed: bool
    event_id: str
    why: Optional[str] = None
    text: str = ""
    """For the model and for people: what happened, why, and what to do. Empty when it is allowed."""
    score: Optional[float] = None
    """None when Weir did not answer and `on_failure` is `allow`."""
    risk_level: Optional[str] = None
    reasoning: Optional[str] = None
    approved_at: Optional[str] = None
    """When a person approved it, ISO 8601; None when nobody had to."""
    is_recognised: Optional[bool] = None
    """False: Weir knows neither the action nor the tool, so its score rests on the content alone. None: unknown."""

    def __bool__(self) -> bool:
        return self.is_allowed


@dataclass(frozen=True)
class VerifiedDecision:
    decision: str
    """`approve` or `reject`. Continue only when it is `approve`."""
    event_id: str
    customer_id: str
    decided_at: str
    jti: str
    """Of the override token that was used."""


class Store(Protocol):
    """What `gate` remembers between calls. `key` stands for one agent and one action with its target and parameters."""

    def find(self, key: str) -> Optional[str]:
        """The event that was held for `key`, or None."""

    def keep(self, key: str, event_id: str) -> None: ...

    def forget(self, key: str) -> None: ...

    def claim(self, event_id: str) -> bool:
        """Marks an approval as used. True for the first caller ever and for no other, however many ask at once."""


class WeirError(Exception):
    """Weir refused a request (`status` 4xx), or did not answer in time (`status` 0 or 5xx)."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status

    @property
    def is_unavailable(self) -> bool:
        """No answer, or none that says anything about the request."""
        return self.status == 0 or self.status >= 500 or self.status == 429


class Refused(Exception):
    """A guarded function or block was not carried out. `verdict` has the reasons."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.text)
        self.verdict = verdict
