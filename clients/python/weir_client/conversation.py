"""The messages of an agent as an event's `user_context` and `conversation_history`."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Iterable, List, Mapping

_ROLES = {"human": "user", "ai": "assistant", "function": "tool"}
# Keys of message parts below which text stands.
_TEXT_KEYS = ("text", "content", "output", "value", "result", "input_text", "output_text")
_RESULT = re.compile("tool.result|^function_call_(?:result|output)$")
_CALL = re.compile("tool.use|tool.call|function_call")
# Names under which frameworks write the id of a call, at the call and at its result.
_CALL_IDS = ("toolCallId", "call_id", "id")
_ANSWERED_IDS = ("tool_call_id", "tool_use_id", "toolCallId", "call_id", "callId")
_MAX_MESSAGES = 200
_MAX_TEXT = 50_000


def conversation_of(messages: Iterable[Mapping[str, Any]]) -> Dict[str, Any]:
    """
    Messages as OpenAI, Anthropic, AI SDK or LangChain write them, as dictionaries. Results of tools become messages of the role
    `tool`: what stands in them is not the user's word. A part that is no text (an image) is left out. The newest messages are
    kept, and of a long text its beginning and its end.
    """
    history = [said for message in list(messages)[-_MAX_MESSAGES:] for said in _said_in(message)]
    user = [said["content"] for said in history if said["role"] == "user"]
    conversation: Dict[str, Any] = {}
    if user:
        conversation["user_context"] = user[-1]
    if history:
        conversation["conversation_history"] = history
    return conversation


def _said_in(message: Mapping[str, Any]) -> List[Dict[str, Any]]:
    # Items of OpenAI's Responses are calls and results themselves.
    is_item = _is_call(message) or _is_result(message)
    who = str(message.get("role") or ("assistant" if is_item else message.get("type")) or "unknown")
    content = message.get("content")
    parts: List[Any] = [message] if is_item else content if isinstance(content, list) else [content]
    # Anthropic puts the results of tools into messages of the user.
    results = [part for part in parts if _is_result(part)]
    called = [part for part in parts if _is_call(part)]
    calls = [_call_of(call) for call in [*called, *(message.get("tool_calls") or [])]]
    texts = [_text_of(part) for part in parts if part not in results and not _is_call(part)]
    text = _cut("\n".join(one for one in texts if one))
    said: List[Dict[str, Any]] = [{"role": "tool", "content": _cut(_text_of(part)), **_answer_of(part)} for part in results]
    if text or calls:
        said.append({"role": _ROLES.get(who, who), "content": text, **({} if is_item else _answer_of(message)), **({"tool_calls": calls} if calls else {})})
    return said


def _kind_of(part: Any) -> str:
    return str(part.get("type") or "") if isinstance(part, Mapping) else ""


def _is_call(part: Any) -> bool:
    return _CALL.fullmatch(_kind_of(part)) is not None


def _is_result(part: Any) -> bool:
    return _RESULT.search(_kind_of(part)) is not None


def _call_of(call: Mapping[str, Any]) -> Dict[str, Any]:
    inner = call.get("function") or call
    arguments: Any = next((inner[key] for key in ("input", "args", "arguments") if inner.get(key) is not None), {})
    said = {"name": str(inner.get("name") or inner.get("toolName") or ""), "arguments": arguments}
    return {**said, **_id_in(call, "id", _CALL_IDS)}


def _answer_of(part: Mapping[str, Any]) -> Dict[str, Any]:
    return _id_in(part, "tool_call_id", _ANSWERED_IDS)


def _id_in(part: Mapping[str, Any], name: str, keys: Iterable[str]) -> Dict[str, Any]:
    found = next((part[key] for key in keys if isinstance(part.get(key), str) and part[key]), None)
    return {} if found is None else {name: found}


def _text_of(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(text for text in map(_text_of, value) if text)
    if not isinstance(value, Mapping):
        return ""
    found = next((value[key] for key in _TEXT_KEYS if value.get(key) is not None), None)
    text = _text_of(found)
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")) if not text and isinstance(found, (dict, list)) else text


def _cut(text: str) -> str:
    half = _MAX_TEXT // 2
    return text if len(text) <= _MAX_TEXT else f"{text[:half]}\n…\n{text[-half:]}"
