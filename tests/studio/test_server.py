"""The server as a stranger meets it: who is let in, what is taken, what ends whom."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from socket import SHUT_RDWR

import numpy as np
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import torsor
from studio_running import ended, started
from studio_texts import STEP, SWING
from torsor.errors import TorsorError
from torsor.studio.questions import QUESTIONS, LiveQuestion
from torsor.studio.serving import listener, opened_with, serve
from torsor.studio.workshop import Workshop

LIBRARY = Path(torsor.__file__).parent / "model" / "library"
SLOW = {"arm": "panda", "quantity": "forward_dynamics", "parameters": "symbolic", "effort": "high"}  # takes minutes


def live(studio, **more):
    headers = {"Authorization": f"Bearer {studio.token}"} | more
    return connect(f"ws://127.0.0.1:{studio.port}/api/live", additional_headers=headers)


def told(socket, number):
    """The answer of that number, whatever comes in between."""
    while True:
        message = json.loads(socket.recv(timeout=60))
        if message["id"] == number and "status" in message:
            return message


def test_the_page_is_given_to_who_has_the_token(studio):
    with studio.client(Authorization="") as client:
        assert client.get("/").status_code == 401
        entered = client.get(f"/?token={studio.token}")
        assert entered.status_code == 303
        assert "HttpOnly; SameSite=Strict" in entered.headers["set-cookie"]
        page = client.get("/")
        assert page.status_code == 200
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert page.headers["x-content-type-options"] == "nosniff"
        assert client.get("/api/start").json()["program"]["name"] == "rl15_tour.irl"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": ""}, 401),
        ({"Host": "evil.com"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Origin": "https://evil.com"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Cookie": "torsor-studio=x; =;;"}, 200),
    ],
)
def test_strangers_are_refused(studio, headers, status):
    with studio.client(**headers) as client:
        for answer in (client.get("/api/start"), client.post("/api/ask/about", json={"arm": "planar2"})):
            assert answer.status_code == status, answer.text
            assert "content-security-policy" in answer.headers


@pytest.mark.parametrize(
    "headers", [{"Authorization": "Bearer wrong"}, {"Origin": "https://evil.com"}, {"Host": "a.b"}]
)
def test_strangers_get_no_socket(studio, headers):
    with pytest.raises(InvalidStatus), live(studio, **headers):
        pass


def test_too_much_is_not_taken(studio):
    with studio.client() as client:
        assert client.post("/api/ask/diagnose", content=b"x" * 5_000_000).status_code == 413
        chunks = (b"x" * 100_000 for _ in range(60))  # of a length that is not told
        assert client.post("/api/ask/diagnose", content=chunks).status_code == 413
        assert client.post("/api/ask/diagnose", json={"text": "x" * 2_100_000}).status_code == 400


@pytest.mark.parametrize(
    "path",
    ["/static/../server.py", "/static/%2e%2e%2fserver.py", "/static//etc/passwd", "/../pyproject.toml", "/api/jobs/x"],
)
def test_nothing_of_an_address_is_a_path(studio, path):
    with studio.client() as client:
        assert client.get(path).status_code == 404


@pytest.mark.parametrize("arm", ["pyproject.toml", "/etc/passwd", "../../x.urdf", "examples/scenarios/rl15_tour.toml"])
def test_no_name_from_the_page_is_opened(studio, arm):
    with studio.client() as client:
        answer = client.post("/api/ask/about", json={"arm": arm})
        assert answer.status_code == 400
        assert "no robot" in answer.json()["error"]["text"]


@pytest.mark.parametrize(
    "text",
    [
        STEP.replace('arm = "planar2"', 'arm = "{path}"'),
        STEP.replace('kind = "point"\nq = [0, 0]', 'kind = "csv"\nfile = "{path}"'),
        STEP.replace('kind = "point"\nq = [0, 0]', 'kind = "program"\nfile = "{path}"'),
    ],
)
def test_no_file_that_a_text_names_is_opened(studio, text, tmp_path):
    secret = tmp_path / (
        "secret"
        + {"a": ".toml", "c": ".csv", "p": ".irl"}["a" if 'arm = "{' in text else "p" if "program" in text else "c"]
    )
    secret.write_text("the secret words\n")
    with studio.client() as client:
        answer = client.post("/api/ask/run", json={"text": text.replace("{path}", str(secret))})
    assert answer.status_code == 400
    assert "secret words" not in answer.text
    assert "opens no files" in answer.text


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("state", {"arm": "planar2"}),
        ("state", {"arm": "planar2", "q": [0, "a"]}),
        ("state", {"arm": "planar2", "q": [0, 1e300]}),
        ("state", {"arm": "planar2", "q": [0, 0], "qdx": 1}),
        ("state", {"arm": ["planar2"], "q": [0, 0]}),
        ("run", {"text": "name = "}),
        ("check", {"arm": "rl15", "text": "nothing"}),
        ("export", {"to": "exe"}),
    ],
)
def test_what_is_wrong_is_said_in_a_line(studio, question, asked):
    with studio.client() as client:
        answer = client.post(f"/api/ask/{question}", json=asked)
    assert answer.status_code == 400
    assert answer.json()["error"]["text"]
    assert "Traceback" not in answer.text


def test_unknown_questions_and_no_questions(studio):
    with studio.client() as client:
        assert client.post("/api/ask/stat", json={}).status_code == 404
        assert client.post("/api/ask/state", content=b"[1]").status_code == 400
        assert client.post("/api/ask/state", content=b"\xff{").status_code == 400
        assert client.get("/openapi.json").status_code == 404


def test_an_uploaded_arm_is_an_arm(studio):
    text = LIBRARY.joinpath("planar2.toml").read_text()
    with studio.client() as client:
        hostile = text.replace('"planar2"', '"<script>alert(1)</script>"')
        about = client.post("/api/upload", json={"name": "../<b>mine.toml", "text": hostile})
        assert about.headers["content-type"] == "application/json"
        label = about.json()["arm"]
        assert "/" not in label
        assert "<" not in label
        found = client.post("/api/ask/state", json={"arm": label, "q": [0.1, 0.2]}).json()
        np.testing.assert_allclose(found["gravity"], torsor.load("planar2").reference.gravity(np.array([0.1, 0.2])))
        assert label in [arm["name"] for arm in client.get("/api/start").json()["arms"]]
        wrong = client.post("/api/upload", json={"name": "a.toml", "text": "name = 1"})
        assert wrong.status_code == 400
        assert client.post("/api/upload", json={"name": "a.exe", "text": ""}).status_code == 400
        mesh = '<visual><geometry><mesh filename="/etc/passwd"/></geometry></visual>'
        robot = f'<robot name="r"><link name="a">{mesh}</link></robot>'
        assert "root:" not in client.post("/api/upload", json={"name": "a.urdf", "text": robot}).text


def test_ten_clients_at_once(studio):
    arm = torsor.load("planar2")
    rng = np.random.default_rng(0)
    states = rng.uniform(-1, 1, (10, 20, 2))

    def one(k):
        with live(studio) as socket:
            found = []
            for number, q in enumerate(states[k]):
                socket.send(json.dumps({"id": number, "ask": "state", "with": {"arm": "planar2", "q": q.tolist()}}))
                found.append(told(socket, number)["answer"]["gravity"])
            return found

    with ThreadPoolExecutor(10) as pool:
        found = list(pool.map(one, range(10)))
    np.testing.assert_allclose(found, arm.gravity(states), atol=1e-12)


def test_a_job_is_cancelled_and_blocks_nobody(studio):
    with studio.client() as client:
        jobs = [client.post("/api/jobs/equations", json=SLOW).json()["job"] for _ in range(2)]
        time.sleep(0.5)
        assert client.get(f"/api/jobs/{jobs[0]}").json()["state"] == "running"
        assert client.post("/api/ask/state", json={"arm": "planar2", "q": [0, 0]}).status_code == 200
        for job in jobs:
            assert client.delete(f"/api/jobs/{job}").json()["state"] == "cancelled"
            assert client.get(f"/api/jobs/{job}").json()["state"] == "cancelled"
        done = client.post("/api/jobs/equations", json={"arm": "planar2", "quantity": "gravity"}).json()["job"]
        deadline = time.monotonic() + 60
        while (state := client.get(f"/api/jobs/{done}").json())["state"] == "running":
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert state["status"] == 200
        assert state["answer"]["quantity"] == "gravity"


def test_a_question_of_a_socket_is_cancelled(studio):
    with live(studio) as socket:
        socket.send(json.dumps({"id": 1, "ask": "equations", "with": SLOW}))
        assert "progress" in json.loads(socket.recv(timeout=60))
        socket.send(json.dumps({"id": 1, "cancel": True}))
        assert told(socket, 1)["status"] == 499
        socket.send("no JSON")
        assert told(socket, None)["status"] == 400


def test_who_goes_away_leaves_no_work_behind(studio):
    for _ in range(3):  # more than there are workers: each must be given back
        with live(studio) as socket:
            socket.send(json.dumps({"id": 1, "ask": "equations", "with": SLOW}))
            socket.recv(timeout=60)
            socket.socket.shutdown(SHUT_RDWR)  # without a word
    asked = {"arm": "planar2", "quantity": "gravity"}
    assert studio.ask("equations", **asked)["quantity"] == "gravity"


def test_a_check_tells_how_far_it_is(studio):
    with live(studio) as socket:
        socket.send(json.dumps({"id": 7, "ask": "check", "with": {"arm": "rl15", "text": SWING}}))
        first = json.loads(socket.recv(timeout=60))
        assert first["progress"] == "planning"
        assert told(socket, 7)["answer"]["document"]["feasible"]


def test_ctrl_c_ends_it_at_once_with_all_its_workers(tmp_path):
    mine = tmp_path / "mine.toml"
    shutil.copy(LIBRARY / "planar2.toml", mine)
    running = started("--robot", str(mine))
    assert running.ask("state", arm=str(mine), q=[0, 0])["gravity"] == pytest.approx([19.62, 4.905])  # it was named
    with live(running) as socket:
        socket.send(json.dumps({"id": 1, "ask": "equations", "with": SLOW}))
        socket.recv(timeout=60)
        workers = children(running.process.pid)
        assert len(workers) >= 2
        before = time.monotonic()
        code: list[int] = []
        thread = threading.Thread(target=lambda: code.append(ended(running)))
        thread.start()
        thread.join()
    assert code == [130]
    assert time.monotonic() - before < 5.0
    while left := [worker for worker in workers if stat_of(worker) != "Z"]:
        assert time.monotonic() - before < 10.0, left
        time.sleep(0.05)


def children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def stat_of(pid: int) -> str:
    """The state of a process; one that is gone is as good as one that only waits to be counted, "Z"."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def test_a_port_in_use_is_said(studio):
    said: list[str] = []
    with pytest.raises(TorsorError, match=f"port {studio.port} cannot be had"):
        listener(studio.port, said.append)
    assert said == []
    with listener(None, said.append) as one, listener(None, said.append) as other:
        assert one.getsockname()[0] == other.getsockname()[0] == "127.0.0.1"
        assert one.getsockname()[1] != other.getsockname()[1]
    assert any("in use" in line for line in said)


