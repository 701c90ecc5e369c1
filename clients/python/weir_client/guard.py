"""What the decorators share: a call of a Python function as an event."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Dict, Iterable, Mapping, Optional, Union

from .conversation import conversation_of
from .tool_action import tool_action

Known = Union[Mapping[str, Any], Callable[[], Mapping[str, Any]], None]
"""What you know about every call: agent, session, user_context, conversation_history. A function is asked at each call."""


def event_of(
    tool: str, args: Mapping[str, Any], messages: Iterable[Mapping[str, Any]], known: Known, server: Optional[str]
) -> Dict[str, Any]:
    """A tool call as an event. `known` cannot change what the call does."""
    event = tool_action(tool, args, server).event
    told = dict((known() if callable(known) else known) or {})
    mcp_context = {**event["mcp_context"], **told.get("mcp_context", {})}
    return {**conversation_of(messages), **told, **event, "mcp_context": mcp_context}


def arguments_of(function: Callable[..., Any]) -> Callable[..., Dict[str, Any]]:
    """Names the arguments of a call as the function's parameters, with their defaults; without `self` or `cls`."""
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())
    own = {one.name for one in parameters[:1] if one.name in ("self", "cls")}
    more = [one.name for one in parameters if one.kind is inspect.Parameter.VAR_KEYWORD]

    def arguments(*args: Any, **kwargs: Any) -> Dict[str, Any]:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        named = {name: value for name, value in bound.arguments.items() if name not in own and name not in more}
        for name in more:
            named.update(bound.arguments[name])
        return named

    return arguments
