"""What can go wrong between the program and a wire.

DriverError
├── DeviceMissing (OSError)          not there at the start, or no permission
├── DeviceLost (OSError)             was there and has gone
├── WiringError (ValueError)         asked of a device what it cannot do
└── BrokerLost (ConnectionError)     no MQTT broker, or no longer
"""

from collections.abc import Sequence


class DriverError(Exception):
    """The base of every error that a driver raises; its one argument is what a person reads."""


class DeviceMissing(DriverError, OSError):
    """A device could not be opened.

    The message names the device and what a person can do about it: the package to install,
    the group to join, the interface to switch on.
    """


class DeviceLost(DriverError, OSError):
    """A device that worked has stopped working; the message names it."""


class WiringError(DriverError, ValueError):
    """A pin, size or order that the device cannot have; the message names the setting.

    `faults` are all that were found, the message where there is but one.
    """

    def __init__(self, message: str, faults: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.faults = tuple(faults) or (message,)


class BrokerLost(DriverError, ConnectionError):
    """The MQTT broker cannot be reached, or the connection broke."""


def first_cause(several: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error in a group of groups: one speaks for what it took down with it."""
    first: BaseException = several
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    return first
