"""
Score, gate, wait, verify, over either transport. Whatever goes wrong on the way, the gate refuses, unless its user chose
otherwise.
"""

from __future__ import annotations

import json
import math
import time
import uuid
from dataclasses import dataclass, replace
from typing import Any, Dict, Mapping, Optional, Tuple
from urllib.parse import quote, urlsplit

from .action_hash import action_hash, canonical, canonical_action, plain, sha256
from .stores import MemoryStore
from .transport import NO_ANSWER, Request, Transport
from .types import Event, Hold, Keys, KeySet, OnHeld, Store, VerifiedDecision, Verdict, WeirError
from .verify import CheckSignature, verify_decision

# One look; below it proxies and load balancers end quiet connections.
_LOOK_S = 20
_RETRY_S = 0.5
_ASK_AGAIN = "Ask for exactly the same again when a person has decided."


@dataclass
class Options:
    """Settings of a client; `Client` says what each means."""

    url: str
    api_key: str
    agent_token: Optional[str] = None
    wait_s: float = 60
    patience_s: float = 10
    on_failure: str = "deny"
    keys: Optional[Keys] = None
    check_signature: Optional[CheckSignature] = None
    store: Optional[Store] = None

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
            raise ValueError(f"`url` must be like http://127.0.0.1:8000; it is `{self.url}`")
        if self.on_failure not in ("deny", "allow"):
            raise ValueError(f"`on_failure` must be deny or allow; it is `{self.on_failure}`")
        for secret in (self.api_key, self.agent_token or "-"):
            if not secret or not secret.isascii() or not secret.isprintable():
                raise ValueError("`api_key` and `agent_token` are printable ASCII, and not empty")


class _Ask:
    """One call of `gate`: an event that has an id, and what stands for its action."""

    def __init__(self, event: Mapping[str, Any], key: str, hash_of_action: str, wait_s: float, on_held: Optional[OnHeld]):
        self.event = event
        self.event_id: str = event["event_id"]
        self.key = key
        self.hash_of_action = hash_of_action
        self.wait_s = wait_s
        self.on_held = on_held


