"""Fields of what is shown while nobody plays, and of what the hall or a set-up says."""

from firmware.board.fields.seen import Forms, Pages, Seen, Text, faults, name_of, texts
from firmware.board.fields.words import fixed
from firmware.snapshot import Coming, Number, Question
from rules.sides import Side


def _club(seen: Seen) -> Pages:
    club = seen.view.hall.club
    return ((club,),) if club else (seen.say("board.name"),)


def hour_of(seen: Seen) -> str:
    """The hour of the place, while the machine knows it."""
    zero_ms = seen.view.hall.hour_zero_ms
    if zero_ms is None:
        return ""
    minutes = (zero_ms + seen.now_ms) // 60_000
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def next_minute_ms(seen: Seen) -> int | None:
    """The moment of the monotonic clock at which the hour changes next."""
    zero_ms = seen.view.hall.hour_zero_ms
    return None if zero_ms is None else seen.now_ms + 60_000 - (zero_ms + seen.now_ms) % 60_000


def _hour(seen: Seen) -> Pages:
    hour = hour_of(seen)
    return ((hour,),) if hour else ()


def _idle(seen: Seen) -> Pages:
    """The last result and who plays next, as far as they are known; else that nobody plays."""
    hall, line = seen.view.hall, seen.view.line
    pages: list[Forms] = []
    if hall.last:
        pages.append(
            tuple(text for form in hall.last[:2] for text in seen.say("board.last", text=form))
        )
    if hall.coming is not None:
        pages += _coming(seen, hall.coming)
    elif line is not None and line.phase != "over":
        names = " - ".join(name_of(line, seen.at(side))[-1] for side in Side)
        pages.append(seen.say("board.next", text=names))
    if not pages:
        pages.append(seen.say("board.idle"))
    return (*pages, *faults(seen))


def _coming(seen: Seen, coming: Coming) -> list[Forms]:
    """Who plays next and when; within the hour before it, in how many minutes."""
    at = f" {coming.at}" if coming.at else ""
    whole = " - ".join(" + ".join(names) for names in coming.names)
    short = " - ".join(names[0].split()[-1] for names in coming.names)
    forms = dict.fromkeys(f"{names}{at}" for names in (whole, short))
    pages = [tuple(text for form in forms for text in seen.say("board.next", text=form))]
    zero_ms = seen.view.hall.hour_zero_ms
    if zero_ms is not None and coming.at:
        hours, minutes = coming.at.split(":")
        now = (zero_ms + seen.now_ms) // 60_000
        left = (int(hours) * 60 + int(minutes) - now) % 1440
        if 0 < left < 60:
            ages = seen.language.forms("age.min", n=left)
            pages.append(tuple(text for age in ages for text in seen.say("board.begins", age=age)))
    return pages


def _version(seen: Seen) -> Pages:
    books = seen.view.rulebooks
    return ((seen.told.text,), *(((" ".join(books),),) if books else ()))


def _last_known(seen: Seen) -> Pages:
    """That the score is what was last known, in turn with what the hall says: whose it is."""
    return (seen.say("board.last_known"), *_message(seen))


def _stale_age(seen: Seen) -> Pages:
    since_ms = seen.view.stale_since_ms
    if since_ms is None:
        return ()
    seconds = max(0, seen.now_ms - since_ms) // 1000
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            age = seen.language.forms(f"age.{unit}", n=seconds // size)[-1]
            return (seen.say("hall.stale", age=age),)
    return (seen.say("hall.stale", age=seen.language.forms("age.s", n=seconds)[-1]),)


def next_age_ms(seen: Seen) -> int | None:
    """The moment at which the age of what was last known changes next."""
    since_ms = seen.view.stale_since_ms
    if since_ms is None:
        return None
    return seen.now_ms + 1000 - max(0, seen.now_ms - since_ms) % 1000


def _message(seen: Seen) -> Pages:
    message = seen.view.message
    return ((message.text,),) if message is not None else ()


def _ask_title(seen: Seen) -> Pages:
    return (seen.view.ask.title,) if seen.view.ask is not None else ()


def _choices(seen: Seen) -> list[Forms]:
    """The choices of a question, each with its number, as many forms as it has."""
    ask = seen.view.ask
    assert isinstance(ask, Question)
    return [
        tuple(f"{place} {form}" for form in forms) for place, forms in enumerate(ask.choices, 1)
    ]


def has_chosen(seen: Seen) -> bool:
    """Whether one of the choices of a question is marked, to be taken by OK."""
    return isinstance(seen.view.ask, Question) and seen.view.ask.chosen is not None


def _shown_choices(seen: Seen, nth: int) -> Pages:
    """Of two boxes the first or second: with a chosen one that and the next, else by turns."""
    ask, choices = seen.view.ask, _choices(seen)
    assert isinstance(ask, Question)
    if ask.chosen is not None:
        place = ask.chosen + nth
        if place >= len(choices):
            return ()
        mark = "▶" if nth == 0 else ""
        return (tuple(f"{mark}{form}" for form in choices[place]),)
    return tuple(choices[nth::2])


def _number(seen: Seen) -> Pages:
    ask = seen.view.ask
    assert isinstance(ask, Number)
    return ((f"{ask.digits}_", ask.digits or "_"),)


def _number_bounds(seen: Seen) -> Pages:
    """Between what the number must lie."""
    ask = seen.view.ask
    assert isinstance(ask, Number)
    if ask.least is None and ask.most is None:
        return (("OK",),)
    least = "" if ask.least is None else ask.least
    most = "" if ask.most is None else ask.most
    return ((f"{least}-{most}",),)


TEXTS: dict[str, Text] = {
    "ask_title": Text(_ask_title),
    "choice_1": Text(lambda seen: _shown_choices(seen, 0)),
    "choice_2": Text(lambda seen: _shown_choices(seen, 1)),
    "number": Text(_number, texts("88888")),
    "number_bounds": Text(_number_bounds),
    "message_title": fixed("board.message"),
    "message": Text(_message),
    "message_sign": Text(lambda _: (("…",),), texts("…"), ("message_title",)),
    "last_known": Text(_last_known, lambda language: (language.forms("board.last_known"),)),
    "age": Text(_stale_age),
    "board_name": fixed("board.name"),
    "club": Text(_club),
    "hour": Text(_hour, texts("88:88")),
    "idle": Text(_idle),
    "version": Text(_version),
}
"""The fields of the hall and of set-ups."""
