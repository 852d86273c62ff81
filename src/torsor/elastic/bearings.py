"""Bearings that tilt: between a joint and what carries it, two small turns about the axes across the joint's.

They are joints like any other, first about x, then about y of the joint's frame, with a massless body behind each and
a spring in each; so every page counts them in. What is carried turns with them, and so they have inertia.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from torsor.elastic.elastic_tree import Spring
from torsor.elastic.segments import TO_AXIS, hinged
from torsor.mechanics.tree import Body, Mount, Tree
from torsor.model.model import Model
from torsor.model.parts import BASE


def tilting(model: Model, tree: Tree) -> tuple[Tree, dict[int, Spring]]:
    """The tree with the bodies that tilts need, and the spring of each by its body."""
    bodies: list[Body] = []
    springs: dict[int, Spring] = {}
    new = {BASE: BASE}
    for i, body in enumerate(tree.bodies):
        spring = model.links[body.place].compliance if body.place >= 0 else None
        carrier, R, p = new[body.parent], body.rotation, body.position
        if spring is not None and spring.tilt is not None:
            damping = spring.tilt_damping or (0.0, 0.0)
            for axis in range(2):
                # named as the link that it carries: that is what beams end at
                bodies.append(hinged(body.name, carrier, R @ TO_AXIS[axis], p))
                carrier = len(bodies) - 1
                name = f"{model.links[body.place].joint.name}.tilt_{'xy'[axis]}"
                springs[carrier] = Spring(name, spring.tilt[axis], damping[axis], tilts=True)
                R, p = TO_AXIS[axis].T, np.zeros(3)
        new[i] = len(bodies)
        bodies.append(replace(body, parent=carrier, rotation=R, position=p))

    def moved(mount: Mount) -> Mount:
        return replace(mount, body=new[mount.body])

    frames = {name: moved(mount) for name, mount in tree.frames.items()}
    ends = tuple((moved(first), moved(second)) for first, second in tree.ends)
    rotors = tuple(replace(rotor, body=new[rotor.body]) for rotor in tree.rotors)
    return replace(tree, bodies=tuple(bodies), frames=frames, ends=ends, rotors=rotors), springs
