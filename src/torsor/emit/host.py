"""What the machine in front of us can do, as LLVM names it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

from torsor.errors import Unsupported, did_you_mean

# How wide code may be, if not as wide as the machine is: to measure what other machines do, and to be beside programs
# that a processor slows down for its widest registers.
VECTORS = "TORSOR_VECTORS"
NARROWER = {"avx2": ("avx512", "avx10", "evex")}  # features that are left out
ARM = ("aarch64", "arm64")  # of 64 bits


@dataclass(frozen=True)
class Host:
    """A target: everything about the machine that the generated code depends on."""

    triple: str
    cpu: str
    features: str
    width: int  # rows that the batch kernel computes together
    pack: int  # angles that the scalar kernel packs into one register
    fma: bool

    @property
    def registers(self) -> int:
        """That hold vectors."""
        return 32 if self.width == 8 or self.triple.startswith(ARM) else 16

    @property
    def has_avx2_alone(self) -> bool:
        """AVX2, fused multiply-adds and 16 registers, on a system whose calls and assembly are those of Linux."""
        return self.width == 4 and self.fma and self.triple.startswith("x86_64") and "linux" in self.triple


@cache
def this_host() -> Host:
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    for name in features:
        if name.startswith(NARROWER.get(vectors(), ())):
            features[name] = False
    return host_of(
        llvm.get_process_triple(), llvm.get_host_cpu_name(), features.flatten(), {f for f, on in features.items() if on}
    )


def vectors() -> str:
    """What `VECTORS` in the environment limits code to; empty without."""
    chosen = os.environ.get(VECTORS, "").lower()
    if chosen and chosen not in NARROWER:
        raise Unsupported(f"{VECTORS} is {chosen!r}", hint=did_you_mean(chosen, NARROWER))
    return chosen


def host_of(triple: str, cpu: str, flat_features: str, on: set[str]) -> Host:
    if triple.startswith(ARM):
        return Host(triple, cpu, flat_features, width=2, pack=2, fma=True)
    if {"avx2", "fma"} <= on:
        # Measured on Zen 4, which halves 512-bit work: still 5 to 20 % faster than 4 rows, thanks to fewer spills.
        width = 8 if {"avx512f", "avx512dq", "avx512vl"} <= on else 4
        return Host(triple, cpu, flat_features, width=width, pack=4, fma=True)
    if triple.startswith(("x86_64", "i686")):
        return Host(triple, cpu, flat_features, width=2, pack=2, fma=False)
    return Host(triple, cpu, flat_features, width=1, pack=1, fma=False)
