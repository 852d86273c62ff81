"""The pictures of README and docs, each made by what it shows: ``make pictures``, or with names, only these.

Arms and pages are drawn by headless Chromium with software rendering, so that every machine makes the same of them.
"""

from __future__ import annotations

import io
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from PIL import Image

import torsor

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT / "tests"))

from browser.headless import headless  # noqa: E402
from studio_running import ended, started  # noqa: E402

LARGEST = 300_000  # bytes
SHARP = 1.5  # pixels of a picture for one of the page, along each side
TOUR = ROOT / "examples" / "programs" / "rl15_tour.irl"
PRESSING = [-100.0, -100.0, -150.0]  # N, as in make demo


@dataclass(frozen=True)
class Look:
    """A posture in degrees (m where joints slide) that shows an arm well, and where from: degrees about z and up."""

    q: list[float] | None = None
    around: float = -50.0
    up: float = 20.0


LOOKS = {
    "asea-irb": Look([20, 70, 150, 40, 60, 100]),
    "delta": Look([25, 45, 35], -70, 14),
    "five-bar": Look(None, -75),
    "fourbar": Look([60], -75),
    "irb140": Look([-20, 30, -30, 0, 40, 0]),
    "irb140-screws": Look([15, -20, 10, 0, 60, 0]),
    "panda": Look([10, -25, 0, -125, 0, 105, 45]),
    "parallelogram5": Look(None, -60),
    "planar2": Look([50, -70], -75),
    "planar3": Look([60, -50, -55], -75),
    "puma560": Look([-20, 60, -160, 0, 60, 0]),
    "puma560-akb": Look([-20, -60, 160, 0, 60, 0]),
    "puma560-burdick": Look([-20, -60, 160, 0, -60, 0]),
    "rl15": Look([-15, 25, -15, 0, -60, 0]),
    "scara": Look([-35, 70, 0.05, 0], -50, 28),
    "sdt4": Look([0, 0, 0, 0]),
    "slider-crank": Look([50], -75),
    "stanford": Look([-30, -65, 0.8, 0, 40, 0]),
    "ur5": Look([-20, -65, 80, -105, -90, 0]),
}

# The arm alone, over the whole window.
ALONE = """
    const arm = document.getElementById("arm");
    Object.assign(arm.style, { position: "fixed", inset: 0, zIndex: 9, border: 0, borderRadius: 0, height: "100vh" });
    arm.querySelectorAll(".looks, .legend, .sink").forEach((element) => element.remove());
    torsor.view.fit();
"""
# Looks at the arm, and at paths, so that they fill the window but for a margin.
FRAMED = """
    const [around, up, margin] = arguments, { view } = torsor, { camera, controls, world } = view, points = [];
    view.chosen = true;
    world.updateMatrixWorld(true);
    const collect = (object) => {
      const at = object.geometry?.attributes.position;
      for (let k = 0; at && k < at.count; k++)
        points.push(camera.position.clone().fromBufferAttribute(at, k).applyMatrix4(object.matrixWorld));
    };
    [view.baseShapes, ...view.links, ...view.rods].forEach((group) => group.traverse(collect));
    world.children.filter((object) => "planned" in object.userData).forEach(collect);
    const turn = (around * Math.PI) / 180, lift = (up * Math.PI) / 180;
    const from = camera.position.clone().set(Math.cos(lift) * Math.cos(turn), Math.cos(lift) * Math.sin(turn), Math.sin(lift));
    let far = 4 * view.scene.size;
    for (let k = 0; k < 30; k++) {
      camera.position.copy(controls.target).addScaledVector(from, far);
      camera.lookAt(controls.target);
      camera.updateMatrixWorld();
      const seen = points.map((point) => point.clone().project(camera));
      const [x, y] = ["x", "y"].map((name) => seen.reduce(([a, b], v) => [Math.min(a, v[name]), Math.max(b, v[name])], [9, -9]));
      const half = far * Math.tan((camera.fov * Math.PI) / 360), side = from.clone(), over = from.clone();
      camera.matrixWorld.extractBasis(side, over, from.clone());
      controls.target.addScaledVector(side, 0.5 * (x[0] + x[1]) * half * camera.aspect).addScaledVector(over, 0.5 * (y[0] + y[1]) * half);
      far *= Math.max(x[1] - x[0], y[1] - y[0]) / 2 / (1 - margin);
    }
    controls.update();
"""
# Drawn finer than the screen, which smooths edges, and left so.
FINE = """
    const { view } = torsor;
    clearTimeout(view.settling);
    view.renderer.shadowMap.autoUpdate = true;
    view.renderer.setPixelRatio(2 * devicePixelRatio);
    view.renderer.setSize(view.holder.clientWidth, view.holder.clientHeight, false);
    view.renderer.render(view.world, view.camera);
    view.labels.place();
"""
LAYER = "const box = document.getElementById(`layer-${arguments[0]}`); box.checked = true; box.onchange();"
DARK = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}


