"""Where samples come from: sockets of this machine, logs at their pace, pipes; what is malformed or refused."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torsor
from monitored_streams import swinging
from torsor.monitoring.logs import LogSource
from torsor.monitoring.monitoring import Monitor
from torsor.monitoring.stream_record import StreamRecord
from torsor.monitoring.stream_samples import Arrived, SampleReader, StreamError
from torsor.monitoring.stream_sources import LinesSource, source_of
from torsor.monitoring.watching import watch

ARM = torsor.load("planar2")
GOOD = {"t": 0.5, "q": [0.1, 0.2], "qd": [0.0, 0.0], "tau_joint": [1.0, 2.0]}


def line(**changed):
    return json.dumps({**GOOD, **changed}).encode()


def everything(source):
    found = []
    try:
        while (some := source.read(0.05)) is not None:
            found += some
    finally:
        source.close()
    return found


# lines


def test_a_line_is_a_sample():
    sample = SampleReader(ARM).read(Arrived(line(), 7.0))
    assert (sample.t, sample.side, sample.arrived) == (0.5, "joint", 7.0)
    assert sample.torque.tolist() == [1.0, 2.0]


BAD = {
    b"{": "no JSON: {",
    b"[1, 2]": "no JSON object: [1, 2]",
    b"\xff\x1b[31m": r"no JSON: \xff\x1b[31m",
    b'{"q": [0, 0]}': 'no t: {"q": [0, 0]}',
    b'{"t": 1}': 'no q: {"t": 1}',
    b'{"t": NaN, "q": [0, 0]}': 't is no number: {"t": NaN, "q": [0, 0]}',
    b'{"t": 1, "q": [0, 1e999]}': 'q is no list of finite numbers: {"t": 1, "q": [0, 1e999]}',
    b'{"t": 1, "q": "00"}': 'q is no list of finite numbers: {"t": 1, "q": "00"}',
    b'{"t": true, "q": [0, 0]}': 't is no number: {"t": true, "q": [0, 0]}',
    b'{"t": 1, "q": [0, 0], "tau": [1, 1], "current": [1, 1]}': "both current and tau",
    b"[" * 60000: "no JSON: [[[",
    b" " * 70000: "longer than 65536 bytes",
}


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad[:20].decode("utf-8", "replace"))
def test_a_malformed_line_is_counted_and_told_and_nothing_more(bad):
    reader = SampleReader(ARM)
    assert reader.read(Arrived(bad)) is None
    assert reader.read(Arrived(line())) is not None
    assert reader.malformed == 1
    assert reader.told[0].startswith(BAD[bad])
    assert reader.told[0].isprintable()


def test_only_the_first_few_are_told():
    reader = SampleReader(ARM)
    for _ in range(1000):
        reader.read(Arrived(b"x" * 500))
    assert (reader.malformed, len(reader.told)) == (1000, 5)
    assert len(reader.told[0]) < 120


def test_a_stream_of_another_arm_is_refused_but_a_stray_line_is_not():
    with pytest.raises(StreamError, match="q has 3 numbers; 'planar2' has 2 joints"):
        SampleReader(ARM).read(Arrived(line(q=[1, 2, 3])))
    with pytest.raises(StreamError, match="the stream has tau_motor, and 'planar2' has no motors; send tau_joint"):
        SampleReader(ARM).read(Arrived(b'{"t": 0, "q": [0, 0], "tau_motor": [0, 0]}'))
    reader = SampleReader(ARM)
    reader.read(Arrived(line()))
    assert reader.read(Arrived(line(q=[1, 2, 3]))) is None
    assert reader.read(Arrived(b'{"t": 1, "q": [0, 0]}')) is None
    assert reader.told[1].startswith("has positions alone, those before had qd and tau_joint")


def test_currents_are_torques_by_their_constants():
    from dataclasses import replace

    model = torsor.load("puma560").model
    drives = [replace(d, motor=replace(d.motor, torque_constant=0.5)) for d in model.drives]
    arm = torsor.Arm(replace(model, drives=tuple(drives)))
    content = {"t": 0.0, "q": [0.0] * 6, "current": [2.0] * 6}
    sample = SampleReader(arm).read(Arrived(content))
    assert sample.torque.tolist() == [1.0] * 6
    assert sample.side == "motor"


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=200) | st.recursive(st.none() | st.floats() | st.text(), st.lists).map(
    lambda x: json.dumps({"t": x, "q": x}).encode()))  # fmt: skip
def test_no_line_breaks_the_reader(content):
    reader = SampleReader(ARM)
    reader.read(Arrived(line()))
    reader.read(Arrived(content))


# addresses


@pytest.mark.parametrize(
    ("place", "told"),
    {
        "udp://192.168.0.7:5005": "192.168.0.7 is not this machine; give 127.0.0.1, ::1 or localhost",
        "udp://0.0.0.0:5005": "0.0.0.0 is not this machine",
        "ws://example.com:80": "example.com is not this machine",
        "ws://127.0.0.1.example.com:80": "127.0.0.1.example.com is not this machine",
        "ws://me@127.0.0.1": "has no port",
        "udp://127.0.0.1": "udp://127.0.0.1 has no port; udp://127.0.0.1:5005",
        "udp://127.0.0.1:99999": "is no address",
        "http://127.0.0.1:80": "there are no streams over 'http'; known: udp, ws",
        "ws://127.0.0.1:9": "cannot connect to ws://127.0.0.1:9: Connection refused; start the sender first",
    }.items(),
)
def test_other_machines_are_refused(place, told):
    with pytest.raises(StreamError) as error:
        source_of(place, ARM)
    assert told in str(error.value)


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_datagrams_arrive():
    port = free_port()
    source = source_of(f"udp://127.0.0.1:{port}", ARM)
    with pytest.raises(StreamError, match="Address already in use"):
        source_of(f"udp://127.0.0.1:{port}", ARM)
    assert source.read(0.0) == []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(line() + b"\n" + line(t=0.6) + b"\n", ("127.0.0.1", port))
        sender.sendto(line(t=0.7), ("127.0.0.1", port))
    found = source.read(1.0)
    source.close()
    assert [json.loads(each.content)["t"] for each in found] == [0.5, 0.6, 0.7]


def test_messages_of_a_websocket_arrive_until_it_closes():
    from websockets.sync.server import serve

    def talk(connection):
        connection.send(line().decode())
        connection.send(line(t=0.6))

    with serve(talk, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        source = source_of(f"ws://localhost:{server.socket.getsockname()[1]}/stream", ARM)
        found = everything(source)
        server.shutdown()
        thread.join()
    assert [json.loads(each.content)["t"] for each in found] == [0.5, 0.6]


def test_lines_of_a_pipe_arrive_whole():
    reading, writing = os.pipe()
    source = LinesSource(reading)
    assert source.read(0.0) == []
    os.write(writing, line()[:10])
    assert source.read(0.1) == []
    os.write(writing, line()[10:] + b"\n\n" + b"last")
    assert [each.content for each in source.read(0.1)] == [line()]
    os.close(writing)
    assert [each.content for each in source.read(0.1)] == [b"last"]
    assert source.read(0.1) is None
    os.close(reading)


def test_a_line_without_end_fills_no_memory():
    reading, writing = os.pipe()
    source, found = LinesSource(reading), []

    def send():
        for _ in range(40):
            os.write(writing, b"x" * 10000)
        os.write(writing, b"\n" + line() + b"\n")
        os.close(writing)

    thread = threading.Thread(target=send)
    thread.start()
    while (some := source.read(0.1)) is not None:
        found += some
        assert len(source._rest) < 200_000
    thread.join()
    os.close(reading)
    reader = SampleReader(ARM)
    samples = [reader.read(each) for each in found]
    assert (len(found), samples[0], reader.malformed) == (2, None, 1)
    assert samples[1] is not None


# logs


def test_runs_are_logs(tmp_path):
    """What a simulation writes is read back: the same samples from CSV and Parquet."""
    run = torsor.simulate(ARM, [0.0, 0.0], q0=[0.5, -0.2], until=0.05, dt=1e-3, limits="ignore")
    run.to_csv(tmp_path / "run.csv")
    run.to_parquet(tmp_path / "run.parquet")
    for name in ("run.csv", "run.parquet"):
        reader = SampleReader(ARM)
        found = [reader.read(each) for each in everything(source_of(str(tmp_path / name), ARM, "full"))]
        assert np.array_equal([each.q for each in found], run.q)
        assert np.array_equal([each.qd for each in found], run.qd)
        assert np.array_equal([each.torque for each in found], run.tau)
        assert [each.t for each in found] == run.time.tolist()


def test_columns_may_be_numbered_and_rows_broken(tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("t,q1,q2\n0,0.1,0.2\nx,1,1\n1\n2,0.3,0.4\n")
    reader = SampleReader(ARM)
    found = [reader.read(each) for each in everything(source_of(str(log), ARM, "full"))]
    assert [None if each is None else each.t for each in found] == [0.0, None, None, 2.0]


def test_logs_that_are_none_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text("time,speed\n0,1\n")
    (tmp_path / "b.csv").write_text("speed\n1\n")
    (tmp_path / "c.parquet").write_bytes(b"PAR1 or not")
    (tmp_path / "d.mcap").write_bytes(b"nothing")
    (tmp_path / "e.txt").write_text("")
    told = {
        "a.csv": "no columns of the positions of 'planar2'; q_joint1, q_joint2",
        "b.csv": "no column of time",
        "c.parquet": "this is no Parquet file",
        "d.mcap": "this is no MCAP file",
        "e.txt": "this is no log; known: .csv, .parquet, .mcap",
        "f.csv": "cannot read the file: No such file or directory",
    }
    for name, text in told.items():
        with pytest.raises(StreamError) as error:
            source_of(str(tmp_path / name), ARM, "full")
        assert text in str(error.value), name
    with pytest.raises(StreamError, match="the pace is 0"):
        source_of(str(tmp_path / "a.csv"), ARM, 0.0)


def test_a_log_keeps_its_pace():
    rows = iter([(0.0, b"a"), (0.2, b"b"), (None, b"?"), (0.4, b"c")])
    source, begun, seen = LogSource(rows, 2.0, lambda: None), time.monotonic(), {}
    while (some := source.read(0.05)) is not None:
        seen |= {each.content: time.monotonic() - begun for each in some}
    assert list(seen) == [b"a", b"b", b"?", b"c"]
    assert seen[b"b"] >= 0.1
    assert seen[b"c"] >= 0.2


# the record


def record_of(tmp_path, many, name="a.mcap"):
    record = StreamRecord(tmp_path / name, "planar2")
    record.take([Arrived(line(t=k * 1e-3), None) for k in range(many)])
    record.close()
    return tmp_path / name


def test_a_record_is_a_source_and_any_reader_of_mcap_reads_it(tmp_path):
    from mcap.reader import make_reader

    path = record_of(tmp_path, 50)
    found = everything(source_of(str(path), ARM, "full"))
    assert [json.loads(each.content)["t"] for each in found] == [k * 1e-3 for k in range(50)]
    with path.open("rb") as stream:
        reader = make_reader(stream)
        assert reader.get_summary().statistics.message_count == 50
        messages = list(reader.iter_messages())
    assert {(schema.encoding, channel.topic) for schema, channel, _ in messages} == {("jsonschema", "joint_samples")}


def test_a_record_takes_the_place_of_nothing(tmp_path):
    path = record_of(tmp_path, 1)
    with pytest.raises(torsor.TorsorError, match="this file is there already; give a record a file of its own"):
        StreamRecord(path, "planar2")


def test_a_torn_record_is_read_to_where_it_is_torn(tmp_path):
    path = record_of(tmp_path, 50)
    whole = path.read_bytes()
    first = whole.index(b'{"t": 0.02,')
    for cut in (first - 30, first + 5, len(whole) - 3):
        path.write_bytes(whole[:cut])
        found = everything(source_of(str(path), ARM, "full"))
        assert len(found) == (20 if cut < len(whole) - 3 else 50)


def test_broken_records_end_and_never_crash(tmp_path):
    path = record_of(tmp_path, 20)
    whole, random = bytearray(path.read_bytes()), np.random.default_rng(1)
    for _ in range(60):
        bad = bytearray(whole)
        for place in random.integers(8, len(bad), 5):
            bad[place] = random.integers(256)
        path.write_bytes(bad)
        with contextlib.suppress(StreamError):
            everything(source_of(str(path), ARM, "full"))


PUMP = """
import sys, resource, json, time, signal
import torsor
from torsor.monitoring.stream_sources import source_of
from torsor.monitoring.monitoring import Monitor
from torsor.monitoring.stream_record import StreamRecord
from torsor.monitoring.watching import watch
from pathlib import Path
if sys.argv[2] != "-":
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
arm = torsor.load("planar2")
record = StreamRecord(Path(sys.argv[1]), "planar2")
print("ready", flush=True)
done = watch(source_of("-", arm), Monitor(arm), record=record)
print(json.dumps([done.monitor.clock.samples, record.problem]))
"""


def pump(path, limit="-"):
    command = [sys.executable, "-c", PUMP, str(path), str(limit)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    return process


def test_what_arrived_is_on_disk_after_kill_9(tmp_path):
    """All lines that were sent more than the flush interval before the process was killed are there."""
    process, sent, k = pump(tmp_path / "killed.mcap"), {}, 0
    begun = time.monotonic()
    while time.monotonic() - begun < 1.2:
        process.stdin.write(line(t=k * 1e-3) + b"\n")
        process.stdin.flush()
        sent[k], k = time.monotonic(), k + 1
        time.sleep(2e-3)
    killed = time.monotonic()
    process.kill()
    with process:
        pass
    found = everything(source_of(str(tmp_path / "killed.mcap"), ARM, "full"))
    # 0.2 s, and as much again for a machine on which others work
    old = [k for k, at in sent.items() if at < killed - 0.4]
    assert len(old) > 100
    assert [json.loads(each.content)["t"] for each in found[: len(old)]] == [k * 1e-3 for k in old]


def test_a_full_disk_is_told_and_monitoring_goes_on(tmp_path):
    """A file that may not grow beyond 20 kB, as a full disk would have it."""
    process = pump(tmp_path / "full.mcap", 20_000)
    motion = swinging(ARM, np.arange(0.0, 2.0, 1e-3))
    rows = zip(motion.t.tolist(), motion.q.tolist(), motion.qd.tolist(), motion.u.tolist(), strict=True)
    text = b"".join(line(t=t, q=q, qd=qd, tau_joint=u) + b"\n" for t, q, qd, u in rows)
    out, error = process.communicate(text, timeout=60)
    assert error == b""
    samples, problem = json.loads(out)
    assert samples == 2000
    assert problem == f"{tmp_path}/full.mcap: the record ends here: File too large"
    assert 50 < len(everything(source_of(str(tmp_path / "full.mcap"), ARM, "full"))) < 200


# all together


def test_a_thread_that_fails_is_heard():
    class Broken:
        live = True

        def read(self, timeout):
            raise StreamError("the stream broke")

        def close(self):
            pass

    with pytest.raises(StreamError, match="the stream broke"):
        watch(Broken(), Monitor(ARM))


def test_a_stream_ends_after_its_time_or_when_it_is_told_to():
    class Silent:
        live, closed = True, False

        def read(self, timeout):
            time.sleep(timeout)
            return []

        def close(self):
            self.closed = True

    def stop():
        raise KeyboardInterrupt

    source = Silent()
    assert watch(source, Monitor(ARM), seconds=0.05).ended == "time is over"
    assert source.closed
    assert watch(Silent(), Monitor(ARM), heard=stop).ended == "interrupted"


def test_a_log_is_watched_whole(tmp_path):
    motion = swinging(ARM, np.arange(0.0, 3.0, 1e-3)).noisy()
    record = StreamRecord(tmp_path / "log.mcap", "planar2")
    rows = zip(motion.t.tolist(), motion.q.tolist(), motion.qd.tolist(), motion.u.tolist(), strict=True)
    record.take([Arrived({"t": t, "q": q, "qd": qd, "tau_joint": u}) for t, q, qd, u in rows])
    record.close()
    frames = []
    done = watch(source_of(str(tmp_path / "log.mcap"), ARM, "full"), Monitor(ARM), on_frame=frames.append)
    assert (done.ended, done.monitor.clock.samples, done.overrun) == ("ended", 3000, 0)
    assert frames[-1].time == motion.t[-1]
    whole = Monitor(ARM)
    whole.take(motion.samples())
    assert whole.payload == done.monitor.payload
