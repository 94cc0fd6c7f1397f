"""Where things lie on a table's computer; docs/service.md."""

from pathlib import Path

DEFAULT_FILE = Path("/etc/tacada/1.toml")
"""The configuration of the first table."""

DEFAULT_JOURNAL = "/var/lib/tacada/1/journal.db"
"""The journal of the first table."""
