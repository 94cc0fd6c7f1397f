"""The file of a journal, damaged anywhere."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.firmware.test_journal_damage import WRITTEN, check, filled
from tests.fuzz.target import Judge, Target, clear


@contextlib.contextmanager
def _journals() -> Iterator[Judge]:
    with tempfile.TemporaryDirectory(prefix="tacada-fuzz-") as folder:

        def judge(data: bytes) -> str:
            place = Path(folder) / "journal"
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            path = place / "journal.db"
            path.write_bytes(data)
            damage = check(path, WRITTEN)
            if damage is None:
                return ""
            return clear(f"{damage.aside}: {damage.why}", r"/.+journal")

        yield judge


def _journal_seeds() -> tuple[bytes, ...]:
    with tempfile.TemporaryDirectory(prefix="tacada-fuzz-") as folder:
        path = Path(folder) / "journal.db"
        filled(path)
        return (path.read_bytes(),)


JOURNALS = Target("journals", _journals, _journal_seeds(), (b"\x00\x00\x00\x01", b"SQLite"), 60)
