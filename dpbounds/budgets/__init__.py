"""What a budget buys: zCDP, filters, schedules, composition, trade-off curves and the routes between them."""
