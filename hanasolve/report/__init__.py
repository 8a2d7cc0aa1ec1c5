"""How results that are not a game's own are shown and written: progress, DRN."""
