"""Whatever happens to the file, nothing is read that was not written, and a loss is named."""

import random
import shutil
from pathlib import Path

import pytest

from firmware.errors import JournalError
from firmware.journal.matches import State, Summary
from firmware.journal.salvage import Damage, Loss
from tests.firmware.journal_rig import journal_at, log, opened, record, tamper, write

WRITTEN = {"m1": 60, "m2": 150, "m3": 40, "m4": 0}
"""The last seq of each match; m1 is finished, m3 in play, m4 prepared."""


def filled(path: Path) -> None:
    with journal_at(path) as journal:
        for number in range(1, 9):
            journal.club.written_down(number, f"player {number}")
        write(journal, "m1", WRITTEN["m1"])
        journal.finish("m1", Summary(WRITTEN["m1"]))
        write(journal, "m2", WRITTEN["m2"])
        write(journal, "m3", WRITTEN["m3"])
        write(journal, "m4", 0, State.PREPARED)
        journal.advance("m3", 30)


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal that was closed: one file."""
    path = tmp_path_factory.mktemp("closed") / "journal.db"
    filled(path)
    return path


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal as a crash leaves it: half of it in the file, half in the log beside it."""
    folder = tmp_path_factory.mktemp("crashed")
    source, path = folder / "source.db", folder / "journal.db"
    filled(source)
    with journal_at(source) as journal:
        journal.append("m3", [record(seq) for seq in range(41, 61)], "ug")
        for end in ("", "-wal"):
            shutil.copy(source.with_name(source.name + end), path.with_name(path.name + end))
    return path


def copied(source: Path, folder: Path) -> Path:
    folder.mkdir()
    for file in source.parent.glob(f"{source.name}*"):
        shutil.copy(file, folder)
    return folder / source.name


def check(path: Path, written: dict[str, int]) -> Damage | None:
    """Open a file that something happened to, and hold it against what was written."""
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    with opened(path, thorough=True) as (journal, damage):
        here = {match.id: journal.records(match.id) for match in journal.matches()}
        for match_id, records in here.items():
            assert records == log(written[match_id])[: len(records)], match_id
            assert journal.cursor(match_id) < len(records)
        if damage is not None:
            assert_told(damage, written, {id_: len(r) for id_, r in here.items()})
            for end in ("", "-wal"):
                kept = before.get(f"journal.db{end}")
                assert kept is None or Path(damage.aside + end).read_bytes() == kept
        for match_id, records in here.items():
            journal.append(match_id, [record(len(records), "+1")], "ug")
    with journal_at(path):
        return damage


def assert_told(damage: Damage, written: dict[str, int], lengths: dict[str, int]) -> None:
    """What the damage says is what came of the matches."""
    for match_id in damage.whole:
        assert lengths[match_id] == written[match_id] + 1
    lost = {loss.match: loss.from_seq for loss in damage.lost}
    for match_id, from_seq in lost.items():
        assert lengths.get(match_id, 0) == from_seq
    named = {*damage.whole, *lost}
    numbers = {f"number {number}": id_ for number, id_ in enumerate(written, 1)}
    named |= {numbers[name] for name in named if name in numbers}
    assert damage.unlisted or named >= set(written)
    assert set(lengths) <= named


def test_a_file_cut_off_anywhere(closed: Path, tmp_path: Path) -> None:
    whole = closed.read_bytes()
    random_ = random.Random(1)
    sizes = [*range(0, len(whole), 4096), *(random_.randrange(len(whole)) for _ in range(20))]
    for number, size in enumerate(sizes):
        path = copied(closed, tmp_path / str(number))
        path.write_bytes(whole[:size])
        assert check(path, WRITTEN) is not None, size


def test_a_log_cut_off_anywhere(crashed: Path, tmp_path: Path) -> None:
    whole = crashed.with_name("journal.db-wal").read_bytes()
    random_ = random.Random(2)
    for number in range(20):
        path = copied(crashed, tmp_path / str(number))
        path.with_name("journal.db-wal").write_bytes(whole[: random_.randrange(len(whole))])
        assert check(path, WRITTEN | {"m3": 60}) is None


@pytest.mark.parametrize("end", ["", "-wal"])
def test_flipped_bits(crashed: Path, tmp_path: Path, end: str) -> None:
    flipped(crashed, tmp_path, end, seed=3, times=40)


