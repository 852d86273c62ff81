"""The studio in a browser: what is dragged, typed and turned comes to the numbers that Python has."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

import torsor
from studio_running import PROGRAM, ended, started

CHIPS = "[...document.querySelectorAll('#branches button')]"


class Page:
    """The page and what tests ask of it."""

    def __init__(self, driver, studio):
        self.driver, self.studio = driver, studio

    def js(self, text, *given):
        return self.driver.execute_script(text, *given)

    def wait(self, what, seconds=60):
        """Until a condition in the page's own words holds; its value."""
        try:
            return WebDriverWait(self.driver, seconds, 0.05).until(lambda _: self.js(f"return {what}"))
        except Exception as error:
            raise AssertionError(
                f"{what} never held; {self.js('return [torsor.errors, failure.textContent]')}"
            ) from error

    def tab(self, k):
        self.driver.find_element(By.ID, f"tab-{k}").click()

    def choose(self, arm):
        """Chooses it, and waits until it stands there with its sliders and torques, also when it stood there before."""
        self.js("""
            const tab = torsor.tabs[0], choice = document.getElementById("arm-choice");
            window.left = tab.cells;
            tab.state = null;
            choice.value = arguments[0];
            choice.dispatchEvent(new Event("change"));
        """, arm)  # fmt: skip
        self.wait(f"torsor.tabs[0].cells !== window.left && torsor.stage.about.arm === {json.dumps(arm)}")
        self.wait("torsor.state?.torque?.length === torsor.stage.about.joints.length")


@pytest.fixture(scope="module")
def studio():
    running = started(PROGRAM, "--robot", "rl15")
    yield running
    ended(running)


