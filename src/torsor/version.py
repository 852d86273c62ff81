"""Which Torsor this is."""

from __future__ import annotations

from functools import cache


@cache
def version() -> str:
    from importlib import metadata  # slow to import, and rarely wanted

    return metadata.version("torsor")
