"""What `tacada rules` tells: the subjects of a game in sentences, each with its articles.

A game has one file of subjects, which line by line names the articles told of, and one file of
texts for each language, complete or refused at load. Articles are those of the catalogue, by id.
"""

from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from drivers.phrases import Phrase, within
from firmware.errors import ConfigError, FirmwareError
from firmware.spoken import spoken
from firmware.toml_reader import did_you_mean, read_toml, there_are

FOLDER = Path(__file__).parents[1] / "rulehelp"
"""The help that comes with the firmware."""

TITLE = "title"


class Sentence(Struct, frozen=True):
    """One sentence of help, and the articles that it tells of."""

    text: str
    articles: tuple[str, ...]


class Subject(Struct, frozen=True):
    """What there is to say of one subject; `name` is how it is asked for, in every language."""

    name: str
    title: str
    sentences: tuple[Sentence, ...]


class _Subjects(Struct, frozen=True, forbid_unknown_fields=True):
    subjects: dict[str, dict[str, tuple[str, ...]]]


class _Texts(Struct, frozen=True, forbid_unknown_fields=True):
    texts: dict[str, dict[str, str]]


def games() -> tuple[str, ...]:
    """The games that there is help for."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def help_languages(game: str) -> tuple[str, ...]:
    """The languages that a game's help is written in."""
    return tuple(sorted(path.parent.name for path in FOLDER.glob(f"*/{game}.toml")))


def subjects(game: str, language: str) -> tuple[Subject, ...]:
    """All subjects of a game; a regional language without help of its own has that of its base.

    Raises:
        FirmwareError: there is no help for that game, or none in that language.
        ConfigError: a text is missing, or belongs to no line; with every problem found.
    """
    known = games()
    if game not in known:
        names, hint = ", ".join(known), did_you_mean(game, known)
        why = Phrase("no_rules", "there are {names}{hint}", names=names, hint=hint)
        raise FirmwareError(within(f"rules {game}", why))
    written = help_languages(game)
    code = spoken(language, written)
    if code is not None:
        return read_subjects(FOLDER / f"{game}.toml", FOLDER / code / f"{game}.toml")
    raise FirmwareError(
        Phrase(
            "rules_in",
            "language {language}: the rules of {game} are told in {names}{hint}",
            language=language,
            game=game,
            names=", ".join(written),
            hint=did_you_mean(language, written),
        )
    )


@lru_cache(maxsize=16)
def read_subjects(index: Path, words: Path) -> tuple[Subject, ...]:
    """The subjects of one file with the texts of another.

    Raises:
        ConfigError: with every problem found.
    """
    lines, texts = read_toml(index, _Subjects).subjects, read_toml(words, _Texts).texts
    asked = {(name, key) for name, keys in lines.items() for key in (TITLE, *keys)}
    given = {(name, key) for name, keys in texts.items() for key in keys}
    problems = [f"texts.{name}.{key}: is missing" for name, key in sorted(asked - given)]
    for name, key in sorted(given - asked):
        like = did_you_mean(key, (TITLE, *lines.get(name, ())))
        problems.append(f"texts.{name}.{key}: no such line in {index.name}{like}")
    problems += [
        f"texts.{name}.{key}: is not one line of text"
        for name, key in sorted(given & asked)
        if len(texts[name][key].splitlines()) != 1
    ]
    if problems:
        raise ConfigError([f"{words}: {problem}" for problem in problems])
    return tuple(
        Subject(
            name,
            texts[name][TITLE],
            tuple(Sentence(texts[name][key], articles) for key, articles in keys.items()),
        )
        for name, keys in lines.items()
    )


def told(game: str, wanted: str, language: str) -> tuple[Subject, ...]:
    """What is known of a subject, or of one article, by its id with or without the game's prefix.

    Raises:
        FirmwareError: there is neither; with what is meant, where that can be guessed.
    """
    known = subjects(game, language)
    found = tuple(one for one in known if one.name == wanted)
    if found:
        return found
    names = {short(game, wanted), f"{game}-{short(game, wanted)}".upper()}
    by_article = tuple(
        Subject(one.name, one.title, some)
        for one in known
        if (some := tuple(said for said in one.sentences if _tells_of(said, names)))
    )
    if by_article:
        return by_article
    articles = {
        short(game, id_) for one in known for said in one.sentences for id_ in said.articles
    }
    like = did_you_mean(wanted, [one.name for one in known]) or did_you_mean(wanted, articles)
    hint = like or there_are(one.name for one in known)
    why = Phrase("no_subject", "no such subject or article{hint}", hint=hint)
    raise FirmwareError(within(f"rules {game} {wanted}", why))


def _tells_of(sentence: Sentence, names: set[str]) -> bool:
    wanted = {name.casefold() for name in names}
    return any(article.casefold() in wanted for article in sentence.articles)


def short(game: str, article: str) -> str:
    """An article's id without the prefix of its game."""
    prefix = f"{game}-"
    return article[len(prefix) :] if article.casefold().startswith(prefix) else article
