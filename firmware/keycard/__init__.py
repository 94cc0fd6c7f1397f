"""Key cards: what every key of a layout does in one discipline, on a page to print."""
