"""The names by which the pages may be asked for: none that a stranger can have.

A foreign page whose own name is made to lead to this server would be one of ours as far as a
browser can tell: DNS rebinding. So a name counts only if nobody on the internet can own it, or if
it was given to this server.
"""

import ipaddress
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from drivers.phrases import Phrase, within
from firmware.errors import FirmwareError

HOME = ("local", "home.arpa", "internal", "lan", "home", "intranet", "private", "corp", "localhost")
"""Ends of names of a local network, which the internet does not have.

RFC 6762 with its appendix G, RFC 8375, RFC 6761; `internal` is kept free by ICANN.
"""

SHOWN = 80
"""So much of a name is told back."""

_HOST = re.compile(r"(?:\[(?P<v6>[^\]]{2,64})\]|(?P<name>[\w.-]{0,253}))(?::\d{0,5})?", re.ASCII)
"""A `Host` header, RFC 9110, 7.2; a name has 253 letters at most: RFC 1035, 2.3.4."""


class Names:
    """The names of one server: addresses, names without a dot, those of a local network, its own.

    `known_as` are its own; `address` is a URL by which it is reached.

    Raises:
        FirmwareError: the address is no URL of a server.
    """

    def __init__(self, address: str = "", known_as: Iterable[str] = ()) -> None:
        url = urlsplit(address)
        if address and (url.scheme not in ("http", "https") or not url.hostname):
            must = Phrase("url", "must be like http://scores.club.lan:8080")
            raise FirmwareError(within("--address", within(address, must)))
        self._own = {_plain(name) for name in (url.hostname or "", *known_as) if name}

    def hold(self, host: str) -> bool:
        """Whether one of them is in a `Host` header, with or without a port."""
        found = _HOST.fullmatch(host.strip())
        if found is None:
            return False
        if found["v6"] is not None:
            return _is_address(found["v6"])
        name = _plain(found["name"])
        return (
            "." not in name
            or _is_address(name)
            or name in self._own
            or name.endswith(tuple(f".{end}" for end in HOME))
        )


def shown(host: str) -> str:
    """A name as it may be told back: without its port, and of letters that names have."""
    name = host.strip().rpartition(":")[0] if ":" in host else host.strip()
    return re.sub(r"[^\w.\[\]:-]", "?", name)[:SHOWN]


def _plain(name: str) -> str:
    return name.strip().lower().removesuffix(".")


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return True
