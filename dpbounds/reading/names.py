"""What the letters of a lemma are seen to be, and how what has no reading is refused."""

from __future__ import annotations

from dataclasses import dataclass, field

from dpbounds.errors import InputError
from dpbounds.logic.terms import Term


def refuse(why: str) -> InputError:
    """The error of what cannot be read in one way.

    >>> str(refuse("two readings"))
    'cannot be read: two readings'
    """
    return InputError(f"cannot be read: {why}")


@dataclass
class Names:
    """What the letters of a lemma were seen to be.

    Attributes:
        declared: introduced by the words of the lemma.
        integers: variables that are said to be integers.
        laws: families that are probability distributions, with the last outcome.
        alone: seen as a number of its own.
        joined: seen in a row of letters, with the row.
        applied: seen before an opening parenthesis.
        families: seen with an index, with their sign.
        spelled: how a letter was written.
    """

    declared: set[str] = field(default_factory=set)
    integers: set[str] = field(default_factory=set)
    laws: dict[str, Term] = field(default_factory=dict)
    alone: set[str] = field(default_factory=set)
    joined: dict[str, str] = field(default_factory=dict)
    applied: set[str] = field(default_factory=set)
    families: dict[str, tuple[str, ...]] = field(default_factory=dict)
    spelled: dict[str, str] = field(default_factory=dict)

    def check(self) -> None:
        """Refuse letters that may be functions, and words that may be products."""
        known = self.alone | self.declared
        for name in sorted(self.applied - known):
            raise refuse(f"{name}(...): {name} may be a function or a factor; say what {name} is, or write out its formula")
        for name in sorted(known):
            below = set(name.split("_")[1:])
            if counted := below & known:
                raise refuse(
                    f"{name}: {counted.pop()} is a number, so this is one of many; families are read under sums, as in \\sum_{{i=1}}^n"
                )
        for name, row in sorted(self.joined.items()):
            if name not in known:
                raise refuse(f"`{row}` may be a product or one name: write \\cdot between its letters, or say what {name} is")
