# python3 verify.py <secret> <x-service-signature> [now] < body
import hashlib
import hmac
import re
import sys
import time

TOLERANCE_SECONDS = 300


def verify(secret: str, header: str, raw_body: bytes, now: float | None = None) -> bool:
    """`raw_body` is the bytes as they arrived, before any JSON parser saw them."""
    match = re.fullmatch(r"t=([0-9]{1,15}),v1=([0-9a-f]{64})", header)
    if match is None:
        return False
    timestamp, signature = match.groups()
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = b"t." + timestamp.encode() + b"." + raw_body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, signature)


if __name__ == "__main__":
    now = float(sys.argv[3]) if len(sys.argv) > 3 else None
    sys.exit(0 if verify(sys.argv[1], sys.argv[2], sys.stdin.buffer.read(), now) else 1)
