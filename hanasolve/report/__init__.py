"""What a person sees of results that is not a game's own: progress."""
