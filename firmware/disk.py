"""What is on disk when a call returns, even if the power goes then."""

import os
from pathlib import Path


def synced(path: Path) -> None:
    """Have a file, or the names in a folder, on disk: a rename is there only when its folder is.

    Raises:
        OSError: the disk refuses.
    """
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
