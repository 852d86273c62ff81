"""Operations of generated C and Python, counted by parsing the text: nothing of the tape is asked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

Counted = tuple[int, int, int]  # M, A, calls of sin and cos


def operations_in_c(source: str) -> Counted:
    """M, A and calls of sin and cos in the body of the last C function, but for what depends on constants only.

    The expressions are C that Python reads the same way, so that its parser can be used: arithmetic, calls, subscripts.
    """
    code = source[: source.index("#ifdef TORSOR_SELFTEST")].replace("p->", "")
    body = code[code.rindex("\n{\n") :]
    lines = (line for line in re.findall(r"^    (.*);$", body, flags=re.MULTILINE) if not line.startswith("(void)"))
    parts = (line.removeprefix("const double ").partition(" = ") for line in lines)
    return _counted(((name, ast.parse(expression, mode="eval").body) for name, _, expression in parts), ["K"])


def operations_in_python(source: str, parameters: list[str]) -> Counted:
    """The same of the one function of a Python module."""
    (function,) = (each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef))

    def assigned() -> Iterator[tuple[str, ast.expr]]:
        for line in function.body:
            if isinstance(line, ast.Return):
                continue
            assert isinstance(line, ast.Assign)
            (target,) = line.targets
            if isinstance(target, ast.Tuple):  # q0, q1 = q[..., 0], q[..., 1]
                assert isinstance(line.value, ast.Tuple)
                yield from ((ast.unparse(t), v) for t, v in zip(target.elts, line.value.elts, strict=True))
            elif not ast.unparse(line.value).startswith(("np.asarray(", "np.broadcast_shapes(", "np.empty(")):
                yield ast.unparse(target), line.value

    return _counted(assigned(), parameters)


def _counted(lines: Iterator[tuple[str, ast.expr]], parameters: list[str]) -> Counted:
    fixed = set(parameters)
    found = {"M": 0, "A": 0, "trig": 0}

    def is_fixed(x: ast.expr) -> bool:
        match x:
            case ast.Constant():
                return True
            case ast.Name(id) | ast.Subscript(ast.Name(id)):
                return id in fixed
            case ast.UnaryOp(ast.USub(), inner):
                return is_fixed(inner)
            case ast.Call(ast.Name("sin" | "cos") | ast.Attribute(ast.Name("np"), "sin" | "cos"), [inner]):
                found["trig"] += 0 if is_fixed(inner) else 1
                return is_fixed(inner)
            case ast.BinOp(left, op, right):
                both = [is_fixed(left), is_fixed(right)]
                kind = "M" if isinstance(op, ast.Mult | ast.Div) else "A"
                assert isinstance(op, ast.Mult | ast.Div | ast.Add | ast.Sub)
                found[kind] += 0 if all(both) else 1
                return all(both)
        raise AssertionError(ast.dump(x))

    for name, expression in lines:
        if is_fixed(expression):
            fixed.add(name)
    return found["M"], found["A"], found["trig"]
