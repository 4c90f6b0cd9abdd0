#!/usr/bin/env python3
"""Passes on what comes in at a port of its own to another port, in both directions: a wire that a test can cut.

Usage: forward.py PORT. Prints its pid and its own port. Stopped by SIGSTOP, it passes on nothing, and closes nothing.
"""
import asyncio
import os
import sys


async def pump(reader, writer):
    while chunk := await reader.read(65536):
        writer.write(chunk)
        await writer.drain()
    writer.close()


async def on_caller(reader, writer):
    target = await asyncio.open_connection('127.0.0.1', int(sys.argv[1]))
    await asyncio.gather(pump(reader, target[1]), pump(target[0], writer), return_exceptions=True)


async def main():
    server = await asyncio.start_server(on_caller, '127.0.0.1', 0)
    print(os.getpid(), server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
