"""`torsor monitor` in a browser: a robot at a kilohertz over UDP, pushed on its way, drawn as it says it stands."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

import torsor
from live_running import free_address, sending, warm, watching

ROBOT, PUSHED = "rl15", 3.0
STATUS = "document.getElementById('status').textContent"
COLLISION = "[...torsor.flags.all.values()].some(({ kind }) => kind === 'collision')"


class Page:
    """The page and what tests ask of it."""

    def __init__(self, driver, command, robot):
        self.driver, self.command, self.robot = driver, command, robot

    def js(self, text, *given):
        return self.driver.execute_script(text, *given)

    def wait(self, what, seconds=60):
        """Until a condition in the page's own words holds; its value."""
        try:
            return WebDriverWait(self.driver, seconds, 0.05).until(lambda _: self.js(f"return {what}"))
        except Exception as error:
            raise AssertionError(f"{what} never held; {self.js(f'return [torsor.errors, {STATUS}]')}") from error

    def severe(self):
        return [each["message"] for each in self.driver.get_log("browser") if each["level"] == "SEVERE"]


@contextmanager
def streaming(driver, folder):
    """The command, its page and a robot that is pushed; the page before the robot said anything."""
    place = free_address()
    command = watching(folder, place, ROBOT)
    robot = None

    def opening():
        nonlocal robot
        driver.get(command.address)
        driver.execute_async_script("torsor.ready.then(arguments[arguments.length - 1])")
        waiting = driver.execute_script(f"return {STATUS}")
        if robot is None:
            assert waiting in ("Waiting for samples.", "Not connected yet.")
            robot = sending(place, ROBOT, 5.0, collision=PUSHED, force=120.0)
        return Page(driver, command, robot)

    try:
        yield opening
    finally:
        if robot is not None:
            robot.end()
        command.end()


@pytest.fixture(scope="module")
def stream(driver, tmp_path_factory):
    warm(ROBOT)
    with streaming(driver, tmp_path_factory.mktemp("live")) as opening:
        yield opening


@pytest.fixture
def page(opened, stream):
    page = opened.show(stream, stream)
    page.js("torsor.play()")
    yield page
    assert page.js("return torsor.errors") == []
    assert page.severe() == []


def assert_drawn(page, q):
    arm, poses = torsor.load(ROBOT), page.js("return torsor.poses()")
    for link in arm.model.links:
        assert np.allclose(np.reshape(poses[link.name], (4, 4)), arm.pose(q, frame=link.name), atol=1e-6)


def test_the_arm_stands_as_the_robot_says(page):
    page.wait("torsor.time() > 0.5")
    q, shown = page.js("return [torsor.q(), torsor.seen.frame.q]")
    assert q == shown
    told = np.array([line["q"] for line in page.robot.lines])
    assert (told == np.array(q)).all(axis=1).any()  # to the last bit
    q, *_ = page.js("torsor.pause(); return [torsor.q()]")
    assert_drawn(page, q)
    page.js("torsor.play()")


def test_how_late_it_is_is_shown(page):
    page.wait("torsor.latency()?.rate > 0")
    found = page.wait("torsor.latency()")
    assert 0.0 < found["median"] <= found["worst"]
    assert found["median"] < 1.0
    assert "ms" in page.wait(
        "[...document.querySelectorAll('#facts div')].find((d) => d.textContent.startsWith('latency')).innerText"
    )


