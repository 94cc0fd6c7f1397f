"""A display's end of the wire: says when each state came, decoded. `… PORT TOPIC`."""

import asyncio
import json
import socket
import sys
import time

import aiomqtt


async def main(port: int, topic: str) -> None:
    options = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
    async with aiomqtt.Client("127.0.0.1", port=port, socket_options=options) as client:
        await client.subscribe(topic, qos=1)
        print("ready", flush=True)
        async for message in client.messages:
            assert isinstance(message.payload, bytes)
            state = json.loads(message.payload)
            print(state["seq"], time.monotonic_ns(), flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
