# SPDX-License-Identifier: Apache-2.0

"""A daemon of its own with a pack of one sound, a.wav, and clients of it: for benchmarks that ask who waits for whom."""
import contextlib
import json
import os
import socket
import subprocess
import tempfile
import time


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")

    def ask(self, method, **params):
        return self.tell([line(method, **params)])[0]

    def tell(self, lines):
        """Sends lines at once, and reads as many replies."""
        self.socket.sendall(b"".join(lines))
        replies = []
        while len(replies) < len(lines):
            reply = json.loads(self.lines.readline())
            if "method" not in reply:
                replies.append(reply)
        return replies

    def leave(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.lines.close()
        self.socket.close()


def line(method, **params):
    return json.dumps({"id": 1, "method": method, "params": params}, ensure_ascii=False).encode() + b"\n"


@contextlib.contextmanager
def served(program, manifest):
    """The path of the socket of a daemon that listens, with a pack of that manifest and 0.1 s of silence as its sound."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/pack")
        with open(folder + "/pack/pack.json", "w", encoding="utf-8") as file:
            file.write(manifest)
        with open(folder + "/pack/a.wav", "wb") as file:
            frames = bytes(9600)
            file.write(b"RIFF" + (36 + len(frames)).to_bytes(4, "little") + b"WAVEfmt \x10\0\0\0\x01\0\x01\0"
                       + (48000).to_bytes(4, "little") + (96000).to_bytes(4, "little") + b"\x02\0\x10\0data"
                       + len(frames).to_bytes(4, "little") + frames)
        path = folder + "/socket"
        daemon = subprocess.Popen(
            [program, "--socket", path, "--packs", folder + "/pack", "--device", "none", "--haptics", "none"],
            stderr=subprocess.DEVNULL, env=dict(os.environ, STATE_DIRECTORY=folder))
        try:
            while not os.path.exists(path):
                if daemon.poll() is not None:
                    raise SystemExit(f"{program} ended with {daemon.returncode} before it listened")
                time.sleep(0.05)
            yield path
        finally:
            daemon.terminate()
            try:
                daemon.wait(60)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
