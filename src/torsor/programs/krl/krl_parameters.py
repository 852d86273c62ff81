"""Parameters of KRL are declared inside of their routine: one of both misspelt leaves two names for one thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from torsor.programs import syntax
from torsor.programs.diagnostics import At
from torsor.programs.misspelt import slip_of


def misnamed(unit: syntax.Unit) -> Iterator[tuple[At, str, str]]:
    """Place, problem and hint of a parameter that the body declares under another name, or of that declaration.

    What the rest of the body uses is right; where it uses neither, the declaration is.
    """
    inside = {node.name.lower(): node for node in unit.body if isinstance(node, syntax.Declare)}
    parameters = {each.name.lower(): each for each in unit.parameters}
    undeclared = [each for name, each in parameters.items() if name not in inside]
    others = {node.name: node for name, node in inside.items() if name not in parameters}
    if not undeclared or not others:
        return
    used = Counter(
        each.name.lower()
        for node in syntax.statements(unit.body, into_units=False)
        for expression in syntax.expressions(node)
        for each in syntax.walk(expression)
        if isinstance(each, syntax.Name)
    )
    for parameter in undeclared:
        meant = slip_of(parameter.name, others)
        if meant is None:
            continue
        if used[parameter.name.lower()] > used[meant.lower()]:
            problem = f"the parameter {parameter.name} is declared as {meant}"
            yield others[meant].at, problem, f"did you mean {parameter.name!r}?"
        else:
            yield parameter.at, f"the parameter {parameter.name} is declared nowhere", f"did you mean {meant!r}?"
