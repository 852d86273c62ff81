"""Robot programs in VAL II and L-IRL: read, check, run to motion commands."""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor.programs.diagnostics import Diagnostic as Diagnostic
    from torsor.programs.diagnostics import ProgramError as ProgramError
    from torsor.programs.program import Program as Program
    from torsor.programs.program import languages as languages
    from torsor.programs.program import parse as parse
    from torsor.programs.program import read as read
else:
    __getattr__, __dir__ = exports(__name__)
