"""How fast ``torsor monitor`` is: samples a second that the engine takes, and a kilohertz over UDP with sixty frames.

python benchmarks/monitor_speed.py [ROBOT [SECONDS]]

Then the same through its page: frames that come over its WebSocket and how late, to one client and to ten, and, where
there is a chromium, what a browser draws of them without a graphics card, at 1280 x 720.
"""

import json
import shutil
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

import torsor
from torsor.monitoring.monitoring import Monitor
from torsor.monitoring.sockets import UdpSource
from torsor.monitoring.stream_record import StreamRecord
from torsor.monitoring.stream_samples import Arrived, SampleReader
from torsor.monitoring.watching import watch

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from robot_sender import paced, samples

from live_running import Client, free_address, watching


def send(port: int, lines: list[dict[str, object]]) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        for line in paced(lines):
            udp.sendto(line, ("127.0.0.1", port))


def main(robot: str = "rl15", seconds: float = 20.0) -> None:
    arm = torsor.load(robot)
    told = list(samples(robot, float(seconds), 1000.0))
    reader, warm = SampleReader(arm), Monitor(arm)
    read = [reader.read(Arrived(json.dumps(line).encode())) for line in told]
    warm.take(read[:100])
    warm.frame()

    monitor, begun = Monitor(arm), time.process_time()
    monitor.take(read)
    took = time.process_time() - begun
    print(f"{robot}: engine alone {1e6 * took / len(read):.1f} us of CPU a sample, {len(read) / took:.0f} samples/s")

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    record = Path(f"/tmp/monitor-speed-{port}.mcap")
    source, live = UdpSource(f"udp://127.0.0.1:{port}"), Monitor(arm)
    threading.Thread(target=send, args=(port, told), daemon=True).start()
    begun = time.process_time()
    done = watch(source, live, record=StreamRecord(record, robot), seconds=float(seconds) + 0.5)
    busy = (time.process_time() - begun) / done.seconds
    late = np.sort(np.array(done.latencies)) * 1e3
    print(f"  1 kHz over UDP: {live.clock.samples} of {len(told)} samples, {live.clock.lost} lost")
    print(f"  {done.frames / done.seconds:.1f} frames/s, {100 * busy:.0f} % of a core with the sender in it")
    share = [f"{np.quantile(late, q):.1f}" for q in (0.5, 0.95, 0.99, 1.0)]
    print(f"  latency from arrival to frame, median, 95 %, 99 %, worst: {', '.join(share)} ms")
    print(f"  record {record.stat().st_size / len(told):.0f} bytes a sample")
    record.unlink()
    through_the_page(robot, told, 1)
    through_the_page(robot, told, 10)
    drawn(robot, told)


def latencies(late: list[float]) -> str:
    return ", ".join(f"{1e3 * np.quantile(late, q):.1f}" for q in (0.5, 0.95, 0.99, 1.0)) + " ms"


def through_the_page(robot: str, told: list[dict[str, object]], clients: int) -> None:
    """In a process of its own; what is late is so by the clock of this computer, which both have."""
    with tempfile.TemporaryDirectory() as folder:
        place = free_address()
        command = watching(Path(folder), place, robot)
        threading.Thread(target=send, args=(int(place.rpartition(":")[2]), told), daemon=True).start()
        heard: list[list[float]] = [[] for _ in range(clients)]

        def listen(late: list[float]) -> None:
            client = Client(command.base, command.token)
            until = time.monotonic() + told[-1]["t"] - 1.0
            while time.monotonic() < until:
                frame = client.hear().get("frame", {})
                if frame.get("arrived"):
                    late.append(time.time() - frame["arrived"])
            client.close()

        threads = [threading.Thread(target=listen, args=(late,)) for late in heard]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        command.end()
    rate = np.mean([len(late) for late in heard]) / (told[-1]["t"] - 1.0)
    every = [each for late in heard for each in late]
    print(f"  through the page to {clients}: {rate:.1f} frames/s each; late by {latencies(every)}")


def drawn(robot: str, told: list[dict[str, object]]) -> None:
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        print("  no chromium: nothing is drawn")
        return
    from selenium import webdriver

    from browser.headless import FLAGS

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, "--window-size=1280,720"):
        options.add_argument(flag)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(chromedriver))
    try:
        with tempfile.TemporaryDirectory() as folder:
            place = free_address()
            command = watching(Path(folder), place, robot)
            browser.get(command.address)
            threading.Thread(target=send, args=(int(place.rpartition(":")[2]), told), daemon=True).start()
            time.sleep(told[-1]["t"] - 5.0)
            before = browser.execute_script("return [torsor.frames, performance.now()]")
            time.sleep(4.0)
            after = browser.execute_script("return [torsor.frames, performance.now(), torsor.latency()]")
            command.end()
    finally:
        browser.quit()
    rate, late = 1e3 * (after[0] - before[0]) / (after[1] - before[1]), after[2]
    print(f"  drawn by software at 1280 x 720: {rate:.1f} frames/s", end="; ")
    print(f"from arrival to drawn {1e3 * late['median']:.0f} ms, {1e3 * late['worst']:.0f} ms at worst")


if __name__ == "__main__":
    main(*sys.argv[1:3])
