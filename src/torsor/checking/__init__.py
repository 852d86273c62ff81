"""The verdict: can this arm do this program, how long does it take, where do the motors give up, what to change."""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor.checking.advising import Advice as Advice
    from torsor.checking.advising import Change as Change
    from torsor.checking.checking import check as check
    from torsor.checking.moves import MoveTaken as MoveTaken
    from torsor.checking.problems import Problem as Problem
    from torsor.checking.several_answers import AnswersTable as AnswersTable
    from torsor.checking.several_answers import CheckAnswer as CheckAnswer
    from torsor.checking.several_answers import side_by_side as side_by_side
    from torsor.checking.signals import Signals as Signals
    from torsor.checking.verdict import Verdict as Verdict
    from torsor.checking.what_else import Remedy as Remedy
else:
    __getattr__, __dir__ = exports(__name__)
