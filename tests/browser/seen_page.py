"""A page in the browser, as tests ask it."""

import json
import time

import numpy as np


class SeenPage:
    """A page that is open, drawn and ready; what it exposes (`window.torsor`) as numbers."""

    def __init__(self, driver, path):
        self.driver = driver
        driver.get(path.as_uri())
        # once, under load, the browser said that a page was loaded whose script had not run
        self.until("window.torsor")
        self.run_async("await torsor.ready; await torsor.settled")
        self.frame()

    def run(self, script, *given):
        return self.driver.execute_script(script, *given)

    def run_async(self, script, *given):
        """A script that may await; an error in it is an error here."""
        wrapped = f"const done = arguments[arguments.length - 1]; (async () => {{ {script} }})()"
        found = self.driver.execute_async_script(f"{wrapped}.then((v) => done([v]), (e) => done(String(e)))", *given)
        assert isinstance(found, list), found
        return found[0]

    def frame(self):
        """Waits for what was asked for to be drawn."""
        self.run_async("await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def poses(self):
        self.frame()
        return {name: np.reshape(T, (4, 4)) for name, T in self.run("return torsor.poses()").items()}

    def q(self):
        return np.array(self.run("return torsor.q()"))

    def set_q(self, q):
        return self.run("return torsor.setQ(arguments[0])", list(map(float, q)))

    def time(self):
        return self.run("return torsor.time()")

    def until(self, condition, seconds=120, otherwise=""):
        """Waits for a condition in JavaScript; what the script `otherwise` returns is told when it does not come."""
        end = time.monotonic() + seconds
        while not self.run(f"return Boolean({condition})"):
            assert time.monotonic() < end, (condition, self.run(otherwise))
            time.sleep(0.05)

    def click_at(self, x, y):
        """A real click, at a place of the window."""
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            press = {"button": "left", "clickCount": 1} if kind != "mouseMoved" else {}
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **press})

    def box(self, selector):
        """Where an element is in the window, after it was scrolled to."""
        script = """
            const element = document.querySelector(arguments[0]);
            element.scrollIntoView({ block: "center", behavior: "instant" });
            const { x, y, width, height } = element.getBoundingClientRect();
            return [x, y, width, height];
        """
        return self.run(script, selector)

    def begin_again(self):
        """As it was when it was opened, for the test that comes next."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": 1, "y": 1})
        self.run("""
            torsor.pause();
            torsor.setTime(0);
            torsor.plots?.zoom(0, torsor.clock.end);
            if (!torsor.clock.end) torsor.view.pose(torsor.view.scene.joints.map((joint) => joint.home));
            document.activeElement?.blur();
            scrollTo(0, 0);
        """)

    def assert_quiet(self):
        """No error on the page or in the console, and nothing asked of the network."""
        assert self.run("return torsor.errors") == []
        said = [each for each in self.driver.get_log("browser") if each["level"] == "SEVERE"]
        assert said == []
        for each in self.driver.get_log("performance"):
            message = json.loads(each["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                assert url.startswith(("file:", "data:", "blob:", "about:")), url