@pytest.fixture
def page(driver, opened, studio):
    def opening():
        driver.get(studio.address)
        driver.execute_async_script("torsor.ready.then(arguments[arguments.length - 1])")
        return Page(driver, studio)

    page = opened.show(studio.address, opening, (1280, 900))
    yield page
    assert page.js("return torsor.errors") == []
    complaints = [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    assert complaints == []
    asked = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    urls = [each["params"]["request"]["url"] for each in asked if each["method"] == "Network.requestWillBeSent"]
    assert all(url.startswith((studio.base, "data:", "blob:")) for url in urls)  # nothing left this computer


def test_the_token_is_not_in_the_address(page):
    assert page.driver.current_url == f"{page.studio.base}/"
    assert page.js("return document.cookie") == ""


def test_a_slider_moves_the_arm_and_its_torques(page):
    page.tab(0)
    page.choose("rl15")
    slider = page.driver.find_element(By.ID, "joint-1")
    before = page.js("return torsor.state.torque[1]")
    page.js("arguments[0].value = 20; arguments[0].dispatchEvent(new Event('input'))", slider)
    q = page.js("return torsor.q()")
    assert q[1] == pytest.approx(np.deg2rad(20), abs=1e-9)
    arm = torsor.load("rl15")
    page.wait(f"Math.abs(torsor.state.torque[1] - ({before})) > 1")
    page.wait(f"Math.abs(torsor.state.torque[1] - ({float(arm.gravity(q)[1])})) < 1e-6")
    for name, T in page.js("return torsor.poses()").items():
        np.testing.assert_allclose(np.reshape(T, (4, 4)), arm.pose(q, frame=name), atol=1e-6)
    shown = page.js("return [...document.querySelectorAll('#panel-0 tbody tr')].map(r => r.innerText)")
    assert any("motor2" in row for row in shown)
    assert "arm.inverse_dynamics" in page.js("return document.getElementById('recipe-body').textContent")


def test_the_tool_is_dragged_and_the_branch_switched(page):
    page.tab(0)
    page.choose("puma560")
    page.js("torsor.setQ([0.1, 0.8, -0.6, 0.4, 0.5, -0.6])")
    page.driver.find_element(By.ID, "drag-move").click()
    page.wait("document.querySelectorAll('#branches button').length === 8")
    arm = torsor.load("puma560")
    T = arm.pose(page.js("return torsor.q()"))
    T[:3, 3] += [0.02, 0.01, -0.03]
    page.js("torsor.stage.last = null; torsor.stage.drag(arguments[0], true)", T.ravel().tolist())
    page.wait("torsor.stage.last?.reached")
    np.testing.assert_allclose(arm.pose(page.js("return torsor.q()")), T, atol=1e-6)
    other = page.js(f"return {CHIPS}.find(b => b.ariaPressed === 'false' && !b.disabled).textContent")
    before = page.js("return torsor.q()")
    page.js(f"torsor.stage.last = null; {CHIPS}.find(b => b.textContent === arguments[0]).click()", other)
    page.wait("torsor.stage.last?.branches.length")
    q = page.js("return torsor.q()")
    np.testing.assert_allclose(arm.pose(q), T, atol=1e-6)
    np.testing.assert_allclose(q, arm.inverse_kinematics(T, branch=other, nearest=before), atol=1e-6)
    T[:3, 3] = [5.0, 0.0, 0.0]
    page.js("torsor.stage.drag(arguments[0], true)", T.ravel().tolist())
    page.wait("document.getElementById('reach').textContent.includes('cannot reach')")
    page.driver.find_element(By.ID, "drag-move").click()


def test_the_handle_itself_can_be_dragged(page):
    """The pointer on the arrow of the handle, as a hand does it."""
    page.tab(0)
    page.choose("puma560")
    page.js("torsor.setQ([0.1, 0.8, -0.6, 0.4, 0.5, -0.6])")
    page.driver.find_element(By.ID, "drag-move").click()
    page.wait("document.querySelectorAll('#branches button').length === 8")
    found = page.js("""
        const { gizmo, tip, view } = torsor.stage, before = torsor.q();
        gizmo.axis = "X"; gizmo.pointerDown({ x: 0, y: 0, button: 0 }); gizmo.axis = "X";
        gizmo.pointerMove({ x: 0.05, y: 0.02, button: -1 }); gizmo.pointerUp({ x: 0, y: 0, button: 0 });
        return [before, tip.position.toArray()];
    """)
    page.wait(f"Math.max(...torsor.q().map((x, k) => Math.abs(x - {json.dumps(found[0])}[k]))) > 1e-4")
    page.driver.find_element(By.ID, "drag-move").click()


def test_an_arm_with_loops_stays_closed(page):
    page.tab(0)
    page.choose("fourbar")
    slider = page.driver.find_element(By.CSS_SELECTOR, "#panel-0 .slider input")
    page.js("arguments[0].value = +arguments[0].value + 10; arguments[0].dispatchEvent(new Event('input'))", slider)
    arm = torsor.load("fourbar")
    q = page.js("return torsor.q()")
    np.testing.assert_allclose(
        arm.closure.positions(page.js("return torsor.stage.free()"), near=np.array(q)), q, atol=1e-6
    )


def test_a_mistake_is_underlined_while_it_is_typed(page):
    page.choose("rl15")
    page.tab(1)
    page.wait("torsor.tabs[1].diagnostics !== undefined")
    area = page.driver.find_element(By.CSS_SELECTOR, "#panel-1 textarea")
    good = area.get_attribute("value")
    assert "program" in good
    area.send_keys(Keys.CONTROL, Keys.END)
    area.send_keys("nonsense here")
    page.wait("document.querySelector('#panel-1 .editor u.error')")
    assert area.get_attribute("aria-invalid") == "true"
    assert "line" in page.js("return document.querySelector('#panel-1 .found .error').textContent")
    page.js("torsor.tabs[1].editor.text = arguments[0]; torsor.tabs[1].look(0)", good)
    page.wait("!document.querySelector('#panel-1 .editor u.error')")


def test_a_program_is_checked_played_and_compared(page):
    page.choose("rl15")
    page.tab(1)
    page.js("torsor.tabs[1].job.start.click()")
    page.wait("torsor.tabs[1].document && !torsor.tabs[1].job.running", 120)
    verdict = torsor.check("examples/programs/rl15_tour.irl", "rl15")
    assert page.js("return torsor.tabs[1].document.time") == pytest.approx(verdict.time, rel=1e-12)
    assert verdict.headline in page.js("return document.querySelector('.verdict').textContent")
    assert page.js("return document.querySelectorAll('.gutter .fine').length") > 3
    page.js("torsor.setTime(5.0)")
    q = verdict.signals.q[round(5.0 / verdict.dt)]
    np.testing.assert_allclose(page.js("return torsor.q()"), q, atol=2e-3)
    assert page.js("return document.querySelectorAll('.gutter .running').length") == 1
    assert page.js("return document.querySelectorAll('#panel-1 .u-over').length") == 1
    page.js("torsor.tabs[1].speed.value = 0.5; torsor.tabs[1].compareJob.start.click()")
    page.wait("torsor.tabs[1].compared", 120)
    slower = torsor.check("examples/programs/rl15_tour.irl", "rl15", speed=0.5)
    assert page.js("return torsor.tabs[1].compared.longer") == pytest.approx(slower.time - verdict.time, rel=1e-9)
    assert "before" in page.js("return document.querySelector('table.compare').textContent")
    assert page.js("return document.querySelector('.compared select').options.length") == 2
    assert "--times-speed 0.5" in page.js("return document.getElementById('recipe-body').textContent")


def test_a_gain_is_turned_and_the_response_redrawn(page):
    page.tab(2)
    page.choose("planar2")
    page.js("torsor.tabs[2].law.value = 'pd-gravity'; torsor.tabs[2].write()")
    page.wait("torsor.tabs[2].answer?.arm === 'planar2' && torsor.stage.clock")
    before = page.js("return [torsor.tabs[2].runs, torsor.tabs[2].answer.q[0].at(-1)]")
    page.js("const s = document.querySelector('[data-gain=Kp]'); s.value = 0.5; s.dispatchEvent(new Event('input'))")
    page.wait(f"torsor.tabs[2].runs > {before[0]}")
    from torsor.scenarios import parse

    scenario = parse(page.js("return torsor.tabs[2].editor.text"))
    scenario.law.Kp = 10**0.5 * scenario.law.Kp
    assert page.js("return torsor.tabs[2].answer.q[0].at(-1)") == pytest.approx(scenario.run().q[-1, 0], rel=1e-6)
    assert page.js("return document.querySelectorAll('#panel-2 .u-over').length") == 2
    took = page.driver.execute_async_script("""
        const done = arguments[arguments.length - 1], tab = torsor.tabs[2], from = performance.now();
        const asked = { text: tab.editor.text, gains: { Kd: [9, 3] } };
        torsor.line.ask("run", asked).then(() => done(performance.now() - from));
    """)
    assert took < 1000  # ms; a loop that is compiled anew takes longer


def test_equations_are_typeset(page):
    page.choose("planar2")
    page.tab(3)
    page.js("const t = torsor.tabs[3]; t.quantity.value = 'gravity'; t.parameters.value = 'symbolic'; t.derive()")
    page.wait("document.querySelectorAll('.equations .katex-display').length")
    assert page.js("return document.querySelectorAll('.katex-error').length") == 0
    page.wait("[...document.fonts].some(({ family, status }) => family === 'KaTeX_Math' && status === 'loaded')")
    assert "torsor derive planar2" in page.js("return document.getElementById('recipe-body').textContent")


def test_dark_and_light(page):
    dark = lambda: page.js("return getComputedStyle(document.body).backgroundColor")  # noqa: E731
    before = dark()
    page.driver.find_element(By.ID, "theme").click()
    assert dark() != before
    page.driver.find_element(By.ID, "theme").click()
    assert dark() == before


def test_on_a_phone_nothing_is_cut_off(page):
    size = page.driver.get_window_size()
    page.driver.set_window_size(520, 900)
    for k in range(4):
        page.tab(k)
        assert page.js("return document.documentElement.scrollWidth <= innerWidth + 1"), k
    page.driver.set_window_size(size["width"], size["height"])


def test_keys_and_words_for_who_cannot_see(page):
    page.driver.find_element(By.ID, "tab-0").click()
    page.driver.find_element(By.ID, "tab-0").send_keys(Keys.ARROW_RIGHT)
    assert page.js("return document.getElementById('panel-1').hidden") is False
    assert page.js("return document.getElementById('tab-1').getAttribute('aria-selected')") == "true"
    nameless = page.js("""
        return [...document.querySelectorAll("input, select, textarea, button")]
          .filter((e) => e.checkVisibility())
          .filter((e) => !e.ariaLabel && !e.textContent.trim() && !e.closest("label")?.textContent.trim())
          .map((e) => e.outerHTML);
    """)
    assert nameless == []


def test_hostile_names_are_text(page):
    text = Path(torsor.__file__).parent.joinpath("model/library/planar2.toml").read_text()
    hostile = text.replace('"planar2"', "'<img src=x onerror=alert(1)>'")
    page.js("""
        const file = new File([arguments[0]], "<b>.toml"), data = new DataTransfer();
        const input = document.getElementById("arm-file");
        data.items.add(file); input.files = data.files; input.dispatchEvent(new Event("change"));
    """, hostile)  # fmt: skip
    page.wait("torsor.stage.about?.name.includes('onerror')")
    page.wait("torsor.state.torque.length === 2")
    assert page.js("return document.querySelectorAll('img').length") == 0


def test_a_lost_connection_comes_back(page):
    page.tab(0)
    page.choose("planar2")
    before = page.js("return torsor.state.torque[0]")
    page.js("torsor.line.drop()")
    page.wait("document.getElementById('connection').textContent === ''")
    page.js("torsor.setQ([0.7, 0.1])")
    page.wait(f"torsor.state.torque[0] !== {before}")
