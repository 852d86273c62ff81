"""Numbers as text for the page's script: few bytes, and never further from the truth than said."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np

from torsor.model.transforms import Floats

STEPS = 8000  # a curve is rounded to its range over this: off by less than 1e-4 of the range, finer than any screen
FINE = 60000  # for postures: what is drawn of a large arm stays within a tenth of a millimetre
NOTHING = 0xFFFF  # stands where there is no number


def deflated(raw: bytes) -> str:
    """Bytes, compressed (zlib) and in base64; the page inflates them.

    >>> deflated(b"abcd")
    'eNpLTEpOAQAD2AGL'
    """
    return base64.b64encode(zlib.compress(raw, 9)).decode("ascii")


def packed(values: Floats, *, steps: int = STEPS) -> dict[str, Any]:
    """A curve for the page: ``from + step k``, with whole numbers k of 16 bits, or nothing where a value is not finite.

    Of the numbers k the differences are kept, signs folded into the lowest bit (0, -1, 1, -2 ... become 0, 1, 2, 3 ...)
    so that a smooth curve has small ones, first all low bytes and then all high ones, so that those are mostly zeros.

    >>> packed(np.array([0.0, 0.5, np.nan, 1.0]))["step"], packed(np.zeros(0))["count"]
    (0.000125, 0)
    """
    given = np.asarray(values, dtype=float)
    known = np.isfinite(given)
    low, high = (float(side(given[known])) if known.any() else 0.0 for side in (np.min, np.max))
    # a constant with rounding errors is a constant
    step = max(high / steps - low / steps, 1e-9 * max(abs(low), abs(high)) / steps) or 1.0
    whole = np.full(given.shape, NOTHING, dtype=np.int64)
    whole[known] = np.rint((given[known] - low) / step)
    change = (np.diff(whole, prepend=0) + 0x8000) % 0x10000 - 0x8000
    folded = np.where(change < 0, -2 * change - 1, 2 * change).astype("<u2")
    planes = folded.view(np.uint8).reshape(-1, 2).T
    return {"from": low, "step": step, "count": len(given), "data": deflated(planes.tobytes())}
