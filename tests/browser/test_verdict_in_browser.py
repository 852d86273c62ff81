"""The report of a check, opened from its file: arm, plots, program and motors move together."""

import base64
import re
import zlib
from pathlib import Path

import numpy as np
import pytest

import torsor
from browser.test_arm_page import assert_loads
from report.unpacking import unpack

PROGRAMS = Path(__file__).parent.parent.parent / "examples" / "programs"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    force = [-100.0, -100.0, -150.0, 0.0, 0.0, 0.0]
    folder = tmp_path_factory.mktemp("report")
    deep = folder / "a_folder_of_a_very_long_name_which_no_phone_shows_in_one_line" / "rl15_tour.irl"
    deep.parent.mkdir()
    deep.write_bytes((PROGRAMS / "rl15_tour.irl").read_bytes())
    verdict = torsor.check(deep, "rl15", wrench=force, acceleration=3.0)
    path = folder / "report.html"
    verdict.report(path)
    return verdict, path


def test_the_arm_is_where_the_plan_is(see, report):
    verdict, path = report
    page, signals = see(path), verdict.signals
    for t in (0.0, 0.37 * verdict.time, 0.91 * verdict.time, verdict.time):
        page.run("torsor.setTime(arguments[0])", t)
        q = page.q()
        planned = [np.interp(t, signals.time, column) for column in signals.q.T]
        np.testing.assert_allclose(q, planned, atol=2e-3)
        for name, T in page.poses().items():
            np.testing.assert_allclose(T, verdict.machine.arm.pose(q, frame=name), atol=1e-6)


def test_curves_are_unpacked_as_they_were_packed(see, report):
    _, path = report
    page = see(path)
    script = """
        const panel = torsor.plots.groups[0].panels[arguments[0]];
        const values = (await torsor.plots.of(panel))[arguments[1]];
        return [panel.series[arguments[1]], [...values].map((value) => (isNaN(value) ? null : value))];
    """
    for k, series in ((0, 0), (2, 1)):
        curve, values = page.run_async(script, k, series)
        np.testing.assert_allclose(np.array(values, dtype=float), unpack(curve), rtol=1e-12, atol=1e-12)


def test_a_click_into_a_plot_goes_there(see, report):
    verdict, path = report
    page = see(path)
    page.box("#plots-speed .plot")
    page.until("document.querySelector('#plots-speed .plot .u-over')")
    x, y, width, height = page.box("#plots-speed .plot .u-over")
    page.click_at(x + 0.25 * width, y + 0.5 * height)
    assert page.time() == pytest.approx(0.25 * verdict.time, abs=0.02 * verdict.time)
    at = page.run("return document.querySelector('#plots-speed .u-over .now').style.transform")
    assert float(re.search(r"[\d.]+", at)[0]) == pytest.approx(0.25 * width, abs=3)
    # hovering only shows, and leaving goes back
    page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x + 0.75 * width, "y": y + 9})
    assert page.run("return torsor.clock.shown") == pytest.approx(0.75 * verdict.time, abs=0.02 * verdict.time)
    page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": 3, "y": 3})
    assert page.run("return torsor.clock.shown") == pytest.approx(0.25 * verdict.time, abs=0.02 * verdict.time)


def test_a_click_on_a_line_plays_its_move(see, report):
    verdict, path = report
    page = see(path)
    move = next(move for move in verdict.moves if move.place.line == verdict.lines[0])
    page.run("document.getElementById('line' + arguments[0]).click()", move.place.line)
    page.until(f"torsor.time() > {move.start + 0.05}")
    assert page.run("return document.querySelector('.listing .now').id") == f"line{move.place.line}"
    page.until("!torsor.clock.playing")
    assert page.time() == pytest.approx(move.start + move.duration, abs=1e-3)


