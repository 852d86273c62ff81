"""What rules of RAPID's grammar become that no other language has."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from torsor.programs import syntax
from torsor.programs.project_builder import ProjectBuilder


class RapidBuilder(ProjectBuilder):
    def call(self, items: list[Any]) -> syntax.Statement:  # type: ignore[override]
        """``CallByVar "proc", 2`` calls proc2: the routine whose name a text says."""
        made = super().call(items)
        if made.unit.lower() == "callbyvar" and len(made.arguments) == 2:
            name, number = made.arguments
            if name is not None and number is not None:
                written = syntax.FunctionCall("ValToStr", (number,), at=number.at)
                return syntax.LateCall(syntax.Binary("+", name, written, at=name.at), at=made.at)
        return made

    def bracketed_call(self, items: list[Any]) -> syntax.Statement:
        """``StrToVal(text, number);``, as other languages have it."""
        return replace(super().call(items), bracketed=True)
