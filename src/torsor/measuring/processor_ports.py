"""What the processor does in a cycle, measured: the clock by a chain of additions, each of which waits for the one
before it and takes a cycle; its ports by instructions that wait for nobody.

Nothing is looked up. Where the figures do not look like those of a processor, or there is no machine code, they are not
known.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import ceil, inf

from torsor.emit import native
from torsor.emit.precision import Precision
from torsor.emit.writer import Writer, mangled
from torsor.measuring.stopwatch import TimedWork, sampled

CHAIN = 256  # additions in one pass of the loop: what the loop itself takes runs beside them
LINKS = 16  # instructions of each chain in one pass
PASSES = 200
TRIES, TURNS = 30, 4
CHAINS = 12, 10  # of multiplications and of additions side by side, as many as wait for nobody
FEWER = 8, 6  # where both together, and two numbers more, are to fit into 16 registers
# A rate just below a whole number is that number of ports, of which some turns were lost to the rest of the loop. With
# fewer chains one of four ports may be missed, which matters only to what adds half as often as it multiplies.
LOST = 0.3
MOST = 8  # ports of a kind: no processor has more


@dataclass(frozen=True)
class PortRates:
    """Packed instructions a cycle: multiplications and fused multiply-adds, additions, both together. ``division``:
    cycles that one occupies the divider."""

    multiply: int
    add: int
    both: int
    division: float

    def cycles(self, multiplications: int, additions: int, divisions: int) -> float:
        """The least that so many take, were nothing waited for."""
        ports = multiplications / self.multiply, additions / self.add, (multiplications + additions) / self.both
        return max(*ports, divisions * self.division)


@cache
def cycle() -> TimedWork:
    """Work of which one evaluation takes one cycle."""
    return TimedWork(_repeated(_chain_ir()), PASSES * CHAIN)


def clock() -> float:
    """Cycles a second, at their best."""
    return 1.0 / min(sampled(cycle(), TURNS) for _ in range(TRIES))


@cache
def port_rates(lanes: int, real: Precision) -> PortRates | None:
    """Of vectors of so many lanes; None where they cannot be told."""
    many, together = CHAINS, CHAINS if native.this_machine().registers == 32 else FEWER
    multiply, add, both, division = (
        _each_cycle(_arithmetic_ir(lanes, real, kinds), LINKS * sum(kinds.values()))
        for kinds in (
            {"fma": many[0]},
            {"fadd": many[1]},
            {"fma": together[0], "fadd": together[1]},
            {"fdiv": many[1]},
        )
    )
    ports = [ceil(rate - LOST) for rate in (multiply, add, both)]
    if min(ports) < 1 or max(ports) > MOST or division <= 0.0:
        return None
    return PortRates(ports[0], ports[1], ports[2], 1.0 / division)


def cycles_of(work: TimedWork) -> float:
    """Of one evaluation, at its best: whoever else runs on the core takes turns away, and nobody can add any."""
    chain = cycle()
    best, shortest = inf, inf
    for _ in range(TRIES):
        best, shortest = min(best, sampled(work, TURNS)), min(shortest, sampled(chain, TURNS))
    return best / shortest


def _each_cycle(ir: str, count: int) -> float:
    """How many of its ``count`` instructions a loop does in a cycle."""
    return 1.0 / cycles_of(TimedWork(_repeated(ir), PASSES * count))


def _repeated(ir: str) -> Callable[[int], None]:
    host = native.this_machine()
    symbols = ("torsor_probe",)
    (address,) = native.addresses(native.compiled(ir, host, symbols), symbols)
    probe = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(address)

    def run(times: int, kept: object = address) -> None:
        for _ in range(times):
            probe(PASSES)

    return run


def _chain_ir() -> str:
    """Additions and exclusive ors in turn: nothing that a compiler, or a processor, could join."""
    w = Writer(1)
    with w.loop("pass", "%n"):
        w.do("%x = phi i64 [ 1, %entry ], [ %last, %pass.body ]")
        # LLVM wants phis first in their block, and the loop's own comes before: this one goes beside it
        w.lines.insert(w.lines.index("pass:") + 1, w.lines.pop())
        value = "%x"
        for k in range(CHAIN):
            value = w.let(f"{'add' if k % 2 else 'xor'} i64 {value}, %n")
        w.do(f"%last = add i64 {value}, 0")
    w.do("ret i64 %x")
    return w.function("i64 @torsor_probe(i64 %n)")


def _arithmetic_ir(lanes: int, real: Precision, kinds: dict[str, int]) -> str:
    """Chains of each kind side by side, each of LINKS instructions a pass."""
    w = Writer(lanes, real)
    count = w.let(f"uitofp i64 %n to {real.name}")
    small, one = (_splat(w, w.let(f"fdiv {real.name} {top}, {count}")) for top in ("1.0", count))
    chains = [f"%{kind}{k}" for kind, many in kinds.items() for k in range(many)]
    values = dict.fromkeys(chains, "")
    with w.loop("pass", "%n"):
        head = w.lines.index("pass:") + 1
        values = {name: name for name in chains}
        for _ in range(LINKS):
            for name, value in values.items():
                values[name] = (
                    w.fma(value, small, one)
                    if name.startswith("%fma")
                    else w.let(f"{name[1:5]} {w.type} {one}, {value}")
                )
        for k, (name, value) in enumerate(values.items()):  # chains that start alike would be one
            w.lines.insert(head, f"  {name} = phi {w.type} [ {w.const(1.5 + k)}, %entry ], [ {value}, %pass.body ]")
    total = chains[0]
    for name in chains[1:]:
        total = w.add(total, name)
    if lanes > 1:
        total = w.let(f"extractelement {w.type} {total}, i32 0")
    w.do(f"%result = fptosi {real.name} {total} to i64")
    w.do("ret i64 %result")
    declared = f"declare {w.type} @llvm.fma.{mangled(lanes, real)}({', '.join([w.type] * 3)})"
    bits = max(256, lanes * real.bits)
    attributes = f'attributes #0 = {{ nounwind "min-legal-vector-width"="{bits}" "prefer-vector-width"="{bits}" }}'
    return "\n".join([declared, w.function("i64 @torsor_probe(i64 %n) #0"), attributes])


def _splat(w: Writer, value: str) -> str:
    if w.lanes == 1:
        return value
    first = w.let(f"insertelement {w.type} poison, {w.real.name} {value}, i32 0")
    return w.let(f"shufflevector {w.type} {first}, {w.type} poison, <{w.lanes} x i32> zeroinitializer")
