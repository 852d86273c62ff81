"""A verdict as one HTML file that needs nothing else: no network, no other files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torsor.checking.verdict import Verdict

__all__ = ["page", "write"]


def page(verdict: Verdict) -> str:
    """The report as text."""
    from torsor.report.assembling import page as assemble

    return assemble(verdict)


def write(verdict: Verdict, path: str | Path) -> None:
    """Writes the report as a whole, or not at all."""
    from torsor.model.files import write_text

    write_text(path, page(verdict))
