"""The hall's LED board: whose turn it is, what keeps it, and that it never claims too much."""

import asyncio
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from drivers.broker import HALL_QUEUE_LENGTH, BrokerConfig, MqttBroker
from drivers.fakes import KeptDisplay
from drivers.ports import Message
from firmware.board.layout import layout_names, load_layout
from firmware.board.render import render
from firmware.clock import SystemClock
from firmware.hall.board import HallBoard
from firmware.hall.director import END_MS, NAME_MS, TURN_MS, HallDirector, decisive
from firmware.hall.follower import TableNow
from firmware.hardware import RETURN
from firmware.i18n import load_language
from firmware.snapshot import View
from rules.figures import Figures
from rules.scoreline import Scoreline
from tests.hall.scenes import SCENES, scene
from tests.hall.speakers import speaking
from tests.mosquitto import Mosquitto

LIVE = 10_000_000


def tables(**lines: Scoreline) -> list[TableNow]:
    return [
        TableNow("c", name[1:], line=line, live=True, live_until_ms=LIVE, t_ms=0)
        for name, line in lines.items()
    ]


def score(a: int, **more: object) -> Scoreline:
    return replace(scene("ug", "A", "B", score=(a, 0)), **more)


class Board:
    """A director, and the tables that the test gives it."""

    def __init__(self) -> None:
        self.director = HallDirector(load_language("en"))
        self.now_ms = 1_000_000

    def shown(self, seen: Sequence[TableNow], after_ms: int = 0) -> View:
        self.now_ms += after_ms
        return self.director.view(seen, self.now_ms, connected=True)

    def scores(self, seen: Sequence[TableNow], turns: int) -> list[int]:
        """The scores of A that are shown in so many turns."""
        found = []
        for _ in range(turns):
            line = self.shown(seen).line
            assert line is not None
            assert line.score is not None
            found.append(line.score[0])
            self.now_ms += TURN_MS
        return found


def test_tables_take_turns_and_begin_with_their_names() -> None:
    board, seen = Board(), tables(t1=score(1), t2=score(2), t3=score(3))
    assert board.scores(seen, 5) == [1, 2, 3, 1, 2]
    view = board.shown(seen)
    assert view.message is not None
    assert view.message.text == "table 3"
    assert board.director.until_ms(seen, board.now_ms) == board.now_ms + NAME_MS
    assert board.shown(seen, NAME_MS).message is None
    assert board.director.until_ms(seen, board.now_ms) == board.now_ms + TURN_MS - NAME_MS


def test_of_several_halls_it_is_said_whose_table_it_is() -> None:
    """As on a league's board, where each hall has a table 1."""
    board = Board()
    seen = [replace(one, hall=hall) for hall in ("north", "south") for one in tables(t1=score(1))]
    said = [board.shown(seen, after_ms).message for after_ms in (0, TURN_MS)]
    assert [one.text for one in said if one is not None] == ["north table 1", "south table 1"]


def test_one_table_alone_stands_without_its_name() -> None:
    board, seen = Board(), tables(t1=score(1))
    assert board.shown(seen).message is None
    assert board.scores(seen, 3) == [1, 1, 1]


def test_a_table_at_its_last_rack_keeps_the_board() -> None:
    hill = score(9, tally={"racks": (8, 8)}, to_win={"racks": (9, 9)})
    board = Board()
    assert board.scores(tables(t1=score(1), t2=hill, t3=score(3)), 4) == [9, 9, 9, 9]
    assert board.scores(tables(t1=score(1), t2=score(2), t3=score(3)), 3) == [3, 1, 2]


@pytest.mark.parametrize(
    ("line", "is_decisive"),
    [
        (SCENES["3"], True),
        (replace(SCENES["3"], tally={"racks": (8, 7)}), False),
        (replace(SCENES["3"], phase="over"), False),
        (
            replace(
                SCENES["3"],
                tally={"racks": (8, 8), "sets": (0, 1)},
                to_win={"racks": (9, 9), "sets": (2, 2)},
            ),
            False,
        ),
        (SCENES["2"], False),
        (replace(SCENES["2"], figures=replace(SCENES["2"].figures, maximum=147)), True),
        (replace(SCENES["2"], run=8, figures=replace(SCENES["2"].figures, maximum=147)), False),
        (
            replace(SCENES["2"], run=32, figures=Figures(maximum=75, maximum_break=75)),
            True,
        ),
        (
            replace(SCENES["2"], run=20, figures=Figures(maximum=75, maximum_break=75)),
            False,
        ),
        (replace(SCENES["2"], figures=Figures(maximum=75, maximum_break=107)), False),
        (SCENES["1"], False),
    ],
)
def test_what_keeps_the_board(line: Scoreline, is_decisive: bool) -> None:
    assert decisive(line) is is_decisive


def test_an_end_is_shown_at_once_and_to_its_end() -> None:
    board, seen = Board(), tables(t1=score(1), t2=score(2))
    board.shown(seen)
    seen = tables(t1=score(1), t2=score(40, phase="over"))
    view = board.shown(seen, 1000)
    assert view.line is not None
    assert view.line.phase == "over"
    assert board.shown(seen, END_MS - 1).line == view.line
    after = board.shown(seen, 1).line
    assert after is not None
    assert after.score == (1, 0), "once, and the turns go on"


