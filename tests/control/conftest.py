import sys
from pathlib import Path

import pytest

import torsor

sys.path.insert(0, str(Path(__file__).parent))  # closed_loop.py, every_law.py


@pytest.fixture(scope="module")
def irb140():
    return torsor.load("irb140")


@pytest.fixture(scope="module")
def planar3():
    return torsor.load("planar3")
