"""What is sent to a table: commands by MQTT, and frames from pads."""

import asyncio
import contextlib
from collections.abc import Iterator

from drivers.pad_protocol import LONGEST_LINE, BadFrame, Lines, crc, read_frame
from drivers.ports import Answer
from firmware.commands import COMMANDS, MALFORMED, UNKNOWN
from rules.errors import Code
from tests.firmware.pad_rig import Desk
from tests.firmware.rig import Rig, settle
from tests.fuzz.sheets import NOTATION
from tests.fuzz.target import Judge, Target, clear

# A command: the name, a line's end, the payload.

_CODES = {*map(str, Code), MALFORMED, UNKNOWN, "stale", "no_disk"}


@contextlib.contextmanager
def _commands() -> Iterator[Judge]:
    async def answered(data: bytes) -> str:
        rig = Rig()
        owner = asyncio.create_task(rig.table.run())
        try:
            await settle()
            await rig.press("plus1 end plus1")
            name, _, payload = data.partition(b"\n")
            before = rig.table.play.ledger.digest()
            asked = asyncio.ensure_future(rig.table.ask(name.decode("utf-8", "replace"), payload))
            await asyncio.wait({asked, owner}, return_when=asyncio.FIRST_COMPLETED)
            if owner.done():
                asked.cancel()
                await owner  # what ended the table
            reply = await asked
            error = getattr(reply, "error", None)
            if error is None:
                return ""
            assert error in _CODES, error
            assert rig.table.play.ledger.digest() == before, "refused, and yet it changed"
            if error in (MALFORMED, UNKNOWN):
                clear(f"{error}: {getattr(reply, 'detail', '')}", f"{error}: ")
            assert not owner.done()
            return str(error)
        finally:
            owner.cancel()
            await asyncio.gather(owner, return_exceptions=True)

    with contextlib.closing(asyncio.new_event_loop()) as loop:
        yield lambda data: loop.run_until_complete(answered(data))


_COMMAND_SEEDS = tuple(
    text.encode()
    for text in (
        'enter\n{"id": "c1", "expect_seq": 3, "act": "+1"}',
        'enter\n{"id": "c1", "expect_seq": 3, "act": "[SPLICE(1,1) / =4]", "preview": true}',
        'edit\n{"id": "c2", "expect_seq": 3, "side": "A", "inning": 1, "points": 3}',
        'mend\n{"id": "c3", "expect_seq": 3, "rulebook": "ug", "format": "target=9/9"}',
        'start\n{"id": "c4", "expect_seq": 3, "rulebook": "wpa9", "a": ["A"], "b": ["B", "C"]}',
        'start\n{"id": "c5", "expect_seq": 3, "rulebook": "ug", "a": ["A"], "b": ["B"],'
        ' "format": "target=5/5", "at": "score=2/1 innings=7/7", "first": "A"}',
        'abandon\n{"id": "c6", "expect_seq": 3}',
        'pause\n{"id": "c7", "expect_seq": 3, "which": "match"}',
        'resume\n{"id": "c8", "expect_seq": 3}',
    )
)


@contextlib.contextmanager
def _pads() -> Iterator[Judge]:
    def judge(data: bytes) -> str:
        desk, refused = Desk(), 0
        for line in Lines().feed(data + b"\n"):
            body, _, _ = line.rpartition(b" ")
            # As it came; and as if its check had been right, lest all be refused for that.
            for one in (line, body + b" " + crc(body).encode()):
                try:
                    frame = read_frame(one)
                except BadFrame as error:
                    refused += bool(clear(str(error), ""))
                    continue
                assert len(one) <= LONGEST_LINE
                desk.pads.framed(desk.line, frame, desk.clock.now_ns())
                for press in desk.presses[-1:]:
                    desk.pads.answered(press, Answer.ACCEPTED, "1-0 A")
                desk.wait(0.1)
        return "no frame of a pad" if refused else ""

    yield judge


def _framed(*bodies: bytes) -> bytes:
    return b"".join(body + b" " + crc(body).encode() + b"\n" for body in bodies)


_PAD_SEEDS = (
    _framed(b"H pad1 aaaa.0 80", b"K pad1 aaaa.1 plus1 press 12 80"),
    _framed(b"H pad1 aaaa.7 -", b"K pad1 aaaa.8 end press 0 -", b"K pad1 aaaa.8 end press 400 -"),
    _framed(b"K pad1 zz9z.1 ok hold 0 100", b"K pad2 aaaa.3 plus1 press 999999 5"),
)

COMMANDS_ASKED = Target(
    "commands",
    _commands,
    _COMMAND_SEEDS,
    (*(name.encode() for name in COMMANDS), *NOTATION, b'"preview": true', b"null"),
    50,
)
PAD_FRAMES = Target(
    "pads", _pads, _PAD_SEEDS, (b"H ", b"K ", b"pad1", b"aaaa.2", b"hold", b"100"), 1
)
