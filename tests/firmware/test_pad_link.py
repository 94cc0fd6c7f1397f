"""The reference pad and the table's side with a bad link between: lost, late, doubled, noisy."""

import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.pad_protocol import LATE_MS, BadFrame, Lines, read_frame
from drivers.pad_reference.pad import NO_ANSWER, NO_LINK, NOT_SENT, QUEUE, Pad
from drivers.ports import Answer
from tests.firmware.pad_noise import acted
from tests.firmware.pad_rig import MS, Desk

KEYS = ("plus1", "plus5", "end", "undo")


@dataclass
class Air:
    """One way between pad and table: each line is lost, kept, doubled, damaged or delayed."""

    rng: random.Random
    loss: float
    most_ms: int = 40
    under_way: list[tuple[int, bytes]] = field(default_factory=list)

    def carry(self, data: bytes, now_ms: int) -> None:
        for _ in range(2 if self.rng.random() < self.loss / 4 else 1):
            if self.rng.random() < self.loss:
                continue
            if self.rng.random() < self.loss / 4:
                place = self.rng.randrange(len(data))
                data = data[:place] + self.rng.randbytes(1) + data[place + 1 :]
            self.under_way.append((now_ms + self.rng.randrange(self.most_ms), data))

    def arrived(self, now_ms: int) -> bytes:
        there = sorted(one for one in self.under_way if one[0] <= now_ms)
        self.under_way = [one for one in self.under_way if one[0] > now_ms]
        return b"".join(data for _, data in there)


