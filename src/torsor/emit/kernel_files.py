"""Where the tapes that came with Torsor lie, and how they are called: light, as every first use of a kernel asks."""

from __future__ import annotations

import os
from functools import cache
from hashlib import blake2b
from pathlib import Path

RECORDS = Path(__file__).parents[1] / "records"
KERNELS = RECORDS / "kernels"
KEY = 8  # bytes
DECIMALS = 12  # of what a key is made of: last bits differ between processors


@cache
def listing(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Files that tapes may come from, with size and time: what a kernel in the cache was made beside."""
    with os.scandir(folder) as found:
        return tuple(sorted((each.name, each.stat().st_size, each.stat().st_mtime_ns) for each in found))


def path_that_came(folder: Path, facts: bytes) -> Path | None:
    """The file of what ``facts``, rounded to `DECIMALS`, describe."""
    return next(folder.glob(f"*-{_key(facts)}.*"), None)


def path_for(folder: Path, name: str, facts: bytes, suffix: str) -> Path:
    """Where to write one of that name; an older one is gone."""
    folder.mkdir(exist_ok=True)
    for older in folder.glob(f"{name}-{'?' * 2 * KEY}{suffix}"):
        older.unlink()
    return folder / f"{name}-{_key(facts)}{suffix}"


def _key(facts: bytes) -> str:
    return blake2b(facts, digest_size=KEY).hexdigest()
