"""`tacada ctl`: every command of docs/mqtt.md from a shell."""

import argparse
import asyncio
import os
import re
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

from drivers.phrases import Phrase, within
from firmware.cli.hall import add_broker, slug
from firmware.commands import COMMANDS, Command, Reply
from firmware.config.config import address, password_of
from firmware.errors import FirmwareError
from firmware.terminal.language import add_language, words_of
from firmware.terminal.words import TerminalWords
from rules.errors import Code

READ_S = 31.0
"""A little longer than a message stands that nobody reads."""

_SHIFTS = {
    "mend": "ctl.add_shift",
    "enter": "ctl.write_shift",
}
"""How a command says that later entries may change sides."""

_Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_ctl(commands: _Commands) -> None:
    """`tacada ctl` and what can be asked with it."""
    ctl = commands.add_parser("ctl", help="send a command to a table over MQTT")
    add_broker(ctl)
    ctl.add_argument("--hall", type=slug, default="hall")
    ctl.add_argument("--table", type=slug, default="1")
    ctl.add_argument("--yes", action="store_true", help="do not ask before old entries change")
    what = ctl.add_subparsers(required=True, metavar="WHAT", dest="what")
    _entries(what)
    _matches(what)
    _boards(what)
    add_language(ctl)
    ctl.set_defaults(run=_ctl)


def _entries(what: _Commands) -> None:
    enter = what.add_parser("enter", help="an entry or control in sheet notation")
    enter.add_argument("act", help="as +1, /, UNDO, '[SPLICE(3,4) / =4]'")
    enter.set_defaults(fields=_given("act"))
    edit = what.add_parser("edit", help="another total for a finished inning")
    edit.add_argument("change", metavar="A2=6", help="side, inning and points")
    edit.set_defaults(fields=_change)
    for name, does in (("pause", "a clock stands still"), ("resume", "a clock goes on")):
        clock = what.add_parser(name, help=does)
        clock.add_argument("which", nargs="?", choices=["shot", "match"], help="else as a key does")
        clock.set_defaults(fields=_given("which"))


def _matches(what: _Commands) -> None:
    mend = what.add_parser("mend", help="another set-up for the match in play")
    start = what.add_parser("start", help="a new match; the one in play is closed")
    for parser, needed in ((mend, False), (start, True)):
        parser.add_argument("--rulebook", required=needed)
        parser.add_argument("--format", help="as 'target=40/30 limit=30'")
        parser.add_argument("--first", choices=["A", "B"])
    mend.add_argument("--shift", action="store_true", help="later entries may change sides")
    mend.set_defaults(fields=_given("rulebook", "format", "first", "shift"))
    _players(start, needed=True)
    start.add_argument("--at", help="a position, as 'score=12/9 innings=7/7'")
    start.set_defaults(fields=_given("rulebook", "format", "first", "a", "b", "at"))
    abandon = what.add_parser("abandon", help="close the match in play as it stands")
    abandon.set_defaults(fields=_given())
    next_ = what.add_parser("next", help="who plays next, for the idle board; without names nobody")
    _players(next_, needed=False)
    next_.add_argument("--at", metavar="HH:MM", help="when, by the clock of the place")
    next_.set_defaults(fields=_given("a", "b", "at"))


def _players(parser: argparse.ArgumentParser, *, needed: bool) -> None:
    for side in ("a", "b"):
        parser.add_argument(f"--{side}", action="append", required=needed, metavar="NAME")


def _boards(what: _Commands) -> None:
    message = what.add_parser("message", help="words for who is at the table")
    message.add_argument("text")
    message.add_argument("--wait", action="store_true", help="until somebody has pressed a key")
    message.set_defaults(fields=_given("text"))
    brightness = what.add_parser("brightness", help="of the board")
    brightness.add_argument("level", type=int, choices=range(16), metavar="0..15")
    brightness.set_defaults(fields=_given("level"))
    language = what.add_parser("language", help="of the board")
    language.add_argument("code", metavar="CODE", help="as pt-BR")
    language.set_defaults(fields=lambda args: {"language": args.code})
    view = what.add_parser("view", help="what the board shows while no match is played")
    view.add_argument("view", choices=["score", "pattern", "dark"])
    view.set_defaults(fields=_given("view"))


