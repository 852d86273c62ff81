"""An arm with loops as its motors see it: a model whose joints are the driven ones alone."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from torsor.errors import Unsupported
from torsor.model.expression import ArmFormula
from torsor.model.model import Model
from torsor.model.parts import AngleTable, Drive, Link


@dataclass(frozen=True, eq=False, repr=False)
class DrivenModel(Model):
    """A model of which only driven joints count. Checked as a whole arm already."""

    def __post_init__(self) -> None:
        pass

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        return _driven(self)

    @cached_property
    def independent(self) -> tuple[Link, ...]:
        return self.links_on(self.joint_names)


def driven_model(model: Model) -> Model:
    """The model itself where it has no loops. Drives and friction of joints that loops move are refused by name."""
    if not model.loops:
        return model
    for link in model.links:
        joint = link.joint
        rubs = joint.friction.viscous or joint.friction.coulomb
        if rubs and joint.moves and joint.mimic is None and joint.name not in _driven(model):
            text = f"joint {joint.name!r} of {model.name!r} has friction, and is moved by a loop"
            raise Unsupported(text, hint="friction is computed at driven joints")
    drives = tuple(_restricted(model, drive) for drive in model.drives)
    return DrivenModel(**{f.name: getattr(model, f.name) for f in fields(model)} | {"drives": drives})


def _driven(model: Model) -> tuple[str, ...]:
    """The driven joints in file order."""
    named = {name for loop in model.loops for name in loop.driven}
    return tuple(link.joint.name for link in model.links if link.joint.name in named)


def _restricted(model: Model, drive: Drive) -> Drive:
    """A drive with the columns of N that belong to driven joints."""
    names, driven, law = model.joint_names, _driven(model), drive.transmission
    moved = [name for name, ratio in zip(names, drive.ratio, strict=True) if ratio and name not in driven]
    if isinstance(law, ArmFormula):
        moved += [name for name in re.findall(r"[^\W\d]\w*", law.text) if name in names and name not in driven]
    elif isinstance(law, AngleTable) and law.joint not in driven:
        moved.append(law.joint)
    if moved:
        text = f"drive {drive.name!r} of {model.name!r} turns joint {moved[0]!r}, which a loop moves"
        raise Unsupported(text, hint=f"drives sit on driven joints: {', '.join(driven)}")
    return replace(drive, ratio=np.array([r for name, r in zip(names, drive.ratio, strict=True) if name in driven]))
