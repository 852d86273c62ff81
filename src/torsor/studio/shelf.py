"""The arms that a worker keeps: of the library, of files the user named, of texts that were uploaded."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path

from torsor.arm import Arm
from torsor.emit.recent import Recent
from torsor.errors import DescriptionWarning, TorsorError, UnknownRobot, did_you_mean
from torsor.loading import SUFFIXES, load, robots
from torsor.model.model import Model
from torsor.studio.confinement import Confinement

Telling = Callable[[str], None]  # hears what a long answer is at
KEPT = 12  # arms with their kernels


class Shelf:
    """Arms by their names. A name is looked up, never opened: only what was named at the start is a file."""

    def __init__(self, files: Mapping[str, Path], confinement: Confinement | None = None) -> None:
        self._files, self._confinement = dict(files), confinement
        self._uploaded: dict[str, str] = {}
        self._arms: Recent[Arm] = Recent(KEPT)

    def upload(self, name: str, text: str) -> None:
        self._uploaded[name] = text

    def arm(self, name: str, payload: float | None = None) -> Arm:
        """The arm of that name; with a payload in kg at its tool point instead of its own."""
        if payload is None:
            return self._arms.get((name, None), lambda: self._made(name))
        return self._arms.get((name, payload), lambda: self.arm(name).with_payload(payload))

    @contextmanager
    def opened(self, name: str) -> Iterator[None]:
        """While what belongs to an arm is read: files that the user named may name others, such as meshes."""
        with self._confinement.lifted() if self._confinement and name in self._files else nullcontext():
            yield

    def _made(self, name: str) -> Arm:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DescriptionWarning)  # `torsor show` tells them; here they have no place
            if name in self._uploaded:
                return Arm(parsed(name, self._uploaded[name]))
            if name in robots():
                return load(name)
            if name in self._files:
                with self.opened(name):
                    return load(self._files[name])
        known = [*robots(), *self._files, *self._uploaded]
        raise UnknownRobot(f"no robot {name!r}", hint=did_you_mean(name, known))


def parsed(name: str, text: str) -> Model:
    """The model in an uploaded text, by the suffix of its name; no mesh is looked for."""
    suffix = Path(name).suffix.lower()
    if suffix == ".toml":
        from torsor.model.armfile import parse_arm_file

        return parse_arm_file(text, name)
    if suffix == ".urdf":
        from torsor.model.urdf import parse_urdf

        return parse_urdf(text, name)
    raise TorsorError(f"cannot tell what {name!r} is", hint=f"names of arms end in {' or '.join(SUFFIXES)}")
