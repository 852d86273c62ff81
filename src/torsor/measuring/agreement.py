"""How far two results are apart."""

from __future__ import annotations

import numpy as np

from torsor.model.transforms import Floats


def difference(ours: Floats, theirs: Floats) -> float:
    """The largest difference, of the largest element; infinite where shapes differ or something is no number."""
    a, b = np.asarray(ours), np.asarray(theirs)
    if a.shape != b.shape or not np.isfinite(a).all() or not np.isfinite(b).all():
        return float("inf")
    if not a.size:
        return 0.0
    return float(np.abs(a - b).max() / max(np.abs(b).max(), 1e-300))
