"""What acts on an arm beside its motors, from a stream of states: De Luca's observer of generalized momentum.

With p = M qd and without accelerations,

    dp/dt = s + tau_ext,   s = N^T u_a - R^T F + C^T qd - g,   r' = K (tau_ext - r),

where N^T u_a are the motors, R^T F the friction of drives and joints, C the matrix of Christoffel symbols, so that
dM/dt = C + C^T (De Luca & Mattone 2005, Haddadin et al. 2017 (12)).

At sample times that may be irregular, the mean of tau_ext between two samples is known from p and s alone,
w = (p_1 - p_0) / dt - (s_0 + s_1) / 2, and the law of r is solved exactly for it: r_1 = e r_0 + (1 - e) w with
e = exp(-K dt). That is stable for any dt and of second order in it.

Friction. A contact slower than ``AT_REST`` may hold anything up to its friction at rest: there its model fades out, and
``band`` tells how far r may be off for that, by the same law as r. Friction of the load takes the load at the
acceleration that motors and r give by the model.

The same law runs on a mass of 1 kg at the tool alone: r = m ``unit`` for an arm that holds m more than its model says.

Signals filtered by x_f' = rate (x - x_f), exactly for x in straight lines between samples, give accelerations qd_f' for
the plain residual; all that it compares is delayed by the same 1 / rate.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from torsor.algebra.functions import absolute, exp, less, maximum, minimum, select
from torsor.drives import pages
from torsor.drives.drives import Drives
from torsor.drives.friction import Contact, dry, holding, moving
from torsor.drives.gearing import gauss
from torsor.emit import Page
from torsor.emit.native_loop import Call, NativeLoop
from torsor.mechanics.looped_tree import AnyTree
from torsor.mechanics.loops import GUESS
from torsor.mechanics.newton import CLOSED
from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import BASE
from torsor.model.transforms import Floats

AT_REST = 0.01  # rad/s or m/s of the joint: below it a contact may stick
CLOSINGS = 4  # steps of Newton's method a sample, for loops without a closed form
SHORTEST = 1e-9  # s, of a step


@dataclass(frozen=True, eq=False)
class Observed:
    """A row for each sample."""

    q: Floats  # (samples, n) as observed: as they came, or filtered where speeds did not come
    qd: Floats
    external: Floats  # (samples, n) r, joint torques that act on the arm beside its motors
    band: Floats  # (samples, n) how far r may be off because contacts may stick
    unit: Floats  # (samples, n) r of 1 kg more at the tool
    q_slow: Floats  # (samples, n) filtered ...
    qd_slow: Floats
    qdd_slow: Floats
    torque_slow: Floats  # (samples, m)


class MomentumObserver:
    """Goes on from one call to the next. ``dt`` of zero starts anew."""

    def __init__(self, drives: Drives, *, gain: float, rate: float, speeds: bool) -> None:
        n, m = drives.model.n, drives.m
        self._drives, self.speeds = drives, speeds
        joints = ("q", "qd", "p", "s", "external", "band", "pu", "su", "unit", "q_slow", "qd_slow", "qdd_slow")
        sizes = dict.fromkeys(joints, n) | {"torque_slow": m, "gap": 1, "u": m, "q_last": n, "qd_last": n, "u_last": m}
        sizes |= {"q_raw": n, **({"qd_raw": n} if speeds else {}), "u_raw": m, "dt": 1}
        sizes |= {"q_before": n, "u_before": m} if not speeds else {}
        guessed = [len(symbols) for symbols in drives.trees().plain.taken().values()]
        sizes |= {GUESS: guessed[0]} if guessed else {}
        starts: list[int] = np.cumsum([0, *sizes.values()]).tolist()
        self._place = dict(zip(sizes, starts, strict=False))
        self._width = starts[-1]
        self._kept = {word: slice(self._place[word], self._place[word] + sizes[word]) for word in sizes}
        facts = drives.facts, [drives.model.payload], gain, rate
        entering = Page(
            f"{drives.model.name}_entering",
            {w: sizes[w] for w in (*("q_raw", "qd_raw", "u_raw")[:: 1 if speeds else 2], "dt")}
            | ({} if speeds else {"q": n, "u": m, "q_before": n, "u_before": m}),
            given if speeds else partial(estimated, rate),
            (speeds, *facts),
        )
        step = Page(
            f"{drives.model.name}_observing",
            {w: sizes[w] for w in ("q", "qd", "u", "dt", "p", "s", "external", "band", "pu", "su", "unit")}
            | {w: sizes[w] for w in ("q_slow", "qd_slow", "torque_slow", "q_last", "qd_last", "u_last")},
            partial(_traced, drives, gain, rate),
            facts,
        )
        closed = [Page(f"{drives.model.name}_closing", {"q": n}, partial(_closing, drives), facts)] * CLOSINGS
        kernels = [each.kernel for each in (entering, *(closed if guessed else []), step)]
        calls = tuple(Call(k, tuple(self._at(a.name) for a in (*k.tape.inputs, *k.tape.outputs))) for k in kernels)
        first = self._place["q_raw"]
        self._loop = NativeLoop(calls, given=(first, self._place["dt"] + 1 - first), kept=(0, self._place["u"]))
        self._workspace = np.zeros(self._width)
        self._begun = False

    def _at(self, name: str) -> int:
        return self._place[name.removesuffix("1")]

    def step(self, q: Floats, qd: Floats | None, u: Floats, dt: Floats) -> Observed:
        """Samples (k, n), (k, n), (k, m) at so many seconds (k,) after the one before; zero starts anew."""
        if not self._begun:
            for guess in self._drives.trees().plain.guesses(q[0]):
                self._workspace[self._place[GUESS] :] = guess
            self._begun = True
        given = [q, qd, u, dt[:, None]] if qd is not None else [q, u, dt[:, None]]
        kept = self._loop.run(self._workspace, len(q), given=np.hstack(given))
        found = {word: kept[:, self._kept[word]] for word in Observed.__dataclass_fields__}
        if GUESS in self._place:
            lost = ~(kept[:, self._place["gap"]] < CLOSED**2)
            if lost[-1]:
                self._begun = False  # the next call begins where the joints are then
            found = {word: np.where(lost[:, None], np.nan, each) for word, each in found.items()}
        if not np.isfinite(kept[-1]).all():
            self._workspace[:] = 0.0  # what is no number must not stay
            self._begun = False
        return Observed(**found)


def given(q: Reals, qd: Reals, u: Reals, dt: Reals) -> dict[str, Reals]:
    return {"q1": q, "qd1": qd, "u1": u}


def estimated(rate: float, q: Reals, u: Reals, dt: Reals, qf: Reals, uf: Reals, q0: Reals, u0: Reals) -> dict[str, Any]:
    """Speeds of positions: of q filtered, exactly; torques are delayed as much."""
    slow, speed = filtered(rate, dt[0], q, q0, qf)
    return {"q1": slow, "qd1": speed, "u1": filtered(rate, dt[0], u, u0, uf)[0], "q_before1": q, "u_before1": u}


def filtered(rate: float, dt: Any, x: Reals, x0: Reals, y0: Reals) -> tuple[Reals, Reals]:
    """y of y' = rate (x - y) for x straight from x0 on, and y'; y = x where dt is zero."""
    over = 1.0 / maximum(dt, SHORTEST)
    lag = (x - x0) * over * (1.0 / rate)
    y = select(less(0.0, dt), x - lag + exp(-rate * dt) * (y0 - x0 + lag), x)
    return y, rate * (x - y)


def observed(
    tree: AnyTree, at: pages.Mechanism, unit: AnyTree | None, gravity: Reals, gain: float, rate: float,
    q: Reals, qd: Reals, u: Reals, dt: Reals, p0: Reals, s0: Reals, r0: Reals, band0: Reals, pu0: Reals, su0: Reals,
    unit0: Reals, qs: Reals, qds: Reals, us: Reals, q0: Reals, qd0: Reals, u0: Reals,
) -> dict[str, Reals]:  # fmt: skip
    """One sample of an arm, with its gears and friction, and of one that holds a unit mass beside it."""
    step, n = dt[0], tree.n
    going, over, e = less(0.0, step), 1.0 / maximum(step, SHORTEST), exp(-gain * step)

    def law(last: Reals, mean: Reals) -> Any:
        return select(going, e * last + (1.0 - e) * mean, 0.0 * last)

    p, s = momentum(tree, q, qd, gravity)
    tau, open_ = driven_by(at, q, qd, u, r0, gravity)
    s = s + tau
    found = {"p1": p, "s1": s, "external1": law(r0, (p - p0) * over - 0.5 * (s0 + s)), "band1": law(band0, open_)}
    if unit is not None:
        pu, su = momentum(unit, q, qd, gravity)
        found |= {"pu1": pu, "su1": su, "unit1": law(unit0, 0.5 * (su0 + su) - (pu - pu0) * over)}
    else:
        found |= {"pu1": 0.0 * pu0, "su1": 0.0 * su0, "unit1": 0.0 * unit0}
    slow = [filtered(rate, step, *each) for each in ((q, q0, qs), (qd, qd0, qds), (u, u0, us))]
    found |= {"q_slow1": slow[0][0], "qd_slow1": slow[1][0], "qdd_slow1": slow[1][1], "torque_slow1": slow[2][0]}
    found["band1"] = select(going, found["band1"], open_ + np.zeros(n))  # nobody knows how long it was at rest
    return found | {"q_last1": q, "qd_last1": qd, "u_last1": u}


def momentum(tree: AnyTree, q: Reals, qd: Reals, gravity: Reals) -> tuple[Reals, Reals]:
    """p = M qd, and what changes it beside torques: C^T qd - g."""
    C, g = tree.coriolis_matrix(q, qd), tree.inverse_dynamics(q, np.zeros(tree.n), np.zeros(tree.n), gravity)
    return (tree.mass_matrix(q) * qd).sum(axis=-1), (C * qd[:, None]).sum(axis=0) - g


def driven_by(at: pages.Mechanism, q: Reals, qd: Reals, u: Reals, r: Reals, gravity: Reals) -> tuple[Reals, Reals]:
    """N^T u - R^T F (n,), and how far that may be off where contacts may stick."""
    N, rates = at.gearing.slopes(q), at.gearing.rates(q, qd)
    tau, open_ = at.gearing.to_joints(q, u), np.zeros(at.tree.n)
    parts = []
    for contact in at.contacts:
        row, v = pages.row_of(contact, N, at.tree.n), contact.pick(rates, qd)
        slow = AT_REST * maximum(absolute(row[contact.joint]), SHORTEST)  # a motor's speed, where its joint is at rest
        parts.append((contact, row, v, maximum(minimum(v / slow, 1.0), -1.0), less(absolute(v), slow)))
    load = _loads(at, q, qd, tau, r, parts, gravity)
    for contact, row, v, direction, rests in parts:
        tau = tau - row * moving(contact.law, v, direction, load(contact))
        held = max(holding(contact.law)) + contact.law.load * absolute(load(contact))
        open_ = open_ + absolute(row) * select(rests, held, 0.0)
    return tau, open_


def _loads(at: pages.Mechanism, q: Reals, qd: Reals, tau: Reals, r: Reals, parts: list[Any], gravity: Reals) -> Any:
    """For a contact, what its gear passes on at the acceleration that these torques and r, on the links, give."""
    if not any(contact.law.load for contact in at.contacts):
        return lambda contact: 0.0
    e, n = pages.equations(at.tree, q, qd, gravity, None), at.tree.n
    e = replace(e, h=e.h - r, l=e.l - r)
    of = pages.loads(at.gearing, q, e)
    right, loaded = tau - e.h, []
    for contact, row, v, direction, _ in parts:
        right = right - row * (dry(contact.law, v, direction) * direction + contact.law.viscous * v)
        if contact.law.load:
            loaded.append((contact, row, direction, *of(contact)))
    A, b = [[e.M[i, j] for j in range(n)] for i in range(n)], [right[i] for i in range(n)]
    qdd = pages.with_load_friction(A, b, np.stack(gauss(A, b)), loaded)

    def load(contact: Contact) -> Any:
        L, l = of(contact) if contact.law.load else ([], 0.0)
        return pages.load_at(L, l, qdd)

    return load


def unit_payload(drives: Drives) -> AnyTree | None:
    """A point of 1 kg at the tool, where the model's payload has its centre, and nothing else; None on the base."""
    tree, held = drives.trees(False).plain, drives.model.payload
    tool = tree.tree.mount("tool")
    if tool.body == BASE:
        return None
    c = tool.position if held is None else tool.position + tool.rotation @ held.com

    def change(t: Tree) -> Tree:
        none = np.zeros(3), np.zeros((3, 3))
        bodies = [replace(body, mass=0.0, moment=none[0], second=none[1]) for body in t.bodies]
        bodies[tool.body] = replace(bodies[tool.body], mass=1.0, moment=c, second=np.outer(c, c))
        return replace(t, bodies=tuple(bodies), rotors=())

    return tree.changed(change)


def _traced(drives: Drives, gain: float, rate: float, *arrays: Reals) -> tuple[dict[str, Reals], dict[str, Reals]]:
    tree = drives.trees()
    at = pages.Mechanism(tree.lean, drives.gearing, drives.contacts)
    load = unit_payload(drives), tree.plain.gravity
    return tree.plain.taken(), observed(tree.lean, at, *load, gain, rate, *arrays)


def _closing(drives: Drives, q: Reals) -> tuple[dict[str, Reals], dict[str, Reals]]:
    tree = drives.trees().plain
    more = tree.taken()
    guess, left = tree.closing(q, more[GUESS])
    return more, {"guess1": guess, "gap": np.array([left])}
