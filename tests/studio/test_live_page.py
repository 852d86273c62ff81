"""The page of `torsor monitor`, without a browser: who is told what, whoever else listens, hangs or goes."""

from __future__ import annotations

import signal
import socket
import time

import httpx
import numpy as np
import pytest
from websockets.exceptions import InvalidStatus

import torsor
from live_running import Client, free_address, samples, sending, warm, watching
from torsor.cli import main
from torsor.errors import TorsorError
from torsor.monitoring.monitoring import Monitor
from torsor.monitoring.stream_samples import Arrived, SampleReader
from torsor.studio.live_page import LivePage
from torsor.studio.serving import listener

ROBOT, TOKEN = "planar2", "a-token"


class Told:
    """A page whose frames a test sends itself."""

    def __init__(self, robot=ROBOT, **trouble):
        self.arm = torsor.load(robot)
        self.monitor, reader = Monitor(self.arm), SampleReader(self.arm)
        self.samples = [reader.read(Arrived(each)) for each in samples(robot, 3.0, 200.0, **trouble)]
        self.page = LivePage(self.monitor, "udp://127.0.0.1:1", token=TOKEN, port=0)
        self.base = self.page.address.partition("/?")[0]
        self.at = 0

    def on(self, many=1, by=3):
        for _ in range(many):
            self.monitor.take(self.samples[self.at : self.at + by])
            self.at += by
            frame = self.monitor.frame()
            self.page.show(frame)
        return frame

    def client(self, readers=1):
        client = Client(self.base, TOKEN)
        until = time.monotonic() + 5.0
        while self.page.feed.readers < readers and time.monotonic() < until:
            time.sleep(0.005)
        return client


@pytest.fixture
def told():
    found = Told()
    with found.page:
        yield found


def until_frame(client, time_):
    """The message that has the frame of a time."""
    while True:
        message = client.hear()
        if message.get("frame", {}).get("time") == time_:
            return message


def test_a_page_is_told_what_it_draws_then_frames(told):
    client = told.client()
    frame = told.on()
    message = until_frame(client, frame.time)
    about = next(each["about"] for each in reversed(client.messages) if "about" in each)
    assert about["robot"] == ROBOT
    assert [each["name"] for each in about["joints"]] == list(told.arm.joint_names)
    assert [each["name"] for each in about["scene"]["links"]] == [link.name for link in told.arm.model.links]
    assert message["frame"]["q"] == frame.q.tolist()
    assert message["frame"]["signals"]["q"][-1] == frame.q.tolist()
    client.close()


def test_arms_with_loops_come_with_all_their_joints():
    told = Told("five-bar")
    with told.page:
        client = told.client()
        frame = told.on()
        found = until_frame(client, frame.time)["frame"]["tree"][-1]
        assert np.allclose(found, told.arm.closure.positions(frame.q), atol=1e-12)
        client.close()


def test_ten_pages_see_the_same_and_one_that_does_not_read_the_newest(told):
    clients = [told.client(k + 1) for k in range(10)]
    slow = told.client(11)
    for _ in range(30):
        frame = told.on()
        time.sleep(0.005)
        for client in clients:
            until_frame(client, frame.time)
    for client in clients:
        times = [each["frame"]["time"] for each in client.messages if "frame" in each]
        assert times == sorted(times)
        assert len(times) == 30
    assert not slow.hear_all(answer=False, timeout=0.3)
    assert len(slow.messages) == 3  # were on their way, no more
    slow.socket.send(str(slow.messages[-1]["number"]))
    newest = slow.hear()
    assert newest["frame"]["time"] == frame.time
    for client in [*clients, slow]:
        client.close()


def test_who_misses_frames_misses_no_flag():
    told = Told(collision=2.0, force=200.0)
    with told.page:
        quick, slow = told.client(), told.client(2)
        for _ in range(55):
            frame = told.on(by=10)
            until_frame(quick, frame.time)
        told.page.look(always=True)
        slow.hear_all(timeout=0.3)
        assert slow.messages[-1]["frame"]["time"] == frame.time
        flags = told.monitor.book.flags
        assert {"collision"} <= {flag.kind for flag in flags}
        assert len(slow.messages) < 20 < len(quick.messages)
        assert [slow.flags[str(k)] for k in range(len(flags))] == [flag.document() for flag in flags]
        late = told.client(3)  # who comes late is told of all of them
        late.hear()
        assert late.flags == slow.flags
        for client in (quick, slow, late):
            client.close()


def test_who_has_no_token_or_comes_from_elsewhere_hears_nothing(told):
    for token, origin in (("wrong", told.base), (TOKEN, "http://evil.example")):
        with pytest.raises(InvalidStatus):
            Client(told.base, token, origin)
    answer = httpx.get(told.base)
    assert answer.status_code == 401
    assert "'torsor monitor' printed" in answer.text
    let_in = httpx.get(told.page.address)
    assert let_in.status_code == 303
    assert let_in.headers["set-cookie"].startswith(f"torsor-monitor-{told.base.rpartition(':')[2]}={TOKEN}; HttpOnly")


def test_the_page_and_its_policy(told):
    headers = {"Authorization": f"Bearer {TOKEN}"}
    for path in ("/", "/static/monitor.js", "/static/monitor.css"):
        answer = httpx.get(told.base + path, headers=headers)
        assert answer.status_code == 200
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
    assert httpx.get(told.base + "/static/studio.js", headers=headers).status_code == 404


def test_a_page_that_says_anything_else_is_let_go(told):
    client = told.client()
    client.hear(answer=False)
    client.socket.send("9" * 15)
    assert client.hear_all(answer=False)


def test_the_end_is_told():
    told = Told()
    with told.page:
        client = told.client()
        told.on()
    assert client.hear_all(answer=False)
    assert client.messages[-1]["ended"] == "ended"


def test_pages_go_and_the_record_stays(tmp_path):
    """A thousand samples a second: a page is closed, one hangs, the process is killed; all that came can be read."""
    warm(ROBOT)
    place = free_address()
    command = watching(tmp_path, place, ROBOT)
    robot = sending(place, ROBOT, 2.0)
    first, hangs = (Client(command.base, command.token) for _ in range(2))
    frames = first.hear_for(1.2)
    assert len(frames) > 20
    assert frames[-1]["samples"] > 500
    first.close()
    time.sleep(0.3)
    again = Client(command.base, command.token)
    state = next(each["state"] for each in (again.hear() for _ in range(20)) if "state" in each)
    assert state["record"]["name"] == command.record.name
    assert state["record"]["size"] > 10_000
    command.end(signal.SIGKILL)
    robot.end()
    for client in (again, hangs):
        client.close()
    options = ["--robot", ROBOT, "--pace", "full", "--json"]
    assert main(["monitor", str(command.record), *options]) in (0, 1)
    with command.record.open("rb") as stream:
        assert stream.read().count(b'"t": ') > 0.8 * robot.sent - 300


def test_a_port_that_is_taken_is_told(capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["monitor", free_address(), "--robot", ROBOT, "--port", str(port), "--no-record"]) == 2
    assert f"port {port} cannot be had" in capsys.readouterr().err
    with pytest.raises(TorsorError, match="port 70000 cannot be had"):
        listener(70000, print)


def test_without_the_extra_the_terminal_goes_on(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(__import__("sys").modules, "fastapi", None)
    assert main(["monitor", free_address(), "--robot", ROBOT, "--for", "0.1", "--no-record"]) == 0
    found = capsys.readouterr()
    assert found.err == "the page needs fastapi; pip install 'torsor[studio]'; going on in the terminal\n"
    assert "no sample came" in found.out
