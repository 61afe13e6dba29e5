#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""A disk in memory that stops answering when it is told to: disk.py FOLDER

Mounts itself over FOLDER by FUSE, says `ready`, and then does what its standard input says, each line answered by `ok`: `hang`
leaves from then on whatever is asked in the kernel, unread, so that who waits for it can still be ended; `answer` goes on. At
the end of its input it is gone, and so it is after two minutes, whoever forgot it.
"""
import ctypes
import errno
import os
import select
import signal
import stat
import struct
import sys
import time

LOOKUP, FORGET, GETATTR, SETATTR, MKDIR, UNLINK, RMDIR, RENAME, OPEN, READ, WRITE, STATFS, RELEASE, FSYNC = (
    1, 2, 3, 4, 9, 10, 11, 12, 14, 15, 16, 17, 18, 20)
INIT, OPENDIR, READDIR, RELEASEDIR, CREATE, INTERRUPT, DESTROY, BATCH_FORGET, RENAME2 = 26, 27, 28, 29, 35, 36, 38, 42, 45
IN_HEADER = struct.Struct("<IIQQIIIHH")
MODE_IS_SET, SIZE_IS_SET = 1, 8


class Node:
    def __init__(self, mode, parent=None):
        self.mode, self.parent, self.data, self.names = mode, parent, bytearray(), {}


class Disk:
    def __init__(self):
        self.nodes = {1: Node(stat.S_IFDIR | 0o755)}

    def attributes(self, number):
        node, now = self.nodes[number], int(time.time())
        size = len(node.data)
        return struct.pack("<QQQQQQIIIIIIIIII", number, size, (size + 511) // 512, now, now, now, 0, 0, 0, node.mode, 1,
                           os.getuid(), os.getgid(), 0, 4096, 0)

    def entry(self, number):
        return struct.pack("<QQQQII", number, 0, 0, 0, 0, 0) + self.attributes(number)

    def made(self, parent, name, mode):
        number = max(self.nodes) + 1
        self.nodes[number] = Node(mode)
        self.nodes[parent].names[name] = number
        return number

    def answer(self, code, number, body):
        """What is answered; an errno where it is refused, None where nobody waits."""
        node = self.nodes.get(number)
        name = lambda start: body[start:].split(b"\0")[0]
        if code == INIT:
            # Writes of up to 128 KiB, and nothing that has to be agreed on.
            return struct.pack("<IIIIHHIIHHII24x", 7, 31, 65536, 0, 12, 9, 131072, 1, 0, 0, 0, 0)
        if code == LOOKUP:
            found = node.names.get(name(0))
            return errno.ENOENT if found is None else self.entry(found)
        if code in (FORGET, BATCH_FORGET, INTERRUPT):
            return None
        if code == GETATTR:
            return struct.pack("<QII", 0, 0, 0) + self.attributes(number)
        if code == SETATTR:
            valid, _, _, size = struct.unpack_from("<IIQQ", body)
            if valid & SIZE_IS_SET:
                node.data = node.data[:size] + bytes(max(0, size - len(node.data)))
            if valid & MODE_IS_SET:
                node.mode = stat.S_IFMT(node.mode) | struct.unpack_from("<I", body, 68)[0] & 0o7777
            return struct.pack("<QII", 0, 0, 0) + self.attributes(number)
        if code == MKDIR:
            return self.entry(self.made(number, name(8), stat.S_IFDIR | struct.unpack_from("<I", body)[0] & 0o7777))
        if code == CREATE:
            mode = struct.unpack_from("<II", body)[1]
            return self.entry(self.made(number, name(16), stat.S_IFREG | mode & 0o7777)) + struct.pack("<QII", 0, 0, 0)
        if code in (UNLINK, RMDIR):
            return errno.ENOENT if node.names.pop(name(0), None) is None else b""
        if code in (RENAME, RENAME2):
            start = 8 if code == RENAME else 16
            old, new = body[start:].split(b"\0")[:2]
            self.nodes[struct.unpack_from("<Q", body)[0]].names[new] = node.names.pop(old)
            return b""
        if code in (OPEN, OPENDIR):
            return struct.pack("<QII", 0, 0, 0)
        if code == READ:
            _, offset, size = struct.unpack_from("<QQI", body)
            return bytes(node.data[offset:offset + size])
        if code == WRITE:
            _, offset, size = struct.unpack_from("<QQI", body)
            node.data = node.data[:offset] + bytes(max(0, offset - len(node.data))) + body[40:40 + size] + node.data[offset + size:]
            return struct.pack("<II", size, 0)
        if code == STATFS:
            return struct.pack("<QQQQQIIII24x", 1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 4096, 255, 4096, 0)
        if code in (RELEASE, READDIR, RELEASEDIR, FSYNC, DESTROY):
            return b""
        return errno.ENOSYS


def main(folder):
    libc = ctypes.CDLL(None, use_errno=True)
    device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
    options = f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()},allow_other"
    if libc.mount(b"hanging-disk", folder.encode(), b"fuse", 0, options.encode()) != 0:
        sys.exit(f"it cannot be mounted: {os.strerror(ctypes.get_errno())}")

    def end(*_):
        libc.umount2(folder.encode(), 2)  # MNT_DETACH
        os._exit(0)

    signal.signal(signal.SIGALRM, end)
    signal.alarm(120)
    disk, hangs = Disk(), False
    os.write(1, b"ready\n")
    while True:
        ready = select.select([0] if hangs else [0, device], [], [])[0]
        if 0 in ready:
            said = os.read(0, 64).decode().split()
            if not said:
                end()
            hangs = said[-1] == "hang"
            os.write(1, b"ok\n")
            continue
        asked = os.read(device, 1 << 18)
        _, code, unique, number, *_ = IN_HEADER.unpack_from(asked)
        answer = disk.answer(code, number, asked[IN_HEADER.size:])
        if answer is not None:
            refusal = -answer if isinstance(answer, int) else 0
            body = b"" if refusal else answer
            try:
                os.write(device, struct.pack("<IiQ", 16 + len(body), refusal, unique) + body)
            except OSError:
                pass  # who waited was ended meanwhile


if __name__ == "__main__":
    main(sys.argv[1])
