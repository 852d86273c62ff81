"""Which code computes: a result is only continued by the code that began it, on every machine."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path

from torsor.version import version


@cache
def code_digest() -> str:
    """Of all source files of Torsor that this process runs."""
    folder = Path(__file__).parents[1]
    total = blake2b(digest_size=16)
    for path in sorted(folder.rglob("*.py"), key=lambda each: each.relative_to(folder).as_posix()):
        total.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        total.update(blake2b(path.read_bytes()).digest())
    return total.hexdigest()


@cache
def processor() -> str:
    """What machine code depends on: kinds of processors may differ in the last bits of what they compute."""
    from torsor.emit.host import this_host

    host = this_host()
    return f"{host.triple.split('-')[0]}, {host.width} rows{', fused' if host.fma else ''}"


@cache
def code_version() -> dict[str, str]:
    """What a result was computed with."""
    import numpy
    import scipy

    return {"torsor": version(), "code": code_digest(), "numpy": numpy.__version__, "scipy": scipy.__version__}
