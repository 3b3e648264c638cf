"""How long a search looks: it stops at a time and can go on from there, so that nothing is lost by having been slow."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass


class TurnIsOver(Exception):
    """A search was interrupted; what it found so far is kept."""


@dataclass
class Patience:
    """Until when to look, which all provers of one search share.

    Attributes:
        until: the processor time at which to stop.
        descent: processor seconds for one descent.
    """

    until: float = math.inf
    descent: float = 0.7

    def look(self) -> None:
        """Stop when the time is over.

        Raises:
            TurnIsOver: it is.
        """
        if time.process_time() > self.until:
            raise TurnIsOver
