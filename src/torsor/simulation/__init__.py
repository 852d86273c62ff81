"""Stepping in time: motion under motor torques, with friction that sticks."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # imported when first asked for
    from torsor.simulation.running import Run, run

__all__ = ["Run", "run"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from torsor.simulation import running

        return getattr(running, name)
    raise AttributeError(f"module 'torsor.simulation' has no attribute {name!r}")
