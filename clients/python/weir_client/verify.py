"""
Checks a cosigned decision (a compact JWS, ES256) with the customer's public keys. Python's standard library has no ECDSA, so
the program `openssl` checks the signature; another checker can be given.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, Mapping, Optional

from .action_hash import action_hash
from .types import Event, KeySet, VerifiedDecision

CheckSignature = Callable[[bytes, bytes, bytes], bool]
"""Of a P-256 public key (x and y, 64 bytes), the signed bytes, and the ECDSA signature with SHA-256 (r and s, 64 bytes)."""

_FORM = re.compile("([A-Za-z0-9_-]{1,2048})\\.([A-Za-z0-9_-]{1,4096})\\.([A-Za-z0-9_-]{86})")
_TYP = "decision+jwt"
# SubjectPublicKeyInfo of a P-256 key up to its uncompressed point (RFC 5480).
_SPKI_P256 = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")
_OPENSSL_TIMEOUT_S = 10


def verify_decision(
    cosignature: str, keys: KeySet, event: Event, check_signature: Optional[CheckSignature] = None
) -> Optional[VerifiedDecision]:
    """
    The decision in `cosignature` if one of `keys` signed it for this event_id with this very action, target and parameters;
    otherwise None. A rejection verifies as well: check `decision`. Raises OSError when the checker of signatures cannot run.
    """
    check = check_signature or openssl_check
    try:
        form = _FORM.fullmatch(cosignature)
        if form is None:
            return None
        head, payload, signature = form.groups()
        header, claims = _object_in(head), _object_in(payload)
        if header.get("alg") != "ES256" or header.get("typ") != _TYP or "crit" in header:
            return None
        named = [key for key in keys["keys"] if key.get("kid") == header.get("kid")]
        if len(named) != 1 or not _is_verifying_key(named[0]):
            return None
        point = _bytes_of(named[0]["x"]) + _bytes_of(named[0]["y"])
        if len(point) != 64:
            return None
        if claims.get("event_id") != event["event_id"] or claims.get("action_hash") != action_hash(event):
            return None
        if claims.get("decision") not in ("approve", "reject"):
            return None
        decided = VerifiedDecision(
            *(str(claims[name]) for name in ("decision", "event_id", "customer_id", "decided_at", "jti"))
        )
        signed = f"{head}.{payload}".encode("ascii")
        signature_bytes = _bytes_of(signature)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return decided if check(point, signed, signature_bytes) is True else None


def openssl_check(point: bytes, signed: bytes, signature: bytes) -> bool:
    """Asks the program `openssl` (1.1 or later). Raises OSError when it cannot run."""
    pem = base64.encodebytes(_SPKI_P256 + point).decode("ascii")
    r, s = _der_integer(signature[:32]), _der_integer(signature[32:])
    with tempfile.TemporaryDirectory(prefix="weir-verify-") as folder:
        key_file, signature_file = Path(folder, "key.pem"), Path(folder, "signature")
        key_file.write_text(f"-----BEGIN PUBLIC KEY-----\n{pem}-----END PUBLIC KEY-----\n", encoding="ascii")
        signature_file.write_bytes(bytes([0x30, len(r + s)]) + r + s)
        command = ["openssl", "dgst", "-sha256", "-verify", str(key_file), "-signature", str(signature_file)]
        try:
            ended = subprocess.run(command, input=signed, capture_output=True, timeout=_OPENSSL_TIMEOUT_S)
        except subprocess.TimeoutExpired as error:
            raise OSError(f"openssl did not answer in {_OPENSSL_TIMEOUT_S} s") from error
    return ended.returncode == 0


def _der_integer(value: bytes) -> bytes:
    digits = value.lstrip(b"\0") or b"\0"
    # The first bit of a DER integer is its sign.
    digits = b"\0" + digits if digits[0] & 0x80 else digits
    return bytes([0x02, len(digits)]) + digits


def _is_verifying_key(key: Mapping[str, Any]) -> bool:
    operations = key.get("key_ops", ["verify"])
    return (
        key.get("kty") == "EC"
        and key.get("crv") == "P-256"
        and key.get("alg", "ES256") == "ES256"
        and key.get("use", "sig") == "sig"
        and isinstance(operations, list)
        and "verify" in operations
    )


def _bytes_of(base64url: str) -> bytes:
    return base64.urlsafe_b64decode(base64url + "=" * (-len(base64url) % 4))


def _object_in(base64url: str) -> Dict[str, Any]:
    value = json.loads(_bytes_of(base64url).decode("utf-8"))
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value
