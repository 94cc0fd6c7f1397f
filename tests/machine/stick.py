"""A USB stick that is put into the emulated computer, pulled when it may be, and read here."""

import contextlib
import subprocess
from pathlib import Path

from firmware.journal.journal import Journal
from rules.rulebooks import notation_of
from rules.sheet import read_sheets
from tests.machine.computer import Computer
from tests.machine.match import Match, wrong

LOG = "journalctl -q -b -o cat -u tacada@1.service"
WAIT_S = 90
"""The table looks for a stick every ten seconds; an emulated one is slow."""

_WHY = (
    "systemctl status --no-pager media-tacada.mount; grep media /proc/*/mounts; "
    "journalctl -q -b --no-pager -o short-monotonic | tail -60"
)

ALONE = frozenset({"BOARD", "PANEL"})
"""What fails in a computer that has neither."""


def formatted(medium: Path) -> Path:
    """A stick as a club has it: FAT, with the name that its mount waits for."""
    command = ["mkfs.vfat", "-C", "-n", "TACADA", str(medium), "65536"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return medium


async def put_in_twice(computer: Computer, match: Match, folder: Path) -> None:
    """Each time it gets a copy of the journal as it stands, and the sheets of the day."""
    medium = formatted(folder / "stick.img")
    await match.faults(computer.port, until=ALONE | {"BACKUP"})
    for number in (1, 2):
        await match.plays(computer.port, 7)
        await computer.put_in(medium)
        if await _copies(computer, number) != number:
            wrong.append(f"stick {number}: no copy")
            print(await computer.run(_WHY), flush=True)
            await computer.pull()
            return
        await computer.pull()
        _read(medium, folder / f"stick{number}", match.seq)
        await match.faults(computer.port, until=ALONE)
        await computer.run("while mountpoint -q /media/tacada; do sleep 0.2; done")
    print(await computer.run(f"{LOG} | grep backup"))


async def _copies(computer: Computer, wanted: int) -> int:
    """How many copies the log tells of, once it is as many as wanted, or in a while."""
    count = f"{LOG} | grep -c 'backup: /media/tacada/' || :"
    each = f'[ "$({count})" -lt {wanted} ] || break; sleep 1'
    return int(await computer.run(f"for n in $(seq {WAIT_S}); do {each}; done; {count}"))


def _read(medium: Path, to: Path, seq: int) -> None:
    """What is on the stick is whole, and has all that was played."""
    to.mkdir()
    subprocess.run(["mcopy", "-n", "-i", medium, "::*", to], check=True)
    newest = sorted(to.glob("tacada-*.db"))[-1]
    journal, damage = Journal.open(newest, thorough=True)  # of an empty file it makes one
    with contextlib.closing(journal):
        row = journal.unfinished()
        records = journal.records(row.id) if row is not None else []
    if damage is not None or len(records) <= seq:
        wrong.append(f"stick: {len(records) - 1} records of {seq}; {damage}")
    (file,) = to.glob("tacada-*.sheet")
    (sheet,) = read_sheets(file.read_text("utf-8"), notation_of)
    print(f"stick: {len(records) - 1} records, {newest.name}, {file.name} with {sheet.id}")