class Link:
    """A pad, a table that counts points and answers after a while, and the air between."""

    def __init__(self, seed: int, loss: float) -> None:
        self.rng = random.Random(seed)
        self.pad, self.desk = Pad("pad1", "aaaa"), Desk()
        self.up, self.down = Air(self.rng, loss), Air(self.rng, loss)
        self.now_ms = 1_000_000
        self.made: list[tuple[str, int]] = []
        self.answers: list[tuple[int, int]] = []
        self._lines = Lines()
        self._wire = self.desk.line
        self._wire.send = lambda line: self.down.carry(line, self.now_ms)  # type: ignore[method-assign]

    def press(self, key: str) -> None:
        self.made.append((key, self.now_ms))
        self.pad.press(key, False, self.now_ms)

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self.now_ms += 1
            self.desk.clock.ns = self.now_ms * MS
            if line := self.pad.due(self.now_ms):
                self.up.carry(line, self.now_ms)
            self._table()
            self.pad.received(self.down.arrived(self.now_ms), self.now_ms)

    def _table(self) -> None:
        for line in self._lines.feed(self.up.arrived(self.now_ms)):
            try:
                frame = read_frame(line)
            except BadFrame:
                continue
            known = len(self.desk.presses)
            self.desk.pads.framed(self._wire, frame, self.now_ms * MS)
            if len(self.desk.presses) > known:
                self.answers.append((self.now_ms + self.rng.randrange(1, 30), known))
        for due in [one for one in self.answers if one[0] <= self.now_ms]:
            self.answers.remove(due)
            press = self.desk.presses[due[1]]
            self.desk.words.stands = f"{len(self.desk.presses)}-0 A"
            self.desk.pads.answered(press, Answer.ACCEPTED, self.desk.words.stands)

    def acted(self) -> list[tuple[str, int]]:
        """What acted, and how far from the moment of its press."""
        return [(press.key, press.t_ns // MS) for press in self.desk.presses]


@pytest.mark.parametrize("loss", [0.0, 0.2, 0.5])
def test_each_press_acts_once_in_order_at_its_own_time(loss: float) -> None:
    link = Link(seed=1, loss=loss)
    link.run(50)
    for _ in range(200):
        link.press(link.rng.choice(KEYS))
        # With half of everything lost an answer takes a while.
        link.run(link.rng.randrange(180, 260) if loss < 0.3 else 1400)
    link.run(3000)
    made, acted = link.made, link.acted()
    assert len(acted) >= {0.0: 200, 0.2: 200, 0.5: 199}[loss]
    assert len({press.id for press in link.desk.presses}) == len(acted)
    # A press is dated back by what the air took at most: the age is that of the sending.
    remaining = iter(made)
    for key, t_ms in acted:
        assert any(key == other and 0 <= t_ms - at <= 41 for other, at in remaining)
    assert (link.pad.mark, link.pad.text) == ("A", link.desk.words.stands)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.floats(0, 0.9),
    st.lists(st.tuples(st.sampled_from(KEYS), st.integers(20, 2500)), max_size=12),
)
def test_whatever_the_air_does_nothing_acts_twice_or_late(
    seed: int, loss: float, presses: list[tuple[str, int]]
) -> None:
    link = Link(seed, loss)
    for key, pause_ms in presses:
        link.press(key)
        link.run(pause_ms)
    link.run(2000)
    ids = [press.number for press in link.desk.presses]
    assert ids == sorted(set(ids))
    made = {nth: at for nth, (_, at) in enumerate(link.made, 1)}
    if len(link.made) <= QUEUE:
        for press in link.desk.presses:
            assert press.key == link.made[press.number - 1][0]
            assert press.t_ns // MS - made[press.number] <= 41


def test_a_lost_answer_is_asked_again() -> None:
    link = Link(seed=3, loss=0)
    link.run(100)
    link.down.loss = 1.0
    link.press("plus1")
    link.run(700)
    assert len(link.acted()) == 1
    assert (link.pad.mark, link.pad.text) == ("-", "0-0 A")
    link.down.loss = 0.0
    link.run(200)
    assert (link.pad.mark, link.pad.text) == ("A", "1-0 A")
    assert len(link.acted()) == 1


def test_a_broken_link_is_said_within_two_seconds_and_the_press_does_not_act_later() -> None:
    link = Link(seed=4, loss=0)
    link.run(50)
    link.up.loss = 1.0
    link.press("plus1")
    link.run(2000)
    assert (link.pad.mark, link.pad.text) == ("?", NO_ANSWER)
    link.up.loss = 0.0
    link.run(2000)
    assert (link.pad.mark, link.pad.text) == ("R", "too_late")
    assert link.acted() == []
    link.press("plus5")
    link.run(100)
    assert [key for key, _ in link.acted()] == ["plus5"]


def test_an_answer_that_comes_after_all_corrects_what_the_pad_shows() -> None:
    link = Link(seed=5, loss=0)
    link.run(50)
    link.down.loss = 1.0
    link.press("plus1")
    link.run(LATE_MS + 200)
    assert link.pad.text == NO_ANSWER
    link.down.loss = 0.0
    link.run(1100)
    assert (link.pad.mark, link.pad.text) == ("A", "1-0 A")
    assert len(link.acted()) == 1


def test_a_press_goes_on_from_one_that_got_no_answer() -> None:
    link = Link(seed=6, loss=0)
    link.run(50)
    link.up.loss = 1.0
    link.press("plus1")
    link.run(LATE_MS + 100)
    link.up.loss = 0.0
    link.press("plus5")
    link.run(300)
    assert [key for key, _ in link.acted()] == ["plus5"]
    assert (link.pad.mark, link.pad.text) == ("A", "?1 1-0 A"), "of one press nobody knows"
    link.press("plus5")
    link.run(300)
    assert link.pad.text == "2-0 A"


def test_presses_faster_than_answers_wait_and_all_act() -> None:
    link = Link(seed=7, loss=0)
    link.run(50)
    for _ in range(QUEUE):
        link.press("plus1")
        link.run(10)
    link.run(800)
    assert len(link.acted()) == QUEUE


def test_more_presses_than_can_wait_are_refused_by_the_pad() -> None:
    link = Link(seed=8, loss=1)
    for _ in range(QUEUE + 1):
        link.press("plus1")
    assert (link.pad.mark, link.pad.text) == ("?", NOT_SENT)


def test_a_table_that_is_gone_is_no_link() -> None:
    link = Link(seed=9, loss=0)
    assert link.pad.text == NO_LINK
    link.run(100)
    assert link.pad.text == "0-0 A"
    link.down.loss = 1.0
    link.run(12_500)
    assert (link.pad.mark, link.pad.text) == ("-", NO_LINK)


def test_the_score_on_the_pad_comes_within_a_tenth_of_a_second() -> None:
    """Where the air takes up to 20 ms each way and the disk up to 30."""
    link = Link(seed=10, loss=0)
    link.up.most_ms = link.down.most_ms = 20
    link.run(50)
    for nth in range(1, 51):
        link.press("plus1")
        link.run(100)
        assert (link.pad.mark, link.pad.text) == ("A", f"{nth}-0 A")
        link.run(80)


def test_noise_and_damage_never_act_at_a_table_that_expects_the_press() -> None:
    """Some thousand lines of what `python -m benchmarks.noise` does a million times."""
    assert acted(6000, seed=7) == (0, 0)
