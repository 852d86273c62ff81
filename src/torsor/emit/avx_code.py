"""The batch kernel as x86-64 assembly: its instructions in order, each value in one of 16 registers or laid aside.

    int64 torsor_groups(int64 groups, const int64 operands[])        operands: address and stride of each array

computes groups of four rows and returns how many are left: none, or those from the first on that has an angle for the
scalar kernel. When a register is wanted, the value that is wanted latest goes (Belady 1966), first of those that lie in
memory anyway; LLVM lays aside half as many again and moves more. Operands come from memory where the instruction takes
them from there and nobody wants them soon.
"""

from __future__ import annotations

from typing import NamedTuple

from torsor.emit.avx_graph import LOADS, STORES, AvxGraph

ENTRY = "torsor_groups"
REGISTERS = 16
# Instructions: what is wanted again within so many is fetched into a register, and kept even if it lies in memory too.
# With fewer there are more loads, of which two start in a cycle: at 3, Panda's forward dynamics take 1.05 of this time.
SOON = 12
NEVER = 1 << 60
LETTER = {"add": "vaddpd", "sub": "vsubpd", "mul": "vmulpd", "div": "vdivpd", "and": "vandpd", "or": "vorpd"}
LETTER |= {"xor": "vxorpd", "low": "vunpcklpd", "high": "vunpckhpd", "sqrt": "vsqrtpd", "blend": "vblendvpd"}
LETTER |= {"left": "vpsllq", "right": "vpsrlq", "greater": "vcmppd", "min": "vminpd", "max": "vmaxpd"}
ENDING = {"greater": ", 30"}  # greater, false of NaN
FUSED = {"fma": "vfmadd", "fms": "vfmsub", "fnma": "vfnmadd"}
SWAPPED = frozenset(("add", "mul", "and", "or", "xor"))  # whose operands may change places
SECOND = frozenset(("sub", "div", "min", "max", "low", "high", "greater", "blend"))  # whose second may lie in memory
# General registers: of an array its address, its stride and three strides. Of more arrays than four those that were
# used last have them. `rsi` points to addresses and strides of all.
POINTERS = ("rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "rbx", "r12", "r13", "r14", "r15")
KEPT = ("rbx", "r12", "r13", "r14", "r15")  # that belong to the caller


class RowPlace(NamedTuple):
    """Registers of an array."""

    start: str
    thrice: str
    stride: str

    def row(self, number: int, column: int) -> str:
        beyond = ("", f" + {self.stride}", f" + 2*{self.stride}", f" + {self.thrice}")[number]
        return f"[{self.start}{beyond} + {8 * column}]"

    def fetched(self, array: int) -> list[str]:
        return [
            f"\tmov {self.start}, [rsi + {16 * array}]",
            f"\tmov {self.stride}, [rsi + {16 * array + 8}]",
            f"\tlea {self.thrice}, [{self.stride} + 2*{self.stride}]",
        ]


PLACES = tuple(RowPlace(*POINTERS[k : k + 3]) for k in range(0, len(POINTERS), 3))


class AvxCode:
    """Writes instructions one by one; ``lines`` are those written so far."""

    def __init__(self, graph: AvxGraph, order: list[int], arrays: int) -> None:
        self.nodes, self.order = graph.nodes, order
        # Arrays whose registers are set, the one that was used last at the end.
        self.rows = dict(zip(range(arrays), PLACES, strict=False)) if arrays <= len(PLACES) else {}
        self.lines: list[str] = []
        self.constants: dict[int, int] = {}  # bits -> place
        self.slots = 0  # of the stack
        self._uses: dict[int, list[int]] = {}  # latest first
        for at in reversed(range(len(order))):
            for a in self.nodes[order[at]].args:
                self._uses.setdefault(a, []).append(at)
        self._at = 0
        self._holder: list[int | None] = [None] * REGISTERS
        self._register: dict[int, int] = {}
        self._slot: dict[int, int] = {}
        self._free: list[int] = []
        for self._at, k in enumerate(order):
            self._instruction(k)

    def _instruction(self, k: int) -> None:
        op, args, given = self.nodes[k]
        if op in LOADS:
            register, row = self._taken(set()), int(op == "odd")
            place = self._rows_of(given[0])
            self._do(f"vmovupd xmm{register}, {place.row(row, given[1])}")
            self._do(f"vinsertf128 ymm{register}, ymm{register}, {place.row(row + 2, given[1])}, 1")
            self._hold(k, register)
            return
        memory = self._at_hand(op, args)
        if op in STORES:
            row, register, place = int(op == "store odd"), self._register[args[0]], self._rows_of(given[0])
            self._do(f"vmovupd {place.row(row, given[1])}, xmm{register}")
            self._do(f"vextractf128 {place.row(row + 2, given[1])}, ymm{register}, 1")
            self._release(args)
        elif op == "leave":
            mask = self._text(args[0])
            self._do(f"vtestpd {mask}, {mask}")
            self._do("jne .Ltorsor_groups_end")
            self._release(args)
        elif op in FUSED:
            self._fused(k, memory)
        else:
            x, *others = args[::-1] if op in SWAPPED and args[0] == memory else args
            operands = [self._text(a) for a in (x, *others)] + [str(places) for places in given]
            dead = [self._register[a] for a in args if a in self._register and self._next(a) == NEVER]
            register = dead[0] if dead else self._taken({self._register[a] for a in args if a in self._register})
            self._do(f"{LETTER[op]} ymm{register}, {', '.join(operands)}{ENDING.get(op, '')}")
            self._release(args)
            self._hold(k, register)

    def _fused(self, k: int, memory: int | None) -> None:
        """a*b + c in the register of one of the three, which is lost: one that nobody wants, or that lies in memory."""
        op, (a, b, c), _ = self.nodes[k]
        once = [v for v in dict.fromkeys((a, b, c)) if (a, b, c).count(v) == 1]
        held = [v for v in once if v in self._register]
        lost = next((v for v in held if self._next(v) == NEVER), None)
        if lost is None:
            lost = next((v for v in held if self._in_memory(v) and self._next(v) - self._at > SOON), None)
        if lost is not None:
            register = self._register.pop(lost)
        else:
            register = self._taken({self._register[v] for v in (a, b, c) if v in self._register})
            lost = c if memory is None else memory
            self._do(f"vmovapd ymm{register}, {self._text(lost)}")
        here, word = f"ymm{register}", FUSED[op]
        x, y, z = (here if v == lost and (v in once or v == memory) else self._text(v) for v in (a, b, c))
        if lost == c:
            first, second = (y, x) if x.startswith("[") else (x, y)
            self._do(f"{word}231pd {here}, {first}, {second}")
        else:
            other = y if lost == a else x
            if other.startswith("["):
                self._do(f"{word}132pd {here}, {z}, {other}")
            else:
                self._do(f"{word}213pd {here}, {other}, {z}")
        self._holder[register] = None
        self._release((a, b, c))
        self._hold(k, register)

    def _rows_of(self, array: int) -> RowPlace:
        """The registers of an array; if it has none, of the one that was used least lately."""
        place = self.rows.pop(array, None)
        if place is None:
            place = PLACES[len(self.rows)] if len(self.rows) < len(PLACES) else self.rows.pop(next(iter(self.rows)))
            self.lines += place.fetched(array)
        self.rows[array] = place
        return place

    def _at_hand(self, op: str, args: tuple[int, ...]) -> int | None:
        """All operands in registers but one, if the instruction takes it from memory and nobody wants it soon."""
        away = [a for a in dict.fromkeys(args) if a not in self._register]
        able = [a for a in away if args.count(a) == 1 and self._takes_memory(op, args.index(a))]
        memory = max(able, key=lambda a: (self._next(a), a)) if able else None
        if memory is not None and self._next(memory) - self._at <= SOON:
            memory = None
        kept = {self._register[a] for a in args if a in self._register}
        for a in away:
            if a != memory:
                register = self._taken(kept)
                self._do(f"vmovapd ymm{register}, {self._text(a)}")
                self._hold(a, register)
                kept.add(register)
        return memory

    @staticmethod
    def _takes_memory(op: str, place: int) -> bool:
        if op in FUSED or op in SWAPPED:
            return True
        return op == "sqrt" or (op in SECOND and place == 1)

    def _taken(self, kept: set[int]) -> int:
        """A free register, or that of the value which is wanted latest."""
        if None in self._holder:
            return self._holder.index(None)

        def how_late(register: int) -> tuple[bool, int, int]:
            value = self._holder[register]
            assert value is not None
            wanted = self._next(value)
            return self._in_memory(value) and wanted - self._at > SOON, wanted, register

        register = max((r for r in range(REGISTERS) if r not in kept), key=how_late)
        value = self._holder[register]
        assert value is not None
        if not self._in_memory(value):
            if not self._free:
                self._free.append(self.slots)
                self.slots += 1
            self._slot[value] = self._free.pop()
            self._do(f"vmovapd {self._memory(value)}, ymm{register}")
        del self._register[value]
        self._holder[register] = None
        return register

    def _release(self, args: tuple[int, ...]) -> None:
        """Whatever nobody wants any more."""
        for a in args:
            if self._next(a) == NEVER:
                if a in self._register:
                    self._holder[self._register.pop(a)] = None
                if a in self._slot:
                    self._free.append(self._slot.pop(a))

    def _hold(self, value: int, register: int) -> None:
        self._register[value] = register
        self._holder[register] = value

    def _next(self, value: int) -> int:
        """The instruction after this one that wants a value."""
        uses = self._uses.get(value, [])
        while uses and uses[-1] <= self._at:
            uses.pop()
        return uses[-1] if uses else NEVER

    def _in_memory(self, value: int) -> bool:
        return value in self._slot or self.nodes[value].op == "const"

    def _text(self, value: int) -> str:
        return f"ymm{self._register[value]}" if value in self._register else self._memory(value)

    def _memory(self, value: int) -> str:
        if value in self._slot:
            return f"[rsp + {32 * self._slot[value]}]"
        bits = self.nodes[value].given[0]
        return f"[rip + .Ltorsor_vectors + {32 * self.constants.setdefault(bits, len(self.constants))}]"

    def _do(self, text: str) -> None:
        self.lines.append(f"\t{text}")


def assembly_of(graph: AvxGraph, order: list[int], arrays: int) -> list[str]:
    """Lines of assembly for Linux: the function, and its constants as whole vectors."""
    code = AvxCode(graph, order, arrays)
    if arrays <= len(PLACES):
        before = [line for k, place in code.rows.items() for line in place.fetched(k)]
        after = [f"\tlea {place.start}, [{place.start} + 4*{place.stride}]" for place in code.rows.values()]
    else:
        before, after = [], [line for k in range(arrays) for line in _moved_on(k)]
    return [
        ".intel_syntax noprefix",
        ".text",
        ".p2align 6",
        f"{ENTRY}:",
        "\tpush rbp",
        "\tmov rbp, rsp",
        *(f"\tpush {register}" for register in KEPT),
        f"\tsub rsp, {32 * code.slots}",
        "\tand rsp, -64",
        *before,
        "\ttest rdi, rdi",
        "\tje .Ltorsor_groups_end",
        ".p2align 6",
        ".Ltorsor_groups_loop:",
        *code.lines,
        *after,
        "\tdec rdi",
        "\tjne .Ltorsor_groups_loop",
        ".Ltorsor_groups_end:",
        "\tmov rax, rdi",
        f"\tlea rsp, [rbp - {8 * len(KEPT)}]",
        *(f"\tpop {register}" for register in reversed(KEPT)),
        "\tpop rbp",
        "\tvzeroupper",
        "\tret",
        ".Lfunc_end_torsor_groups:",
        '.section .rodata.torsor,"a",@progbits',
        ".p2align 6",
        ".Ltorsor_vectors:",
        *(f"\t.quad {', '.join([f'0x{bits:x}'] * 4)}" for bits in code.constants),
        ".text",
        ".att_syntax",
    ]


def _moved_on(array: int) -> list[str]:
    return [f"\tmov rax, [rsi + {16 * array + 8}]", "\tshl rax, 2", f"\tadd [rsi + {16 * array}], rax"]
