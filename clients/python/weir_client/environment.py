"""Settings from environment variables, and where public keys come from."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, Callable, Dict, Mapping, Optional
from urllib.parse import quote, urlsplit

from .stores import FileStore
from .transport import Request, exchange
from .types import KeySet

_KEYS_TIMEOUT_S = 10


def keys_from(
    *, file: Optional[str] = None, auth_url: str = "", customer_id: str = "", api_key: str = ""
) -> Callable[[], KeySet]:
    """
    Reads the customer's public keys from a file that was put there, or from the auth service with any key of the customer; anew
    for each decision: decisions are rare, and a key may have been rotated or disabled.
    """

    def read() -> KeySet:
        if file is not None:
            return _key_set(Path(file).read_bytes())
        url = f"{auth_url.rstrip('/')}/keys/jwks/{quote(customer_id, safe='')}"
        reply = exchange(Request("GET", url, {"X-API-Key": api_key}), _KEYS_TIMEOUT_S)
        if reply.status != 200:
            raise OSError(f"the key set of customer {customer_id} answered {reply.status}")
        return _key_set(reply.body)

    return read


def _key_set(text: bytes) -> KeySet:
    keys: KeySet = json.loads(text.decode("utf-8"))
    return keys


def options_from_environment(env: Mapping[str, str]) -> Dict[str, Any]:
    """
    The arguments of `Client` as environment variables describe them: WEIR_URL, WEIR_API_KEY or WEIR_API_KEY_FILE,
    WEIR_AGENT_TOKEN, WEIR_WAIT_S, WEIR_PATIENCE_MS, WEIR_STATE_DIR, and for the keys WEIR_KEYS_FILE or WEIR_AUTH_URL with
    WEIR_CUSTOMER_ID. Raises ValueError with the name of what is missing or wrong.
    """
    url = _url_in(env, "WEIR_URL") or "http://127.0.0.1:8000"
    options: Dict[str, Any] = {"url": url, "api_key": _api_key_in(env)}
    auth_url, customer_id = _url_in(env, "WEIR_AUTH_URL"), env.get("WEIR_CUSTOMER_ID")
    if env.get("WEIR_AGENT_TOKEN"):
        options["agent_token"] = env["WEIR_AGENT_TOKEN"]
    if env.get("WEIR_STATE_DIR"):
        options["store"] = FileStore(env["WEIR_STATE_DIR"])
    if env.get("WEIR_WAIT_S"):
        options["wait_s"] = _number_in(env, "WEIR_WAIT_S")
    if env.get("WEIR_PATIENCE_MS"):
        options["patience_s"] = _number_in(env, "WEIR_PATIENCE_MS") / 1_000
    if env.get("WEIR_KEYS_FILE"):
        options["keys"] = keys_from(file=env["WEIR_KEYS_FILE"])
    elif auth_url:
        if not customer_id:
            raise ValueError("WEIR_CUSTOMER_ID is not set: WEIR_AUTH_URL needs it to find the keys")
        options["keys"] = keys_from(auth_url=auth_url, customer_id=customer_id, api_key=options["api_key"])
    return options


def _url_in(env: Mapping[str, str], name: str) -> Optional[str]:
    text = env.get(name)
    if text and not (text.startswith(("http://", "https://")) and urlsplit(text).hostname):
        raise ValueError(f"{name} must be an address such as http://127.0.0.1:8000; it is `{text}`")
    return text


def _api_key_in(env: Mapping[str, str]) -> str:
    if env.get("WEIR_API_KEY"):
        return env["WEIR_API_KEY"]
    if not env.get("WEIR_API_KEY_FILE"):
        raise ValueError("WEIR_API_KEY is not set, and no WEIR_API_KEY_FILE either")
    file = env["WEIR_API_KEY_FILE"]
    try:
        key = Path(file).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ValueError(f"WEIR_API_KEY_FILE: `{file}` cannot be read ({error.strerror})") from error
    if not key:
        raise ValueError(f"WEIR_API_KEY_FILE: `{file}` is empty")
    return key


def _number_in(env: Mapping[str, str], name: str) -> float:
    try:
        value = float(env[name])
    except ValueError:
        value = -1
    if not 0 <= value < math.inf:
        raise ValueError(f"{name} must be a number, 0 or more; it is `{env[name]}`")
    return value
