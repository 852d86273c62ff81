"""Programs that tests of the sweep run and that no Python package brings: `make sweep` installs them."""

from __future__ import annotations

import os
import shutil

import pytest

NEEDED = {  # what the Makefile's `outside` installs, by its commands
    "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
    "qemu-aarch64": "qemu-user",
    "arm-none-eabi-gcc": "gcc-arm-none-eabi libnewlib-arm-none-eabi",
    "octave-cli": "octave",
    "cppcheck": "cppcheck",
    "valgrind": "valgrind",
}


def require(*commands: str) -> None:
    """Without them a test is left out, with the reason; where nothing may be left out it fails."""
    missing = [command for command in commands if shutil.which(command) is None]
    if missing:
        packages = " ".join(NEEDED[command] for command in missing)
        problem = f"{', '.join(missing)} not found (Debian: apt-get install {packages})"
        if os.environ.get("CI"):
            pytest.fail(problem)
        pytest.skip(problem)