def test_a_new_match_a_new_table_and_one_that_is_taken_away() -> None:
    """Ask 96: what changes of the hall itself reaches its board, and nothing is left blank."""
    board = Board()
    assert board.scores(tables(t1=score(7)), 1) == [7]
    assert board.scores(tables(t1=score(0, match="m2", seq=0)), 1) == [0]
    assert board.scores(tables(t1=score(0), t2=score(20), t10=score(30)), 3) == [20, 30, 0]
    assert board.scores(tables(t1=score(0), t10=score(30)), 2) == [30, 0]
    seen = tables(t10=score(31))
    assert board.shown(seen).line == seen[0].line, "at once, though the turn was another's"
    assert board.shown([]) == View()
    assert board.scores(seen, 1) == [31]


def test_what_had_ended_before_we_looked_is_no_news() -> None:
    board, seen = Board(), tables(t1=score(1), t2=score(40, phase="over"))
    assert board.scores(seen, 2) == [1, 40]


def test_a_silent_table_is_told_since_when_and_pins_nothing() -> None:
    hill = score(9, tally={"racks": (8, 8)}, to_win={"racks": (9, 9)})
    silent = replace(tables(t2=hill)[0], live=False, silent_ms=12_000, t_ms=None)
    board = Board()
    seen = [*tables(t1=score(1)), silent]
    assert board.scores(seen, 4) == [1, 9, 1, 9]
    view = board.shown(seen, 0)
    assert view.stale_since_ms is None
    view = board.shown(seen, TURN_MS)
    assert view.stale_since_ms == board.now_ms - 12_000


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "table 2"),
        ({"offline": True}, "table 2 · switched off or cut off"),
        ({"clash": True, "offline": True}, "table 2 · Alarm: two tables have this name"),
        ({"newer": True}, "table 2 · This page is too old for this table"),
    ],
)
def test_of_a_table_that_is_not_live_it_is_said_which_and_why(
    more: dict[str, bool], words: str
) -> None:
    """For as long as its last score is shown, on boards of every size."""
    silent = replace(tables(t2=score(9))[0], live=False, silent_ms=12_000, t_ms=None, **more)
    board = Board()
    for after_ms in (0, TURN_MS - 1):
        view = board.shown([silent], after_ms)
        assert view.message is not None
        assert view.message.text == words
    unsaid = replace(view, message=None)
    language = load_language("en")
    for name in layout_names():
        layout = load_layout(name)
        cycle = range(0, 40_000, 250)
        pictures = [
            {render(one, layout, language, now_ms) for now_ms in cycle} for one in (view, unsaid)
        ]
        assert pictures[0] - pictures[1], name


def test_nothing_to_show_is_said_and_why() -> None:
    director = HallDirector(load_language("en"))
    assert director.view([], 0, connected=True) == View()
    assert director.view([], 0, connected=False) == View(faults=("MQTT",))


def test_a_board_in_the_hall_marks_silence_within_ten_seconds_and_heals(
    mosquitto: Mosquitto,
) -> None:
    """Asks 100 and 101, on a real broker: cold start in mid-match, silence, and back."""
    layout, language = load_layout("64x16"), load_language("en")
    display = KeptDisplay(64, 16)

    def broker(will: Message, topics: Sequence[str]) -> MqttBroker:
        where = BrokerConfig(
            "127.0.0.1", "board", port=mosquitto.port, queue_length=HALL_QUEUE_LENGTH
        )
        return MqttBroker(where, will=will, subscriptions=topics, backoff=RETURN)

    async def run() -> None:
        async with speaking(mosquitto.port, {"1": replace(SCENES["7"], clock=None)}) as said:
            board = HallBoard(
                broker,
                halls=["clube"],
                name="wall",
                layout=layout,
                language=language,
                clock=SystemClock(),
            )
            running = asyncio.create_task(board.run(display))

            async def shows(a: int, *, stale: bool, within_s: float) -> None:
                line = replace(said["1"].line, score=(a, -3))
                async with asyncio.timeout(within_s):
                    while True:
                        got = display.pictures[-1].rows if display.pictures else ()
                        if got and _ends(got) == _ends(_wanted(line, stale)):
                            looks_live = got[8:] == _wanted(line, False)[8:]
                            if looks_live is not stale:
                                return
                        await asyncio.sleep(0.05)

            await shows(112, stale=False, within_s=6)
            said["1"].speaks = False
            await shows(112, stale=True, within_s=10)
            said["1"].speaks = True
            await said["1"].say(score=(113, -3))
            await shows(113, stale=False, within_s=2)
            mosquitto.stop()
            await shows(113, stale=True, within_s=11)
            board.stop()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    asyncio.run(run())


ENDS = (1 << 64) - (1 << 47) | (1 << 17) - 1
"""The scores at both ends of the board, which are what a person sees from afar."""


def _ends(rows: Sequence[int]) -> list[int]:
    return [row & ENDS for row in rows[:8]]


def _wanted(line: Scoreline, stale: bool) -> Sequence[int]:
    now_ms = SystemClock().now_ns() // 1_000_000
    since_ms = now_ms - 9_000 if stale else None
    view = View(line=line, stale_since_ms=since_ms)
    return render(view, load_layout("64x16"), load_language("en"), now_ms).rows
