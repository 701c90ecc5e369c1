"""Identifies an action with its arguments: what a decision is bound to (docs/holds.md: `action_hash`)."""

from __future__ import annotations

import hashlib
import json
import re
from decimal import Decimal
from typing import Any, Dict, Mapping, Union

_ODD = re.compile("[\0\ud800-\udfff]")


def action_hash(event: Mapping[str, Any]) -> str:
    """
    Hex of the SHA-256 of `{"action":…,"parameters":…,"target":…}` in canonical JSON (RFC 8785), with `null` for a missing part,
    the action in lower case, and U+0000 and lone surrogates as visible escapes. Raises TypeError or ValueError for what is not
    JSON. The same function as Weir's own and as that of the other clients.
    """
    return sha256(canonical_action(event))


def canonical_action(event: Mapping[str, Any]) -> str:
    """What `action_hash` hashes."""
    parts = {
        "action": event["action"].lower(),
        "parameters": event.get("parameters"),
        "target": event.get("target"),
    }
    return canonical(plain(parts))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def plain(value: Any) -> Any:
    """A copy that has only what JSON has, so that what is sent, hashed and decided about is the same. Tuples become lists."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        if value - value != 0:
            raise ValueError("JSON has no infinite numbers and no NaN")
        return value
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, Mapping):
        for name in value:
            if not isinstance(name, str):
                raise TypeError(f"a key of an object is {name!r}; JSON has only text")
        return {name: plain(one) for name, one in value.items()}
    raise TypeError(f"a value of the type {type(value).__name__} is not JSON")


def canonical(value: Any) -> str:
    """RFC 8785: members sorted by UTF-16 code units, numbers and strings as ECMAScript writes them."""
    if isinstance(value, str):
        return json.dumps(_visible(value), ensure_ascii=False)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, list):
        return f"[{','.join(canonical(one) for one in value)}]"
    members: Dict[str, Any] = {_visible(name): one for name, one in value.items()}
    if len(members) < len(value):
        raise TypeError("two keys of an object are equal after escaping")
    names = sorted(members, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(f"{json.dumps(name, ensure_ascii=False)}:{canonical(members[name])}" for name in names) + "}"


def _visible(text: str) -> str:
    """U+0000 and surrogates without a partner cannot be stored; Weir keeps them as six visible characters."""
    if not _ODD.search(text):
        return text
    # Two surrogates that make one character are that character to every reader of the JSON.
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _ODD.sub(lambda odd: f"\\u{ord(odd.group()):04x}", joined)


def _number(value: Union[int, float]) -> str:
    """As ECMAScript's `Number::toString`: the shortest digits that give the same double, which `repr` has as well."""
    real = float(value)
    if real == 0:
        return "0"
    sign = "-" if real < 0 else ""
    _, digit_tuple, exponent = Decimal(repr(abs(real))).as_tuple()
    all_digits = "".join(str(digit) for digit in digit_tuple)
    digits = all_digits.rstrip("0")
    # Where the decimal point stands, counted from the first digit.
    point = len(all_digits) + int(exponent)
    if len(digits) <= point <= 21:
        return f"{sign}{digits}{'0' * (point - len(digits))}"
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+d}"
