"""CasADi's C for inverse dynamics: a plain Newton-Euler page in its SX symbols, its cse(), its generator, gcc -O3.

The page is written as in a textbook and kind to CasADi: links on fixed joints are part of their carrier, and entries
of rotations that are zero but for rounding are zero, so that its sparsity sees them.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from torsor.bench.peers import PeerMissing, compiler, peer
from torsor.model import BASE, Mass, Model
from torsor.model.transforms import Floats

FLAGS = ("-O3", "-march=native", "-fPIC", "-shared")
ROUNDING = 1e-14

# CasADi's functions take arrays of pointers; seen from the loop they are to look like ours.
ADAPTER = """
void inverse_dynamics(const double *q, const double *qd, const double *qdd, double *tau) {
  const double *arg[3] = {q, qd, qdd};
  double *res[1] = {tau};
  rnea(arg, res, 0, 0, 0);
}
"""


@dataclass(frozen=True, eq=False)
class CasadiBody:
    """What moves on one joint: the joint's frame is the body's."""

    joint: str
    parent: int  # of the bodies, BASE for the base
    kind: str
    axis: Floats
    place: Floats  # of the joint's frame, before it moves, in the parent's
    mass: Mass


@dataclass(frozen=True, eq=False)
class CasadiFunction:
    """A loaded function with the native signature of our kernel."""

    address: int
    operations: int
    library: Any


def inverse_dynamics(model: Model) -> Any:
    """The page as a CasADi function (q, qd, qdd) -> tau."""
    ca = peer("casadi")
    bodies = _bodies(model)
    q, qd, qdd = (ca.SX.sym(name, model.n) for name in ("q", "qd", "qdd"))
    w, wd, a, f, n, turns, places = columns = tuple[list[Any], ...]([] for _ in range(7))
    up = ca.SX(_clean(-model.base[:3, :3].T @ model.gravity))
    for body in bodies:
        i = model.joint_names.index(body.joint)
        axis = ca.SX(_clean(body.axis))
        R, p = ca.SX(_clean(body.place[:3, :3])), ca.SX(_clean(body.place[:3, 3]))
        if body.kind == "prismatic":
            p = p + R @ axis * q[i]
        else:
            R = R @ _turn(ca, body.axis, q[i])
        root = body.parent == BASE
        w0, wd0, a0 = (ca.SX(3, 1), ca.SX(3, 1), up) if root else (w[body.parent], wd[body.parent], a[body.parent])
        carried = a0 + ca.cross(wd0, p) + ca.cross(w0, ca.cross(w0, p))
        wi, wdi, ai = R.T @ w0, R.T @ wd0, R.T @ carried
        if body.kind == "prismatic":
            ai = ai + axis * qdd[i] + 2 * ca.cross(wi, axis * qd[i])
        else:
            wdi = wdi + axis * qdd[i] + ca.cross(wi, axis * qd[i])
            wi = wi + axis * qd[i]
        com, inertia = ca.SX(_clean(body.mass.com)), ca.SX(_clean(body.mass.inertia))
        force = body.mass.mass * (ai + ca.cross(wdi, com) + ca.cross(wi, ca.cross(wi, com)))
        moment = inertia @ wdi + ca.cross(wi, inertia @ wi) + ca.cross(com, force)
        for column, value in zip(columns, (wi, wdi, ai, force, moment, R, p), strict=True):
            column.append(value)
    tau = ca.SX(model.n, 1)
    for i, body in reversed(list(enumerate(bodies))):
        along = f[i] if body.kind == "prismatic" else n[i]
        tau[model.joint_names.index(body.joint)] = ca.dot(ca.SX(_clean(body.axis)), along)
        if body.parent != BASE:
            force = turns[i] @ f[i]
            f[body.parent] = f[body.parent] + force
            n[body.parent] = n[body.parent] + turns[i] @ n[i] + ca.cross(places[i], force)
    return ca.Function("rnea", [q, qd, qdd], [ca.cse(ca.densify(tau))])


def native(model: Model) -> CasadiFunction:
    """The page as machine code, by CasADi's generator and gcc."""
    gcc = compiler()
    function = inverse_dynamics(model)
    with tempfile.TemporaryDirectory(prefix="torsor-bench-") as folder:
        source, library = Path(folder, "rnea.c"), Path(folder, "rnea.so")
        generator = peer("casadi").CodeGenerator("rnea", {"with_header": False})
        generator.add(function)
        source.write_text(generator.dump() + ADAPTER)
        made = subprocess.run([gcc, *FLAGS, source, "-o", library, "-lm"], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            raise PeerMissing(f"gcc refused what CasADi generated: {made.stderr.strip()[-200:]}")
        loaded = ctypes.CDLL(str(library))  # stays mapped when the file goes
    address = ctypes.cast(loaded.inverse_dynamics, ctypes.c_void_p).value
    return CasadiFunction(address or 0, int(function.n_nodes()), loaded)


def _turn(ca: Any, axis: Floats, angle: Any) -> Any:
    """Rotation about a unit axis: 1 + sin K + (1 - cos) K^2, plain where the axis is one of the frame's."""
    s, c = ca.sin(angle), ca.cos(angle)
    for k in range(3):
        if abs(axis[k]) == 1.0:
            R = ca.SX(3, 3)
            R[k, k] = 1
            i, j = (k + 1) % 3, (k + 2) % 3
            R[i, i] = R[j, j] = c
            R[i, j], R[j, i] = -s * axis[k], s * axis[k]
            return R
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return ca.SX.eye(3) + s * ca.SX(_clean(K)) + (1 - c) * ca.SX(_clean(K @ K))


def _bodies(model: Model) -> list[CasadiBody]:
    """Links gathered on the joints that carry them, parents first."""
    places: dict[int, tuple[int, Floats]] = {BASE: (BASE, np.eye(4))}  # link -> body, placement on it
    found: list[CasadiBody] = []
    masses: list[Mass] = []

    def add(index: int) -> None:
        link = model.links[index]
        joint = link.joint
        carrier, T = places[link.parent]
        if joint.kind == "fixed":
            places[index] = carrier, T @ joint.before @ joint.after
        else:
            if joint.mimic is not None or joint.kind == "screw":
                raise PeerMissing(f"the CasADi page has no joint like {joint.name!r} of {model.name!r}")
            found.append(CasadiBody(joint.name, carrier, joint.kind, joint.axis, T @ joint.before, Mass.none()))
            masses.append(Mass.none())
            places[index] = len(found) - 1, joint.after
        put(index, link.mass, np.eye(4))
        for child in model.children(index):
            add(child)

    def put(index: int, mass: Mass | None, placement: Floats) -> None:
        body, T = places[index]
        if mass is not None and body != BASE:
            masses[body] = masses[body] + mass.moved(T @ placement)

    for child in model.children(BASE):
        add(child)
    put(model.tool.link, model.payload, model.tool.placement)
    return [CasadiBody(b.joint, b.parent, b.kind, b.axis, b.place, m) for b, m in zip(found, masses, strict=True)]


def _clean(values: Floats) -> Any:
    """Numbers for CasADi; what is zero but for rounding leaves no entry."""
    array = np.asarray(values, dtype=np.float64)
    ca = peer("casadi")
    return ca.sparsify(ca.DM(np.where(np.abs(array) < ROUNDING, 0.0, array)))
