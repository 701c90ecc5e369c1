"""`weir_client`: ask Weir before an agent acts. The standard library only; Python 3.9 and later."""

from .action_hash import action_hash
from .aio import AsyncClient
from .client import Client
from .conversation import conversation_of
from .environment import keys_from, options_from_environment
from .stores import FileStore, MemoryStore
from .tool_action import ToolAction, tool_action
from .types import Refused, Store, VerifiedDecision, Verdict, WeirError
from .verify import verify_decision

__all__ = [
    "AsyncClient",
    "Client",
    "FileStore",
    "MemoryStore",
    "Refused",
    "Store",
    "ToolAction",
    "VerifiedDecision",
    "Verdict",
    "WeirError",
    "action_hash",
    "conversation_of",
    "keys_from",
    "options_from_environment",
    "tool_action",
    "verify_decision",
]
