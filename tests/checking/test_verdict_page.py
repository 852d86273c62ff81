"""The report: one page that is well formed, needs nothing else, and shows every move."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import torsor
from report.unpacking import unpack
from torsor.checking.shown import verdict_page
from torsor.model.parts import Thermal
from torsor.motion.commands import Joints, Move, Pace, Place

PROGRAMS = Path(__file__).parent.parent.parent / "examples" / "programs"
VOID = {"meta", "link", "br", "hr", "img", "input", "path", "circle", "rect"}


class Page(HTMLParser):
    """Reads a page and complains about tags that do not close."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.ids, self.links, self.words = [], [], set(), [], []
        self.scripts = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.append((tag, given))
        if "id" in given:
            assert given["id"] not in self.ids
            self.ids.add(given["id"])
        self.links += [value for key, value in given.items() if key in ("href", "src", "srcset", "action", "data")]
        if tag not in {"meta"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts.setdefault(self.tags[-1][1].get("id", ""), data)
        elif not self.open or self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self):
        return "".join(self.words)


@pytest.fixture(scope="module")
def harder():
    force = [-100.0, -100.0, -150.0, 0.0, 0.0, 0.0]
    return torsor.check(PROGRAMS / "rl15_tour.irl", "rl15", wrench=force, acceleration=3.0)


@pytest.fixture(scope="module")
def page(harder):
    return verdict_page.page(harder)


def test_it_is_well_formed_and_complete(harder, page):
    read = Page(page)
    assert {f"move{k}" for k in range(len(harder.moves))} <= read.ids
    for move in harder.moves:
        assert f"line{move.place.line}" in read.ids
        assert f"#line{move.place.line}" in read.links
        assert move.target in read.text
    for problem in harder.problems:
        assert problem.text in read.text
    assert harder.headline in read.text
    assert harder.advice.sentence in read.text
    for line in harder.source.splitlines():
        assert line in read.text
    assert sum(given.get("role") == "img" for tag, given in read.tags if tag == "svg") == 4
    assert {"arm", "transport", "overlay", "planes"} <= read.ids


