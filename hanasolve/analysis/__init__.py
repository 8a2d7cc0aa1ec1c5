"""Many deals: what can be said of them together."""
