"""A whole hall under load: real tables that play real sheets, one broker, one hall display."""
