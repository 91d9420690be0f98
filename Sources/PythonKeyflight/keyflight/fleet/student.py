"""Student's t distribution."""

from __future__ import annotations

import math


def two_sided(t: float, freedom: int) -> float:
    """The probability of a value at least as far from 0 as t."""
    return _regularised(freedom / (freedom + t * t), freedom / 2, 0.5) if math.isfinite(t) else 0.0


def quantile(probability: float, freedom: int) -> float:
    """The value that is exceeded with a probability of 1 - probability, for those from 0.5 on."""
    low, high = 0.0, 1.0
    while 1 - two_sided(high, freedom) / 2 < probability and high < 1e12:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        if 1 - two_sided(middle, freedom) / 2 < probability:
            low = middle
        else:
            high = middle
    return high


def _regularised(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (DLMF 8.17.22)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _regularised(1 - x, b, a)
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    tiny = 1e-300
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1), tiny)
    fraction = d
    for m in range(1, 400):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1 / _away(1 + step * d, tiny)
            c = _away(1 + step / c, tiny)
            fraction *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return math.exp(logarithm) * fraction / a


def _away(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny
