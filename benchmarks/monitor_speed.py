"""How fast ``torsor monitor`` is: samples a second that the engine takes, and a kilohertz over UDP with sixty frames.

python benchmarks/monitor_speed.py [ROBOT [SECONDS]]
"""

import json
import socket
import sys
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
from robot_sender import paced, samples


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


if __name__ == "__main__":
    main(*sys.argv[1:3])
