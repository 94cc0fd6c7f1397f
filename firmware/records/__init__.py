"""What a match leaves behind: sheets, exports, statistics, all folded from the journal."""
