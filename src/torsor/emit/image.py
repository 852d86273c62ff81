"""Machine code as one flat block that is loaded without LLVM.

An object file of ours refers to nothing outside itself, and on x86-64 its parts refer to each other by distance
alone. So the parts can be laid side by side and the distances filled in once; the result runs wherever it is copied
to. Its only cells, those of `torsor_table`, come behind the code and are filled when it is loaded. A process that
finds its kernel in the cache never imports llvmlite, which takes longer than everything else.
"""

from __future__ import annotations

import mmap
import struct
import sys
from collections import namedtuple

from torsor.emit import arena

MAGIC = b"torsor-image-2\0\0"
LINE = 64  # bytes: what code and cells are aligned to
ALLOCATED, NO_BITS, RELA, SYMBOLS, UNWIND = 2, 8, 4, 2, 0x70000001
WRITABLE = 1
X86_64 = 62
PC32, PLT32, PC64 = 2, 4, 24


def supported() -> bool:
    return sys.platform == "linux" and struct.calcsize("P") == 8 and hasattr(mmap, "PROT_EXEC")


def image_from(obj: bytes, symbols: tuple[str, ...]) -> bytes | None:
    """Flatten an ELF object; None when it is of another kind or refers to something outside."""
    if obj[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<H", obj, 18)[0] != X86_64:
        return None
    sections = _sections(obj)
    kept = [(i, s) for i, s in enumerate(sections) if s.flags & ALLOCATED and s.type != UNWIND and s.size]
    code = [(i, s) for i, s in kept if not s.flags & WRITABLE]
    cells = [(i, s) for i, s in kept if s.flags & WRITABLE]
    whole = all(s.type != NO_BITS for _, s in code) and all(s.type == NO_BITS for _, s in cells) and len(cells) <= 1
    if not whole or any(s.align > LINE for _, s in kept):
        return None
    place: dict[int, int] = {}
    code_size = -(-_lay_out(code, 0, place) // LINE) * LINE
    total = _lay_out(cells, code_size, place)
    block = bytearray(code_size)
    for i, s in code:
        block[place[i] : place[i] + s.size] = obj[s.offset : s.offset + s.size]

    table = next(s for s in sections if s.type == SYMBOLS)
    addresses, names = _symbols(obj, table, sections[table.link], place)
    inside = [s for s in sections if s.type == RELA and s.info in place]
    if not all(_relocate(obj, s, place[s.info], addresses, block) for s in inside) or not names.keys() >= set(symbols):
        return None
    offsets = struct.pack(f"<{len(symbols)}Q", *(names[name] for name in symbols))
    return MAGIC + struct.pack("<QQQ", len(symbols), code_size, total - code_size) + offsets + bytes(block)


def load(image: bytes, table: bytes) -> tuple[object, list[int]]:
    """Copy an image into executable memory, with what its cells hold: its token, and the addresses of its symbols."""
    count, code_size, cells = struct.unpack_from("<QQQ", image, len(MAGIC))
    at = len(MAGIC) + 24 + 8 * count
    offsets = struct.unpack_from(f"<{count}Q", image, len(MAGIC) + 24)
    if len(image) != at + code_size or cells > len(table) or any(o >= code_size + cells for o in offsets):
        raise OSError("damaged image")
    address, token = arena.place(image[at:] + table[:cells])
    return token, [address + o for o in offsets]


ElfSection = namedtuple("ElfSection", "name type flags address offset size link info align entry")


def _sections(obj: bytes) -> list[ElfSection]:
    (start,) = struct.unpack_from("<Q", obj, 40)
    size, count = struct.unpack_from("<HH", obj, 58)
    return [ElfSection(*struct.unpack_from("<IIQQQQIIQQ", obj, start + i * size)) for i in range(count)]


def _lay_out(chosen: list[tuple[int, ElfSection]], end: int, place: dict[int, int]) -> int:
    for i, s in chosen:
        align = max(1, s.align)
        place[i] = -(-end // align) * align
        end = place[i] + s.size
    return end


def _symbols(
    obj: bytes, table: ElfSection, strings: ElfSection, place: dict[int, int]
) -> tuple[list[int | None], dict[str, int]]:
    """The place of every symbol in the image (None for what is not in it), by number and by name."""
    addresses: list[int | None] = []
    names: dict[str, int] = {}
    for at in range(table.offset, table.offset + table.size, 24):
        name, _, _, section, value, _ = struct.unpack_from("<IBBHQQ", obj, at)
        address = place[section] + value if section in place else None
        addresses.append(address)
        if address is not None and name:
            begin = strings.offset + name
            names[obj[begin : obj.index(b"\0", begin)].decode()] = address
    return addresses, names


def _relocate(obj: bytes, rela: ElfSection, base: int, addresses: list[int | None], block: bytearray) -> bool:
    for at in range(rela.offset, rela.offset + rela.size, 24):
        offset, info, addend = struct.unpack_from("<QQq", obj, at)
        kind, address = info & 0xFFFFFFFF, addresses[info >> 32]
        if address is None or kind not in (PC32, PLT32, PC64):
            return False
        here = base + offset
        struct.pack_into("<q" if kind == PC64 else "<i", block, here, address + addend - here)
    return True
