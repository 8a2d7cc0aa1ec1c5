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


def at_least(wins: int, trials: int, confidence: float) -> float:
    """Give the exact lower limit for a proportion.

    Parameters
    ----------
    wins, trials : int
        How many of how many; ``0 <= wins <= trials``.
    confidence : float
        The probability with which such limits are not above the true proportion, at least.

    Returns
    -------
    float
        The proportion by which so many wins or more have a chance of ``1 - confidence``; 0 without
        any win. It takes time in proportion to the trials that were not won.

    Notes
    -----
    Source: C. J. Clopper and E. S. Pearson, The use of confidence or fiducial limits illustrated in
    the case of the binomial (1934).

    Examples
    --------
    >>> f"{at_least(10, 10, 0.99):.6f} {0.01 ** 0.1:.6f}"
    '0.630957 0.630957'
    """
    if wins == 0:
        return 0.0
    logs = [
        math.lgamma(trials + 1) - math.lgamma(k + 1) - math.lgamma(trials - k + 1)
        for k in range(wins, trials + 1)
    ]

    def chance(share: float) -> float:
        """Give the chance of so many wins or more."""
        won, lost = math.log(share), math.log1p(-share)
        return math.fsum(
            math.exp(log + k * won + (trials - k) * lost) for k, log in enumerate(logs, start=wins)
        )

    low, high = 0.0, 1.0
    while (middle := (low + high) / 2) not in (low, high) and high - low > 1e-12:
        if chance(middle) <= 1 - confidence:
            low = middle
        else:
            high = middle
    return low
