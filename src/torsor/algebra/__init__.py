"""Scalars as a graph: trace, simplify, differentiate, and lay out as a tape.

The names below are imported when one is first asked for: a kernel that comes out of the cache needs the tape alone, and
the rest would take most of its time.
"""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor.algebra.counting import Count as Count
    from torsor.algebra.counting import count as count
    from torsor.algebra.differentiate import adjoint as adjoint
    from torsor.algebra.differentiate import directional as directional
    from torsor.algebra.differentiate import jacobian as jacobian
    from torsor.algebra.engine import rules_in_force as rules_in_force
    from torsor.algebra.functions import absolute as absolute
    from torsor.algebra.functions import arctan2 as arctan2
    from torsor.algebra.functions import cos as cos
    from torsor.algebra.functions import equal as equal
    from torsor.algebra.functions import exp as exp
    from torsor.algebra.functions import floor as floor
    from torsor.algebra.functions import less as less
    from torsor.algebra.functions import less_equal as less_equal
    from torsor.algebra.functions import maximum as maximum
    from torsor.algebra.functions import minimum as minimum
    from torsor.algebra.functions import select as select
    from torsor.algebra.functions import sign as sign
    from torsor.algebra.functions import sin as sin
    from torsor.algebra.functions import sqrt as sqrt
    from torsor.algebra.layout import tape_from as tape_from
    from torsor.algebra.node import Node as Node
    from torsor.algebra.node import const as const
    from torsor.algebra.node import parameter as parameter
    from torsor.algebra.node import parameters as parameters
    from torsor.algebra.node import symbol as symbol
    from torsor.algebra.node import symbols as symbols
    from torsor.algebra.operations import OPERATIONS as OPERATIONS
    from torsor.algebra.passes import Explanation as Explanation
    from torsor.algebra.passes import explain as explain
    from torsor.algebra.passes import simplify as simplify
    from torsor.algebra.substitution import substitute as substitute
    from torsor.algebra.tape import Array as Array
    from torsor.algebra.tape import Instruction as Instruction
    from torsor.algebra.tape import Liveness as Liveness
    from torsor.algebra.tape import Tape as Tape
    from torsor.algebra.text import parse as parse
else:
    __getattr__, __dir__ = exports(__name__)
