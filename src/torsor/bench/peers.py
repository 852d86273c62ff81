"""Which peers are there, and what the machine is."""

from __future__ import annotations

import importlib
import os
import platform
import shutil
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from torsor.errors import TorsorError

PEERS = {"pin": "pinocchio", "casadi": "casadi", "mujoco": "mujoco"}  # distribution -> module


class PeerMissing(TorsorError):
    """A peer is not installed, or cannot do what this arm needs: its rows are left out."""


def peer(name: str) -> Any:
    """The module of a peer."""
    try:
        return importlib.import_module(PEERS[name])
    except ImportError as error:
        raise PeerMissing(f"{name} is not installed ({error})", hint=f"pip install {name}, or: make bench") from error


def compiler() -> str:
    found = shutil.which("gcc")
    if found is None:
        raise PeerMissing("gcc is not installed, which compiles what CasADi generates")
    return found


def installed(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def machine() -> dict[str, Any]:
    """The processor, its cores for this process, and the versions of all that was measured."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    versions = {"python": platform.python_version()}
    for name in ("torsor", "numpy", "llvmlite", *PEERS):
        found = installed(name)
        if found is not None:
            versions[name] = found
    return {"processor": _processor(), "cores": cores, "system": platform.system(), "versions": versions}


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:  # not Linux
        pass
    return platform.processor() or platform.machine()
