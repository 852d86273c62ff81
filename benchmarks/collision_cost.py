"""What looking for collisions adds to a check: python benchmarks/collision_cost.py [ROUNDS]

Programs in robot languages and motions of 40 joint moves on several arms, checked with and without a cell in turns, in
this process, warm: CPU seconds of the fastest round of each. Collision's share is told of that time alone, and of the
command's, which also begins, reads and prints. The cell has a floor, a table, a post and a wall beside what the arm
does. Two arms get meshes: a hull of some hundred corners around every link.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

import torsor
from torsor.cell.cell_file import parse_cell
from torsor.model.parts import MeshShape, Visual
from torsor.scene.link_shapes import PlainShapes
from torsor.scene.skeleton import Skeleton
from torsor.shipped import shipped

CELL = """
floor = {floor}
[[box]]
name = "table"
size = [{size}, {size}, 0.05]
position = [{far}, 0, 0.1]
[[cylinder]]
name = "post"
radius = 0.06
length = 2
position = [0, {far}, 1]
[[plane]]
name = "wall"
normal = [1, 0, 0]
offset = -{far}
"""
MOST = 0.20  # of the time of a check: the bar


def joint_program(arm: torsor.Arm, moves: int) -> str:
    """Random joint targets that are within limits, near the middle of the ranges."""
    low, high = np.full(arm.n, -1.5), np.full(arm.n, 1.5)
    for k, link in enumerate(arm.model.independent):
        if link.joint.limits.position is not None:
            low[k], high[k] = link.joint.limits.position
    middle, half = 0.5 * (low + high), 0.25 * np.minimum(high - low, 2.0)
    q = np.random.default_rng(1).uniform(middle - half, middle + half, (moves, arm.n))
    q = np.vstack([middle, q])
    times = np.concatenate([[0.0], np.cumsum(1.5 * np.abs(np.diff(q, axis=0)).max(axis=1) + 0.2)])
    share = np.linspace(0.0, 1.0, 9)[:-1]
    share = share**3 * (10 - 15 * share + 6 * share**2)
    rows = [
        (t0 + k / 8 * (t1 - t0), *(a + s * (b - a)))
        for t0, t1, a, b in zip(times, times[1:], q, q[1:], strict=False)
        for k, s in enumerate(share)
    ]
    titles = ",".join(["time", *arm.joint_names])
    return titles + "\n" + "\n".join(",".join(f"{x:.6f}" for x in row) for row in rows) + "\n"


def with_meshes(arm: torsor.Arm, folder: Path) -> torsor.Arm:
    """The arm with a mesh for each link that it may touch with: an egg along the link, of 200 corners."""
    model, skeleton = arm.model, Skeleton(arm.model)
    thick = PlainShapes(skeleton, np.zeros(model.n))
    random = np.random.default_rng(2).normal(size=(200, 3))
    ball = random / np.linalg.norm(random, axis=1)[:, None]
    links = []
    for index, link in enumerate(model.links):
        ways = [skeleton.bones[index].way(end) for end in skeleton.bones[index].ends.values()]
        points = [
            a + share * (b - a) + thick.radius(index) * ball[k::4]
            for way in ways
            for a, b in pairwise(way)
            for k, share in enumerate((0.0, 0.3, 0.6, 1.0))
        ]
        if points:
            path = folder / f"{link.name}.stl"
            path.write_bytes(stl(np.vstack(points)))
            link = replace(link, collisions=(Visual(MeshShape(path.name, path), np.eye(4)),))
        links.append(link)
    return torsor.Arm(replace(model, links=tuple(links)))


def stl(points: np.ndarray) -> bytes:
    """A triangle for every three points: hulls ask for no more."""
    triangles = points[: len(points) // 3 * 3].reshape(-1, 9)
    rows = np.zeros(len(triangles), dtype=[("numbers", "<f4", 12), ("end", "<u2")])
    rows["numbers"][:, 3:] = triangles
    return b" " * 80 + np.uint32(len(triangles)).tobytes() + rows.tobytes()


def seconds(run: Callable[[], object]) -> float:
    """CPU seconds of this process."""
    start = time.process_time()
    run()
    return time.process_time() - start


def command_seconds() -> float:
    """CPU seconds that `torsor check` takes to begin with: those of a program of one move."""
    before = os.times()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.csv"
        path.write_text(joint_program(torsor.load("ur5"), 1))
        command = [Path(sys.executable).with_name("torsor"), "check", path, "--robot", "ur5"]
        subprocess.run(command, capture_output=True, check=True)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def main(rounds: int = 5) -> int:
    warnings.simplefilter("ignore")
    programs = shipped("programs/rl15_tour.irl").parent
    begins, shares = command_seconds(), []
    print(f"torsor check takes {begins:.2f} s to begin with (CPU); of what follows, % that collision takes")
    print("arm             program              moves  pairs  without s  with s  % of the check  % of the command")
    with tempfile.TemporaryDirectory() as folder:
        cases: list[tuple[str, torsor.Arm, Path]] = []
        for robot, name in (("rl15", "rl15_tour.irl"), ("puma560", "palletise.v2"), ("ur5e", "ur5e_feeder.script")):
            cases.append((robot, torsor.load(robot), programs / name))
        for robot in ("ur5", "panda", "gen3", "kr6-r900-2", "irb140", "scara"):
            arm = torsor.load(robot)
            path = Path(folder) / f"{robot}.csv"
            path.write_text(joint_program(arm, 40))
            cases.append((robot, arm, path))
            if robot in ("ur5", "panda"):
                cases.append((f"{robot}, meshes", with_meshes(arm, Path(folder)), path))
        for called, arm, program in cases:
            cell = parse_cell(CELL.format(floor=-2.0, size=1.5, far=3.0))
            verdict = torsor.check(program, arm, cell=cell)  # warm
            plain, looked = [], []
            for _ in range(rounds):
                plain.append(seconds(partial(torsor.check, program, arm)))
                looked.append(seconds(partial(torsor.check, program, arm, cell=cell)))
            extra = min(looked) - min(plain)
            shares.append(extra / (begins + min(looked)))
            surroundings = verdict.machine.surroundings
            pairs = len(surroundings._pairs) + len(surroundings._over_planes)
            print(
                f"{called:15} {program.name:20} {len(verdict.moves):5}  {pairs:5}  {min(plain):9.3f}"
                f"  {min(looked):6.3f}  {100 * extra / min(looked):14.0f}  {100 * shares[-1]:16.0f}",
                flush=True,
            )
    kept, most = max(shares) < MOST, 100 * max(shares)
    print(f"at most {most:.0f} % of the command; {100 * MOST:.0f} % is the bar: {'kept' if kept else 'missed'}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
