"""Hanafuda Solitaire #2: a patience with six columns, four foundations and a stock."""
