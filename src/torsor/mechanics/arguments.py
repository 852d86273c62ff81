"""What users hand over, as arrays of floats of the right shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from torsor.errors import ShapeError


def floats(name: str, value: ArrayLike, size: int, meaning: str, dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """With ``dtype`` float32, numbers beyond its range become infinite."""
    try:
        array = np.asanyarray(value)  # a masked array stays one, and is refused by name later
    except ValueError:  # rows of different lengths
        array = np.array(None)
    if array.dtype.kind not in "fiu":  # NumPy would make numbers of texts, truth values and None without a word
        raise ShapeError(f"{name} is not an array of numbers: {value!r:.60}")
    if array.dtype != dtype:
        with np.errstate(over="ignore"):
            array = array.astype(dtype)
    if array.ndim == 0 or array.shape[-1] != size:
        raise ShapeError(f"{name} has shape {array.shape}", hint=f"{meaning}: give (..., {size})")
    return array
