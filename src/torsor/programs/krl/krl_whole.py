"""Whether an expression of KRL is of INT: of two such the quotient is cut to a whole number, 7/4 is 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torsor.programs import syntax

if TYPE_CHECKING:
    from torsor.programs.project_memory import ProjectMemory

KEEPING = ("+", "-", "*", "/")  # what makes INT of INT


def is_whole(run: ProjectMemory, node: syntax.Expression) -> bool:
    match node:
        case syntax.WholeNumber():
            return True
        case syntax.Unary():
            return is_whole(run, node.operand)
        case syntax.Binary():
            return node.operator in KEEPING and is_whole(run, node.left) and is_whole(run, node.right)
        case syntax.FunctionCall():
            home = run.routine(node.function)
            return home is not None and home.unit.result == "int"
    return _type(run, node) == "int"


def _type(run: ProjectMemory, node: syntax.Expression) -> str:
    """The declared type of a name, of an element, of a part; "" where that is not known."""
    match node:
        case syntax.Name():
            cell = run.known(node)
            return "" if cell is None else cell.type
        case syntax.Index(base, _):
            return _type(run, base)
        case syntax.Member(base, part):
            return run.types.part_type(_type(run, base), run.language.key(part))
    return ""
