"""The verdict: can this arm do this program, how long does it take, where do the motors give up, what to change."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # imported when first asked for
    from torsor.checking.advising import Advice, Change
    from torsor.checking.checking import check
    from torsor.checking.moves import MoveTaken
    from torsor.checking.problems import Problem
    from torsor.checking.signals import Signals
    from torsor.checking.verdict import Verdict

__all__ = ["Advice", "Change", "MoveTaken", "Problem", "Signals", "Verdict", "check"]

_HOMES = {
    "Advice": "advising",
    "Change": "advising",
    "MoveTaken": "moves",
    "Problem": "problems",
    "Signals": "signals",
    "Verdict": "verdict",
    "check": "checking",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'torsor.checking' has no attribute {name!r}")
    return getattr(import_module(f"torsor.checking.{_HOMES[name]}"), name)
