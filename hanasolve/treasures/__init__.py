"""Three Treasures: one player against the deck."""
