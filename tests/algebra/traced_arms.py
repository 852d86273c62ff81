"""Small pages of mechanics on object arrays, in link frames with modified DH, to have real graphs to test on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.algebra import cos, sin


@dataclass(frozen=True)
class Link:
    """Modified DH row (alpha before a before theta before d), mass, first moment, inertia about the frame's origin."""

    alpha: float
    a: float
    d: float
    mass: float
    moment: Any  # (3,)
    inertia: Any  # (3, 3)


def random_arm(n: int, seed: int) -> list[Link]:
    """A dense arm: every constant is different from 0."""
    rng = np.random.default_rng(seed)
    links = []
    for _ in range(n):
        half = rng.normal(size=(3, 3))
        com, mass = rng.uniform(-0.3, 0.3, 3), rng.uniform(1, 5)
        spread = mass * (com @ com * np.eye(3) - np.outer(com, com))
        links.append(Link(*rng.uniform(0.2, 1.2, 3), mass, mass * com, half @ half.T * 0.05 + np.eye(3) * 0.1 + spread))
    return links


def puma() -> list[Link]:
    """A PUMA 560 with Burdick's sparsity (Armstrong, Khatib, Burdick 1986, modified DH), twists exact."""
    rows = [  # alpha in quarter turns, a, d, mass, com, inertia diagonal at the centre of mass
        (0, 0.0, 0.0, 0.0, (0, 0, 0), (0, 0, 0.35)),
        (-1, 0.0, 0.2435, 17.4, (0.068, 0.006, -0.016), (0.13, 0.524, 0.539)),
        (0, 0.4318, -0.0934, 4.8, (0, -0.070, 0.014), (0.066, 0.0125, 0.086)),
        (1, -0.0203, 0.4331, 0.82, (0, 0, -0.019), (0.0018, 0.0018, 0.0013)),
        (-1, 0.0, 0.0, 0.34, (0, 0, 0), (0.0003, 0.0003, 0.0004)),
        (1, 0.0, 0.0, 0.09, (0, 0, 0.032), (0.00015, 0.00015, 0.00004)),
    ]
    links = []
    for quarter, a, d, mass, com, diagonal in rows:
        c = np.array(com, dtype=float)
        inertia = np.diag(diagonal) + mass * (c @ c * np.eye(3) - np.outer(c, c))
        links.append(Link(quarter * np.pi / 2, a, d, mass, mass * c, inertia))
    return links


def rotation(link: Link, q: Any) -> Any:
    """R from link frame to parent frame."""
    c, s = cos(q), sin(q)
    ca, sa = (np.round(f(link.alpha), 15) for f in (np.cos, np.sin))
    return np.array([[c, -s, 0.0], [s * ca, c * ca, -sa], [s * sa, c * sa, ca]], dtype=object)


def offset(link: Link) -> Any:
    ca, sa = (np.round(f(link.alpha), 15) for f in (np.cos, np.sin))
    return np.array([link.a, -sa * link.d, ca * link.d], dtype=object)


def cross(a: Any, b: Any) -> Any:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], dtype=object)


def inverse_dynamics(links: list[Link], q: Any, qd: Any, qdd: Any, gravity: float = 9.81) -> Any:
    """Newton-Euler with U = dw^ + w^ w^ (Khalil), forces at the frame origins."""
    n = len(links)
    z = np.array([0.0, 0.0, 1.0], dtype=object)
    w = dw = np.zeros(3, dtype=object)
    acc = np.array([0.0, 0.0, gravity], dtype=object)
    U = np.zeros((3, 3), dtype=object)
    frames, forces = [], []
    for k, link in enumerate(links):
        R = rotation(link, q[k])
        acc = R.T @ (acc + U @ offset(link))
        turned = R.T @ w
        dw = R.T @ dw + cross(turned, z * qd[k]) + z * qdd[k]
        w = turned + z * qd[k]
        xy, xz, yz = w[0] * w[1], w[0] * w[2], w[1] * w[2]
        xx, yy, zz = w[0] * w[0], w[1] * w[1], w[2] * w[2]
        U = np.array(
            [
                [-yy - zz, xy - dw[2], xz + dw[1]],
                [xy + dw[2], -xx - zz, yz - dw[0]],
                [xz - dw[1], yz + dw[0], -xx - yy],
            ],
            dtype=object,
        )
        force = link.mass * acc + U @ link.moment
        turning = link.inertia @ dw + cross(w, link.inertia @ w) + cross(link.moment, acc)
        frames.append((R, offset(link)))
        forces.append((force, turning))
    f = m = np.zeros(3, dtype=object)
    tau = np.zeros(n, dtype=object)
    for k in reversed(range(n)):
        f, m = f + forces[k][0], m + forces[k][1]
        tau[k] = m[2]
        R, p = frames[k]
        f = R @ f
        m = R @ m + cross(p, f)
    return tau


def mass_matrix(links: list[Link], q: Any) -> Any:
    """Composite rigid bodies, in link frames."""
    n = len(links)
    M = np.zeros((n, n), dtype=object)
    frames = [(rotation(link, q[k]), offset(link)) for k, link in enumerate(links)]
    mass, h, J = 0.0, np.zeros(3, dtype=object), np.zeros((3, 3), dtype=object)
    for k in reversed(range(n)):
        link = links[k]
        mass, h, J = mass + link.mass, h + link.moment, J + link.inertia
        f, m = np.array([-h[1], h[0], 0.0], dtype=object), J[:, 2]
        M[k, k] = m[2]
        for j in range(k, 0, -1):
            R, p = frames[j]
            f = R @ f
            m = R @ m + cross(p, f)
            M[k, j - 1] = M[j - 1, k] = m[2]
        R, p = frames[k]
        h, J = R @ h, R @ J @ R.T
        cross_term = np.outer(p, h) + np.outer(h, p)
        J = J + (2 * (p @ h) + mass * (p @ p)) * np.eye(3, dtype=object) - cross_term - mass * np.outer(p, p)
        h = h + mass * p
    return M


def forward_dynamics(links: list[Link], q: Any, qd: Any, tau: Any) -> Any:
    """Composite rigid bodies, Newton-Euler bias, and L^T D L from the tip."""
    n = len(links)
    M = mass_matrix(links, q).copy()
    x = tau - inverse_dynamics(links, q, qd, np.zeros(n))
    L, reciprocal = np.zeros((n, n), dtype=object), np.zeros(n, dtype=object)
    for k in reversed(range(n)):
        reciprocal[k] = 1.0 / M[k, k]
        for i in range(k):
            L[k, i] = M[k, i] * reciprocal[k]
        for i in range(k):
            for j in range(i + 1):
                M[i, j] = M[i, j] - L[k, i] * M[k, j]
    for k in reversed(range(n)):
        for i in range(k):
            x[i] = x[i] - L[k, i] * x[k]
    for k in range(n):
        x[k] = x[k] * reciprocal[k]
    for k in range(n):
        for i in range(k):
            x[k] = x[k] - L[k, i] * x[i]
    return x
