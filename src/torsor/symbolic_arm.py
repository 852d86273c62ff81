"""An arm of which some masses, centres, inertias or lengths are symbols: equations can be derived of it."""

from __future__ import annotations

from typing import Any

from torsor.arm import Arm
from torsor.model.file_symbols import FileSymbol, asked_for_numbers
from torsor.model.model import Model

KNOWN = ("name", "n", "joint_names", "symbols", "described", "file")


class SymbolicArm(Arm):
    """What ``torsor.load`` gives for an arm file with symbols: ``torsor.derive`` works on it.

    All else that an arm has needs numbers, and asks for values: ``torsor.load(path, values={"m2": 3.2})``.
    """

    def __init__(self, described: Model, symbols: tuple[FileSymbol, ...], file: str) -> None:
        super().__init__(described)
        self.described = described  # with numbers that stand in for symbols
        self.symbols = symbols
        self.file = file

    @property
    def name(self) -> str:
        return self.described.name

    @property
    def joint_names(self) -> tuple[str, ...]:
        return self.described.joint_names

    @property
    def n(self) -> int:
        return self.described.n

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("_") or name in KNOWN:
            return super().__getattribute__(name)
        raise asked_for_numbers(self.symbols, self.file)

    def _trees_with(self, drives: Any) -> Any:
        raise asked_for_numbers(self.symbols, self.file)

    def __repr__(self) -> str:
        names = ", ".join(symbol.name for symbol in self.symbols)
        return f"<SymbolicArm {self.name}: {self.n} joints, symbols {names}>"

    def _repr_html_(self) -> str:
        return repr(self).replace("<", "&lt;")

    def __reduce__(self) -> tuple[type[Arm], tuple[Any, ...]]:
        return SymbolicArm, (self.described, self.symbols, self.file)