def flipped(source: Path, folder: Path, end: str, *, seed: int, times: int) -> int:
    """Flip a few bits at a time; gives how often it was noticed."""
    whole = source.with_name(source.name + end).read_bytes()
    random_ = random.Random(seed)
    noticed = 0
    for number in range(times):
        path = copied(source, folder / str(number))
        bytes_ = bytearray(whole)
        for _ in range(random_.choice((1, 1, 2, 8))):
            bytes_[random_.randrange(len(whole))] ^= 1 << random_.randrange(8)
        path.with_name(path.name + end).write_bytes(bytes_)
        noticed += check(path, WRITTEN | {"m3": 60}) is not None
        shutil.rmtree(path.parent)
    return noticed


def test_pages_overwritten(crashed: Path, tmp_path: Path) -> None:
    whole = crashed.read_bytes()
    random_ = random.Random(4)
    for page in range(len(whole) // 4096):
        for fill in (bytes(4096), random_.randbytes(4096), whole[8192:12288]):
            path = copied(crashed, tmp_path / f"{page}-{fill[:2].hex()}")
            path.write_bytes(whole[: page * 4096] + fill + whole[(page + 1) * 4096 :])
            check(path, WRITTEN | {"m3": 60})


def damage_of(path: Path, *, thorough: bool = False) -> Damage:
    with opened(path, thorough=thorough) as (_, damage):
        assert damage is not None
        return damage


@pytest.mark.parametrize("seq", [0, 40, 150])
def test_a_match_ends_where_a_record_is_missing(closed: Path, tmp_path: Path, seq: int) -> None:
    path = copied(closed, tmp_path / "copy")
    tamper(path, f"DELETE FROM records WHERE match_no = 2 AND seq = {seq}")
    if seq == WRITTEN["m2"]:
        # The end of a log leaves no trace but the cursor.
        tamper(path, f"INSERT INTO cursors VALUES (2, {seq})")
    damage = damage_of(path)
    assert damage.why == "match m2 has lost records"
    assert damage.lost == (Loss("m2", seq),)
    assert damage.whole == ("m1", "m3", "m4")
    with journal_at(path) as journal:
        assert [match.id for match in journal.matches()].count("m2") == (seq > 0)


def test_records_whose_match_is_gone_are_named(closed: Path, tmp_path: Path) -> None:
    path = copied(closed, tmp_path / "copy")
    tamper(path, "PRAGMA foreign_keys = OFF", "DELETE FROM matches WHERE id = 'm2'")
    damage = damage_of(path, thorough=True)
    assert damage.lost == (Loss("number 2", 0),)
    assert damage.whole == ("m1", "m3", "m4")


def test_names_on_both_sides_of_a_bad_page_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    names = {number: f"{number:03}{'x' * 100}" for number in range(1, 301)}
    with journal_at(path) as journal:
        write(journal, "m1", 5)
        for number, name in names.items():
            journal.club.written_down(number, name)
    whole = path.read_bytes()
    page = whole.index(names[150].encode()) // 4096 * 4096
    path.write_bytes(whole[:page] + bytes(4096) + whole[page + 4096 :])
    damage = damage_of(path)
    assert (damage.names_lost, damage.whole, damage.lost) == (True, ("m1",), ())
    with journal_at(path) as journal:
        kept = journal.players()
    assert kept.items() <= names.items()
    assert {1, 300} <= kept.keys()
    assert 150 not in kept


@pytest.mark.parametrize("mode", [0, 1, 3])
def test_a_damaged_header_never_hides_the_log(crashed: Path, tmp_path: Path, mode: int) -> None:
    """With another mode in it, SQLite would not look at the log, or never write again."""
    path = copied(crashed, tmp_path / "copy")
    whole = path.read_bytes()
    path.write_bytes(whole[:18] + bytes((mode, mode)) + whole[20:])
    assert check(path, WRITTEN | {"m3": 60}) is not None


def test_a_damaged_record_is_refused_where_no_thorough_check_was_made(tmp_path: Path) -> None:
    """A finished match is not read at every start; reading it later does not guess either."""
    path = tmp_path / "journal.db"
    with journal_at(path) as journal:
        write(journal, "m1", 5)
        journal.finish("m1", Summary(5))
    path.write_bytes(path.read_bytes().replace(b"A=1,B=2", b"A=2,B=1"))
    with opened(path) as (journal, damage):
        assert damage is None
        with pytest.raises(JournalError, match="record 0 of match m1 is damaged"):
            journal.records("m1")
    with opened(path, thorough=True) as (_, damage):
        assert damage is not None
        assert damage.lost == (Loss("m1", 0),)
