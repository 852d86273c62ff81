"""One headless Chromium for all tests of pages, with software rendering; without it a loud skip, in CI a failure."""

import os
import shutil
import warnings
from pathlib import Path

import pytest

from browser.seen_page import SeenPage

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--window-size=1000,700",
)
MISSING = "no page is tested: chromium or chromedriver is missing (Debian: apt-get install chromium chromium-driver)"


@pytest.fixture(scope="session")
def driver():
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn(MISSING, stacklevel=1)
        pytest.skip(MISSING)
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(chromedriver))
    browser.set_script_timeout(60)
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
