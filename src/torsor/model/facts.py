"""`described`: what something depends on, as bytes to find it again by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

import numpy as np


def described(*facts: object, decimals: int | None = None) -> bytes:
    """Facts as bytes: the same for equal facts, and different for others. What has no defined bytes is refused.

    Fields of dataclasses that are not compared are no facts. Numbers may be rounded to so many ``decimals``, so that
    they are the same on every processor.

    >>> described(1.0, ("a", None)) == described(1.0, ("a", None)), described(1.0) == described(1)
    (True, False)
    >>> described(np.array([0.1 + 0.2, -1e-17]), decimals=12) == described(np.array([0.3, 0.0]), decimals=12)
    True
    """
    return b"".join(_measured(fact, decimals) for fact in facts)


def _measured(fact: object, decimals: int | None) -> bytes:
    kind, content = _bytes_of(fact, decimals)
    return b"%s %d:" % (kind.encode(), len(content)) + content


def _bytes_of(fact: object, decimals: int | None) -> tuple[str, bytes]:
    if isinstance(fact, np.generic):
        fact = fact.item()
    if decimals is not None and (
        isinstance(fact, float) or (isinstance(fact, np.ndarray) and fact.dtype == np.float64)
    ):
        fact = np.round(fact, decimals) + 0.0  # no -0.0
        fact = fact.item() if isinstance(fact, np.generic) else fact
    if fact is None or isinstance(fact, bool | int | float | str):
        return type(fact).__name__, repr(fact).encode()
    if isinstance(fact, bytes):
        return "bytes", fact
    if isinstance(fact, np.ndarray) and fact.dtype != object:
        return f"array {fact.dtype.str} {fact.shape}", fact.tobytes()
    if isinstance(fact, Mapping):
        return "mapping", described(*(each for pair in fact.items() for each in pair), decimals=decimals)
    if isinstance(fact, tuple | list | np.ndarray):
        return "list", described(*fact, decimals=decimals)
    if isinstance(fact, set | frozenset):
        return "set", b"".join(sorted(_measured(each, decimals) for each in fact))
    if is_dataclass(fact):
        return f"{type(fact).__module__}.{type(fact).__qualname__}", described(
            *(getattr(fact, each.name) for each in fields(fact) if each.compare), decimals=decimals
        )
    raise TypeError(f"{fact!r:.60} has no defined bytes: give numbers, text, arrays or dataclasses of these as facts")
