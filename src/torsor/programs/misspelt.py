"""Names that are most likely slips of the pen: one letter too many, too few, another, or two that changed places.

Names of data come in families (p10 and p20, diOpen and doOpen, gripL and gripR), so that not everything close is a
slip: a digit, the first letter, a capital at the end and one that stands alone tell members of a family apart. A
capital that was put into a word (MoveRL), and a small letter before it (rMoveL), make a name of it that somebody
chose.
"""

from __future__ import annotations

from collections.abc import Iterable

SHORTEST = 4  # of the name that was meant; of it one letter may be missing


def slip_of(name: str, known: Iterable[str], *, family: bool = True, shortest: int = SHORTEST) -> str | None:
    """The name that was meant, where that is beyond reasonable doubt; ``shortest``: fewer letters are no evidence.

    >>> slip_of("MoevL", ["MoveL", "MoveJ"]), slip_of("pHme", ["pHome"]), slip_of("p11", ["p10", "p12"])
    ('MoveL', 'pHome', None)
    """
    found = slips_of(name, known, family=family, shortest=shortest)
    return found[0] if len(found) == 1 else None


def slips_of(
    name: str, known: Iterable[str], *, family: bool = True, shortest: int = SHORTEST, alike: bool = False
) -> list[str]:
    """All that may have been meant. A letter that stands twice, or two that changed places, are evidence in a name of
    one letter less, too. ``alike``: what is known is all of the sort that is needed there, so that a first letter
    which says another sort (p100 and v100, zMax and vmax) is a slip.

    >>> slips_of("movew", ["movej", "movel", "sleep"], family=False)
    ['movej', 'movel']
    >>> slips_of("coos", ["cos", "cross"]), slips_of("cosh", ["cos"])
    (['cos'], [])
    >>> slips_of("p100", ["v100"], family=False), slips_of("p100", ["v100"], family=False, alike=True)
    ([], ['v100'])
    """
    if len(name) < shortest - 1:
        return []
    near = (each for each in known if abs(len(each) - len(name)) <= 1 and len(each) >= shortest - 1)
    apart = {each for each in near if _one_apart(name, each, family=family, alike=alike)}
    return sorted(each for each in apart if len(each) >= shortest or _is_fumbled(name, each))


def _is_fumbled(written: str, meant: str) -> bool:
    """Whether a finger came down twice, or before the other: nobody tells names apart by that."""
    a, b = written.lower(), meant.lower()
    k = _first_other(a, b)
    return (len(a) == len(b) and a[k + 1 :] != b[k + 1 :]) or (len(a) > len(b) and k > 0 and a[k] == a[k - 1])


def one_letter_off(written: str, meant: str) -> bool:
    """Whether one letter or digit is too many, too few or another, or two changed places: where it is known what is
    meant there, nothing tells members of a family apart.

    >>> one_letter_off("XP12", "XP21"), one_letter_off("XP2", "XP1"), one_letter_off("XP1", "xp1")
    (True, True, False)
    """
    a, b = written.lower(), meant.lower()
    k = _first_other(a, b)
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    if len(longer) > len(shorter):
        return longer[k + 1 :] == shorter[k:]
    swapped = a[k : k + 2] == b[k : k + 2][::-1] and a[k + 2 :] == b[k + 2 :]
    return a != b and (a[k + 1 :] == b[k + 1 :] or swapped)


class Neighbours:
    """Names by what is left of them without one letter: two that are one letter off have that in common.

    >>> Neighbours(["pHome", "pHold", "pPick"]).of("pHme")
    {'pHome'}
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._by_rest: dict[str, list[str]] = {}
        for name in dict.fromkeys(names):
            for rest in _rests(name):
                self._by_rest.setdefault(rest, []).append(name)

    def of(self, name: str) -> set[str]:
        """All that may be one letter off, and a few more."""
        return {each for rest in _rests(name) for each in self._by_rest.get(rest, ())}


def _rests(name: str) -> set[str]:
    low = name.lower()
    return {low, *(low[:k] + low[k + 1 :] for k in range(len(low)))}


def _first_other(a: str, b: str) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _one_apart(written: str, meant: str, *, family: bool, alike: bool) -> bool:
    a, b = written.lower(), meant.lower()
    if not one_letter_off(a, b):
        return False
    k = _first_other(a, b)
    if len(a) == len(b):
        if a[k + 1 :] == b[k + 1 :]:  # another letter
            plain = not (a[k].isdigit() or b[k].isdigit() or "_" in (a[k], b[k]))
            if k == 0 and not alike and written[0].islower() and not written[1:2].islower():
                return False  # zMax and vmax, p100 and v100: a letter that says of what sort something is
            marks = _is_mark(written, k) and _is_mark(meant, k)
            return plain and (not family or (0 < k < len(a) - 1 and not marks))
        return not a[k : k + 2].isdigit()  # two that changed places: p12 and p21 are a family
    longer, spelled = (a, written) if len(a) > len(b) else (b, meant)
    extra = spelled[k]
    at_end = k == len(longer) - 1
    if family and at_end and extra == "s" and written is spelled and longer[k - 1] != "s":
        return False  # slots[slot]: many of them
    if extra == "_":  # between letters it means nothing, before a number it does
        return not at_end and k > 0 and not spelled[k + 1].isdigit() and not spelled[k - 1].isdigit()
    if len(a) > len(b) and _told_apart(written, k):
        return False
    doubled = k > 0 and longer[k] == longer[k - 1]  # POSS for POS is no member of a family
    if extra.isdigit():
        return doubled and not (family or at_end) and longer[k + 1].isalpha()  # E66POS; A220 is no slip of A20
    return doubled or not (family and (k == 0 or (at_end and not extra.islower())))


def _is_mark(name: str, k: int) -> bool:
    """Whether a capital there stands alone, and tells members of a family apart: left and right, first and last.

    >>> _is_mark("pickL1", 4), _is_mark("pLHome", 1), _is_mark("pHome", 1), _is_mark("PHOME", 1)
    (True, True, False, False)
    """
    before, behind = name[k - 1 : k], name[k + 1 : k + 2]
    return name[k].isupper() and not before.isupper() and not behind.islower()


def _told_apart(written: str, k: int) -> bool:
    """Whether the letter there was put in on purpose: a capital of its own, or a small one before a capital.

    >>> _told_apart("MoveRL", 4), _told_apart("rMoveL", 0), _told_apart("MoveLL", 5), _told_apart("ENDDPROC", 3)
    (True, True, False, False)
    """
    if written.isupper() or written.islower():
        return False
    if k == 0:
        return written[0].islower() and written[1].isupper()
    return written[k].isupper() and written[k - 1].lower() != written[k].lower()