def test_nothing_is_fetched(page):
    read = Page(page)
    assert all(link.startswith("#") for link in read.links)
    assert not [tag for tag, _ in read.tags if tag in ("link", "img", "iframe", "object", "embed")]
    # the only address is the name of SVG and of the licence's text, if any
    assert not re.findall(r"(?:https?:)?//[a-z0-9-]+\.[a-z]", page)
    assert "@import" not in page
    assert not re.findall(r"url\(", page)
    [policy] = [given["content"] for tag, given in read.tags if given.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")


def test_only_its_own_script_and_style_may_run(page):
    read = Page(page)
    [policy] = [given["content"] for tag, given in read.tags if given.get("http-equiv") == "Content-Security-Policy"]
    assert "unsafe" not in policy
    for tag in ("script", "style"):
        [inside] = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not [given for _, given in read.tags if "style" in given]  # the policy lets none of them pass


def test_it_is_small(page):
    assert len(page.encode()) < 1_500_000


def test_licences_are_in_it(page):
    assert "Copyright (c) 2022 Leon Sorokin" in page
    assert "three.js authors" in page
    assert "Permission is hereby granted" in page


def test_the_curves_are_the_signals(harder, page):
    drawn = json.loads(Page(page).scripts["torsor"])
    time = unpack(drawn["time"])
    np.testing.assert_allclose(time, harder.signals.time, atol=1e-3)
    groups = {group["key"]: group["panels"] for group in drawn["groups"]}
    assert [panel["name"] for panel in groups["torque"]] == list(harder.motors)
    asked = unpack(groups["torque"][2]["series"][0])
    np.testing.assert_allclose(asked, 100 * harder.signals.torque[:, 2] / 17.8, atol=0.05)
    assert groups["torque"][2]["limits"] == [-100.0, 100.0]
    spans = [[s.start, s.end] for move in harder.moves for s in move.saturated if s.motor == 2]
    np.testing.assert_allclose(groups["torque"][2]["spans"], spans, atol=1e-3)
    q = unpack(groups["position"][0]["series"][0])
    np.testing.assert_allclose(q, np.rad2deg(harder.signals.q[:, 0]), atol=0.1)


def test_the_motion_is_the_program(harder, page):
    drawn, signals = json.loads(Page(page).scripts["torsor"]), harder.signals
    assert [motion["label"] for motion in drawn["motions"]] == ["planned", "reached"]
    time = unpack(drawn["motions"][0]["time"])
    for motion, joints in zip(drawn["motions"], (signals.q, signals.reached), strict=True):
        for k, column in enumerate(motion["joints"]):
            known = np.interp(time, signals.time, joints[:, k])
            np.testing.assert_allclose(unpack(column), known, atol=1e-4 * np.ptp(joints[:, k]) + 1e-3)
    planned, reached = drawn["paths"]
    tool = np.array([unpack(axis) for axis in planned["points"]]).T
    np.testing.assert_allclose(tool[0], harder.machine.pose(signals.q[0])[:3, 3], atol=1e-3)
    assert reached["load"] is None
    assert unpack(planned["load"]).max() == pytest.approx(harder.peak("torque").max(), rel=0.02)
    assert {mark["line"] for mark in drawn["marks"]} == set(harder.lines)
    spans = {each["line"]: each for each in drawn["lines"]}
    assert all(spans[line]["verdict"] == "over" for line in harder.lines)
    assert sum(b - a for each in drawn["lines"] for a, b in each["spans"]) == pytest.approx(harder.time, abs=1e-2)
    assert [plane["motor"] for plane in drawn["planes"]] == list(harder.motors)
    assert max(point[1] for point in drawn["planes"][2]["curve"]) == pytest.approx(17.8)
    assert [link["name"] for link in drawn["scene"]["links"]] == [link.name for link in harder.machine.model.links]


HOSTILE = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&<!--"


def test_hostile_names_are_only_text(harder):
    place = Place(HOSTILE, 1, 1, HOSTILE)
    moves = [
        Move("joint", Joints((0.4, 0.2, 0.3, 0.0, 0.0, 0.0), HOSTILE), place),
        Move("joint", Joints((0.0,) * 6, HOSTILE), place, pace=Pace(duration=0.05)),
    ]
    arm = torsor.load("rl15")
    links = tuple(
        replace(link, joint=replace(link.joint, name=f"{HOSTILE}{k}")) for k, link in enumerate(arm.model.links)
    )
    drives = tuple(replace(drive, name=f"{HOSTILE}{k}") for k, drive in enumerate(arm.model.drives))
    bad = torsor.Arm(replace(arm.model, name=HOSTILE, links=links, drives=drives))
    text = verdict_page.page(torsor.check(moves, bad))
    read = Page(text)
    assert [tag for tag, _ in read.tags].count("script") == [
        tag for tag, _ in Page(verdict_page.page(harder)).tags
    ].count("script")
    assert not [tag for tag, _ in read.tags if tag == "img"]
    assert not [given for _, given in read.tags if any(key.startswith("on") for key in given)]
    assert HOSTILE in read.text
    json.loads(read.scripts["torsor"])


def test_an_empty_program_and_an_arm_without_limits():
    Page(verdict_page.page(torsor.check([], "rl15")))
    still = Move("joint", Joints((0.1, 0.1, 0.1, 0.1, 0.1, 0.1)), Place("a", 1, 1))
    text = verdict_page.page(torsor.check([still], "puma560-akb", timing="paul"))
    assert "no torque limits" in Page(text).text


def test_it_is_written_whole_or_not_at_all(harder, tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    harder.report(path)
    before = path.read_text()
    assert before.startswith("<!doctype html>")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(torsor.TorsorError, match="No space left"):
        harder.report(path)
    assert path.read_text() == before
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


@pytest.fixture(scope="module")
def warm_rl15():
    """rl15 with windings that warm: the time constant is short, so that a tour of seconds shows it."""
    arm = torsor.load("rl15")
    drives = [
        replace(
            drive, motor=replace(drive.motor, continuous=0.4 * drive.motor.torque, thermal=Thermal(20.0, 60.0, 90.0))
        )
        for drive in arm.model.drives
    ]
    return torsor.check(PROGRAMS / "rl15_tour.irl", torsor.Arm(replace(arm.model, drives=tuple(drives))))


def curves(verdict, key):
    groups = {group["key"]: group for group in verdict_page.document(verdict)["groups"]}
    return {panel["name"]: unpack(panel["series"][0]) for panel in groups[key]["panels"]}


def test_energy_ends_at_what_the_moves_take(warm_rl15):
    """The plot sums up signals every 10 ms; the verdict integrates power between them."""
    unit = 1e3 if warm_rl15.peak_power >= 1e3 else 1.0
    found = curves(warm_rl15, "energy")
    assert unit * found["given by motors"][-1] == pytest.approx(warm_rl15.energy, rel=1e-3)
    assert unit * found["turned into heat"][-1] == pytest.approx(sum(m.friction for m in warm_rl15.moves), rel=1e-3)


def test_windings_warm_as_the_verdict_says(warm_rl15):
    found = curves(warm_rl15, "warm")
    assert tuple(found) == warm_rl15.motors
    most = [column.max() for column in found.values()]
    assert min(most) > 0.05
    np.testing.assert_allclose(most, warm_rl15.warming.share, rtol=0.02)


def test_bearing_loads_and_powers_are_those_of_the_arm(warm_rl15):
    """At the peak of each curve, by the arm itself, from what was planned there."""
    verdict, signals = warm_rl15, warm_rl15.signals
    arm = verdict.machine.arm
    loads = arm.bearing_loads(signals.q, signals.qd, signals.qdd, drives=True)
    tilting = np.empty(loads.shape[:2])
    for k, link in enumerate(arm.model.links):
        # the axis in the link's own axes, by turning its joint a little
        before, after = (arm.pose(q, frame=link.name)[:3, :3] for q in (np.zeros(6), 1e-6 * np.eye(6)[k]))
        turn = 1e6 * (before.T @ after)
        axis = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
        tilting[:, k] = np.linalg.norm(np.cross(loads[:, k, 3:], axis), axis=-1)
    for found, wanted in (("force", np.linalg.norm(loads[..., :3], axis=-1)), ("moment", tilting)):
        most = [column.max() for column in curves(verdict, found).values()]
        np.testing.assert_allclose(most, wanted.max(axis=0), rtol=1e-3)
    power = arm.drives.torques(signals.q, signals.qd, signals.qdd) * signals.rate
    unit = 1e3 if verdict.peak_power >= 1e3 else 1.0
    most = [unit * column.max() for name, column in curves(verdict, "power").items() if name in verdict.motors]
    np.testing.assert_allclose(most, power.max(axis=0), rtol=1e-3)
    accelerations = [np.deg2rad(column).max() for column in curves(verdict, "acceleration").values()]
    np.testing.assert_allclose(accelerations, signals.qdd.max(axis=0), rtol=1e-3)
