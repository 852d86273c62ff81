"""A simulated robot that tells its joint states, with friction and noise: something for ``torsor monitor`` to watch.

    python examples/robot_sender.py --robot rl15                                  # UDP to 127.0.0.1:5005
    torsor monitor udp://127.0.0.1:5005 --robot rl15                              # in another terminal

    python examples/robot_sender.py --robot ur5 --to ws://127.0.0.1:5006          # a WebSocket server instead
    python examples/robot_sender.py --robot puma560 --collision 5 --payload 1.5   # with trouble

The arm follows waves under computed torque. ``--collision T`` pushes its tool for 0.2 s at T seconds, ``--payload KG``
puts a mass into its hand that neither its controller nor the monitor knows. Torques are those of motors where the arm
has drives, with noise of 1 % of the largest; that of positions is 1e-5 rad, of speeds 1e-3 rad/s.
"""

from __future__ import annotations

import argparse
import json
import socket
import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

import numpy as np

import torsor
from torsor.algebra import less, select
from torsor.control import computed_torque, reference

NOISE_OF_Q, NOISE_OF_QD, NOISE_OF_TORQUE = 1e-5, 1e-3, 0.01
PUSHED = 0.2  # s


def samples(
    robot: str, seconds: float, rate: float = 1000.0, *, payload: float = 0.0, collision: float | None = None,
    force: float = 80.0, noise: float = 1.0, speeds: bool = True, torques: bool = True, seed: int = 0,
) -> Iterator[dict[str, object]]:  # fmt: skip
    """What the simulated robot tells, sample by sample."""
    arm = torsor.load(robot)
    real = arm.with_payload(payload) if payload else arm
    waves = waves_of(arm)
    q0, qd0, _ = waves.at(0.0)
    push = None
    if collision is not None:

        def push(t):  # force over moment at the tool, base axes
            size = select(less(t, collision), 0.0, select(less(t, collision + PUSHED), force, 0.0))
            return np.array([0.0 * t, size, -size, 0.0 * t, 0.0 * t, 0.0 * t])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", torsor.simulation.SimulationNotice)
        run = torsor.simulate(
            real, computed_torque(arm, 400.0, 40.0, waves), q0=q0, qd0=qd0, until=seconds, dt=1.0 / rate, wrench=push,
            torques="joint", limits="ignore",
        )  # fmt: skip
    random = np.random.default_rng(seed)
    sigma = noise * NOISE_OF_TORQUE * np.abs(run.tau).max(axis=0)
    q = run.q + noise * NOISE_OF_Q * random.standard_normal(run.q.shape)
    qd = run.qd + noise * NOISE_OF_QD * random.standard_normal(run.q.shape)
    tau = run.tau + sigma * random.standard_normal(run.tau.shape)
    word = "tau_motor" if arm.model.drives else "tau_joint"
    for k, t in enumerate(run.time.tolist()):
        sample: dict[str, object] = {"t": t, "q": q[k].tolist()}
        if speeds:
            sample["qd"] = qd[k].tolist()
        if torques:
            sample[word] = tau[k].tolist()
        yield sample


def waves_of(arm: torsor.Arm):
    """Slow waves about a posture in the middle, of every joint at its own frequency."""
    n = arm.n
    if arm.model.loops:
        joints = arm.closure
        centre, size = joints.reference[[joints.names.index(name) for name in arm.joint_names]], 0.15
    else:
        ranges = [link.joint.limits.position or (-3.0, 3.0) for link in arm.model.independent]
        slides = [link.joint.kind == "prismatic" for link in arm.model.independent]
        centre = np.array([np.clip(0.2, low + 0.3 * (high - low), high - 0.3 * (high - low)) for low, high in ranges])
        size = np.where(slides, 0.05, 0.25)
    return reference.sine(centre, size, 0.2 + 0.03 * np.arange(n), np.arange(n))


def paced(lines: Iterable[dict[str, object]]) -> Iterator[bytes]:
    """Each when it is due."""
    begun = time.monotonic()
    for line in lines:
        wait = begun + line["t"] - time.monotonic()
        if wait > 0.0:
            time.sleep(wait)
        yield json.dumps(line).encode()


def send_datagrams(host: str, port: int, lines: Iterable[bytes]) -> int:
    many = 0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        for line in lines:
            udp.sendto(line, (host, port))
            many += 1
    return many


def serve(host: str, port: int, lines: Iterable[bytes]) -> int:
    """To the first client that comes."""
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.server import serve as listen

    sent = 0

    def handle(connection) -> None:
        nonlocal sent
        try:
            for line in lines:
                connection.send(line.decode())
                sent += 1
        except ConnectionClosed:
            pass
        server.shutdown()

    with listen(handle, host, port, compression=None) as server:
        print(f"waiting at ws://{host}:{server.socket.getsockname()[1]}", flush=True)
        server.serve_forever()
    return sent


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--robot", default="rl15")
    parser.add_argument("--to", default="udp://127.0.0.1:5005")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=1000.0)
    parser.add_argument("--payload", type=float, default=0.0, help="kg that nobody knows of")
    parser.add_argument("--collision", type=float, help="s")
    parser.add_argument("--force", type=float, default=80.0, help="N of the collision")
    parser.add_argument("--noise", type=float, default=1.0)
    parser.add_argument("--no-speeds", action="store_true")
    parser.add_argument("--no-torques", action="store_true")
    given = parser.parse_args(arguments)
    to = urlsplit(given.to)
    told = list(
        samples(
            given.robot, given.seconds, given.rate, payload=given.payload, collision=given.collision, force=given.force,
            noise=given.noise, speeds=not given.no_speeds, torques=not given.no_torques,
        )
    )  # fmt: skip
    way = serve if to.scheme == "ws" else send_datagrams
    print(f"{way(to.hostname, to.port, paced(told))} samples of {given.robot} sent")


if __name__ == "__main__":
    main(sys.argv[1:])