def test_it_plays_by_button_and_by_key(see, report):
    verdict, path = report
    page = see(path)
    page.run("document.querySelector('.play').click()")
    page.until("torsor.time() > 0.2")
    page.run("torsor.pause()")
    assert 0.2 < page.time() < verdict.time
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], bubbles: true }))"
    page.run(press, "Home")
    assert page.time() == 0.0
    page.run(press, "ArrowRight")
    assert page.time() == pytest.approx(0.04)
    page.run(press, "End")
    assert page.time() == pytest.approx(verdict.time)
    page.run(press, " ")
    page.until("torsor.clock.playing && torsor.time() > 0.1 && torsor.time() < 5")
    page.run(press, " ")
    assert not page.run("return torsor.clock.playing")


def test_a_mark_says_what_happened_there(see, report):
    verdict, path = report
    page = see(path)
    problem = max(verdict.problems, key=lambda problem: problem.share)
    page.run("document.querySelector('.mark').click()")
    said = page.run("return document.querySelector('.said').textContent")
    assert problem.who in said
    assert f"line {problem.place.line}" in said
    assert problem.text in said
    assert page.time() == pytest.approx(problem.time)


def test_motors_are_chosen_and_zoom_is_shared(see, report):
    verdict, path = report
    page = see(path)
    page.until("document.querySelector('#overlay .u-over')")
    chips = "return [...document.querySelectorAll('.chips button')].map((chip) => chip.textContent)"
    assert page.run(chips) == list(verdict.motors)
    drawn = "return [...torsor.plots.live].find((each) => each.box.closest('#overlay')).plot.series.length - 1"
    assert page.run(drawn) == len(verdict.motors)
    page.run("document.querySelectorAll('.chips button')[1].click()")
    assert page.run(drawn) == len(verdict.motors) - 1
    page.run("document.querySelectorAll('.chips button')[1].click()")
    page.box("#plots-torque")
    page.until("torsor.plots.live.size > 2")
    page.run("torsor.plots.zoom(2, 4)")
    page.frame()
    scales = page.run("return [...torsor.plots.live].map(({ plot }) => [plot.scales.x.min, plot.scales.x.max])")
    assert all(scale == [2, 4] for scale in scales)


def test_the_dot_in_the_torque_speed_plane_is_the_motor(see, report):
    verdict, path = report
    page, signals = see(path), verdict.signals
    t = 0.6 * verdict.time
    page.run("torsor.setTime(arguments[0])", t)
    dots = page.run("return [...document.querySelectorAll('.dot')].map((dot) => dot.style.transform)")
    assert len(dots) == len(verdict.motors)
    for k, dot in enumerate(dots):
        x, y = map(float, re.findall(r"-?[\d.]+", dot))
        rate = np.interp(t, signals.time, signals.rate[:, k])
        assert np.sign(x - (40 + 202 / 2)) == np.sign(rate) or abs(rate) < 0.02 * np.abs(signals.rate[:, k]).max()
        torque = np.interp(t, signals.time, signals.torque[:, k])
        assert np.sign(8 + 156 / 2 - y) == np.sign(torque) or abs(torque) < 0.02 * verdict.machine.peaks[k]


def test_arrows_are_the_loads_of_bearings(see, report):
    verdict, path = report
    page, signals = see(path), verdict.signals
    page.run("document.getElementById('layer-loads').click()")
    for k in (40, 480):
        page.run("torsor.setTime(arguments[0])", signals.time[k])
        wrench, arm = verdict.machine.wrench, verdict.machine.arm
        loads = arm.bearing_loads(signals.q[k], signals.qd[k], signals.qdd[k], wrench=wrench, drives=True)
        assert_loads(page, arm, signals.q[k], loads, 2e-2)
    tool = "return torsor.view.layers.find((each) => each.key === 'loads').tool.force.object.position.toArray()"
    np.testing.assert_allclose(page.run(tool), arm.pose(signals.q[480])[:3, 3], atol=2e-3)
    page.run("document.getElementById('layer-loads').click()")


def test_motion_is_not_forced_on_anyone(see, report):
    """Who asked for less motion gets a page that scrolls at once and plays nothing by itself."""
    _, path = report
    page = see(path)
    smooth = "return getComputedStyle(document.documentElement).scrollBehavior"
    assert page.run(smooth) == "smooth"
    calm = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", calm)
    assert page.run(smooth) == "auto"
    assert page.run("return document.getAnimations().length") == 0
    assert page.run("return torsor.clock.playing") is False


