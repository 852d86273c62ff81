"""Machine code of changed sources is never run: each entry of the cache knows the files that had a say in it."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import torsor
from timed_paths import Straight
from torsor.drives.achieving import achievable
from torsor.emit import disk, kernel, sources
from torsor.emit.native import COMPILERS
from torsor.motion import Move, Place, Pose, Timing, plan, time_optimal

PACKAGE = Path(sources.PACKAGE)


@pytest.fixture
def house(tmp_path):
    """A copy of the package, to be edited."""
    shutil.copytree(PACKAGE, tmp_path / "src" / "torsor", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "src" / "torsor"


def traced(house, own_cache, program):
    """How many pages a program traces, in a process of its own."""
    program = (
        "import torsor, torsor.algebra.passes as passes\n"
        "made, real = [], passes.simplify\n"
        "passes.simplify = lambda *given, **options: (made.append(1), real(*given, **options))[1]\n"
        f"{program}\nprint(len(made))"
    )
    environment = os.environ | {"PYTHONPATH": str(house.parent), "TORSOR_CACHE": str(own_cache)}
    ran = subprocess.run(
        [sys.executable, "-B", "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return int(ran.stdout)


CLOSURE = "closure = torsor.load('fourbar').closure; closure.positions(closure.free_of(closure.reference))"
SEARCH = "arm = torsor.load('planar3'); arm.inverse_kinematics(arm.pose([0.1, 0.5, 0.6]), nearest=[0.1, 0.5, 0.5])"
DRIVES = "torsor.load('rl15').drives.torques([0.1] * 6, [0.2] * 6, [0.3] * 6)"


@pytest.mark.parametrize(
    ("program", "edited", "untouched"),
    [
        (CLOSURE, "motion/loop_closure.py", "drives/pages.py"),
        (SEARCH, "motion/inverse/search.py", "simulation/plant.py"),
        (
            "torsor.load('rl15').drives.torques([0.1] * 6, [0.2] * 6, [0.3] * 6)",
            "drives/pages.py",
            "motion/dead_centres.py",
        ),
    ],
    ids=["closure", "search", "drives"],
)
def test_an_edited_page_is_traced_again(house, own_cache, program, edited, untouched):
    """Also where the room lies above emit/, and deeper than its first floor. Other pages stay as they are."""
    assert traced(house, own_cache, program) > 0
    assert traced(house, own_cache, program) == 0
    with (house / edited).open("a") as file:
        file.write("\n# edited\n")
    assert traced(house, own_cache, program) > 0, "old machine code was run"
    with (house / untouched).open("a") as file:
        file.write("\n# edited\n")
    assert traced(house, own_cache, program) == 0


def test_what_was_loaded_before_an_edit_is_not_kept_as_if_after(house, own_cache):
    """A session goes on running the pages that it loaded; what it makes of them is nobody else's."""
    program = "q, qd = [0.1, 0.2], [0.3, 0.4]; torsor.load('planar2').energy(q, qd)"
    edit = (
        "import time, torsor.mechanics.energy as page; time.sleep(0.02)\n"
        "with open(page.__file__, 'a') as file: file.write('\\n# edited\\n')\n"
    )
    assert traced(house, own_cache, edit + program) == 1
    assert traced(house, own_cache, program) == 1, "machine code of the page before its edit was run"
    assert traced(house, own_cache, program) == 0


@pytest.mark.parametrize("change", ["touched", "longer", "lost"])
def test_a_change_of_any_kind_is_seen(house, monkeypatch, change):
    monkeypatch.setattr(sources, "PACKAGE", str(house))
    monkeypatch.setattr(sources, "BEGUN", time.time_ns() + 10**10)
    every = (sources.files_behind, sources._imported, sources._files, sources._state)
    for known in every:
        known.cache_clear()
    stamped = sources.stamp("torsor.mechanics.newton_euler")
    assert sources.unchanged(stamped)
    sources._state.cache_clear()
    file = house / "mechanics" / "kinematics.py"
    if change == "touched":
        os.utime(file, (1, 1))
    elif change == "longer":
        file.write_text(file.read_text() + "\n")
    else:
        file.unlink()
    assert not sources.unchanged(stamped)
    for known in every:
        known.cache_clear()


def test_where_files_are_found():
    behind = sources.files_behind(("torsor.mechanics.newton_euler",))
    assert {"mechanics/newton_euler.py", "mechanics/kinematics.py", "mechanics/transmissions.py"} <= set(behind)
    assert "algebra/rules.py" in behind  # by a linkage's graph, imported inside of a function
    assert "mechanics/lagrange.py" not in behind
    assert {"motion/inverse/search.py", "motion/planning/plan.py"} <= set(sources.files_behind(("torsor.motion",)))
    assert sources.files_behind(("numpy",)) == ()
    assert all((PACKAGE / file).is_file() for file in behind)


