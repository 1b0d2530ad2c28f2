# SPDX-License-Identifier: Apache-2.0
"""A wire between a GDB client and a GDB server that damages what it carries, as a seed decides.

As a program: gdb_proxy.py LISTEN SERVER [--seed N] [--rate X] [--faults LIST] [--close-at N] [--hang-at N]
    LISTEN, SERVER   HOST:PORT or unix:PATH; prints "ready" when it listens, ends with the first client
    --rate           how many of the packets and acknowledgments meet with a fault, 0 to 1
    --faults         of: drop repeat garble cut noise nak split delay
    --close-at       the connection ends with this packet of the server, counted from 1
    --hang-at        nothing is carried from this packet on
As a module: Proxy is the same as a thread. Units and PACKET also serve gdb_stub.py.
"""
import argparse
import random
import re
import selectors
import socket
import sys
import threading
import time

# A packet, an acknowledgment, the byte that interrupts, or the first byte of something else.
PACKET = re.compile(rb"[$%](?:[^#$}]|}.)*#[0-9a-fA-F]{2}|.", re.S)
WHOLE = re.compile(rb"[$%](?:[^#$}]|}.)*#[0-9a-fA-F]{2}", re.S)
FAULTS = ("drop", "repeat", "garble", "cut", "noise", "nak", "split", "delay")


def frame(body):
    return b"$" + body + b"#%02x" % (sum(body) & 255)


class Units:
    """Bytes in, whole packets and single bytes out."""

    def __init__(self):
        self.bytes = b""

    def add(self, data):
        self.bytes += data
        while self.bytes:
            whole = WHOLE.match(self.bytes)
            if self.bytes[:1] in b"$%" and whole is None:
                again = self.bytes.find(b"$", 1)
                if again < 0:
                    return  # the rest is to come
                unit, self.bytes = self.bytes[:again], self.bytes[again:]
            else:
                length = whole.end() if whole else 1
                unit, self.bytes = self.bytes[:length], self.bytes[length:]
            yield unit


def open_socket(where, listens):
    """HOST:PORT or unix:PATH."""
    if where.startswith("unix:"):
        one, address = socket.socket(socket.AF_UNIX), where[5:]
    else:
        host, port = where.rsplit(":", 1)
        one, address = socket.socket(), (host or "127.0.0.1", int(port))
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if listens:
        one.bind(address)
        one.listen(1)
    else:
        one.connect(address)
    return one


class Proxy(threading.Thread):
    """Serves one client, then ends. faults: a dictionary that counts them."""

    def __init__(self, listen, server, seed=0, rate=0.0, kinds=FAULTS, close_at=0, hang_at=0):
        super().__init__(daemon=True)
        self.listener, self.server = open_socket(listen, True), server
        self.random, self.rate, self.kinds = random.Random(seed), rate, kinds
        self.close_at, self.hang_at = close_at, hang_at
        self.packets = 0  # of the server
        self.faults = {}

    def run(self):
        client, _ = self.listener.accept()
        self.listener.close()
        with client, open_socket(self.server, False) as server:
            ends = {client: (server, Units()), server: (client, Units())}
            selector = selectors.DefaultSelector()
            for end in ends:
                selector.register(end, selectors.EVENT_READ)
            try:
                while all(self.carry(client, key.fileobj, *ends[key.fileobj]) for key, _ in selector.select()):
                    pass
            except OSError:
                pass  # one of them has closed the connection

    def carry(self, client, end, other, units):
        """Passes on what came from one end; false when the connection is over."""
        data = end.recv(1 << 16)
        if not data:
            return False
        for unit in units.add(data):
            is_answer = end is not client and unit[:1] == b"$"
            self.packets += is_answer
            if self.close_at and self.packets >= self.close_at:
                return False
            if not (self.hang_at and self.packets >= self.hang_at):
                self.pass_on(unit, end, other)
        return True

    def pass_on(self, unit, end, other):
        """Units may become none, another one, or several."""
        if self.random.random() >= self.rate:
            other.sendall(unit)
            return
        kind = self.random.choice(self.kinds)
        self.faults[kind] = self.faults.get(kind, 0) + 1
        at = self.random.randrange(len(unit))
        if kind == "nak":
            end.sendall(b"-")
        if kind == "noise":
            other.sendall(self.random.randbytes(self.random.randint(1, 6)).replace(b"\3", b"?"))
        if kind == "garble":  # one bit: two could leave the checksum right
            unit = unit[:at] + bytes([unit[at] ^ 1 << self.random.randrange(7)]) + unit[at + 1:]
        if kind == "cut":
            unit = unit[:at]
        if kind == "split":
            other.sendall(unit[:at])
            time.sleep(0.01)
            unit = unit[at:]
        if kind == "delay":
            time.sleep(self.random.choice((0.01, 0.01, 0.01, 1.5)))
        if kind != "drop":
            other.sendall(unit)
        if kind == "repeat":
            time.sleep(self.random.choice((0, 0.002)))
            other.sendall(unit)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("listen")
    parser.add_argument("server")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rate", type=float, default=0.0)
    parser.add_argument("--faults", default=",".join(FAULTS))
    parser.add_argument("--close-at", type=int, default=0)
    parser.add_argument("--hang-at", type=int, default=0)
    options = parser.parse_args()
    proxy = Proxy(options.listen, options.server, options.seed, options.rate, options.faults.split(","),
                  options.close_at, options.hang_at)
    proxy.start()
    print("ready", flush=True)
    proxy.join()
    print(f"{proxy.packets} packets, {sum(proxy.faults.values())} faults", file=sys.stderr)


if __name__ == "__main__":
    main()
