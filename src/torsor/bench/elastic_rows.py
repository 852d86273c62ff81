"""Elastic links: large motion beside Exudyn, and what an arm with two elastic links costs.

Exudyn's steps are fixed and its settings printed. It solves the same problems by another method, so that results agree
within what either leaves out, in metres; what is ours alone is compared with the page on floats, or with finer steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, get_args

import numpy as np

from torsor.algebra import less, select
from torsor.arm import Arm
from torsor.bench.findings import Row
from torsor.bench.peers import PeerMissing
from torsor.bench.peers_exudyn import ExudynModel, ExudynSteps, spin_angle, spun_up, two_links
from torsor.elastic import elastic_composite
from torsor.elastic.swinging import Fidelity, follow
from torsor.loading import load
from torsor.measuring.agreement import difference
from torsor.measuring.state_loop import kernel_work
from torsor.measuring.stopwatch import FULL, TimeBudget, repeated
from torsor.model.armfile import parse_arm_file
from torsor.model.transforms import Floats
from torsor.simulation import Simulation

TWO, SIX = "elastic-arm2", "ur5-elastic"
HUNDRED = 100.0  # times Exudyn, at least
TORQUES = np.array([2.0, -0.6])  # N m, of two links that swing
SPIN = {"length": 10.0, "EI": 1.4e4, "EA": 2.8e7, "per_length": 1.2, "speed": 6.0, "rise": 15.0}  # Simo & Vu-Quoc
DENSITY = 1e3  # kg/m^3: of the spun beam only stiffness and mass matter
STATES, CHECKED = 512, 16
HOME = np.array([0.3, -0.9, 1.2, -0.4, 0.5, 0.2])
SWING = np.array([0.5, 0.4, 0.4, 0.5, 0.5, 0.6])
PERIODS = np.array([3.0, 4.0, 5.0, 2.5, 3.5, 2.0])  # s


@dataclass(frozen=True)
class ElasticContest:
    effort: TimeBudget
    wanted: bool
    skipped: dict[str, str]
    settings: dict[str, str]

    @property
    def full(self) -> bool:
        return self.effort.batch >= FULL.batch

    @property
    def arm(self) -> Arm:
        """Of six joints; in a quick run one that is traced in seconds."""
        return load(SIX if self.full else TWO)

    def beside(
        self, row: Row, ours: Callable[[], Floats], make: Callable[[], ExudynModel], off: Callable[..., float]
    ) -> Row:
        """The row with both sides; ``off`` says how far apart our result and theirs are."""
        result = ours()
        try:
            model = make() if self.wanted else None
        except PeerMissing as missing:
            self.skipped["exudyn"], model = str(missing), None
        if model is None:
            return replace(row, peer="").timed(self.effort, repeated(ours, 1))
        self.settings.setdefault(f"Exudyn, {row.robot}", str(model.steps))
        row = replace(row, error=off(result, *model.run()))
        return row.timed(self.effort, repeated(ours, 1), repeated(model.run, 1))


def swinging_links(contest: ElasticContest) -> Iterator[Row]:
    """Two links of two modes each that torques swing, RK4 at 1 ms; tips agree to a tenth of a millimetre."""
    until = 2.0 if contest.full else 0.2
    model = load(TWO).model
    links = tuple(replace(link, beam=link.beam and replace(link.beam, modes=2)) for link in model.links)
    arm = Arm(replace(model, links=links))

    def law(t: Any, q: Any, qd: Any) -> Any:
        return TORQUES * (np.sin(2.0 * np.pi * t) * select(less(t, 1.0), 1.0, 0.0))

    loop = Simulation(arm, law, drives=False, saturation=False, limits="ignore", integrator="rk4", elastic=True)

    def ours() -> Floats:
        run = loop.run(q0=np.zeros(2), until=until, dt=1e-3, every=50)
        return np.concatenate([run.q, run.eta], axis=1)

    def off(x: Floats, t: Floats, tip: Floats) -> float:
        return float(np.abs(arm.elastic.pose(x)[:, :2, 3] - tip).max())

    of = {"EI": 37.8, "EA": 1.26e6, "per_length": 0.486, "tip_mass": 0.5, "torques": TORQUES.tolist()}
    for elements, modified in ((2, True), (4, True), (4, False)) if contest.full else ((2, True),):
        make = partial(two_links, ExudynSteps(elements, 1e-3, modified=modified), until, **of)
        peer = f"Exudyn, {elements} elements a link{'' if modified else ', full Newton'}"
        what = f"two links swing, 2 modes each, {until:g} s"
        yield contest.beside(Row(TWO, what, peer, at_least=HUNDRED, within=1e-4), ours, make, off)


def spin_up(contest: ElasticContest) -> Iterator[Row]:
    """A beam of 10 m, four modes, brought to 6 rad/s in 15 s; its tip agrees to 2 mm, of 0.56 m."""
    until, dt = 20.0 if contest.full else 2.0, 5e-3
    arm = Arm(parse_arm_file(spun_beam())).elastic
    t = _moments(until, dt)
    W, T = SPIN["speed"], SPIN["rise"]
    q, s = spin_angle(t, W, T), 2.0 * np.pi * t / T
    qd = np.where(t < T, W / T * (t - T / (2.0 * np.pi) * np.sin(s)), W)
    qdd = np.where(t < T, W / T * (1.0 - np.cos(s)), 0.0)
    told = q[:, None], qd[:, None], qdd[:, None]

    def ours() -> Floats:
        return follow(arm, t, *told, fidelity=2).e

    def off(e: Floats, times: Floats, tip: Floats) -> float:
        at = np.round(times / dt).astype(int)
        x = np.concatenate([told[0], e], axis=1)[at]
        return float(np.abs(arm.pose(x)[:, :2, 3] - tip).max())

    make = partial(spun_up, ExudynSteps(8, dt, tolerance=1e-4, every=0.5, dense=False), until, **SPIN)
    row = Row("spun beam", f"spin-up, {until:g} s", "Exudyn, 8 elements", at_least=HUNDRED, within=2e-3)
    yield contest.beside(row, ours, make, off)


def dynamics(contest: ElasticContest) -> Iterator[Row]:
    """Forward dynamics of one state after another, in the native loop, and how many multiplications that takes."""
    arm = contest.arm
    tree = arm.elastic.moving
    kernel = arm.elastic.kernel("forward")
    rng = np.random.default_rng(0)
    x = np.concatenate(
        [rng.uniform(-2.0, 2.0, (STATES, arm.n)), 1e-3 * rng.normal(size=(STATES, tree.size - arm.n))], axis=1
    )
    inputs = [x, rng.normal(size=x.shape), 10.0 * rng.normal(size=(STATES, arm.n)), np.zeros((STATES, 6))]
    out, single, batch = kernel_work(kernel, inputs)
    batch.run(1)
    x, xd, tau, wrench = (part[:CHECKED] for part in inputs)
    right = elastic_composite.forward_dynamics(tree, x, xd, tau, tree.tree.gravity, wrench)
    row = Row(
        arm.name, f"FD of {tree.size} coordinates, {kernel.tape.counts().M} M", error=difference(out[:CHECKED], right)
    )
    bar = 1.5e-6 if contest.full else None
    for name, work, most in (("native", single, bar), ("batch", batch, None)):
        if work is not None:
            yield replace(row, what=f"{row.what}, {name}", at_most=most).timed(contest.effort, work)


def coupled_motion(contest: ElasticContest) -> Iterator[Row]:
    """A second of motion under PD control, steps from the spectrum; compared with steps half as long."""
    arm = contest.arm
    n, until = arm.n, 1.0 if contest.full else 0.02
    start = HOME[:n]
    goal = start + SWING[:n]
    inertia = np.diag(arm.mass_matrix(start))

    def law(t: Any, q: Any, qd: Any) -> Any:
        return arm.gravity(q) + 40.0 * inertia * (goal - q) - 12.0 * inertia * qd

    loop = Simulation(arm, law, drives=False, saturation=False, limits="ignore", elastic=True)
    run = partial(_quietly, loop, q0=start, until=until)
    error = difference(run(dt=1e-3), run(dt=5e-4))
    row = Row(
        arm.name, f"coupled motion, {until:g} s", at_most=0.05 if contest.full else None, error=error, within=1e-5
    )
    yield row.timed(contest.effort, repeated(partial(run, dt=1e-3), 1))


def along_a_motion(contest: ElasticContest) -> Iterator[Row]:
    """52 s of motion at 1 ms, linear in what bends: as long as the program that SIMASEA's author published."""
    arm = contest.arm
    n, until = arm.n, 52.0 if contest.full else 0.5
    t = _moments(until, 1e-3)
    w, a = 2.0 * np.pi / PERIODS[:n], SWING[:n]
    q = HOME[:n] + a * np.sin(w * t[:, None]) ** 2
    motion = q, a * w * np.sin(2.0 * w * t[:, None]), 2.0 * a * w * w * np.cos(2.0 * w * t[:, None])
    few = [part[: min(len(t), 501)] for part in (t, *motion)]
    one, two = (_tips(arm, few, fidelity) for fidelity in get_args(Fidelity))
    error = float(np.abs(one - two).max() / np.abs(two).max())
    modes = arm.elastic.tree.size - n
    row = Row(
        arm.name,
        f"fidelity 1, {modes} coordinates, {until:g} s",
        at_most=0.52 if contest.full else None,
        error=error,
        within=0.05,
    )
    yield row.timed(contest.effort, repeated(partial(follow, arm.elastic, t, *motion), 1))


