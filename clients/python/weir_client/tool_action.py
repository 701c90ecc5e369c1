"""Tool calls as actions. The table is Weir's own (`clients/tools.json`), so that policies and scores use the same names."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Set, Tuple

# Host prefixes of MCP tools: `mcp__<server>__<tool>`.
_OF_SERVER = re.compile("mcp__([^\n\r\u2028\u2029]+?)__([^\n\r\u2028\u2029]+)")
# Arguments that name what a call works on, and the type of resource that each means.
_TARGETS = (("file_path", "file"), ("path", "file"), ("notebook_path", "file"), ("uri", "uri"), ("url", "url"))
_WORD = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class ToolAction(NamedTuple):
    """`event` is the part of an event that names the action: add what you know about agent, session and conversation."""

    event: Dict[str, Any]
    is_recognised: bool


def tool_action(tool: str, args: Optional[Mapping[str, Any]] = None, server: Optional[str] = None) -> ToolAction:
    """
    What calling a tool does, as the part of an event that names it. `is_recognised` is False when the table does not list the
    tool: then the action is `<server>:tool:<tool>`, and Weir scores it by the words of its name and by its arguments.
    """
    args = dict(args or {})
    match = _OF_SERVER.fullmatch(tool)
    own_name = match.group(2) if match else tool
    server_name = server if server is not None else match.group(1) if match else None
    listed = _find_tool(own_name, server_name or "")
    action = listed or f"{_segment('agent' if server_name is None else server_name)}:tool:{_segment(own_name)}"
    event: Dict[str, Any] = {"action": action.lower(), "parameters": args, "mcp_context": {"tool_name": own_name}}
    if server_name is not None:
        event["mcp_context"]["server_name"] = server_name
    for name, resource_type in _TARGETS:
        value = args.get(name)
        if isinstance(value, str) and value:
            event["target"] = {"resource_type": resource_type, "resource_id": value}
            break
    return ToolAction(event, listed is not None)


@lru_cache(maxsize=None)
def _table() -> Dict[str, List[Tuple[str, str]]]:
    rows: Dict[str, List[Tuple[str, str]]] = json.loads(
        (Path(__file__).parent / "tools.json").read_text(encoding="utf-8")
    )
    return rows


def _find_tool(tool: str, server: str) -> Optional[str]:
    """The action of a listed tool: that of this server, else the riskiest of its name, because a name alone is only a claim."""
    entries = _table().get(tool.lower(), [])
    words = _words_of(server)
    own = [action for name, action in entries if words & _words_of(name)]
    return next(iter([*own, *(action for _, action in entries)]), None)


def _words_of(name: str) -> Set[str]:
    """`GitHubServer`, `github-server`: their words in lower case, split as Weir splits names."""
    return {word.lower() for word in _WORD.findall(_in_code_units(name)[:256])}


def _segment(name: str) -> str:
    return re.sub("[^A-Za-z0-9_.-]", "_", _in_code_units(name))[:64] or "unknown"


def _in_code_units(name: str) -> str:
    """As long as the other clients count it: a character outside the basic plane counts as two."""
    return _ASTRAL.sub("\ud800\udc00", name)
