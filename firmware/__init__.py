"""The firmware: composes rules and drivers into a table that can be played on.

From the finger to the hall (docs/one-button-press.md):

- `devices`: panel, pads and phones, what stands before their keys, lamps and buzzer;
- `keys`: what a key means at each moment;
- `table`: the match, and all that presses and commands do to it; `setup`: the next match;
- `journal`: every record on disk; `club`: the names in it; `records`: what is made of it;
- `board`: which screen is shown, and its picture;
- `mqtt`: what is said to the hall; `hall` and `web`: what listens there;
- `config`, `doctor`, `keycard`, `demo`, `cli`: what is asked for at a shell.

`app` puts them together, with the devices of `hardware`. What imports what: docs/adr/0006.
"""
