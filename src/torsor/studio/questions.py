"""All that the page can ask, each with how long the answer may take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, get_type_hints

from torsor.studio.shelf import Progress, Shelf


@dataclass(frozen=True)
class Question:
    """``home`` is the module and the function that answers; ``long`` ones have workers of their own."""

    home: str
    seconds: float
    long: bool = False

    def answer(self, shelf: Shelf, progress: Progress, asked: Mapping[str, Any]) -> dict[str, Any]:
        module, name = self.home.split(":")
        function: Callable[..., dict[str, Any]] = getattr(import_module(f"torsor.studio.{module}"), name)
        kind = get_type_hints(function)["asked"]  # the arguments are checked by their types
        return function(shelf, progress, kind.model_validate(asked))


QUESTIONS = {
    "about": Question("posture:about", 60),
    "state": Question("posture:state", 60),
    "reach": Question("reaching:reach", 30),
    "diagnose": Question("programming:diagnose", 20),
    "template": Question("running:template", 60),
    "run": Question("running:run", 60),
    "check": Question("programming:check", 600, long=True),
    "compare": Question("programming:compare", 1200, long=True),
    "equations": Question("equations:equations", 600, long=True),
    "export": Question("exporting:export", 600, long=True),
}
