"""All that the page can ask, each with how long the answer may take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_type_hints

from torsor.studio import arm_state, dragging, exporting, programming, running, typesetting
from torsor.studio.shelf import Shelf, Telling


@dataclass(frozen=True)
class LiveQuestion:
    """``function`` answers, of a shelf, who hears how far it is, and what is asked; ``long`` ones have own workers."""

    function: Callable[..., dict[str, Any]]
    seconds: float
    long: bool = False

    def answer(self, shelf: Shelf, progress: Telling, asked: Mapping[str, Any]) -> dict[str, Any]:
        kind = get_type_hints(self.function)["asked"]  # the arguments are checked by their types
        return self.function(shelf, progress, kind.model_validate(asked))


QUESTIONS = {
    "about": LiveQuestion(arm_state.about, 60),
    "state": LiveQuestion(arm_state.state, 60),
    "reach": LiveQuestion(dragging.reach, 30),
    "diagnose": LiveQuestion(programming.diagnose, 20),
    "template": LiveQuestion(running.template, 60),
    "run": LiveQuestion(running.run, 60),
    "check": LiveQuestion(programming.check, 600, long=True),
    "compare": LiveQuestion(programming.compare, 1200, long=True),
    "equations": LiveQuestion(typesetting.equations, 600, long=True),
    "export": LiveQuestion(exporting.export, 600, long=True),
}
