"""From a model with beams and springs to the tree that the elastic pages walk."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import numpy as np

from torsor.elastic.beam_mesh import BeamMesh
from torsor.elastic.bearings import tilting
from torsor.elastic.elastic_tree import ElasticTree, Spring
from torsor.elastic.flexible import Flexible, flexible
from torsor.elastic.link_modes import link_modes
from torsor.errors import ModelError
from torsor.mechanics.kinematics import body_poses
from torsor.mechanics.tree import Body, Mount, Tree, lower
from torsor.model.beams import BeamDamping
from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import BASE
from torsor.model.transforms import Floats


def own_modes(mesh: BeamMesh, tips: list[int], carried: list[tuple[int, Mass]]) -> Floats:
    """The modes that the arm file asks for."""
    return link_modes(mesh, carried, modes=mesh.beam.modes, below=mesh.beam.below)


def all_shapes(mesh: BeamMesh, tips: list[int], carried: list[tuple[int, Mass]]) -> Floats:
    """Every displacement and turn of every node: nothing is left out, and much is computed."""
    return np.eye(mesh.size)[:, 6:]


Shapes = Callable[[BeamMesh, list[int], list[tuple[int, Mass]]], Floats]  # of a mesh, with its tips and what it carries


def elastic_tree(
    model: Model, *, shapes: Shapes = own_modes, springs: bool = True, posture: Floats | None = None
) -> ElasticTree:
    """The tree of a model whose links bend in ``shapes``; in a ``posture`` where sections turn with the posture."""
    beams = {k: link.beam for k, link in enumerate(model.links) if link.beam is not None}
    tree, tilts = tilting(model, lower(model, bending={k: beam.own for k, beam in beams.items()}))
    of_link = {body.place: i for i, body in enumerate(tree.bodies) if body.place >= 0}
    ups = standing_ups(model, tree, posture)
    meshes = {of_link[k]: BeamMesh.of(beam, tree.bodies[of_link[k]].link, ups[k]) for k, beam in beams.items()}
    carried = outboard(tree, meshes)
    found: dict[int, Flexible] = {}
    tips: dict[tuple[int, int], int | None] = {}  # of a body and a node of it

    def riding(name: str, mount: Mount) -> int | None:
        return tips[mount.body, meshes[mount.body].node_of(name, mount.position)] if mount.body in meshes else None

    bodies = [(body.name, Mount(body.parent, body.rotation, body.position)) for body in tree.bodies]
    loops = [
        ((loop.name, first), (loop.name, second)) for loop, (first, second) in zip(model.loops, tree.ends, strict=True)
    ]
    for i, mesh in sorted(meshes.items()):
        mounted = (*bodies, *tree.frames.items(), *chain(*loops))
        nodes = sorted({mesh.node_of(name, mount.position) for name, mount in mounted if mount.body == i} - {0})
        tips |= {(i, 0): None} | {(i, node): k for k, node in enumerate(nodes)}  # node 0 is clamped
        try:
            V = shapes(mesh, nodes, carried[i])
        except ModelError as error:
            raise ModelError(f"the beam of link {tree.bodies[i].name!r}: {error.problem}", hint=error.hint) from None
        found[i] = flexible(mesh, V, nodes, damping(mesh.beam.damping, mesh, V))
    in_joints, turns = _springs(_given_springs(model) if springs else {}, tilts, tree, found)
    names = [*model.joint_names, *(spring.name for spring in in_joints)]
    names += [f"{tree.bodies[i].name}.mode{k + 1}" for i, each in found.items() for k in range(each.m)]
    return ElasticTree(
        tree,
        found,
        meshes,
        tuple(riding(name, mount) for name, mount in bodies),
        {name: riding(name, mount) for name, mount in tree.frames.items()},
        tuple((riding(*first), riding(*second)) for first, second in loops),
        in_joints,
        turns,
        tuple(names),
    )


def static_shapes(mesh: BeamMesh, tips: list[int], carried: list[tuple[int, Mass]]) -> Floats:
    """What forces and moments on the tips and weight in any direction can bend at rest."""
    loads = [np.eye(mesh.size)[6 * node + k] for node in tips for k in range(6)]
    loads += [mesh.mass @ np.tile([*unit, 0.0, 0.0, 0.0], len(mesh.nodes)) for unit in np.eye(3)]
    bent = np.linalg.solve(mesh.stiffness[6:, 6:], np.array(loads).T[6:])
    bent, size, _ = np.linalg.svd(bent / np.linalg.norm(bent, axis=0), full_matrices=False)
    V = np.zeros((mesh.size, int((size > 1e-9 * size[0]).sum())))
    V[6:] = bent[:, : V.shape[1]]
    return V


def standing_ups(model: Model, tree: Tree, posture: Floats | None) -> dict[int, Floats]:
    """`up` of each beam in the axes of its own link, for those that are written in another's in a posture."""
    poses = body_poses(tree, np.zeros(tree.n) if posture is None else posture)
    found = {}
    for k, link in enumerate(model.links):
        if link.beam is None:
            continue
        found[k] = link.beam.up
        if link.beam.up_in is not None:
            mounts = (tree.frames[name] for name in (link.beam.up_in, link.name))
            there, here = (poses[mount.body][0] @ mount.rotation for mount in mounts)
            found[k] = here.T @ there @ link.beam.up
    return found


