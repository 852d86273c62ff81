"""Packed curves read again, by another way than the page does."""

import base64
import zlib

import numpy as np


def unpack(curve):
    raw = np.frombuffer(zlib.decompress(base64.b64decode(curve["data"])), dtype=np.uint8).astype(np.int64)
    folded = raw[: curve["count"]] + 256 * raw[curve["count"] :]
    change = np.where(folded % 2, -(folded + 1) // 2, folded // 2)
    whole = np.cumsum(change) % 65536
    return np.where(whole == 65535, np.nan, curve["from"] + curve["step"] * whole)
