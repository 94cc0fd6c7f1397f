"""Pages of a hall on a real broker: what `tacada web` and the demonstration serve."""

from drivers.broker import BrokerConfig, MqttBroker
from firmware.clock import SystemClock
from firmware.hall.follow import farewell, topics_of
from firmware.hardware import RETURN
from firmware.mqtt.messages import DISPLAYS, Topics
from firmware.web.door import topics_of_door
from firmware.web.run import HallWeb, presence
from firmware.web.server import Site


def hall_web(where: BrokerConfig, name: str, halls: tuple[str, ...], site: Site) -> HallWeb:
    """Pages that follow these halls, or all where none is named.

    By their `name` the pages say that they are there.
    """
    topics = Topics(DISPLAYS, name)
    broker = MqttBroker(
        where,
        will=farewell(topics, presence()),
        subscriptions=(*topics_of(halls), *topics_of_door(halls)),
        backoff=RETURN,
    )
    return HallWeb(broker, topics, SystemClock(), site)
