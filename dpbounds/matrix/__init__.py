"""Matrix mechanisms: certified sensitivity under patterns of participation, and prefix-sum error."""
