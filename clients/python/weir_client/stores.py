"""What the gate remembers: in this process, or in a folder."""

from __future__ import annotations

import base64
import os
import threading
from pathlib import Path
from typing import Dict, Optional, Set, Union


class MemoryStore:
    """Enough for one host that keeps running."""

    def __init__(self) -> None:
        self._held: Dict[str, str] = {}
        self._used: Set[str] = set()
        self._lock = threading.Lock()

    def find(self, key: str) -> Optional[str]:
        return self._held.get(key)

    def keep(self, key: str, event_id: str) -> None:
        self._held[key] = event_id

    def forget(self, key: str) -> None:
        self._held.pop(key, None)

    def claim(self, event_id: str) -> bool:
        with self._lock:
            is_first = event_id not in self._used
            self._used.add(event_id)
            return is_first


class FileStore:
    """
    Remembers held and used events in a folder (made with mode 0700), so that an approval survives the end of the process and
    still counts once among all processes that share the folder. The files are those of the TypeScript client's `fileStore`.
    """

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        self._folder = Path(folder)

    def find(self, key: str) -> Optional[str]:
        try:
            return self._held_file(key).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None

    def keep(self, key: str, event_id: str) -> None:
        # Readers see the old file or the new one, and never half of it.
        part = self._folder / f"held-{key}.{os.getpid()}-{threading.get_ident()}.part"
        self._write(part, event_id, os.O_TRUNC)
        os.replace(part, self._held_file(key))

    def forget(self, key: str) -> None:
        try:
            self._held_file(key).unlink()
        except FileNotFoundError:
            pass

    def claim(self, event_id: str) -> bool:
        name = base64.urlsafe_b64encode(event_id.encode("utf-8")).decode("ascii").rstrip("=")[:200]
        try:
            # Only one process can create the file.
            self._write(self._folder / f"used-{name}", "", os.O_EXCL)
        except FileExistsError:
            return False
        return True

    def _held_file(self, key: str) -> Path:
        return self._folder / f"held-{key}"

    def _write(self, file: Path, text: str, flag: int) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | flag, 0o600), "w", encoding="utf-8") as opened:
            opened.write(text)
            opened.flush()
            os.fsync(opened.fileno())
