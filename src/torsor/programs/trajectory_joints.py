"""Which joints of an arm the names of a trajectory mean, and columns that are only counted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from torsor.errors import TorsorError

MEANINGLESS = ("joint", "joints", "j", "q", "axis")


def joints_meant(names: Sequence[str], joints: Sequence[str]) -> list[int | None]:
    """The joint of each name, None of one that is no joint of the arm. Prefixes, underscores and the word joint are of
    no matter, if what is left is one joint's name. A name that is a number is the joint of that number.

    >>> joints_meant(["left_elbow_joint", "finger"], ["shoulder_joint", "elbow_joint"])
    [1, None]
    >>> joints_meant(["2", "1"], ["shoulder_joint", "elbow_joint"])
    [1, 0]
    """
    plain = [_words(joint) for joint in joints]
    places = _places([int(name) for name in names if is_number(name)], joints)
    found: list[int | None] = []
    for name in names:
        if name in joints:
            found.append(joints.index(name))
        elif is_number(name):
            found.append(places.get(int(name)))
        else:
            own = "".join(_words(name))
            found.append(_only([k for k, joint in enumerate(plain) if own and "".join(joint) == own]))
    taken = {k for k in found if k is not None}
    counted = are_counted(joints)
    for position, name in enumerate(names):  # those with a prefix, of what is left: no gripper is the arm's first joint
        words = _words(name)
        if found[position] is None and not is_number(name) and (counted or not "".join(words).isdigit()):
            left = [k for k, joint in enumerate(plain) if k not in taken and _ends(words, joint)]
            found[position] = _only(left)
    _refuse_twice(names, found, joints)
    return found


def is_number(name: str) -> bool:
    """Of columns that are only counted."""
    return name.isascii() and name.isdigit()


def are_counted(joints: Sequence[str]) -> bool:
    """Whether the joints of an arm differ in their number alone, as ``panda_joint1`` ... do."""
    words = [_words(joint) for joint in joints]
    alike = {tuple(each[:-1]) for each in words}
    last = [each[-1] for each in words if each and each[-1].isdigit()]
    return len(alike) == 1 and len(set(last)) == len(joints)


def _places(numbers: Sequence[int], joints: Sequence[str]) -> dict[int, int]:
    """The joint of each number: of joints that are numbered themselves by that, else by their order from 0 or 1 on."""
    own = [int(_words(joint)[-1]) for joint in joints] if are_counted(joints) else []
    if own and set(numbers) <= set(own):
        return {number: k for k, number in enumerate(own)}
    begin = 0 if 0 in numbers else 1
    if own:  # q0, q1 for joint1, joint2
        return {number - min(own) + begin: k for k, number in enumerate(own)}
    places = {begin + k: k for k in range(len(joints))}
    named = {int(words[0]): k for k, words in enumerate(map(_words, joints)) if len(words) == 1 and words[0].isdigit()}
    return named if named and set(numbers) <= set(named) else places


def _words(name: str) -> list[str]:
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    return [word for word in re.findall(r"[^\W\d_]+|\d+", split) if word not in MEANINGLESS]


def _ends(one: list[str], other: list[str]) -> bool:
    """Whether one of the two is the other behind further words."""
    if not one or not other:
        return False
    long, short = sorted((one, other), key=len, reverse=True)
    return any("".join(long[k:]) == "".join(short) for k in range(len(long)))


def _only(found: Sequence[int]) -> int | None:
    return found[0] if len(found) == 1 else None


def _refuse_twice(names: Sequence[str], found: Sequence[int | None], joints: Sequence[str]) -> None:
    first: dict[int, str] = {}
    for name, joint in zip(names, found, strict=True):
        if joint is None:
            continue
        if joint in first:
            what = f"{name} stands twice" if name == first[joint] else f"{first[joint]} and {name} are the same joint"
            hint = f"one column for {joints[joint]}; of two arms only one can be looked at"
            raise TorsorError(f"{what} of the arm" if name != first[joint] else what, hint=hint)
        first[joint] = name
