"""What of an arm bends, as the page needs it: how its coordinates move its links, the nodes of its beams, its modes.

All of it is small and linear, as `elastic_kinematics.node_displacements` has it. Coordinates move links in ways that do
not depend on the posture when they are written in the axes of the right link; so a few numbers for each link and the
coordinates over time are all that the page needs to draw the bent arm at any moment, as much exaggerated as it likes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from torsor.elastic.elastic_arm import Elastic
from torsor.elastic.elastic_kinematics import jacobian, node_displacements
from torsor.elastic.elastic_newton_euler import residual
from torsor.elastic.elastic_tree import ElasticTree, straight
from torsor.elastic.held_arm import HeldArm
from torsor.errors import Unsupported
from torsor.mechanics.tree import Body
from torsor.model.model import Model
from torsor.model.parts import BASE
from torsor.model.transforms import Floats, inverse, pose
from torsor.report.packing import FINE, packed

MODES = 6  # lowest, that are shown at a posture
VISIBLE = 0.08  # of the arm's size: how far the most bent place is drawn from where it would be


def bends_of(model: Model, tree: ElasticTree) -> dict[str, Any]:
    """How coordinates x move each link of the model, and the nodes of those that bend."""
    body_of = {body.place: i for i, body in enumerate(tree.tree.bodies) if body.place >= 0}
    links = []
    for k, link in enumerate(model.links):
        if k in body_of:
            links.append(_link(tree, body_of[k]))
        else:  # rigid on the link that carries it
            carrier = tree.tree.mount(link.name).body
            links.append({"carrier": _place(tree, carrier), "steps": [], "beam": None})
    return {"joints": tree.n, "coordinates": tree.size, "links": links}


def _place(tree: ElasticTree, body: int) -> int:
    """The link that a body is."""
    return BASE if body == BASE else tree.tree.bodies[body].place


def _link(tree: ElasticTree, i: int) -> dict[str, Any]:
    bodies = tree.tree.bodies
    T_link_body = inverse(bodies[i].link)
    steps = _turning(tree, i, "link", T_link_body)
    between: list[int] = []  # bodies that are no links of the model: bearings that tilt
    carrier = bodies[i].parent
    while carrier != BASE and bodies[carrier].place < 0:
        between.insert(0, carrier)
        carrier = bodies[carrier].parent
    T = np.eye(4) if carrier == BASE else inverse(bodies[carrier].link)
    first = between[0] if between else i
    if (tip := tree.rides[first]) is not None:
        steps += _tip(tree, carrier, tip, T)
    for each in between:
        T = T @ _carried(bodies[each])
        steps += _turning(tree, each, "carrier", T)
    return {"carrier": _place(tree, carrier), "steps": steps, "beam": _beam(tree, i, T_link_body)}


def _carried(body: Body) -> Floats:
    """T_parent_body with its joint at zero."""
    return pose(body.rotation, body.position)


def _turning(tree: ElasticTree, i: int, on: str, T: Floats) -> list[dict[str, Any]]:
    """What coordinates do in the joint of a body, at T in the axes of the link or of its carrier."""
    body, z = tree.tree.bodies[i], T[:3, 2]
    moves = np.concatenate([body.slide * z, body.turn * z])
    return [_step(int(c), on, T[:3, 3], tree.turns[i, c] * moves) for c in np.flatnonzero(tree.turns[i])]


def _tip(tree: ElasticTree, body: int, tip: int, T: Floats) -> list[dict[str, Any]]:
    """What the shapes of a link do to what rides on its tip."""
    at, own = tree.flexible[body].tips[tip], tree.slices[body]
    moves = np.concatenate([T[:3, :3] @ at.Phi, T[:3, :3] @ at.Psi])  # (6, m)
    point = T[:3, :3] @ at.position + T[:3, 3]
    return [_step(own.start + k, "carrier", point, column) for k, column in enumerate(moves.T) if column.any()]


def _step(coordinate: int, on: str, at: Floats, moves: Floats) -> dict[str, Any]:
    return {"coordinate": coordinate, "on": on, "at": _numbers(at), "moves": _numbers(moves)}


def _beam(tree: ElasticTree, i: int, T: Floats) -> dict[str, Any] | None:
    """Nodes of a link that bends, in its axes, and what its shapes displace and turn each by."""
    if i not in tree.meshes:
        return None
    mesh, R = tree.meshes[i], T[:3, :3]
    shapes = tree.flexible[i].shapes.reshape(len(mesh.nodes), 2, 3, -1)
    return {
        "first": tree.slices[i].start,
        "nodes": [_numbers(node) for node in mesh.nodes @ R.T + T[:3, 3]],
        "elements": [[element.first, element.last] for element in mesh.elements],
        "shapes": [_numbers(each.ravel()) for each in np.einsum("ab,nkbm->nkam", R, shapes)],  # of each node (2, 3, m)
    }


def _numbers(values: Floats) -> list[float]:
    return [float(f"{x:.12g}") for x in np.asarray(values).tolist()]


def modes_of(held: HeldArm, title: str, time: float | None = None) -> dict[str, Any]:
    """The lowest modes at a posture, each scaled so that the place that moves most moves by 1 m."""
    found = []
    for mode in held.modes(MODES):
        x = mode.x / (most_bent(held.tree, held.q, mode.x) or 1.0)
        shares = sorted(mode.shares.items(), key=lambda item: -item[1])
        told = [[name, round(share, 1)] for name, share in shares if share >= 1.0]
        found.append({"frequency": mode.frequency, "x": _numbers(x), "shares": told})
    return {"title": title, "time": time, "q": _numbers(held.q), "modes": found}


def still_bends(elastic: Elastic, q: Floats, size: float, mode: int | None = None) -> dict[str, Any]:
    """The arm that hangs at a posture, and its modes; ``mode``, from 1, is shown first."""
    held = elastic.at(q, drives="held")
    weight = _hanging(held)
    most = most_bent(held.tree, held.q, weight)
    modes = [modes_of(held, "here")]
    if mode is not None and not 1 <= mode <= len(modes[0]["modes"]):
        raise Unsupported(f"there is no mode {mode}", hint=f"1 to {len(modes[0]['modes'])}, the lowest first")
    return {
        **bends_of(elastic.model, held.tree),
        "still": _numbers(weight),
        "swing": None,
        "factor": exaggeration(size, most),
        "colours": [_moved("hangs by", most)],
        "modes": modes,
        "chosen": None if mode is None else [0, mode - 1],
    }


def _hanging(held: HeldArm) -> Floats:
    """x of the arm at rest, as far as it is small, with the modes of its motion."""
    still = np.zeros(held.tree.size)
    load = held.Z.T @ residual(held.tree, held.x, still, still, held.tree.tree.gravity)
    return np.asarray(held.Z @ np.linalg.solve(held.K, -load))


def moving_bends(
    model: Model,
    tree: ElasticTree,
    time: Floats,
    q: Floats,
    x: Floats,
    weight: Floats,
    *,
    size: float,
    modes: list[dict[str, Any]],
    colours: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The arm along a motion: joints q (times, n) of the tree, and coordinates x (times, x) of what swings.

    ``weight`` (times, x) is what it hangs by besides. ``colours`` are what links may be coloured by, other than by how
    far they swing: ``name``, ``unit``, ``most`` at which the colour is full, and ``links``, by name (nodes,), or
    (times, nodes) of what changes.
    """
    most = most_bent(tree, q, x)
    return {
        **bends_of(model, tree),
        "still": None,
        "time": packed(time, steps=FINE),
        "swing": [packed(column, steps=FINE) for column in x.T],
        "weight": [packed(column, steps=FINE) for column in weight.T],
        "factor": exaggeration(size, most),
        "colours": [_moved("swings by", most), *(_coloured(model, colour) for colour in colours)],
        "modes": modes,
        "chosen": None,
    }


