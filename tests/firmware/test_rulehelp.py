"""What `tacada rules` tells: every article of the table is told of, in every language."""

import tomllib
from pathlib import Path

import pytest

from firmware.cli import main
from firmware.cli.rulehelp import FOLDER, games, help_languages, read_subjects, subjects, told
from firmware.errors import ConfigError
from firmware.i18n import language_codes

SEEDS = Path(__file__).parent.parent.parent / "seeds"
LONGEST = 120
"""Letters of one line: two of a terminal's at most, with its articles three."""


def catalogued(game: str) -> dict[str, str]:
    """The articles of a game in the catalogue, and their class."""
    return {
        one["id"]: one["class"]
        for path in SEEDS.glob(f"{game}-*.toml")
        for one in tomllib.loads(path.read_text("utf-8"))["article"]
    }


every_game = pytest.mark.parametrize("game", games())


def test_there_is_help_for_all_games() -> None:
    assert games() == ("carom", "pool", "snooker")


@every_game
def test_it_is_written_in_every_language_of_the_boards(game: str) -> None:
    assert {code.partition("-")[0] for code in language_codes()} <= set(help_languages(game))


@every_game
def test_no_line_of_french_begins_with_a_colon_or_semicolon(game: str) -> None:
    for subject in subjects(game, "fr"):
        for said in subject.sentences:
            assert " :" not in said.text, said.text
            assert " ;" not in said.text, said.text


@every_game
def test_each_language_says_all_of_it_in_single_lines(game: str) -> None:
    for language in help_languages(game):
        for subject in subjects(game, language):
            assert subject.sentences
            for said in subject.sentences:
                assert 0 < len(said.text) <= LONGEST, (language, said.text)


@every_game
def test_every_article_told_of_is_in_the_catalogue(game: str) -> None:
    known = catalogued(game)
    for subject in subjects(game, "en"):
        for said in subject.sentences:
            assert set(said.articles) <= set(known), said.articles


@every_game
def test_every_article_of_the_table_is_told_of(game: str) -> None:
    of_the_table = {id_ for id_, class_ in catalogued(game).items() if class_ == "T"}
    found = {id_ for one in subjects(game, "en") for said in one.sentences for id_ in said.articles}
    assert of_the_table
    assert of_the_table - found == set()


@pytest.mark.parametrize(
    ("subject", "articles"),
    [("pins", "CAROM-DBU-3.1"), ("pins", "CAROM-FIBIS"), ("zones", "CAROM-26")],
)
def test_pins_and_zones_are_told_of_whole(subject: str, articles: str) -> None:
    (one,) = told("carom", subject, "en")
    of_it = {id_ for said in one.sentences for id_ in said.articles}
    wanted = {id_ for id_ in catalogued("carom") if id_.startswith(articles)}
    assert wanted
    assert wanted <= of_it


def test_languages_differ() -> None:
    first = {subjects("snooker", code)[0].title for code in help_languages("snooker")}
    assert len(first) == len(help_languages("snooker"))


def test_a_subject_by_its_name() -> None:
    (subject,) = told("snooker", "foul-and-a-miss", "en")
    assert subject.title == "Foul and a miss"
    assert "SNOOKER-FPB-46§1" in subject.sentences[3].articles


@pytest.mark.parametrize("wanted", ["FPB-41", "fpb-41", "SNOOKER-FPB-41", "snooker-fpb-41"])
def test_an_article_by_its_number(wanted: str) -> None:
    (subject,) = told("snooker", wanted, "en")
    assert subject.name == "spotting"
    assert len(subject.sentences) == 1


def test_a_regional_language_has_the_help_of_its_base() -> None:
    assert subjects("snooker", "pt-BR") == subjects("snooker", "pt")


def test_what_is_missing_or_too_much_is_named_all_at_once(tmp_path: Path) -> None:
    index, words = tmp_path / "darts.toml", tmp_path / "en.toml"
    index.write_text('[subjects.board]\ntreble = ["D-1"]\nbull = ["D-2"]\n', "utf-8")
    words.write_text('[texts.board]\ntreble = "a\\nb"\nbulls = "red"\n', "utf-8")
    with pytest.raises(ConfigError) as caught:
        read_subjects(index, words)
    assert [line.removeprefix(f"{words}: ") for line in str(caught.value).splitlines()] == [
        "texts.board.bull: is missing",
        "texts.board.title: is missing",
        "texts.board.bulls: no such line in darts.toml, did you mean bull?",
        "texts.board.treble: is not one line of text",
    ]


def test_the_command_lists_games_and_subjects(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--language", "en"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(games())
    assert main(["rules", "snooker", "--language", "en"]) == 0
    out = capsys.readouterr().out
    assert "foul-and-a-miss  Foul and a miss\n" in out
    assert len(out.splitlines()) == len(subjects("snooker", "en"))


def test_the_command_tells_a_subject_with_its_articles(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "snooker", "spotting", "--language", "pt"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Recolocação das bolas\n- A bola volta à sua marca")
    assert "[CBBS-34, FPB-44]" in out
    assert all(len(line) <= 88 for line in out.splitlines())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["snoker"], "did you mean snooker?"),
        (["snooker", "foul-and-miss"], "did you mean foul-and-a-miss?"),
        (["snooker", "FPB-46§4"], "did you mean FPB-46§"),
        (["snooker", "xyzzy"], "there are foul-and-a-miss, "),
        (["snooker", "--language", "xx"], "are told in de, en, es"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", *words]) == 1
    assert said in capsys.readouterr().err


def test_the_files_are_where_the_package_takes_them_from() -> None:
    project = tomllib.loads((SEEDS.parent / "pyproject.toml").read_text("utf-8"))
    packed = project["tool"]["setuptools"]["package-data"]["firmware"]
    assert "**/*.toml" in packed
    assert FOLDER.is_relative_to(SEEDS.parent / "firmware")
