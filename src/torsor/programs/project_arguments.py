"""What instructions, functions and routines of a project are given: by place, by name, as options, or not at all."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from torsor.programs import syntax, values
from torsor.programs.memory import Operands
from torsor.programs.project_memory import ProjectMemory
from torsor.programs.values import Absent

NOT_GIVEN: Any = object()


class ProjectArguments(ProjectMemory):
    def _is_passed(self, option: syntax.Named) -> bool:
        name = syntax.base(option.value) if option.passed and option.value is not None else None
        return name is None or self.language.key(name.name) in self.frames[-1].given

    def _by_name(self, word: str, places: list[Any], options: dict[str, Any]) -> list[Any]:
        """Arguments in their order, whether they were given by place or by name; those left out at the end are none.

        Of a function that takes any number of them those of other names come last.
        """
        names = [option_name(name) for name in self.language.operand_names(word)]
        small = [name.lower() for name in names]  # manuals write cog and CoG
        function, more = self.language.functions.get(word), []
        for written, value in options.items():
            name = self.language.named_now(written)
            if name.lower() not in small:
                if function is not None and function.repeat:
                    more.append(value)
                    continue
                raise values.Wrong(f"{word} has no argument {name}", f"it has {', '.join(names)}")
            k = small.index(name.lower())
            if k < len(places) and places[k] is not NOT_GIVEN:
                raise values.Wrong(f"{word} is given {name} twice")
            places.extend([NOT_GIVEN] * (k + 1 - len(places)))
            places[k] = value
        if NOT_GIVEN not in places:
            return [*places, *more]
        method = self.language.forms[word].method if word in self.language.forms else None
        defaults = _defaults(getattr(self.lowering, method) if method else self.language.functions[word].compute)
        return [
            (defaults[k + 1] if k + 1 < len(defaults) else None) if value is NOT_GIVEN else value
            for k, value in enumerate(places)
        ] + more

    def _arguments(
        self, given: Operands, kinds: tuple[str, ...], options: Mapping[str, Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        """What an instruction or function of the language is given, by place and by name."""
        places: list[Any] = []
        named: dict[str, Any] = {}
        for each in given:
            if isinstance(each, syntax.Named):
                name = self.language.key(each.name)
                if self._is_passed(each):
                    kind = options.get(name, "unread" if kinds[-1:] == ("unread",) else "any")
                    named[option_name(name)] = self._operand(each.value, kind)
            else:
                kind = kinds[min(len(places), len(kinds) - 1)] if kinds else "any"
                places.append(None if each is None else self._operand(each, kind))
        return places, named

    def _operand(self, node: syntax.Expression | None, kind: Any) -> Any:
        if node is None:
            return True
        if kind in ("place", "signal", "unread"):
            return node
        if isinstance(node, syntax.Name) and self.known(node) is None:
            key = self.language.key(node.name)
            if key not in self.language.constants and self.lowering.special(key, node) is None:
                return self.world.take(node.name) if self.world.knows(node.name) else Absent(node.name)
        value = self.evaluate(node)
        if kind in ("any", "number", "truth", "text"):
            return value
        return self.guarded(node.at, lambda: self.types.fitted(value, kind))


def _defaults(function: Callable[..., Any]) -> list[Any]:
    """What each argument is where it is not given."""
    parameters = inspect.signature(function).parameters.values()
    return [None if each.default is inspect.Parameter.empty else each.default for each in parameters]


def option_name(name: str) -> str:
    """An option as a Python keyword: ``\\Off`` is ``off``, ``\\In`` is ``in_``."""
    return f"{name}_" if name in ("in", "from", "or", "and", "not", "with", "self", "node") else name
