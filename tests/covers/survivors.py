"""Changed conditions and terms of the cover checker that no test notices, each with the reason why nothing false is accepted with it."""

from __future__ import annotations

SURVIVORS: dict[str, dict[str, str]] = {}
