"""The shared cases of `corpus/clients`, by the Python client that is installed. Prints which differ."""

import json
import sys
from pathlib import Path

from weir_client import action_hash, conversation_of, tool_action


def hash_or_none(event):
    try:
        return action_hash(event)
    except (TypeError, ValueError):
        return None


COMPARED = {
    "action-hashes.json": lambda case: hash_or_none(case["event"]) == case["action_hash"],
    "tool-actions.json": lambda case: tool_action(**case["call"]) == (case["event"], case["is_recognised"]),
    "conversations.json": lambda case: conversation_of(case["messages"]) == case["conversation"],
}

wrong, count = [], 0
for name, is_equal in COMPARED.items():
    for case in json.loads(Path(sys.argv[1], name).read_text(encoding="utf-8")):
        count += 1
        if not is_equal(case):
            wrong.append(f"{name}: {case['name']}")
print(json.dumps({"count": count, "wrong": wrong}))
