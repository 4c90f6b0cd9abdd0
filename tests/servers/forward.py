#!/usr/bin/env python3
"""Passes on what comes in at a port of its own to another port, in both directions: a wire that a test can cut.

Usage: forward.py PORT [FAULT]. FAULT is one of these:
- `lose-first`: what the first caller says after its introduction as a node (in the clear) is lost;
- `close-first`: its connection is closed as soon as it says something.

Prints its pid and its own port. Stopped by SIGSTOP, it passes on nothing, and closes nothing.
"""
import asyncio
import os
import sys


fault = (sys.argv[2:] or [''])[0]
is_first = True


async def pump(reader, writer):
    while chunk := await reader.read(65536):
        writer.write(chunk)
        await writer.drain()
    writer.close()


async def lose(reader, writer, caller):
    """Passes on the introduction: a header, with the size of what follows in bytes 4 to 7."""
    header = await reader.readexactly(32)
    writer.write(header + await reader.readexactly(int.from_bytes(header[4:8], 'big')))
    while await reader.read(65536):
        if fault == 'close-first':
            break
    writer.close()
    caller.close()


async def on_caller(reader, writer):
    global is_first
    target = await asyncio.open_connection('127.0.0.1', int(sys.argv[1]))
    is_lost = is_first and fault != ''
    is_first = False
    there = lose(reader, target[1], writer) if is_lost else pump(reader, target[1])
    await asyncio.gather(there, pump(target[0], writer), return_exceptions=True)


async def main():
    server = await asyncio.start_server(on_caller, '127.0.0.1', 0)
    print(os.getpid(), server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