def test_what_takes_too_long_is_ended(monkeypatch):
    quick = LiveQuestion(QUESTIONS["equations"].function, 0.3, long=True)
    monkeypatch.setitem(QUESTIONS, "equations", quick)
    workshop = Workshop({})
    try:
        answer = asyncio.run(workshop.answer("equations", SLOW))
        assert answer.status == 504
        assert b"0.3 s" in answer.body
        assert not [worker for worker in workshop._all if worker.process.join(5.0) or worker.process.is_alive()]
    finally:
        workshop.end()


def test_too_many_questions_are_told_to_come_again(monkeypatch):
    workshop = Workshop({})
    monkeypatch.setattr("torsor.studio.workshop.MOST_WAITING", 0)
    assert asyncio.run(workshop.answer("state", {"arm": "planar2", "q": [0, 0]})).status == 503
    workshop.end()


def test_without_the_extra_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "fastapi", None)
    with pytest.raises(TorsorError, match=r"the studio needs fastapi; pip install 'torsor\[studio\]'"):
        serve(opened_with(None, None), browser=False)


@pytest.mark.parametrize("arguments", [["--robot", "rl16"], ["nowhere.irl"], ["nowhere.toml"]])
def test_what_is_named_wrongly_is_told_in_the_terminal(arguments, capsys):
    from torsor.cli import main

    assert main(["studio", "--no-open", *arguments]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_port_that_cannot_be_had_is_told_in_the_terminal(capsys):
    from torsor.cli import main

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["studio", "--no-open", "--port", port]) == 2
    told = capsys.readouterr().err
    assert port in told
    assert "Traceback" not in told
