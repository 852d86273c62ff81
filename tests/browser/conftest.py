"""One headless Chromium for all tests of pages, with software rendering; without it a loud skip, in CI a failure."""

import os
import warnings
from pathlib import Path

import pytest

from browser.headless import MISSING, headless, is_missing
from browser.seen_page import SeenPage


@pytest.fixture(scope="session")
def driver():
    if is_missing():
        problem = f"no page is tested: {MISSING}"
        if os.environ.get("CI"):
            pytest.fail(problem)
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn(problem, stacklevel=1)
        pytest.skip(problem)
    browser = headless()
    yield browser
    browser.quit()


@pytest.fixture(scope="session")
def opened():
    """The page that is open; tests of the same page that follow each other find it open."""
    return {}


@pytest.fixture
def see(driver, opened):
    """Opens a page and, at the end, asks whether all went well on it."""
    seen = []

    def see(path: Path) -> SeenPage:
        if path not in opened:
            opened.clear()
            opened[path] = SeenPage(driver, path)
        seen.append(opened[path])
        return opened[path]

    yield see
    for page in seen:
        page.assert_quiet()
        page.begin_again()
