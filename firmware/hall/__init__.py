"""What follows the tables of a hall, from their messages alone (docs/hall.md)."""
