"""`Ellipsoid`: what a linear map makes of all efforts of size one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from torsor.model.transforms import Floats


class Ellipsoid(NamedTuple):
    """What the tool can do with a unit of effort: half axes, longest first, and their directions as columns."""

    radii: Floats  # (..., k)
    axes: Floats  # (..., rows, k)

    @classmethod
    def of(cls, A: Floats) -> Ellipsoid:
        """All A u with |u| = 1, of A (..., rows, columns); NaN where A is not finite.

        >>> Ellipsoid.of(np.diag([2.0, 3.0])).radii
        array([3., 2.])
        """
        fine = np.isfinite(A).all(axis=(-1, -2))
        k = min(A.shape[-2:])
        radii, axes = np.full((*A.shape[:-2], k), np.nan), np.full((*A.shape[:-1], k), np.nan)
        axes[fine], radii[fine], _ = np.linalg.svd(A[fine], full_matrices=False)
        return cls(radii, axes)
