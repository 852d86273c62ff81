"""What RAPID's instructions around motion do: signals, waits, counters, clocks, texts and answers of an operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torsor.motion import commands
from torsor.motion.commands import Command
from torsor.programs import syntax
from torsor.programs.project_language import ProjectLowering
from torsor.programs.project_memory import shown
from torsor.programs.syntax import RobotInstruction
from torsor.programs.values import Absent, Value
from torsor.programs.waits import wait_for

Commands = Sequence[Command]
OTHER_THAN = {"noteq": "other than", "neq": "other than", "lt": "less than", "gt": "greater than"}


class RapidSignals(ProjectLowering):
    def __init__(self) -> None:
        self.outputs: dict[str, Value] = {}

    def special(self, key: str, node: syntax.Name) -> Value | None:
        """An output that the program has set."""
        return self.outputs.get(key)

    def signal_name(self, node: syntax.Expression) -> str:
        """The name of a signal; of one that was handed over as an argument, what was handed over."""
        if isinstance(node, syntax.Name):
            cell = self.interpreter.known(node)
            value = None if cell is None else cell.value
            return value.name if isinstance(value, Absent) and value.name else node.name
        if isinstance(node, syntax.Index) and isinstance(node.base, syntax.Name):
            return f"{node.base.name}{{{','.join(str(self.interpreter.whole(each)) for each in node.indices)}}}"
        return "a signal"

    def _said(self, node: RobotInstruction, text: str) -> Commands:
        return [commands.Signal(text, self.interpreter.place(node))]

    def set_output(
        self, node: RobotInstruction, signal: syntax.Expression, value: Value = 1.0, /, **opt: Any
    ) -> Commands:
        name = self.signal_name(signal)
        if node.word.lower() == "reset":
            value = 0.0
        if isinstance(value, Absent):
            value = 0.0
        self.outputs[name.lower()] = value
        return self._said(node, f"{node.word} {name} {value if isinstance(value, str) else f'{value:g}'}")

    def pulse(self, node: RobotInstruction, signal: syntax.Expression, /, **opt: Any) -> Commands:
        return self._said(node, f"{node.word} {self.signal_name(signal)}")

    def input_of(self, signal: syntax.Expression) -> Value:
        """The value of a signal, as the world tells it."""
        name = self.signal_name(signal)
        if name.lower() in self.outputs:
            return self.outputs[name.lower()]
        return self.interpreter.ask(signal.at, name, 0.0, f"the signal {name}")

    def wait_signal(self, node: RobotInstruction, signal: syntax.Expression, value: Value, /, **opt: Any) -> Commands:
        name = self.signal_name(signal)
        other = next((text for option, text in OTHER_THAN.items() if option in opt), "")
        if other:
            text = f"the signal {name} is taken to become {other} {shown(value)}"
            if not self.interpreter.world.knows(name):
                self.interpreter.assume(node.at, f"wait {name} {other}", text, f"--set {name}=...")
        elif self.outputs.get(name.lower()) != value:
            self.interpreter.wait(node.at, name, value, f"the signal {name}")
        self._in_time(opt)
        rest = (
            [commands.Dwell(self.assumed.wait_seconds, self.interpreter.place(node))]
            if self.assumed.wait_seconds
            else []
        )
        return [*self._said(node, f"{node.word} {name}"), *rest]

    def _in_time(self, opt: dict[str, Any]) -> None:
        """A wait that is fulfilled was not too late."""
        for name in ("timeflag",):
            flag = opt.get(name)
            if isinstance(flag, syntax.Name | syntax.Index | syntax.Member):
                self.interpreter.assign(flag, False)

    assumed: Any

    def wait_until(self, node: RobotInstruction, condition: syntax.Expression, /, **opt: Any) -> Commands:
        if not self.interpreter.is_told_to_hold(condition):
            wait_for(self.interpreter, node.at, condition)
        self._in_time(opt)
        return self._said(node, node.word)

    def count(self, node: RobotInstruction, place: syntax.Expression, by: Value = 1.0, /, **opt: Any) -> Commands:
        """Incr, Decr, Add, Clear."""
        word, now = node.word.lower(), self.interpreter.evaluate(place)
        now = 0.0 if not isinstance(now, float) else now
        by = 0.0 if not isinstance(by, float) else by
        changed = {"incr": now + 1.0, "decr": now - 1.0, "add": now + by, "clear": 0.0}[word]
        self.interpreter.assign(place, changed)
        return ()

    def get_data(self, node: RobotInstruction, name: Value, place: syntax.Expression, /, **opt: Any) -> Commands:
        """GetDataVal: the value of what a text names, into a place."""
        cell = self.interpreter.known(syntax.Name(name, at=node.at)) if isinstance(name, str) else None
        if cell is not None and cell.value is not None:
            self.interpreter.assign(place, cell.value)
        else:
            text = f"the data {name} is in no file: what {node.word} reads is left as it was"
            self.interpreter.assume(node.at, f"data {name}", text, "add its file")
        return ()

    def set_data(self, node: RobotInstruction, name: Value, value: Value, /, **opt: Any) -> Commands:
        """SetDataVal: a value into what a text names."""
        named = syntax.Name(name, at=node.at) if isinstance(name, str) else None
        if named is not None and self.interpreter.known(named) is not None:
            self.interpreter.assign(named, value)
        return ()

    def bits(self, node: RobotInstruction, place: syntax.Expression, bit: Value, /, **opt: Any) -> Commands:
        now = self.interpreter.evaluate(place)
        if isinstance(now, float) and isinstance(bit, float) and 1 <= bit <= 52:
            mask = 1 << (int(bit) - 1)
            value = int(now) | mask if node.word.lower() == "bitset" else int(now) & ~mask
            self.interpreter.assign(place, float(value))
        return ()

    def answer(self, node: RobotInstruction, place: syntax.Expression, /, *given: Any, **opt: Any) -> Commands:
        """An operator answers: as the world tells, else with the first key, or with 0 where a number is asked for."""
        name = syntax.base(place)
        key = f"{node.word}" if name is None else name.name
        keys = [k for k, text in enumerate(given[1:], start=1) if text != ""] if node.word.lower() == "tpreadfk" else []
        nothing = float(keys[0]) if keys else 0.0
        told = self.interpreter.ask(node.at, key, nothing, f"the answer to {node.word}, {key},")
        self.interpreter.assign(place, told)
        return self._said(node, node.word)

    def received(self, node: RobotInstruction, /, *given: Any, **opt: Any) -> Commands:
        """Texts and numbers from outside, into whatever place is named for them."""
        for place, nothing in ((opt.get("str"), ""), (opt.get("time"), None)):
            if nothing is not None and isinstance(place, syntax.Name | syntax.Index | syntax.Member):
                name = syntax.base(place)
                key = "message" if name is None else name.name
                told = self.interpreter.ask(node.at, key, nothing, f"what {node.word} receives, {key},")
                self.interpreter.assign(place, told)
        name = None if opt.get("data") is None else syntax.base(opt["data"])
        if name is not None and not self.interpreter.world.knows(name.name):
            text = f"what {node.word} receives, {name.name}, is not known: it is left as it was"
            self.interpreter.assume(node.at, f"input {name.name}", text, f"--set '{name.name}=[...]'")
        return self._said(node, node.word)

    def unpacked(
        self, node: RobotInstruction, raw: Value, index: Value, place: syntax.Expression, /, **opt: Any
    ) -> Commands:
        """UnpackRawBytes: what came from outside, of whatever type the place has."""
        name = syntax.base(place)
        now = self.interpreter.evaluate(place)
        nothing: Value = "" if isinstance(now, str) else 0.0
        if name is not None:
            what = f"what {node.word} takes out, {name.name},"
            self.interpreter.assign(place, self.interpreter.ask(node.at, name.name, nothing, what))
        return ()

    def read_bits(self, node: RobotInstruction, /, *given: Any, **opt: Any) -> Commands:
        return self._said(node, node.word)

    def event(self, node: RobotInstruction, /, *given: Any, **opt: Any) -> Commands:
        """Something that is only told: a text, an output of a process."""
        return self._said(node, node.word)

    def led(self, node: RobotInstruction, /, *given: Any, **opt: Any) -> Commands:
        """EGM: somebody outside says where the arm goes."""
        key, text = f"leads what leads {node.word}", "motion that is led from outside is not in the program"
        self.interpreter.assume(node.at, key, f"{node.word}: {text}")
        return ()

    def stops(self, node: RobotInstruction, /, *given: Any, **opt: Any) -> Commands:
        """Stop and its like: somebody starts the program again."""
        self.interpreter.assume(
            node.at, f"stop {node.at}", f"{node.word}: somebody is taken to start the program again"
        )
        return self._said(node, node.word)
