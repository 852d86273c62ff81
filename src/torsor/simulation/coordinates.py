"""Coordinates in which sticking is exact: one for each place where dry friction acts.

z = T q. The first rows of T are those of the friction: motor angles where it acts at a motor, the joint itself where it
acts at a joint. Joints, then springs and links that bend fill up the rest. A stuck element then is a coordinate that
does not change, to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from torsor.drives.friction import Contact
from torsor.drives.gearing import Gearing
from torsor.drives.pages import row_of
from torsor.errors import Unsupported
from torsor.mechanics.transmissions import Linear
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats


@dataclass(eq=False)
class Element:
    """A coordinate on which dry friction acts: row . q, and the contacts that slide when it moves."""

    row: Floats  # (n,)
    contacts: list[Contact] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Coordinates:
    gearing: Gearing
    elements: tuple[Element, ...]
    T: Floats  # (n, n): z = T q
    B: Floats  # its inverse

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(" and ".join(contact.name for contact in element.contacts) for element in self.elements)

    def scale(self, element: Element, contact: Contact, q: Reals) -> Any:
        """Rate of a contact per rate of its element."""
        own = row_of(contact, self.gearing.slopes(q), self.gearing.n)
        j = int(np.argmax(np.abs(element.row)))
        k = own[..., j] * (1.0 / float(element.row[j]))
        return float(k) if isinstance(k, np.floating | float) else k


def coordinates_of(gearing: Gearing, contacts: tuple[Contact, ...]) -> Coordinates:
    """Contacts whose rates are always in proportion, as on both sides of a gear, make one element."""
    n = gearing.n
    elements: list[Element] = []
    for contact in filter(is_dry, contacts):
        row = _row(gearing, contact)
        for element in elements:
            across = np.outer(element.row, row) - np.outer(row, element.row)
            if np.abs(across).max() <= 1e-12 * np.abs(element.row).max() * np.abs(row).max():
                element.contacts.append(contact)
                break
        else:
            elements.append(Element(row, [contact]))
    T = _filled(np.array([element.row for element in elements]).reshape(-1, n), gearing)
    B: Floats = np.asarray(np.linalg.inv(T), dtype=np.float64)
    B[np.abs(B) <= 1e-15 * np.abs(B).max(axis=0)] = 0.0
    return Coordinates(gearing, tuple(elements), T, B)


def is_dry(contact: Contact) -> bool:
    law = contact.law
    return bool(law.load or any(law.coulomb) or any(law.starting or ()))


def _row(gearing: Gearing, contact: Contact) -> Floats:
    n = gearing.n
    if contact.motor is None:
        return np.array(np.eye(n)[contact.joint])
    transmission = gearing.transmissions[contact.motor]
    if isinstance(transmission, Linear):
        return np.concatenate([transmission.ratio, np.zeros(gearing.more)])
    q = np.random.default_rng(0).uniform(-1.0, 1.0, size=(7, n))
    slopes = gearing.slopes(q)[:, contact.motor, :]
    largest = int(np.argmax(np.abs(slopes).max(axis=0)))
    with np.errstate(divide="ignore", invalid="ignore"):
        rows = np.round(slopes / slopes[:, largest : largest + 1], 12)  # what is left of rounding decides nothing
    if not (rows == rows[0]).all():
        text = f"{contact.name} of {gearing.model.name!r} has dry friction behind a linkage of several joints"
        hint = "put the friction on the joint side, or use a linkage of one joint, or of one sum of joints"
        raise Unsupported(text, hint=hint)
    return np.asarray(rows[0])


def _filled(rows: Floats, gearing: Gearing) -> Floats:
    """The rows made a basis by joints that they leave free."""
    n, name = gearing.n, gearing.model.name
    scaled = rows / np.abs(rows).max(axis=1, keepdims=True)
    if len(rows) and np.linalg.matrix_rank(scaled) < len(rows):
        text = f"dry friction of {name!r} acts on both sides of coupled gears, in {len(rows)} places at once"
        raise Unsupported(text, hint="give it on one side of the gears")
    T = rows
    for unit in np.eye(n):
        if len(T) < n and np.linalg.matrix_rank(np.vstack([T, unit])) > len(T):
            T = np.vstack([T, unit])
    return T