def frequencies(contest: ElasticContest) -> Iterator[Row]:
    """Natural frequencies of a pose, of many in one call on one thread."""
    arm = contest.arm
    q = np.random.default_rng(1).uniform(-3.0, 3.0, (contest.effort.derivative_batch, arm.n))
    for drives in ("locked", "held"):
        ask = partial(arm.elastic.frequencies, q, drives=drives)
        right = [arm.elastic.at(each, drives=drives).frequencies for each in q[:CHECKED]]
        error = float(np.abs(ask()[:CHECKED] / right - 1.0).max())
        row = Row(arm.name, f"frequencies, {drives}, one thread", at_most=5e-5 if contest.full else None, error=error)
        yield replace(row, within=1e-7).timed(contest.effort, repeated(ask, len(q)))


STEPS = {
    "two links": swinging_links,
    "spin-up": spin_up,
    "dynamics": dynamics,
    "coupled motion": coupled_motion,
    "along a motion": along_a_motion,
    "frequencies": frequencies,
}


def _tips(arm: Arm, motion: list[Floats], fidelity: Fidelity) -> Floats:
    t, q, qd, qdd = motion
    return follow(arm.elastic, t, q, qd, qdd, fidelity).tip[:, :3]


def _moments(until: float, dt: float) -> Floats:
    return np.linspace(0.0, until, round(until / dt) + 1)


def _quietly(loop: Simulation, **asked: Any) -> Floats:
    """The last state; how it was stepped is no news."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = loop.run(**asked)
    return np.concatenate([run.q[-1], run.eta[-1]])


def spun_beam() -> str:
    area = SPIN["per_length"] / DENSITY
    E = SPIN["EA"] / area
    I = SPIN["EI"] / E
    section = f"{{ area = {area!r}, Iy = {400.0 * I!r}, Iz = {I!r}, J = {400.0 * I!r} }}"
    return f"""
name = "spun"
frames = "placements"
gravity = [0, 0, 0]
[[link]]
name = "beam"
joint = "revolute"
[link.beam]
to = "tool"
section = {section}
up = [0, 0, 1]
material = {{ E = {E!r}, nu = 0.3, rho = {DENSITY!r} }}
rotary = false
elements = 16
modes = 4
damping = 0
mass = "instead"
[tool]
link = "beam"
position = [{SPIN["length"]!r}, 0, 0]
"""
