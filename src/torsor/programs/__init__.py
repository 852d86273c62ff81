"""Robot programs in VAL II and L-IRL: read, check, run to motion commands."""

from torsor.programs.diagnostics import Diagnostic, ProgramError
from torsor.programs.program import Program, languages, parse, read

__all__ = ["Diagnostic", "Program", "ProgramError", "languages", "parse", "read"]
