"""Signals, timers and texts of VAL II: what a program says to its surroundings, and what it asks of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from torsor.motion import commands
from torsor.motion.commands import Command, Move
from torsor.programs import syntax
from torsor.programs.language import Lowering
from torsor.programs.printer import Printer, number_text
from torsor.programs.syntax import RobotInstruction
from torsor.programs.val2_dialect import Val2Dialect
from torsor.programs.values import JointPoint, Location, Value, Wrong, kind_of

Commands = Sequence[Command]
FIRST_INPUT = 1001  # signals from here on come from outside
MOST_BITS = 32
READING = 1.0  # s from one reading of a timer to the next


class Val2Signals(Lowering):
    def __init__(self, dialect: Val2Dialect, printer: Printer) -> None:
        self.dialect = dialect
        self.printer = printer
        self.outputs: dict[int, bool] = {}
        self.held: list[Command] = []  # a move whose end is not decided yet, and signals behind it
        self.timers: dict[int, float] = {}
        self.assumed: dict[str, commands.Assumed] = {}

    def _release(self, *, flowing: bool = False) -> Commands:
        held, self.held = self.held, []
        if held and flowing and isinstance(held[0], Move):
            held[0] = replace(held[0], blend=commands.Blend("joint" if held[0].kind == "joint" else "speed"))
        return held

    def _after_stop(self, *given: Command) -> Commands:
        return [*self._release(), *given]

    def _event(self, text: str, node: RobotInstruction) -> Commands:
        event = commands.Signal(text, self.interpreter.place(node))
        if not self.held:
            return [event]
        self.held.append(event)
        return []

    def _assume(self, text: str, cure: str = "") -> None:
        at = self.interpreter.source.place(self.interpreter.now)
        self.assumed.setdefault(text, commands.Assumed(text, at, cure))

    def untold(self, what: str) -> float:
        """What only the controller knows."""
        self._assume(f"{what} is taken to be 0")
        return 0.0

    # Events
    def signal(self, node: RobotInstruction, *numbers: float) -> Commands:
        self.outputs |= {abs(round(value)): value > 0.0 for value in numbers}
        return self._event(f"SIGNAL {', '.join(map(number_text, numbers))}", node)

    def reset(self, node: RobotInstruction) -> Commands:
        self.outputs.clear()
        return self._event("RESET", node)

    def is_on(self, *numbers: float) -> bool:
        """Are all these signals on, and off where the number is negative?"""
        return all(self._is_on(abs(round(n))) is (n > 0.0) for n in numbers)

    def _is_on(self, number: int) -> bool:
        if number in self.dialect.inputs:
            return True
        if number not in self.outputs and number >= FIRST_INPUT:
            self._assume(f"signal {number} is taken to be off", f"--set inputs={number}")
        return self.outputs.get(number, False)

    def set_bits(self, node: RobotInstruction, first: float, *given: float) -> Commands:
        """So many signals as the digits of a binary number, the lowest first."""
        count, value = (1.0, *given)[-2:]
        known = self._bits(first, count)
        if value != round(value) or not 0 <= value < 2 ** len(known):
            raise Wrong(f"{value:g} in {len(known)} bits", f"a whole number from 0 to {2 ** len(known) - 1}")
        self.outputs |= {number: bool(round(value) >> k & 1) for k, number in enumerate(known)}
        return self._event(self.printer.instruction(node), node)

    def bits_of(self, first: float, count: float = 1.0) -> float:
        return float(sum(self._is_on(number) << k for k, number in enumerate(self._bits(first, count))))

    def _bits(self, first: float, count: float) -> range:
        if first != round(first) or count != round(count) or first < 1 or not 1 <= count <= MOST_BITS:
            raise Wrong(f"{count:g} signals from {first:g} on", f"1 to {MOST_BITS} of them, from 1 on")
        return range(round(first), round(first) + round(count))

    # Time
    def set_timer(self, node: RobotInstruction, number: float, value: float) -> Commands:
        self.timers[round(number)] = value
        return ()

    def timer(self, number: float) -> float:
        """How much time has passed is not known before the motions are timed."""
        self._assume(f"TIMER({number:g}) is taken to be {READING:g} s later each time that it is read")
        now = self.timers.get(round(number), 0.0)
        self.timers[round(number)] = now + READING
        return now

    def wait(self, node: RobotInstruction, condition: syntax.Expression | None = None) -> Commands:
        place, time = self.interpreter.place(node), self.dialect.wait_seconds
        rest = [commands.Dwell(time, place)] if time else []
        return self._after_stop(commands.Signal(self.printer.instruction(node), place), *rest)

    def type(self, node: RobotInstruction, *given: Value) -> Commands:
        return self._event("TYPE " + " ".join(filter(None, map(_shown, given))), node)

    def prompt(self, node: RobotInstruction, text: str, *names: syntax.Expression) -> Commands:
        for name in names:
            self.interpreter.assign(name, "" if getattr(name, "name", "").startswith("$") else 0.0)
        return self._event(f"{node.word} {text}", node)

    def read_device(self, node: RobotInstruction, unit: float, *names: syntax.Expression) -> Commands:
        """What a device would say is not known: numbers are 0, texts are empty."""
        self._assume(f"what READ ({unit:g}) reads is taken to be 0")
        return self.prompt(node, f"({unit:g})", *names)


def _shown(value: Value) -> str:
    match value:
        case float():
            return number_text(value)
        case str():
            return value
        case Location():
            return "(" + ", ".join(f"{x:g}" for x in value.position) + ")"
        case JointPoint():
            return "#(" + ", ".join(f"{x:g}" for x in value.values) + ")"
        case _:
            return kind_of(value)
