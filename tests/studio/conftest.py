"""One studio for all tests of a module."""

import pytest

from studio_running import PROGRAM, ended, started


@pytest.fixture(scope="module")
def studio():
    running = started(PROGRAM, "--robot", "rl15")
    yield running
    if running.process.poll() is None:
        ended(running)
