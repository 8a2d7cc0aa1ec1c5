"""Search engines and their parts; none of them knows a game."""