def _given(*names: str) -> Callable[[argparse.Namespace], dict[str, Any]]:
    """What reads these arguments, those that were given, as the fields of a command."""

    def fields(args: argparse.Namespace) -> dict[str, Any]:
        given = {name: getattr(args, name) for name in names}
        return {name: value for name, value in given.items() if value not in (None, False)}

    return fields


def _change(args: argparse.Namespace) -> dict[str, Any]:
    match = re.fullmatch(r"([AB])(\d+)=(\d+)", args.change)
    if match is None:
        raise FirmwareError(within(args.change, Phrase("edit_as", "an edit looks like A2=6")))
    return {"side": match[1], "inning": int(match[2]), "points": int(match[3])}


def _ctl(args: argparse.Namespace) -> int:
    from drivers.broker import BrokerConfig, Tls  # noqa: PLC0415 # other commands start without it
    from firmware.mqtt.client import command  # noqa: PLC0415
    from firmware.mqtt.messages import Topics  # noqa: PLC0415

    host, port = address(args.broker)
    broker = BrokerConfig(
        host=host,
        port=port,
        client_id=f"tacada-ctl-{os.getpid()}",
        username=args.username,
        password=password_of(args.password_file) if args.password_file else None,
        tls=Tls(ca_file=args.ca_file) if args.ca_file else None,
    )
    words, topics, fields = words_of(args), Topics(args.hall, args.table), args.fields(args)
    if not args.yes and (args.what in ("edit", "mend") or "SPLICE" in fields.get("act", "")):
        # Between two connections: whoever is asked may think as long as he likes.
        preview = asyncio.run(command(broker, topics, args.what, fields | {"preview": True}))
        if preview.error is not None or not _sure(preview, words):
            return _told(preview, args.what, words)
        fields["expect_seq"] = preview.seq
    waits = getattr(args, "wait", False)
    asked = command(
        broker,
        topics,
        args.what,
        fields,
        read_s=READ_S if waits else 0,
        on_shown=lambda: print(words.say("ctl.shown"), flush=True),
    )
    return _told(asyncio.run(asked), args.what, words, waits=waits)


def _told(reply: Reply, what: str, words: TerminalWords, *, waits: bool = False) -> int:
    """Say what came of it; the exit status."""
    if reply.error is not None:
        why = words.say("ctl.refused", code=reply.error, detail=reply.detail).rstrip()
        print(f"tacada: {why}{_in_words(reply.error, reply.detail, words)}", file=sys.stderr)
        mend = _SHIFTS.get(what) if reply.error == Code.EDIT_SHIFTS_TURN else None
        if mend is not None:
            print(words.say(mend), file=sys.stderr)
        return 1
    if reply.preview:
        print(words.say("ctl.unchanged"))
        return 1
    if what == "message":
        said = "ctl.read" if reply.read else "ctl.unread" if waits else "ctl.shown"
        print(words.say(said))
        return 1 if waits and not reply.read else 0
    of_match = issubclass(COMMANDS[what], Command)
    if of_match:
        print(words.say("ctl.record", seq=reply.seq, score=_score(reply, words)))
    else:
        print(words.say("ctl.done"))
    return 0


def _in_words(code: str, detail: str, words: TerminalWords) -> str:
    """A refusal as the board says it, where it has words for the code."""
    from firmware.i18n import load_language  # noqa: PLC0415 # for what was refused alone

    language, key = load_language(words.code), f"refused.{code}"
    if key not in language:
        return ""
    said = language.say(key, n=detail if detail.isdecimal() else "")
    return f": {' '.join(said.split())}"


def _sure(preview: Reply, words: TerminalWords) -> bool:
    yes, no = words.say("setup.yes"), words.say("setup.no")
    question = words.say("ctl.sure", score=_score(preview, words))
    try:
        said = input(f"{question} [{yes[0]}/{no[0].upper()}] ").strip().lower()
    except EOFError:
        print(f"\n{words.say('ctl.nobody')}")
        return False
    return said in (yes, yes[0])


def _score(reply: Reply, words: TerminalWords) -> str:
    a, b = reply.score or ("-", "-")
    return f"{a}–{b}" + (words.say("ctl.turn", side=reply.turn) if reply.turn else "")
