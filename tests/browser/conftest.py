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


class Opened:
    """What the one browser shows. Tests come in any order: who finds another page than its own opens its own again."""

    def __init__(self, driver):
        self.driver, self.key, self.page = driver, None, None

    def show(self, key, opening, size=(1000, 700)):
        """The page of a key, open: as `opening` gives it, or as the test before left it."""
        if self.key != key:
            self.key = None
            self.driver.get("about:blank")
            self.driver.set_window_size(*size)
            for log in ("browser", "performance"):  # what the page before left behind
                self.driver.get_log(log)
            self.page = opening()
            self.key = key
        return self.page


@pytest.fixture(scope="session")
def opened(driver):
    return Opened(driver)


@pytest.fixture
def see(driver, opened):
    """Opens a page and, at the end, asks whether all went well on it."""
    seen = []

    def see(path: Path) -> SeenPage:
        seen.append(opened.show(path, lambda: SeenPage(driver, path)))
        return seen[-1]

    yield see
    for page in seen:
        page.assert_quiet()
        page.begin_again()