def test_all_of_it_is_reached_by_keyboard_and_has_a_name(see, report):
    _, path = report
    page = see(path)
    nameless = """
        const named = (each) =>
          each.getAttribute("aria-label") || each.textContent.trim() || each.title || each.labels?.length;
        const asked = "button, select, input, canvas[tabindex], [role=img], [role=group], summary";
        return [...document.querySelectorAll(asked)]
          .filter((each) => !named(each)).map((each) => each.outerHTML.slice(0, 80));
    """
    assert page.run(nameless) == []
    unreachable = """
        return [...document.querySelectorAll("button, select, input, summary, .playable code, #arm canvas")]
          .filter((each) => each.tabIndex < 0).map((each) => each.outerHTML.slice(0, 80));
    """
    assert page.run(unreachable) == []
    from selenium.webdriver.common.keys import Keys

    page.run("document.querySelector('#arm canvas').focus()")
    before = page.run("return torsor.view.camera.position.toArray()")
    page.driver.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
    assert page.run("return torsor.view.camera.position.toArray()") != before
    assert page.time() == 0.0  # the arrow turned the arm, and was not taken for a step in time
    page.run("document.querySelector('.playable code').focus()")
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    page.until("torsor.clock.playing")


def test_dark(see, report):
    _, path = report
    page = see(path)
    light = page.run("return getComputedStyle(document.body).backgroundColor")
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    page.frame()
    assert page.run("return getComputedStyle(document.body).backgroundColor") != light
    assert page.run("return torsor.view.looks.dark") is True


@pytest.mark.parametrize("width", [360, 768])
def test_nothing_is_wider_than_a_phone(see, report, width):
    _, path = report
    page = see(path)
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    wide = f"""
        return [innerWidth, document.documentElement.scrollWidth, ...[...document.querySelectorAll("body *")]
          .filter((each) => each.getBoundingClientRect().right > {width})
          .map((each) => each.cloneNode().outerHTML.slice(0, 120))];
    """
    # Plots are drawn anew, a frame later or more. (A phone that was turned may stay zoomed out meanwhile: no `mobile`.)
    page.until(f"innerWidth === {width} && document.documentElement.scrollWidth <= {width}", otherwise=wide)


def test_paper(see, report):
    """Every plot and three views of the arm are on paper, and no page is blank."""
    _, path = report
    page = see(path)
    page.run("dispatchEvent(new Event('beforeprint'))")
    blank = """
        const isBlank = (canvas) => {
          const { width, height } = canvas, { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
          for (let k = 4; k < data.length; k += 4) if (data[k] !== data[0] || data[k + 3] !== data[3]) return false;
          return true;
        };
        return [".pictures canvas", ".plot canvas", ".plane canvas"].map((selector) => {
          const all = [...document.querySelectorAll(selector)];
          return [all.length, all.filter(isBlank).length];
        });
    """
    (views, blank_views), (plots, blank_plots), (planes, blank_planes) = page.run(blank)
    assert (views, blank_views, blank_plots, blank_planes) == (3, 0, 0, 0)
    assert plots >= 20
    assert planes == 6
    page.run("dispatchEvent(new Event('afterprint'))")
    assert page.run("return document.querySelectorAll('.pictures').length") == 0
    printed = page.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    pdf = base64.b64decode(printed["data"])
    assert pdf.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 4
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    assert sum(len(zlib.decompressobj().decompress(each)) > 1000 for each in streams if each[:1] == b"\x78") >= 4


def test_scrubbing(see, report, capsys):
    """How many frames a second; told, not judged: machines differ. `benchmarks/page_speed.py` measures it alone."""
    _, path = report
    page = see(path)
    rate = page.run_async("""
        const before = torsor.frames, began = performance.now();
        while (performance.now() - began < 1000) {
          torsor.setTime(torsor.clock.end * (performance.now() - began) / 1000);
          await new Promise(requestAnimationFrame);
        }
        return (torsor.frames - before) / (performance.now() - began) * 1000;
    """)
    with capsys.disabled():
        print(f" [scrubs at {rate:.0f} frames a second] ", end="")
    assert rate > 0.5
