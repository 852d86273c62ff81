"""Chromium without a window and without a graphics card, for tests of pages, their benchmark and ``make pictures``."""

from __future__ import annotations

import shutil

from selenium import webdriver

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
MISSING = "chromium or chromedriver is missing (Debian: apt-get install chromium chromium-driver)"


def is_missing() -> bool:
    return shutil.which("chromium") is None or shutil.which("chromedriver") is None


def headless() -> webdriver.Chrome:
    """A browser that has begun; who asked for it quits it."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    browser.set_script_timeout(240)
    return browser