class Core:
    def __init__(self, options: Options, transport: Transport) -> None:
        self.options = options
        self.transport = transport
        self.store: Store = options.store or MemoryStore()

    async def score(self, event: Event) -> Dict[str, Any]:
        return await self._call("/events", body=json.dumps(plain(event)).encode("ascii"))

    async def wait(self, event_id: str, wait_s: Optional[float] = None, on_held: Optional[OnHeld] = None) -> Optional[Hold]:
        end = time.monotonic() + (self.options.wait_s if wait_s is None else wait_s)
        detail = await self._look(event_id, 0)
        while True:
            hold: Optional[Hold] = detail["hold"]
            left_s = math.ceil(min(end - time.monotonic(), _LOOK_S))
            if hold is None or hold["state"] != "held" or left_s <= 0:
                return hold
            if on_held is not None:
                on_held({"event_id": event_id, "expires_at": hold["expires_at"], "reasoning": detail["reasoning"]})
            detail = await self._look(event_id, left_s)

    async def verify(self, cosignature: str, event: Event) -> Optional[VerifiedDecision]:
        check = self.options.check_signature
        return await self.transport.aside(verify_decision, cosignature, await self._key_set(), event, check)

    async def gate(self, event: Event, wait_s: Optional[float] = None, on_held: Optional[OnHeld] = None) -> Verdict:
        given = event.get("event_id")
        named = {**event, "event_id": str(uuid.uuid4()) if given is None else given}
        try:
            named = plain(named)
            text = canonical_action(named)
            hash_of_action = sha256(text)
            agent_id = (named.get("agent") or {}).get("agent_id")
            # As in the TypeScript client, whose hook tells by the bytes that an action is not kept, without a hash.
            key = f"{len(text.encode('utf-8'))}-{sha256(canonical([self.options.url, agent_id, hash_of_action]))}"
            wait_s = self.options.wait_s if wait_s is None else wait_s
            kept = await self.transport.aside(self.store.find, key) if given is None else None
            if kept is not None:
                ask = _Ask({**named, "event_id": kept}, key, hash_of_action, wait_s, on_held)
                verdict = await self._decide(ask, is_kept=True)
                # Where another call has used this approval, this one is a new event.
                if verdict.why != "used":
                    return verdict
                await self.transport.aside(self.store.forget, key)
            return await self._decide(_Ask(named, key, hash_of_action, wait_s, on_held), is_kept=False)
        except WeirError as error:
            if not error.is_unavailable:
                return _refused(named["event_id"], "denied", f"{error}.")
            if self.options.on_failure == "allow":
                return Verdict(True, named["event_id"])
            text = f"{error}. Without an answer nothing is done; try again later."
            return _refused(named["event_id"], "unavailable", text)
        except Exception as error:  # Whatever it is: an action that was not judged is not done.
            return _refused(named["event_id"], "denied", f"{type(error).__name__}: {error}.")

    async def _decide(self, ask: _Ask, is_kept: bool) -> Verdict:
        answer = await self._answer_for(ask, is_kept)
        if answer is None:
            return _refused(ask.event_id, "conflict", "this event_id belongs to another action or other arguments.")
        hold: Optional[Hold] = answer["hold"]
        verdict = _verdict_of(ask.event_id, answer)
        if hold is None and verdict.risk_level == "critical" and not answer["would_have_held"]:
            text = f"it is a critical risk, and nothing is set up to ask a person. {verdict.reasoning}"
            return _refused(ask.event_id, "blocked", text, verdict)
        if hold is None:
            return verdict
        if hold["state"] == "held":
            await self.transport.aside(self.store.keep, ask.key, ask.event_id)
            hold = await self.wait(ask.event_id, ask.wait_s, ask.on_held)
        return await self._settle(ask, verdict, hold)

    async def _settle(self, ask: _Ask, verdict: Verdict, hold: Optional[Hold]) -> Verdict:
        """What the state of a hold means for this action. An approval is used once."""

        def no(why: str, text: str) -> Verdict:
            return _refused(ask.event_id, why, text, verdict)

        state = "expired" if hold is None else hold["state"]
        if state == "held":
            return no("undecided", f"a person has to decide, and has not yet. {verdict.reasoning} {_ASK_AGAIN}")
        if hold is None or state != "approved":
            await self.transport.aside(self.store.forget, ask.key)
            if hold is None or state != "rejected":
                return no("expired", f"nobody decided in time. {verdict.reasoning}")
            said = f" They said: «{hold['reason']}»." if hold["reason"] is not None else ""
            return no("rejected", f"a person rejected it.{said} {verdict.reasoning}")
        problem = await self._proof_problem(ask)
        if problem is not None:
            return no("unproven", problem)
        if await self.transport.aside(self.store.claim, ask.event_id) is not True:
            return no("used", "the approval of this event was used before; it counts once.")
        await self.transport.aside(self.store.forget, ask.key)
        return replace(verdict, approved_at=hold["decided_at"])

    async def _answer_for(self, ask: _Ask, is_kept: bool) -> Optional[Dict[str, Any]]:
        """Scores the event, or reads what stands when it was scored before; None when its id belongs to another action."""
        if not is_kept:
            try:
                return await self.score(ask.event)
            except WeirError as error:
                # The context of an action differs after a restart. What counts is that the action and its arguments are the same.
                if error.status != 409:
                    raise
        detail = await self._look(ask.event_id, 0)
        return {**detail, "score": detail["final_score"]} if action_hash(detail["event"]) == ask.hash_of_action else None

    async def _proof_problem(self, ask: _Ask) -> Optional[str]:
        """Why an approval does not count; None when it does. Where no keys are configured, Weir's answer is taken as it is."""
        if self.options.keys is None:
            return None
        hold = (await self._look(ask.event_id, 0))["hold"]
        try:
            proof = await self.verify(str(hold["cosignature"]), ask.event)
        except Exception as error:  # Keys come from the user's own function as well.
            return f"it was approved, but that cannot be verified ({error}). {_ASK_AGAIN}"
        if proof is None or proof.decision != "approve":
            return "it was approved, but the cosignature does not fit this very action."
        return None

    async def _key_set(self) -> KeySet:
        keys = self.options.keys
        if keys is None:
            raise WeirError(0, "the option `keys` is missing: verifying needs the public keys")
        return await self.transport.aside(keys) if callable(keys) else keys

    async def _look(self, event_id: str, wait_s: int) -> Dict[str, Any]:
        return await self._call(f"/scores/event/{quote(event_id, safe='')}?wait={wait_s}", wait_s=wait_s)

    async def _call(self, path: str, body: bytes = b"", wait_s: float = 0) -> Dict[str, Any]:
        """The answer's JSON object; repeated while Weir is unavailable or busy. Raises WeirError."""
        headers = {"X-API-Key": self.options.api_key, "Accept": "application/json"}
        if self.options.agent_token is not None:
            headers["Authorization"] = f"Bearer {self.options.agent_token}"
        if body:
            headers["Content-Type"] = "application/json"
        request = Request("POST" if body else "GET", self.options.url.rstrip("/") + path, headers, body)
        end = time.monotonic() + self.options.patience_s
        while True:
            answer, error, may_pass = await self._once(request, max(self.options.patience_s, 0.001) + wait_s)
            if error is None:
                return answer
            if not may_pass or end - time.monotonic() <= _RETRY_S:
                raise error
            await self.transport.pause(_RETRY_S)

    async def _once(self, request: Request, timeout_s: float) -> Tuple[Dict[str, Any], Optional[WeirError], bool]:
        try:
            reply = await self.transport.exchange(request, timeout_s)
            answer = json.loads(reply.body.decode("utf-8"))
            if not isinstance(answer, dict):
                raise ValueError("the answer is not an object")
        except (*NO_ANSWER, ValueError) as error:
            reason = str(error) or type(error).__name__
            return {}, WeirError(0, f"Weir did not answer at {self.options.url} ({reason})"), True
        if reply.status in (200, 202):
            return answer, None, False
        # A 429 without Retry-After is a session that has spent its events: waiting does not help.
        may_pass = reply.status >= 500 or (reply.status == 429 and reply.has_retry_after)
        return {}, WeirError(reply.status, f"Weir answered {reply.status}: {answer.get('detail')}"), may_pass


def _verdict_of(event_id: str, answer: Mapping[str, Any]) -> Verdict:
    return Verdict(
        True,
        event_id,
        score=answer["score"],
        risk_level=answer["risk_level"],
        reasoning=answer["reasoning"],
        is_recognised="nothing_recognised" not in answer["behavioral_flags"],
    )


def _refused(event_id: str, why: str, text: str, judged: Optional[Verdict] = None) -> Verdict:
    hint = " Do not try to reach the same in another way." if why in ("rejected", "blocked") else ""
    told = f"Not done (event {event_id}): {text.strip()}{hint}"
    return replace(judged or Verdict(False, event_id), is_allowed=False, why=why, text=told)
