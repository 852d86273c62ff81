"""The pictures of README and docs, each made by what it shows: ``make pictures``, or with names, only these.

Arms and pages are drawn by headless Chromium with software rendering, so that every machine makes the same of them.
"""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

import torsor
from torsor.cli import main as main_command

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE), str(ROOT / "tests")]

import elastic_pictures  # noqa: E402
import study_pictures  # noqa: E402
from monitor_picture import pushed_robot  # noqa: E402

from browser.headless import headless  # noqa: E402
from studio_running import ended, started  # noqa: E402

LARGEST = 300_000  # bytes
LARGEST_SMALL = 90_000  # of which there are many on one page
SMALL = "arm-"
SHARP = 1.5  # pixels of a picture for one of the page, along each side
TOUR = "examples/programs/rl15_tour.irl"
PRESSING = [-100.0, -100.0, -150.0]  # N, as in make demo


@dataclass(frozen=True)
class Look:
    """A posture in degrees (m where joints slide) that shows an arm well, and where from: degrees about z and up."""

    q: list[float] | None = None
    around: float = -50.0
    up: float = 20.0


LOOKS = {
    "asea-irb": Look([0, 75, 0, 110, 0, 160], -62),
    "delta": Look([25, 45, 35], -70, 14),
    "elastic-arm2": Look([40, -55], -75),
    "five-bar": Look(None, -75),
    "fourbar": Look([60], -75),
    "fr3": Look([10, -25, 0, -125, 0, 105, 45]),
    "gen3": Look([20, 30, 180, -110, 0, -40, 90]),
    "irb120": Look([-20, 20, 10, 0, 55, 0]),
    "irb1200": Look([-20, 20, 10, 0, 55, 0]),
    "irb2600": Look([-20, 20, 10, 0, 55, 0]),
    "irb4600": Look([-20, 20, 10, 0, 55, 0]),
    "irb6640": Look([-20, 20, 10, 0, 55, 0]),
    "irb140": Look([-20, 30, -30, 0, 40, 0]),
    "irb6": Look([-20, -15, 15, -30, 0]),
    "irb140-screws": Look([15, -20, 10, 0, 60, 0]),
    "kr210-r2700-2": Look([-20, -70, 95, 0, 45, 0]),
    "kr6-r900-2": Look([-20, -60, 90, 0, 50, 0]),
    "panda": Look([10, -25, 0, -125, 0, 105, 45]),
    "parallelogram5": Look(None, -60),
    "planar2": Look([50, -70], -75),
    "planar3": Look([60, -50, -55], -75),
    "puma560": Look([-20, 60, -160, 0, 60, 0]),
    "puma560-akb": Look([-20, -60, 160, 0, 60, 0]),
    "puma560-burdick": Look([-20, -60, 160, 0, -60, 0]),
    "rl15": Look([-15, 25, -15, 0, -60, 0]),
    "rl15-elastic": Look([10, 35, -35, 0, -50, 0]),
    "scara": Look([-35, 70, 0.05, 60], -50, 28),
    "sdt4": Look([0, 0, 0, 0]),
    "slider-crank": Look([50], -75),
    "stanford": Look([-30, -65, 0.8, 0, 40, 0]),
    "ur10e": Look([150, -70, 75, -95, -90, 0], -60),
    "ur5": Look([-30, -70, 75, -95, -90, 0], -60),
    "ur5-elastic": Look([-30, -50, 60, -100, -90, 0], -60),
    "ur5e": Look([150, -60, 85, -115, -90, 0], -60),
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
    const hangs = Math.min(...points.map(({ z }) => z)) > view.scene.ground + 0.1 * view.scene.size;
    if (hangs) // the floor below it too
      points.push(...points.map((point) => point.clone().setZ(view.scene.ground)));
    const turn = (around * Math.PI) / 180, lift = (up * Math.PI) / 180;
    const from = camera.position.clone().set(Math.cos(turn), Math.sin(turn), Math.tan(lift)).normalize();
    let far = 4 * view.scene.size;
    for (let k = 0; k < 30; k++) {
      camera.position.copy(controls.target).addScaledVector(from, far);
      camera.lookAt(controls.target);
      camera.updateMatrixWorld();
      const seen = points.map((point) => point.clone().project(camera));
      const span = (name) => seen.reduce(([a, b], at) => [Math.min(a, at[name]), Math.max(b, at[name])], [9, -9]);
      const [x, y] = [span("x"), span("y")];
      const half = far * Math.tan((camera.fov * Math.PI) / 360), side = from.clone(), over = from.clone();
      camera.matrixWorld.extractBasis(side, over, from.clone());
      controls.target.addScaledVector(side, 0.5 * (x[0] + x[1]) * half * camera.aspect);
      controls.target.addScaledVector(over, 0.5 * (y[0] + y[1]) * half);
      far *= Math.max(x[1] - x[0], y[1] - y[0]) / 2 / (1 - margin);
    }
    controls.update();
"""
# Drawn finer than the screen, which smooths edges, and left so.
FINE = """
    const view = torsor.view ?? torsor.stage.view;
    view.renderer.setPixelRatio(2 * devicePixelRatio);
    view.renderer.setSize(view.holder.clientWidth, view.holder.clientHeight, false);
    view.renderer.render(view.world, view.camera);
    view.labels.place();
"""
LAYER = "document.getElementById(`layer-${arguments[0]}`).click()"
DARK = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}


class NotHere(Exception):
    """A program that not every machine has."""


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
        running = started(TOUR, "--robot", "rl15")
        self.closing.append(partial(ended, running))
        return running

    def report(self, **options):
        """Writes the report of the Lola 15's program to a path."""
        return torsor.check(TOUR, torsor.load("rl15"), wrench=[*PRESSING, 0.0, 0.0, 0.0], **options).report

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
    """Shades that no eye tells apart are made one where they would take too many bytes; no colour is lost by that."""
    path = HERE / "pictures" / name
    path.parent.mkdir(exist_ok=True)
    largest = LARGEST_SMALL if name.startswith(SMALL) else LARGEST
    for step in (1, 2, 3, 4):
        levels = [min(255, step * round(level / step)) for level in range(256)]
        picture.point(levels * 3).save(path, optimize=True)
        if path.stat().st_size < largest:
            return path
    raise AssertionError(f"{name} has {path.stat().st_size} bytes")


def tour(camera):
    """The Lola 15 on its way, with the tool's path coloured by load."""
    return alone(camera, camera.report(), Look(None, -42, 16), 800, 560, margin=0.07, at=13.6)


def frames(camera):
    """Frames and Denavit-Hartenberg rows as in the papers, which stand to the right of the arm."""
    look = Look([0, 60, -115, 0, -60, 0], -70, 14)
    alone(camera, posture(torsor.load("puma560"), look), look, 800, 540, layers=["frames", "numbers"])
    camera.js("""
        const { camera, labels, scene } = torsor.view, names = scene.links.map(({ name }) => name);
        camera.setViewOffset(innerWidth, innerHeight, 0.16 * innerWidth, 0, innerWidth, innerHeight);
        for (const { element } of labels.all)
          if (names.includes(element.textContent)) element.hidden = true; // its row has the name too
          else element.style.marginLeft = "44px";
    """)
    return camera.taken()


def ghost(camera):
    """Asked for three times the acceleration, and what the motors make of it."""
    return alone(camera, camera.report(acceleration=3.0), Look(None, -42, 16), 800, 560, margin=0.07, at=15.0)


def report(camera, *, dark=False):
    page = camera.folder / "page.html"
    camera.report()(page)
    camera.open(page.as_uri(), 1180, 1500, 1.0, dark=dark)
    camera.js("torsor.setTime(9.4)")
    time.sleep(2.0)  # until its plots are drawn
    return camera.taken()


def reproduced(camera):
    """The top of the page of Fedorov's thesis."""
    with contextlib.redirect_stdout(io.StringIO()):
        main_command(["reproduce", "fedorov", "--out", str(camera.folder)])
    camera.size(1100, 1500, 1.0)
    camera.browser.get((camera.folder / "fedorov.html").as_uri())
    time.sleep(1.0)
    return Image.open(io.BytesIO(camera.browser.get_screenshot_as_png())).convert("RGB")


def in_studio(camera, tab, *, width=1280, height=800):
    camera.open(camera.studio.address, width, height, 1.0)
    camera.js(f"document.getElementById('tab-{tab}').click()")


def choose(camera, arm):
    camera.js(
        "const e = document.getElementById('arm-choice'); e.value = arguments[0];e.dispatchEvent(new Event('change'))",
        arm,
    )
    camera.wait(
        f"torsor.stage.about?.arm === {arm!r} && torsor.state?.torque?.length === torsor.stage.about.joints.length"
    )


def studio_arm(camera):
    in_studio(camera, 0)
    choose(camera, "puma560")
    camera.js("torsor.setQ(arguments[0])", np.deg2rad([20, 50, -140, 0, 60, 0]).tolist())
    camera.js("document.getElementById('drag-move').click()")
    camera.wait("document.querySelectorAll('#branches button').length === 8")
    camera.js("document.querySelector('.legend').open = true")
    camera.js(LAYER, "manipulability")
    return camera.taken()


def studio_program(camera):
    """A program that was checked, and a mistake typed into it since."""
    in_studio(camera, 1)
    choose(camera, "rl15")
    camera.js("torsor.tabs[1].job.start.click()")
    camera.wait("torsor.tabs[1].document && !torsor.tabs[1].job.running")
    camera.js("""
        torsor.setTime(9.4);
        const [, tab] = torsor.tabs;
        tab.editor.text = tab.editor.text.replace("speed=460", "sped=460");
        tab.look(0);
    """)
    camera.wait("document.querySelector('#panel-1 .editor u.error')")
    return camera.taken()


def studio_equations(camera):
    in_studio(camera, 3, width=1440, height=900)
    choose(camera, "planar2")
    camera.js("""
        const tab = torsor.tabs[3];
        [tab.quantity.value, tab.parameters.value] = ["coefficients", "symbolic"];
        tab.derive();
    """)
    camera.wait("document.querySelectorAll('.equations .katex-display').length")
    return camera.taken()


def figures(camera):
    """Figures 5 to 7 of Kvrgic and Vidakovic, by the example that redraws them."""
    path = camera.folder / "figures.png"
    with contextlib.redirect_stdout(io.StringIO()):
        runpy.run_path("examples/03_can_it_do_it.py")["main"](str(path))
    return Image.open(path).convert("RGB")


def simulated(camera):
    path = camera.folder / "run.png"
    scenario = torsor.scenarios.read("examples/scenarios/irb140_closed_loop_1.toml")
    scenario.write(*(scenario.run(by=by) for by in scenario.by), plot=path)
    return Image.open(path).convert("RGB")


def driven_motors(camera):
    path = camera.folder / "motors.png"
    torsor.scenarios.read("examples/scenarios/irb6_currents.toml").run().plot_motors(path)
    return Image.open(path).convert("RGB")


def inertia_map(camera):
    path = camera.folder / "map.png"
    torsor.control.servo_gains(torsor.load("puma560"), 30.0).plot(path)
    return Image.open(path).convert("RGB")


def printed(arm, camera):
    """Coefficients as pdflatex sets them, without the white around them."""
    for program in ("pdflatex", "pdftoppm"):
        if shutil.which(program) is None:
            raise NotHere(program)
    equations = torsor.derive(torsor.load(arm), "coefficients", parameters="symbolic", lengths=True)
    (camera.folder / "page.tex").write_text(equations.to_latex())
    run = partial(subprocess.run, cwd=camera.folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run(["pdflatex", "-interaction=batchmode", "page.tex"])
    run(["pdftoppm", "-r", "110", "-l", "1", "-singlefile", "-png", "page.pdf", "page"])
    page = Image.open(camera.folder / "page.png").convert("L")
    left, above, right, below = ImageOps.invert(page).getbbox()
    return page.crop((left - 16, above - 16, right + 16, below + 16)).convert("RGB")


PICTURES: dict[str, Callable[[Camera], Image.Image]] = {
    "tour.png": tour,
    "report.png": report,
    "report-dark.png": partial(report, dark=True),
    "compared.png": ghost,
    "asea-irb.png": partial(of_arm, "asea-irb", width=640, height=480),
    "ur5.png": partial(of_arm, "ur5", width=640, height=480, margin=0.22),
    "delta.png": partial(of_arm, "delta", width=640, height=480),
    "puma560-frames.png": frames,
    "studio-arm.png": studio_arm,
    "studio-program.png": studio_program,
    "studio-equations.png": studio_equations,
    "monitor.png": pushed_robot,
    "elastic-bent.png": lambda camera: elastic_pictures.bent(camera, alone, Look(None, -75, 12)),
    "elastic-mode.png": lambda camera: elastic_pictures.mode(camera, alone, Look(None, -30, 14)),
    "elastic-stress.png": lambda camera: elastic_pictures.stressed(camera, alone, Look(None, -48, 14)),
    "vibration-report.png": elastic_pictures.swinging,
    "vibration.png": elastic_pictures.figure,
    "study-payload.png": study_pictures.payload,
    "study-map.png": study_pictures.section,
    "rl15-figures.png": figures,
    "irb140-closed-loop.png": simulated,
    "irb6-motors.png": driven_motors,
    "reproduced.png": reproduced,
    "puma560-inertia.png": inertia_map,
    "planar2-coefficients.png": partial(printed, "planar2"),
    "puma560-coefficients.png": partial(printed, "puma560-burdick"),
    **{f"{SMALL}{name}.png": partial(of_arm, name) for name in LOOKS},
}


def main(names: list[str]) -> None:
    os.chdir(ROOT)  # what is shown names its files from there
    with tempfile.TemporaryDirectory() as folder:
        camera = Camera(Path(folder))
        try:
            for name in names or PICTURES:
                try:
                    path = saved(name, PICTURES[name](camera))
                except NotHere as program:
                    print(f"docs/pictures/{name} stays as it was: {program} is missing")
                    continue
                print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1000:.0f} kB", flush=True)
        finally:
            for close in reversed(camera.closing):
                close()


if __name__ == "__main__":
    main(sys.argv[1:])
