"""Which peers are there, and what the machine is."""

from __future__ import annotations

import importlib
import os
import platform
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from torsor.emit.host import vectors
from torsor.errors import TorsorError

PEERS = {"pin": "pinocchio", "casadi": "casadi", "mujoco": "mujoco", "exudyn": "exudyn"}  # distribution -> module


class PeerMissing(TorsorError):
    """A peer is not installed, or cannot do what this arm needs: its rows are left out."""


def peer(name: str) -> Any:
    """The module of a peer."""
    try:
        return importlib.import_module(PEERS[name])
    except ImportError as error:
        raise PeerMissing(f"{name} is not installed ({error})", hint=f"pip install {name}, or: make bench") from error


def machine() -> dict[str, Any]:
    """The processor, its cores for this process, what its registers are limited to, and all versions."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    versions = {"python": platform.python_version()}
    for name in ("torsor", "numpy", "llvmlite", *PEERS):
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    limited = f", kernels for {vectors()} only" if vectors() else ""
    return {"processor": _processor() + limited, "cores": cores, "system": platform.system(), "versions": versions}


def _processor() -> str:
    with suppress(OSError):  # where it is not Linux
        lines = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
        names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
        if found := next(names, ""):
            return found
    return platform.processor() or platform.machine()
