"""What can be said of many positions at once: graphs, and proportions of many games."""
