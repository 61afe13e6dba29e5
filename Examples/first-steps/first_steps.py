#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""The smallest front end in Python: music, a cue, a chapter tapped on its beats. It waits while there is no daemon."""
import json
import os
import socket
import sys
import time


def now_us():
    """Reads CLOCK_MONOTONIC, which is the daemon's clock."""
    return time.monotonic_ns() // 1_000


def connect():
    """Tries to connect until a daemon is there."""
    folders = filter(None, [os.environ.get("XDG_RUNTIME_DIR"), "/run"])
    chosen = os.environ.get("STARLIGHT_SOCKET")
    places = [chosen] if chosen else [folder + "/starlight/starlightd.sock" for folder in folders]
    while True:
        for path in places:
            daemon = socket.socket(socket.AF_UNIX)
            try:
                daemon.connect(path)
                return daemon
            except OSError as error:
                print(f"no daemon at {path}: {error.strerror}", flush=True)
        time.sleep(0.5)


def play(daemon):
    """Plays until the chapter is over. Returns its score."""
    asked = []

    def ask(method, **params):
        asked.append(method)
        try:
            daemon.sendall(json.dumps({"id": len(asked) - 1, "method": method, "params": params}).encode() + b"\n")
        except ConnectionError:
            pass  # The daemon may have sent its reason: it is read below.

    # A daemon that comes back knows nothing of earlier clients. Ask for everything again.
    ask("session.hello", protocol=1, client="first steps in Python")
    ask("session.use", pack="first-steps")
    ask("events.subscribe", topics=["rhythm"])
    ask("music.play", track="loop")
    ask("cue.fire", cue="hello")
    # Begins in a second. Without a lease the chapter ends with this program, not 10 s later.
    ask("rhythm.start", chapter="tap", atUs=now_us() + 1_000_000, leaseUs=0)
    # Only for reading: a text file for both loses what it has read ahead whenever you write to it.
    for line in daemon.makefile(encoding="utf-8"):
        message = json.loads(line)
        told = message.get("params", {})
        if "error" in message:
            # An error without an id answers no request that could be read. It may say why the daemon closes.
            method, error = "the connection" if message.get("id") is None else asked[message["id"]], message["error"]
            print(f"{method} was refused: {error['message']} ({error['data'].get('hint', 'no hint')})", flush=True)
            # A tap may come too late. Any other request would be refused again.
            if method != "rhythm.tap":
                sys.exit(1)
        elif message.get("method") == "rhythm.beat":
            # A game does this when a key is pressed. The stamp counts, not the arrival of the line.
            ask("rhythm.tap", atUs=now_us())
        elif message.get("method") == "rhythm.judgement":
            print(f"beat {told.get('beat')}: {told['verdict']}, {told.get('errorUs')} us", flush=True)
        elif message.get("method") == "rhythm.complete":
            return told["score"]
    raise ConnectionError("the daemon is gone")


while True:
    try:
        score = play(connect())
        print(f"{score['hits']} hits, {score['misses']} misses")
        break
    except ConnectionError as error:
        print(error, flush=True)
        time.sleep(0.5)
