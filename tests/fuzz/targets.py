"""All that reads what comes from outside, by name."""

from tests.fuzz.files import BOARDS, CONFIG, PANEL_FILES
from tests.fuzz.journals import JOURNALS
from tests.fuzz.messages import COMMANDS_ASKED, PAD_FRAMES
from tests.fuzz.sheets import SHEETS
from tests.fuzz.web import REQUESTS

TARGETS = {
    one.name: one
    for one in (
        SHEETS,
        CONFIG,
        BOARDS,
        PANEL_FILES,
        JOURNALS,
        COMMANDS_ASKED,
        PAD_FRAMES,
        REQUESTS,
    )
}