@dataclass
class Camera:
    """The browser, and what takes seconds to make and is in several pictures."""

    folder: Path
    closing: list[Callable[[], object]] = field(default_factory=list)

    @cached_property
    def browser(self):
        browser = headless()
        self.closing.append(browser.quit)
        return browser

    @cached_property
    def studio(self):
        running = started(str(TOUR), "--robot", "rl15")
        self.closing.append(partial(ended, running))
        return running

    def js(self, script, *given):
        return self.browser.execute_script(script, *given)

    def wait(self, condition, seconds=120):
        for _ in range(10 * seconds):
            if self.js(f"return Boolean({condition})"):
                return
            time.sleep(0.1)
        raise AssertionError(f"{condition} never held: {self.js('return torsor.errors')}")

    def open(self, address, width, height, sharp=SHARP, *, dark=False):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", DARK if dark else {"features": []})
        self.size(width, height, sharp)
        self.browser.get(address)
        self.browser.execute_async_script("torsor.ready.then(arguments[0])")

    def size(self, width, height, sharp=SHARP):
        size = {"width": width, "height": height, "deviceScaleFactor": sharp, "mobile": False}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def taken(self):
        """What the window shows, once it rests."""
        assert self.js("return torsor.errors") == []
        time.sleep(0.8)
        self.js(FINE)
        return Image.open(io.BytesIO(self.browser.get_screenshot_as_png())).convert("RGB")


def alone(camera, shown, look, width, height, *, margin=0.1, layers=(), at=None, dark=False):
    """An arm and nothing else."""
    page = camera.folder / "page.html"
    if callable(shown):
        shown(page)
    else:
        shown.save(page)
    camera.open(page.as_uri(), width, height, dark=dark)
    for layer in layers:
        camera.js(LAYER, layer)
    if at is not None:
        camera.js("torsor.setTime(arguments[0])", at)
    camera.js(ALONE)
    camera.js(FRAMED, look.around, look.up, margin)
    return camera.taken()


def posture(arm, look):
    """The arm at a posture of the table."""
    if look.q is None:
        return arm.show()
    joints = {link.joint.name: link.joint for link in arm.model.links}
    slides = [joints[name].kind == "prismatic" for name in arm.joint_names]
    return arm.show([x if slide else np.deg2rad(x) for x, slide in zip(look.q, slides, strict=True)])


def of_arm(name, camera, width=300, height=270, **options):
    return alone(camera, posture(torsor.load(name), LOOKS[name]), LOOKS[name], width, height, **options)


def saved(name: str, picture: Image.Image) -> Path:
    """As small as it can be: with fewer colours where all of them are too many bytes."""
    path = HERE / "pictures" / name
    path.parent.mkdir(exist_ok=True)
    picture.save(path, optimize=True)
    few = io.BytesIO()
    picture.quantize(256, dither=Image.Dither.FLOYDSTEINBERG).save(few, "png", optimize=True)
    if len(few.getvalue()) < 0.6 * path.stat().st_size:
        path.write_bytes(few.getvalue())
    assert path.stat().st_size < LARGEST, f"{path.name} has {path.stat().st_size} bytes"
    return path


PICTURES: dict[str, Callable[[Camera], Image.Image]] = {
    **{f"arm-{name}.png": partial(of_arm, name) for name in LOOKS},
}


def main(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        camera = Camera(Path(folder))
        try:
            for name in names or PICTURES:
                path = saved(name, PICTURES[name](camera))
                print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1000:.0f} kB", flush=True)
        finally:
            for close in reversed(camera.closing):
                close()


if __name__ == "__main__":
    main(sys.argv[1:])
