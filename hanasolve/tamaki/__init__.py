"""Hanafuda by Tamaki: two to seven players fish for cards and yaku."""
