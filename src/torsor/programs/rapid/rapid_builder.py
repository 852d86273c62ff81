"""What rules of RAPID's grammar become that no other language has."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from torsor.programs import syntax
from torsor.programs.builder import Clause
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

    def handler(self, items: list[Any]) -> Clause:
        """Errors that it is for are names as all others; they stand before it, as something that is not run."""
        word, *errors = items
        walked = (each for error in errors if error is not None for each in syntax.walk(error))
        names = tuple(each.name for each in walked if isinstance(each, syntax.Name))
        told = (syntax.NotRun("ERROR", names, at=self.at(word)),) if names else ()
        return replace(super().handler([word]), labels=told)

    def bracketed_call(self, items: list[Any]) -> syntax.Statement:
        """``StrToVal(text, number);``, as other languages have it."""
        return replace(super().call(items), bracketed=True)
