"""Simulations as files: an arm, a law, a reference, what disturbs them, and what is asked of the run."""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor.scenarios.figures import Figures as Figures
    from torsor.scenarios.reading import parse as parse
    from torsor.scenarios.reading import read as read
    from torsor.scenarios.scenario import Scenario as Scenario
else:
    __getattr__, __dir__ = exports(__name__)
