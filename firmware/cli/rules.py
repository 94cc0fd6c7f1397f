"""`tacada rules`: the rules in short, by subject."""

import argparse
import textwrap

from firmware.cli.rulehelp import Subject, games, short, subjects, told
from firmware.terminal.language import add_language, language_of

WIDTH = 88


def add_rules(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to a command line."""
    rules = commands.add_parser("rules", help="say in short what the rules are, and which article")
    rules.add_argument("game", nargs="?", help=f"one of {', '.join(games())}; else all are listed")
    rules.add_argument("subject", nargs="?", help="a subject or an article; else all are listed")
    add_language(rules)
    rules.set_defaults(run=_rules)


def _rules(args: argparse.Namespace) -> int:
    language = language_of(args)
    if args.game is None:
        for game in games():
            print(f"{game:10}{', '.join(one.title for one in subjects(game, language))}")
    elif args.subject is None:
        known = subjects(args.game, language)
        wide = max(len(one.name) for one in known) + 2
        for one in known:
            print(f"{one.name:{wide}}{one.title}")
    else:
        for nth, one in enumerate(told(args.game, args.subject, language)):
            print(("\n" if nth else "") + _text(args.game, one))
    return 0


def _text(game: str, subject: Subject) -> str:
    """A subject for a terminal: its title, and each sentence with its articles."""
    lines = [subject.title]
    for said in subject.sentences:
        articles = ", ".join(short(game, article) for article in said.articles)
        lines.append(
            textwrap.fill(
                f"{said.text} [{articles}]",
                WIDTH,
                initial_indent="- ",
                subsequent_indent="  ",
                break_on_hyphens=False,
            )
        )
    return "\n".join(lines)
