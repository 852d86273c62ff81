"""The five works by name."""

from __future__ import annotations

from torsor.errors import Unsupported, did_you_mean
from torsor.reproducing import behi_work, burdick_work, fedorov_work, kvrgic_work, szkodny_work
from torsor.reproducing.exhibit import PublishedWork

WORKS: dict[str, PublishedWork] = {
    each.WORK.name: each.WORK for each in (fedorov_work, kvrgic_work, szkodny_work, behi_work, burdick_work)
}


def works_of(name: str) -> list[PublishedWork]:
    """One work, or "all"."""
    if name != "all" and name not in WORKS:
        raise Unsupported(f"there is no work {name!r}", hint=did_you_mean(name, [*WORKS, "all"]))
    return [work for known, work in WORKS.items() if name in (known, "all")]