def _moved(name: str, most: float) -> dict[str, Any]:
    """Coloured by how far a node is displaced, which the page knows itself."""
    return {"name": name, "unit": "mm", "most": 1e3 * most, "links": None}


def _coloured(model: Model, colour: Mapping[str, Any]) -> dict[str, Any]:
    index = {link.name: k for k, link in enumerate(model.links)}
    nodes = {index[name]: _nodes(np.asarray(values)) for name, values in colour["links"].items()}
    return {"name": colour["name"], "unit": colour["unit"], "most": float(colour["most"]), "links": nodes}


def _nodes(values: Floats) -> list[Any]:
    """A number for each node, or a curve; nothing where it is not known."""
    if values.ndim == 1:
        return [float(value) if np.isfinite(value) else None for value in values]
    return [packed(node) for node in values.T]


def most_bent(tree: ElasticTree, q: Floats, x: Floats) -> float:
    """The most that a node or the tool is displaced, m."""
    tool = (jacobian(tree, straight(tree, q))[..., :3, :] @ x[..., None])[..., 0]
    return max(float(np.linalg.norm(each, axis=-1).max()) for each in (tool, *node_displacements(tree, q, x).values()))


def exaggeration(size: float, most: float) -> float:
    """A round factor with which the most bent place is seen to be bent: 1, 2 or 5 times a power of ten."""
    if most <= 0.0:
        return 1.0
    wanted = max(VISIBLE * size / most, 1.0)
    power = 10.0 ** np.floor(np.log10(wanted))
    return float(max(m * power for m in (1.0, 2.0, 5.0) if m * power <= wanted * (1.0 + 1e-9)))
