"""Which Torsor this is."""

from __future__ import annotations

from functools import cache

__version__: str


@cache
def version() -> str:
    from importlib import metadata  # slow to import, and rarely wanted

    return metadata.version("torsor")


def __getattr__(name: str) -> str:
    if name == "__version__":
        return version()
    raise AttributeError(f"module 'torsor.version' has no attribute {name!r}")
