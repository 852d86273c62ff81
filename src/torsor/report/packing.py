"""Numbers as text for the page's script: few bytes, and never further from the truth than said."""

from __future__ import annotations

import base64
import zlib


def deflated(raw: bytes) -> str:
    """Bytes, compressed (zlib) and in base64; the page inflates them.

    >>> deflated(b"abcd")
    'eNpLTEpOAQAD2AGL'
    """
    return base64.b64encode(zlib.compress(raw, 9)).decode("ascii")
