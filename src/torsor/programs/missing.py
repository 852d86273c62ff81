"""What no file of a project defines: said in one message, and apart from it what is most likely a slip of the pen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from torsor.programs import syntax
from torsor.programs.diagnostics import At, ProgramText
from torsor.programs.misspelt import Neighbours, one_letter_off, slip_of

if TYPE_CHECKING:
    from torsor.programs.project_language import ProjectLanguage

MOST_NAMED = 40  # of what is missing, in one message: what is to be added or defined
EVIDENT = 6  # letters of a name that tell a slip where nothing says what the names are
FEWEST = 3  # where one is defined and never used, and the other used and never defined
LONG = 8  # letters of two names that are hardly meant to differ by one
Defined = syntax.Declare | syntax.Unit | syntax.Parameter
_DIGITS = re.compile(r"\d")


@dataclass
class Missing:
    """What no file defines, with the place where it is first asked for."""

    routines: dict[str, tuple[str, At]] = field(default_factory=dict)
    names: dict[str, tuple[str, At]] = field(default_factory=dict)
    private: dict[str, tuple[str, At]] = field(default_factory=dict)  # known in another module alone
    quiet: dict[str, tuple[str, At]] = field(default_factory=dict)  # types, and in what is not run
    certain: set[str] = field(default_factory=set)  # names that are written as they should be
    signals: dict[str, tuple[str, At]] = field(default_factory=dict)  # which no file declares
    parts: dict[str, tuple[str, At]] = field(default_factory=dict)  # of records of which nothing is known

    def say(self, source: ProgramText, defined: Iterable[Defined], times: Callable[[str], int]) -> None:
        """All that is missing in one message: it is mostly one file that is not here.

        ``defined``: data and routines of the files; ``times``: how often a name is written.
        """
        found = sorted([*self.routines.values(), *self.names.values()], key=lambda each: each[1])
        defined = [*defined]
        routines, names = (
            [name for key, (name, _) in sort.items() if times(name) > 1 or key in self.certain]
            for sort in (self.routines, self.names)
        )
        misdefined: set[str] = set()
        for node in defined if routines or names else ():
            others = routines if isinstance(node, syntax.Unit) else names
            if times(node.name) == 1 and (meant := _evident(node.name, others, FEWEST)):
                problem = f"{node.name} is defined here and never used, and {meant} is used and defined in no file"
                source.warn(node.at, problem, f"did you mean {meant!r}?")
                misdefined.add(meant)
        found = [(name, at) for name, at in found if name not in misdefined]  # that is said
        quiet = list(self.quiet.values())
        again = [*routines, *names, *(name for name, _ in quiet if times(name) > 1)]
        beside = Neighbours(each.name for each in defined if quiet)
        for name, at in [*found, *quiet]:
            if times(name) > 1:
                continue
            near = beside.of(name) if (name, at) in quiet else ()  # others are told below, with their lines
            if meant := _evident(name, again) or _nearest(name, near):
                problem = f"{name} is defined in no file and stands here alone, other than {meant}"
                source.warn(at, problem, f"did you mean {meant!r}?")
        self._say_alone(source, times)
        alone = {name: at for name, at in [*found, *quiet] if times(name) == 1 and len(name) >= LONG}
        for name, at in alone.items():  # two names, each written once: either may be the slip
            if meant := _evident(name, (other for other in alone if other != name)):
                source.warn(at, f"{name} and {meant} are defined in no file, and written once each", "are they one?")
        _say(source, "defined in no file", found, "add the file that does, or give it with --define or --set")
        hint = "declare it for everybody there, or here"
        _say(source, "known in another module alone", list(self.private.values()), hint)

    def _say_alone(self, source: ProgramText, times: Callable[[str], int]) -> None:
        """Signals and parts that stand there once, beside one that is written more often but for a letter."""
        for sort, letters in ((self.signals, EVIDENT), (self.parts, EVIDENT - 1)):
            often = [name for name, _ in sort.values() if times(name) > 1]
            for name, at in sort.values():
                meant = _evident(name, often, letters) if times(name) == 1 else None
                if meant and meant[:2].lower() == name[:2].lower():  # diPart and doPart are two
                    problem = f"{name} stands here alone, and {meant} elsewhere"
                    source.warn(at, problem, f"did you mean {meant!r}?")


def _evident(name: str, others: Iterable[str], letters: int = EVIDENT) -> str | None:
    """The name that one is a slip of, whichever of the two is the slip: bPartOK and bPartNOK are both meant."""
    meant = slip_of(name, others, shortest=letters)
    return meant if meant is not None and slip_of(meant, [name], shortest=1) else None


def _nearest(name: str, near: Iterable[str]) -> str | None:
    """What is defined, and is the name but for a letter, at whichever end of it; numbers tell families apart."""
    long = (each for each in near if len(each) >= EVIDENT and one_letter_off(name, each))
    found = [each for each in long if _DIGITS.findall(each) == _DIGITS.findall(name)]
    return found[0] if len(found) == 1 else None


def _say(source: ProgramText, what: str, found: list[tuple[str, At]], hint: str) -> None:
    if not found:
        return
    named = [f"{name} (line {source.place(at).line})" for name, at in found[:MOST_NAMED]]
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    one = len(found) == 1
    source.warn(found[0][1], f"{found[0][0]} is {what}" if one else f"{what}: {', '.join(named)}{more}", hint)


def without_value(tree: syntax.SyntaxTree, name: str, language: ProjectLanguage) -> str:
    """What is said of a name that has no value: files that give it one may do so elsewhere, or in what is not run."""
    key = language.key(name)
    if language.is_of_controller(key):
        return f"{name} is the controller's own"
    given = (syntax.base(node.target) for node in syntax.statements(tree.body) if isinstance(node, syntax.Assign))
    named = any(each is not None and language.key(each.name) == key for each in given)
    return f"{name} has no value here" if named else f"{name} is defined in no file"