def quantities(robot):
    arm = torsor.load(robot)
    for name in ("jacobian_dot_qd", "forward_dynamics", "coriolis_matrix", "regressor", "bearing_loads"):
        arm.kernel(name)
    if not arm.model.loops or arm.closure.is_closed_form:
        arm.kernel("inverse_dynamics", by="kane")


def driven():
    arm = torsor.load("rl15")
    arm.drives.kernel("torques", friction=True)
    achievable(arm, np.zeros((3, 6)), dt=0.01)


def closed():
    closure = torsor.load("delta").closure
    x = closure.free_of(closure.reference)
    closure.positions(x)
    closure.forces(x, 0 * x, 0 * x)


def inverse(robot):
    arm = torsor.load(robot)
    q = np.linspace(0.2, 0.7, arm.n)
    if arm.model.loops:
        q = arm.closure.free_of(arm.closure.reference)
    arm.inverse_kinematics(arm.pose(q), nearest=q)
    arm.inverse_acceleration(q, q, np.zeros(6))


def planned(robot):
    arm = torsor.load(robot)
    q = arm.closure.free_of(arm.closure.reference) if arm.model.loops else np.array([0.3, 0.8, 0.4])
    T = arm.pose(q)
    T[:3, 3] += 0.001 * T[:3, 0]
    line = Move("line", Pose(T[:3, 3], T[:3, :3]), Place("", 1, 1))
    plan(arm, [line], start=q, timing=Timing(speed=1.0, acceleration=1.0)).at(0.01)


def optimal():
    time_optimal(torsor.load("rl15"), Straight(np.zeros(6), np.full(6, 0.1)))


def stepped():
    arm = torsor.load("planar2").with_payload(0.0123)  # which no other test has simulated in this process
    torsor.simulate(arm, np.zeros(2), q0=np.zeros(2), until=0.01, dt=0.001)


KINDS = {
    "tree": lambda: quantities("planar3"),
    "loops": lambda: quantities("fourbar"),
    "newton loops": lambda: quantities("delta"),
    "drives": driven,
    "closure": closed,
    "closed form": lambda: inverse("ur5"),
    "wrist": lambda: inverse("puma560"),
    "linkage": lambda: inverse("asea-irb"),
    "search": lambda: inverse("planar3"),
    "path": lambda: planned("planar3"),
    "path with loops": lambda: planned("asea-irb"),
    "time-optimal": optimal,
    "simulation": stepped,
}


class Watching:
    """Which files of Torsor run while a tape is made, and which the tape is kept with."""

    def __init__(self, monkeypatch):
        self.open: list[set[str]] = []
        self.done: list[tuple[set[str], tuple[str, ...]]] = []
        recalled, write = kernel._recalled, disk.write

        def recalling(key):
            found = recalled(key)
            assert found is None
            self.open.append(set())
            return found

        def writing(key, payload, made_by):
            if made_by != COMPILERS:
                self.done.append((self.open.pop(), made_by))
            write(key, payload, made_by)

        monkeypatch.setattr(kernel, "_recalled", recalling)
        monkeypatch.setattr(disk, "write", writing)

    def __call__(self, frame, event, _):
        if event == "call" and self.open:
            name = frame.f_code.co_filename
            if name.startswith(sources.PACKAGE):
                for ran in self.open:
                    ran.add(os.path.relpath(name, sources.PACKAGE))


QUICK = ("tree", "path", "simulation")


@pytest.mark.parametrize(
    "work", [pytest.param(KINDS[kind], marks=[] if kind in QUICK else pytest.mark.slow, id=kind) for kind in KINDS]
)
def test_every_file_that_ran_while_a_page_was_traced_is_stamped(own_cache, monkeypatch, work):
    """The proof that the cache cannot lie: nothing had a say in a tape that is not looked at before it is used."""
    watching = Watching(monkeypatch)
    sys.setprofile(watching)
    try:
        work()
    finally:
        sys.setprofile(None)
    # a page that its graph names may have been run before, and not be simplified: then nothing is left to do
    assert any(ran - {"emit/kernel.py", "emit/page.py", "algebra/tape.py"} for ran, _ in watching.done)
    for ran, made_by in watching.done:
        assert ran <= set(sources.files_behind(made_by)), made_by
