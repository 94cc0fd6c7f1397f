"""A disk that keeps for sure what was synced; the rest it keeps, tears or drops as it likes."""

import random
from dataclasses import dataclass, field
from pathlib import Path

from tests.cuts.trace import Step

SECTOR = 512
"""A write of more than this may be torn between."""


@dataclass(slots=True)
class File:
    """A file's content on the medium, and the changes that wait for a sync."""

    sure: bytearray = field(default_factory=bytearray)
    waiting: list[Step] = field(default_factory=list)


def _written(content: bytearray, offset: int, data: bytes) -> None:
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data


def _apply(content: bytearray, step: Step) -> None:
    if step.call == "ftruncate":
        del content[step.offset :]
        content.extend(bytes(step.offset - len(content)))
    else:
        _written(content, step.offset, step.data)


class Disk:
    """Files by name; names wait for a sync of their folder as content waits for one of the file."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._files: dict[str, File] = {}
        self._names: dict[str, File] = {}
        self._sure_names: dict[str, File] = {}
        for path in folder.iterdir():
            file = File(bytearray(path.read_bytes()))
            self._names[str(path)] = self._sure_names[str(path)] = file

    def take(self, step: Step) -> None:
        """One call of the process."""
        match step.call:
            case "openat":
                self._names.setdefault(step.path, File())
            case "unlink" | "unlinkat":
                self._names.pop(step.path, None)
            case "rename":
                self._names[step.to] = self._names.pop(step.path)
            case "sync" if step.path == self._folder:
                self._sure_names = dict(self._names)
            case "sync":
                file = self._names.get(step.path)
                if file is not None:
                    for change in file.waiting:
                        _apply(file.sure, change)
                    file.waiting.clear()
            case _:
                # What is written through an open file after its name is gone is of no interest.
                file = self._names.get(step.path)
                if file is not None:
                    file.waiting.append(step)

    def cut(self, to: Path, chance: random.Random) -> None:
        """What is found after a cut of the power now, one of the many possibilities."""
        names = self._names if chance.random() < 0.5 else self._sure_names
        how = chance.choice(("nothing", "some", "torn", "all"))
        for path, file in names.items():
            if path.endswith("-shm"):
                continue  # memory of the processes that had it open
            content = bytearray(file.sure)
            for change in file.waiting:
                if how == "all" or (how != "nothing" and chance.random() < 0.5):
                    _apply(content, _torn(change, chance) if how == "torn" else change)
            (to / Path(path).name).write_bytes(content)


def _torn(step: Step, chance: random.Random) -> Step:
    """A write of which some sectors arrived."""
    if step.call == "ftruncate" or len(step.data) <= SECTOR:
        return step
    sectors = len(step.data) // SECTOR
    keep = chance.randint(0, sectors)
    return Step(step.call, step.path, step.data[: keep * SECTOR], step.offset)
