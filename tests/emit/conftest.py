import os
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

# Kernels of the tests stay out of the user's cache, also in processes that the tests start.
_folder = tempfile.TemporaryDirectory(prefix="torsor-test-cache-")
os.environ["TORSOR_CACHE"] = _folder.name


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    """An empty cache folder for one test."""
    place = tmp_path / "cache"
    place.mkdir(mode=0o700)
    monkeypatch.setenv("TORSOR_CACHE", str(place))
    return place
