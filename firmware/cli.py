"""The command line."""


def main() -> int:
    """Entry point of `tacada`."""
    return 0
