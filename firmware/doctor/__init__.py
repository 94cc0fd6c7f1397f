"""`tacada doctor`: what is wrong with a table, and the mend (docs/doctor.md)."""
