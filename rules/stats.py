"""Averages as federations print them."""


def average(points: int, innings: int, decimals: int, *, half_up: bool = False) -> str:
    """Points per inning as text, cut after `decimals` places, or rounded half up.

    UMB, CEB and the Dutch clubs cut: 37 in 39 is 0.948. Without an inning there is none: `-`.
    """
    if innings == 0:
        return "-"
    scale = 10**decimals
    scaled = abs(points) * scale
    whole = (2 * scaled + innings) // (2 * innings) if half_up else scaled // innings
    sign = "-" if points < 0 and whole else ""
    if decimals == 0:
        return f"{sign}{whole}"
    return f"{sign}{whole // scale}.{whole % scale:0{decimals}}"
