"""What users hand over, as arrays of floats of the right shape."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ShapeError
from torsor.model.transforms import Floats


def floats(name: str, value: ArrayLike, size: int, meaning: str) -> Floats:
    try:
        array = np.asanyarray(value)  # a masked array stays one, and is refused by name later
    except ValueError:  # rows of different lengths
        array = np.array(None)
    if array.dtype.kind not in "fiu":  # NumPy would make numbers of texts, truth values and None without a word
        raise ShapeError(f"{name} is not an array of numbers: {value!r:.60}")
    array = array.astype(np.float64, copy=False)
    if array.ndim == 0 or array.shape[-1] != size:
        raise ShapeError(f"{name} has shape {array.shape}", hint=f"{meaning}: give (..., {size})")
    return array
