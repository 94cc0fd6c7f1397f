"""A table on MQTT: what is said, on which topics, and to whom (docs/mqtt.md)."""
