"""Plain data that stays as it was made: arrays are copied in and cannot be written."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np


class Immutable:
    """Base of frozen dataclasses with arrays. The caller keeps his own arrays, also through a pickle."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray) and value.flags.writeable:
                copy = value.copy()
                copy.flags.writeable = False
                object.__setattr__(self, name, copy)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, f.name) for f in fields(self))  # type: ignore[arg-type]
