"""How a certified number is written so that `dpbounds.recheck` can derive it again. Nothing here is trusted."""
