"""Benchmarks: what is measured, how, and against what."""
