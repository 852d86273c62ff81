"""How large a page of 60 s with 40 signals at 1 kHz is, how long it takes to open, and how fast it scrubs.

In headless Chromium with software rendering, 1280 x 720: python benchmarks/page_speed.py
"""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from selenium import webdriver

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import torsor
from browser.headless import FLAGS
from torsor.report import frame
from torsor.report.markup import element
from torsor.report.packing import FINE, packed
from torsor.report.panels import group, panel
from torsor.scene.composing import scene_of
from torsor.scene.display import motion_of, path_of

SCRUBS = """
    const done = arguments[0], before = torsor.frames, began = performance.now();
    const tick = () => {
      const passed = performance.now() - began;
      if (passed > 5000) return done(((torsor.frames - before) / passed) * 1000);
      torsor.setTime((torsor.clock.end * passed) / 5000);
      requestAnimationFrame(tick);
    };
    tick();
"""


def page() -> str:
    """A puma560 that moves for a minute, with 5 groups of 8 curves."""
    arm, rng = torsor.load("puma560"), np.random.default_rng(1)
    times = 1e-3 * np.arange(60_001)

    def wave(size: float) -> np.ndarray:
        turns, shifts = rng.uniform(0.3, 6.0, 6), rng.uniform(0.0, 6.0, 6)
        return size * rng.normal(size=6) @ np.sin(np.outer(turns, times) + shifts[:, None])

    titles = {"torque": "%", "speed": "deg/s", "position": "deg", "acceleration": "deg/s2", "power": "W"}
    groups = [
        group(key, key, "", [panel(f"{key} {k}", unit, [("", wave(40.0))], limits=(-100.0, 100.0)) for k in range(8)])
        for key, unit in titles.items()
    ]
    q = np.array([wave(0.3) for _ in range(6)]).T
    drawn = {
        "kind": "run",
        "title": "a minute at 1 kHz",
        "scene": scene_of(arm.model),
        "motions": [motion_of("run", times, q)],
        "paths": [path_of("tool", "planned", times, arm.pose(q)[:, :3, 3]) | {"load": packed(np.abs(wave(0.2)))}],
        "marks": [],
        "time": packed(times, steps=FINE),
        "end": 60.0,
        "moves": [],
        "groups": groups,
        "planes": [],
        "lines": [],
        "fields": {},
    }
    return frame.page(drawn["title"], [element("h1", drawn["title"]), frame.stage(), frame.plots(drawn)], drawn)


def main() -> None:
    text = page()
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in (*FLAGS, "--window-size=1280,720"):
        options.add_argument(flag)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(text, encoding="utf-8")
        print(f"{path.stat().st_size / 1e6:.2f} MB")
        browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        try:
            browser.set_script_timeout(60)
            for _ in range(3):
                browser.get(path.as_uri())
                opened = browser.execute_async_script("torsor.ready.then(() => arguments[0](torsor.opened))")
                time.sleep(2.0)
                rate = browser.execute_async_script(SCRUBS)
                load = os.getloadavg()[0]
                print(f"opens in {opened / 1e3:.2f} s, scrubs at {rate:.0f} frames/s (load of the machine {load:.1f})")
        finally:
            browser.quit()


if __name__ == "__main__":
    main()
