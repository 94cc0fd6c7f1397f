"""The journal: every match with every record, on disk before anyone is told (docs/journal.md)."""
