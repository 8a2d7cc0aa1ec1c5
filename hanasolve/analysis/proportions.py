"""Confidence intervals for proportions."""

from __future__ import annotations

import math
import statistics


def wilson(wins: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Give the score interval for a proportion.

    Parameters
    ----------
    wins, trials : int
        How many of how many; ``0 <= wins <= trials``.
    confidence : float, optional
        The probability with which such intervals hold the true proportion, about.

    Returns
    -------
    (float, float)
        (0, 1) without trials.

    Notes
    -----
    An estimate that proves nothing. Source: E. B. Wilson, Probable inference, the law of
    succession, and statistical inference (1927).

    Examples
    --------
    >>> low, high = wilson(8, 10)
    >>> f"{low:.4f} {high:.4f}"
    '0.4902 0.9433'
    """
    if trials == 0:
        return 0.0, 1.0
    z = statistics.NormalDist().inv_cdf((1 + confidence) / 2)
    share, spread = wins / trials, z * z / trials
    middle = share + spread / 2
    half = math.sqrt(spread * (share * (1 - share) + spread / 4))
    return max(0.0, (middle - half) / (1 + spread)), min(1.0, (middle + half) / (1 + spread))