def test_a_collision_is_flagged_and_the_plots_stop_there(page):
    page.wait(COLLISION, 60)
    first = page.js("return Math.min(...[...torsor.flags.all.values()].map(({ time }) => time))")
    assert PUSHED <= first < PUSHED + 0.1
    page.wait("document.getElementById('announced').textContent.includes('collision at')")
    page.wait(f"torsor.history.last > {PUSHED + 1.0}")
    buttons = page.driver.find_elements(By.CSS_SELECTOR, ".flags button")
    page.js("arguments[0].click()", buttons[-1])
    assert page.js("return torsor.time()") == pytest.approx(first)
    page.wait(f"{STATUS}.startsWith('Stopped at')")
    from_, to = page.js("return torsor.strips.window")
    assert from_ < first < to
    k = page.js("return torsor.history.near(torsor.time())")
    at = page.js(f"return torsor.history.time[{k}]")
    assert at == pytest.approx(first, abs=0.1)
    assert_drawn(page, page.js("return torsor.q()"))
    spans = page.js("return torsor.strips.spans")
    assert any(begin == pytest.approx(first) for begin, _ in spans)


def test_the_stream_goes_on_behind_and_live_goes_to_it(page):
    page.wait("torsor.history.last > 0.5")
    last = page.js("torsor.setTime(torsor.history.last - 0.3); return torsor.history.last")
    page.wait(f"torsor.history.last > {last} + 0.2")
    assert page.js("return torsor.time()") < last
    page.driver.find_element(By.CSS_SELECTOR, ".live").click()
    page.wait(f"torsor.time() > {last} && {STATUS} === 'Live.'")
    page.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.SPACE)
    assert page.js("return torsor.playhead.live") is False
    before = page.js("return torsor.time()")
    page.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.ARROW_LEFT)
    assert page.js("return torsor.time()") < before
    page.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.END)
    assert page.js("return torsor.playhead.live") is True


def test_one_joint_alone_lies_in_its_band(page):
    page.wait("torsor.history.last > 0.5")
    page.js("document.querySelectorAll('.chips button')[1].click()")
    kept = page.js(
        "return torsor.strips.strips.find(({ kind }) => kind.key === 'outside').curves.map(({ label }) => label)"
    )
    assert kept == ["threshold", "threshold", torsor.load(ROBOT).joint_names[1]]
    page.js("torsor.strips.choose(null)")
    assert page.js("return torsor.strips.hidden.size") == 0


def test_names_are_text(page):
    name = "<img src=x onerror=torsor.errors.push(1)>"
    flag = {"kind": "speed", "where": name, "time": 1.0, "until": 1.1, "size": 2.0, "limit": 1.0, "unit": "rad/s"}
    page.js("torsor.flags.hear({ hostile: arguments[0] })", flag)
    assert page.js("return document.querySelector('.flags li span').textContent") == name
    assert page.js("return document.querySelector('.flags img')") is None


def test_light_dark_and_a_phone(page):
    light = page.js("return getComputedStyle(document.body).backgroundColor")
    page.js("document.getElementById('theme').click()")
    assert page.js("return getComputedStyle(document.body).backgroundColor") != light
    page.js("document.getElementById('theme').click()")
    metrics = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        page.wait("innerWidth === 390 && document.documentElement.scrollWidth <= 390")
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_line_that_breaks_comes_back(page):
    page.js("torsor.line.drop()")
    page.wait(f"{STATUS} === 'Not connected; trying again.'")
    last = page.js("return torsor.history.last")
    page.wait(f"{STATUS} === 'Live.' && torsor.history.last > {last} + 0.1")


@pytest.mark.slow
def test_the_page_outlives_its_stream(driver, opened, tmp_path):
    """Silence is told, then the end; the last minute stays."""
    with streaming(driver, tmp_path) as opening:
        page = opened.show(opening, opening)
        page.wait(COLLISION, 60)
        page.robot.end()
        page.wait(f"{STATUS} === 'No samples come'")
        assert_drawn(page, np.array(page.robot.last["q"]))
        code, out = page.command.end()
        assert code == 130
        assert "collision" in out
        page.wait(f"{STATUS}.startsWith('The stream has ended (interrupted)')")
        page.js("torsor.setTime(1.0)")
        assert page.js("return torsor.time()") == pytest.approx(1.0)
        assert page.js("return torsor.errors") == []
        assert page.severe() == []
