"""Documents that tell whether they are whole: a digest of all else stands in them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

SEAL = "seal"


def sealed(document: Mapping[str, Any]) -> dict[str, Any]:
    """
    >>> unsealed(sealed({"a": 1}))
    {'a': 1}
    >>> unsealed({**sealed({"a": 1}), "a": 2}) is None
    True
    """
    return {**document, SEAL: _of(document)}


def unsealed(document: Any) -> dict[str, Any] | None:
    """What was sealed; None where it is that no more."""
    if not isinstance(document, dict) or SEAL not in document:
        return None
    found = {name: value for name, value in document.items() if name != SEAL}
    return found if document[SEAL] == _of(found) else None


def _of(document: Mapping[str, Any]) -> str:
    return blake2b(json.dumps(document, sort_keys=True).encode(), digest_size=16).hexdigest()