def damping(given: BeamDamping, mesh: BeamMesh, V: Floats) -> Floats:
    """Of the shapes: a share of critical of each by itself, or a M + b K."""
    K, M = V.T @ mesh.stiffness @ V, V.T @ mesh.mass @ V
    if given.rayleigh is not None:
        a, b = given.rayleigh
        return np.asarray(a * M + b * K)
    return np.diag(2.0 * given.ratio * np.sqrt(np.diag(K)))  # their modal mass, with what they carry, is one


def outboard(tree: Tree, meshes: dict[int, BeamMesh]) -> dict[int, list[tuple[int, Mass]]]:
    """What each elastic link carries in the reference posture (all joints at zero), by node of its beam."""
    masses = [_rigid(body) for body in tree.bodies]
    for i, mesh in meshes.items():
        masses[i] = masses[i] + mesh.beam.mass.moved(tree.bodies[i].link)
    poses = body_poses(tree, np.zeros(tree.n))
    found: dict[int, list[tuple[int, Mass]]] = {i: [] for i in meshes}
    for i in reversed(range(len(tree.bodies))):
        body = tree.bodies[i]
        if (p := body.parent) == BASE:
            continue
        T = np.eye(4)
        T[:3, :3] = poses[p][0].T @ poses[i][0]
        T[:3, 3] = poses[p][0].T @ (poses[i][1] - poses[p][1])
        on_parent = masses[i].moved(T)
        masses[p] = masses[p] + on_parent
        if p in meshes:
            node = meshes[p].node_of(body.name, body.position)
            back = np.eye(4)
            back[:3, 3] = -meshes[p].nodes[node]
            found[p].append((node, on_parent.moved(back)))
    return found


def _rigid(body: Body) -> Mass:
    if not body.mass:
        return Mass.none()
    com = body.moment / body.mass
    about_com = body.inertia - body.mass * (com @ com * np.eye(3) - np.outer(com, com))
    return Mass(body.mass, com, about_com)


def _springs(
    given: dict[int, Spring], tilts: dict[int, Spring], tree: Tree, found: dict[int, Flexible]
) -> tuple[tuple[Spring, ...], Floats]:
    """The springs in the joints, those that tilt last, and by how much each coordinate moves the joint of each body."""
    at = {i: given[body.place] for i, body in enumerate(tree.bodies) if body.place in given} | tilts
    size = tree.n + len(at) + sum(each.m for each in found.values())
    turns = np.zeros((len(tree.bodies), size))
    for i, body in enumerate(tree.bodies):
        turns[i, body.source] += body.factor
    for k, i in enumerate(at):
        turns[i, tree.n + k] = 1.0
    return tuple(at.values()), turns


def _given_springs(model: Model) -> dict[int, Spring]:
    """By link: the spring in its joint, the joint's own or that of the drive that turns it."""
    found = {}
    of_joint = {link.joint.name: k for k, link in enumerate(model.links)}
    for drive in model.drives:
        if drive.stiffness is not None:
            joint = model.joint_names[drive.joint]
            found[of_joint[joint]] = Spring(f"{joint}.spring", drive.stiffness, drive.damping or 0.0)
    for k, link in enumerate(model.links):
        if link.compliance is None or link.compliance.stiffness is None:
            continue
        found[k] = Spring(f"{link.joint.name}.spring", link.compliance.stiffness, link.compliance.damping)
    return found
