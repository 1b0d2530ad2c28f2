#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A GDB server with other abilities than QEMU's, in front of a QEMU that it starts: what runs, really runs.

usage: gdb_stub.py LISTEN MACHINE [option]...
    LISTEN                  HOST:PORT or unix:PATH
    --packet-size HEX       in the answer to qSupported; longer packets are errors
    --binary                takes X and x
    --no-breakpoints        does not know Z0
    --breakpoints N         takes so many at once; in flash only those of the core, Z1
    --no-registers          does not know p and P, only g and G
    --no-description        has no target.xml
    --runs                  sends run lengths
    --flash ADDR,SIZE,BLOCK this memory of the machine is flash: read-only except by vFlashErase, vFlashWrite and
                            vFlashDone, in blocks, with a memory map
    --fail-flash            vFlashDone fails
    --end-at REGEX          ends when a request matches
    --hang-at REGEX         answers neither that request nor others
    --log FILE              gets the requests, a line each
Prints "Listening" when it takes a connection. It ends with its first client.
"""
import argparse
import os
import re
import select
import socket
import subprocess
import sys
import tempfile
import time

from gdb_proxy import Units, frame, open_socket


def escape(data):
    return re.sub(rb"[#$}*]", lambda match: b"}" + bytes([match[0][0] ^ 0x20]), data)


def unescape(data):
    return re.sub(rb"}(.)", lambda match: bytes([match[1][0] ^ 0x20]), data, flags=re.S)


def with_runs(data):
    """Four and more equal characters become a run length; 6 and 7 repetitions have none."""
    def shorten(match):
        count = len(match[0]) - 1
        return match[0] if count in (6, 7) else match[1] + b"*" + bytes([count + 29])
    return re.sub(rb"([^}*])\1{3,90}", shorten, data)


class Wire:
    """One end of the protocol, in the order that is always right: a packet, its acknowledgment, the answer."""

    def __init__(self, end):
        self.end, self.units, self.waiting = end, Units(), []

    def next(self, timeout=None):
        """The next packet's body, b"\\3", or None when the time is over; EOFError at the end."""
        while True:
            for unit in self.take():
                if unit == b"\3":
                    return unit
                if unit[:1] == b"$":
                    good = int(unit[-2:], 16) == sum(unit[1:-3]) & 255
                    self.end.sendall(b"+" if good else b"-")
                    if good:
                        return unescape(unit[1:-3])
            if not select.select([self.end], [], [], timeout)[0]:
                return None
            data = self.end.recv(1 << 16)
            if not data:
                raise EOFError
            self.waiting += self.units.add(data)

    def take(self):
        while self.waiting:
            yield self.waiting.pop(0)

    def send(self, body):
        self.end.sendall(frame(body))


class Stub:
    def __init__(self, options, client, server):
        self.options, self.client, self.server = options, Wire(client), Wire(server)
        self.flash = [int(word, 0) for word in options.flash.split(",")] if options.flash else [0, 0, 1]
        self.written = {}  # address: bytes, since the last vFlashDone
        self.erased = set()  # blocks
        self.breakpoints = set()
        self.log = open(options.log, "w", encoding="ascii") if options.log else None

    def ask(self, body):
        """The machine's answer."""
        self.server.send(body)
        return self.server.next()

    def say(self, body):
        self.client.send(with_runs(body) if self.options.runs and body[:1] not in (b"b", b"m", b"l") else body)

    def serve(self):
        while True:
            request = self.client.next()
            text = request.decode("latin-1")
            if self.log:
                print(ascii(text[:100]), file=self.log, flush=True)
            if self.options.end_at and re.match(self.options.end_at, text):
                return
            if self.options.hang_at and re.match(self.options.hang_at, text):
                time.sleep(1000)
            if len(escape(request)) + 4 > self.options.packet_size:
                self.say(b"E.packet-too-long")
            elif text == "c":
                self.go()
            elif text.startswith("qRcmd,"):
                self.command(request)
            else:
                self.say(self.answer(request, text))
                if text in ("D", "k"):
                    return

    def go(self):
        self.server.send(b"c")
        while True:
            ready = select.select([self.client.end, self.server.end], [], [])[0]
            if self.client.end in ready and self.client.next(0) == b"\3":
                self.server.end.sendall(b"\3")
            if self.server.end in ready:
                body = self.server.next(0)
                if body is not None:
                    self.client.send(body)
                    return

    def command(self, request):
        self.server.send(request)
        while (body := self.server.next()) and body[:1] == b"O" and body != b"OK":
            self.client.send(body)
        self.say(body)

    def answer(self, request, text):
        options = self.options
        if text.startswith("qSupported"):
            able = [f"PacketSize={options.packet_size:x}"]
            able += [] if options.no_description else ["qXfer:features:read+"]
            able += ["qXfer:memory-map:read+"] if options.flash else []
            able += ["binary-upload+"] if options.binary else []
            return ";".join(able).encode()
        if text.startswith("qXfer:memory-map:read::"):
            offset, size = (int(word, 16) for word in text.split(":")[-1].split(","))
            part = self.map()[offset:]
            return (b"m" if len(part) > size else b"l") + part[:size]
        if text.startswith("qXfer:features") and options.no_description or text[0] in "pP" and options.no_registers:
            return b""
        if text[0] in "Zz" and options.no_breakpoints or text[0] in "Xx" and not options.binary:
            return b""
        if text[0] in "Zz":
            return self.set_breakpoint(request, text)
        if text.startswith("vFlash"):
            return self.program(request) if options.flash else b""
        if text[0] in "mx":
            return self.read(text)
        if text[0] in "MX":
            return self.write(request)
        return self.ask(request)

    def set_breakpoint(self, request, text):
        address, others = int(text.split(",")[1], 16), self.breakpoints - {text[1:]}
        in_flash = self.flash[0] <= address < self.flash[0] + self.flash[1]
        if text[0] == "Z" and (len(others) >= self.options.breakpoints or in_flash and text[1] == "0"):
            return b"E0e"
        self.breakpoints = others | {text[1:]} if text[0] == "Z" else others
        return self.ask(request)

    def map(self):
        start, size, block = self.flash
        return (f'<?xml version="1.0"?><memory-map><memory type="ram" start="0x0" length="{start:#x}"/>'
                f'<memory type="flash" start="{start:#x}" length="{size:#x}"><property name="blocksize">{block:#x}'
                f'</property></memory></memory-map>').encode()

    def read(self, text):
        answer = self.ask(b"m" + text[1:].encode())
        if text[0] == "m" or answer[:1] == b"E":
            return answer
        return b"b" + escape(bytes.fromhex(answer.decode()))

    def write(self, request):
        head, data = request.split(b":", 1)
        address, size = (int(word, 16) for word in head[1:].split(b","))
        if head[:1] == b"X":
            data = data.hex().encode()
        if address < self.flash[0] + self.flash[1] and address + size > self.flash[0]:
            return b"E.flash"
        if size == 0:
            return b"OK"
        return self.put(address, bytes.fromhex(data.decode())) if len(data) == 2 * size else b"E.length"

    def put(self, address, data):
        """Into the machine's memory, in pieces that QEMU takes."""
        for at in range(0, len(data), 1024):
            part = data[at:at + 1024]
            answer = self.ask(b"M%x,%x:%s" % (address + at, len(part), part.hex().encode()))
            if answer != b"OK":
                return answer
        return b"OK"

    def program(self, request):
        """As flash is: only what was erased can be written, once; it is there when all is done."""
        start, size, block = self.flash
        name, _, rest = request.partition(b":")
        if name == b"vFlashErase":
            at, length = (int(word, 16) for word in rest.split(b","))
            if at % block or length % block or at < start or at + length > start + size:
                return b"E.blocks"
            self.erased.update(range(at, at + length, block))
            return self.put(at, b"\xff" * length)
        if name == b"vFlashWrite":
            at, data = rest.split(b":", 1)
            at = int(at, 16)
            for i in range(at, at + len(data)):
                if i - i % block not in self.erased or i in self.written:
                    return b"E.not-erased"
                self.written[i] = data[i - at:i - at + 1]
            return b"OK"
        if self.options.fail_flash:
            return b"E.verify"
        for at in sorted(self.written):
            if at - 1 not in self.written:
                end = at
                while end in self.written:
                    end += 1
                answer = self.put(at, b"".join(self.written[i] for i in range(at, end)))
                if answer != b"OK":
                    return answer
        self.written, self.erased = {}, set()
        return b"OK"


def connect(process):
    while True:
        try:
            return open_socket("unix:gdb", False)
        except OSError:
            if process.poll() is not None:
                sys.exit("QEMU has ended")
            time.sleep(0.01)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("listen")
    parser.add_argument("machine")
    parser.add_argument("--packet-size", type=lambda text: int(text, 16), default=0x1000)
    for name in ("--binary", "--no-breakpoints", "--no-registers", "--no-description", "--runs", "--fail-flash"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("--breakpoints", type=int, default=1000)
    for name in ("--flash", "--end-at", "--hang-at", "--log"):
        parser.add_argument(name)
    options = parser.parse_args()
    if options.log:
        options.log = os.path.abspath(options.log)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # the path of a socket is short
        qemu = subprocess.Popen(["qemu-system-arm", "-M", options.machine, "-S", "-display", "none", "-serial", "none",
                                 "-monitor", "none", "-parallel", "none", "-nodefaults", "-icount", "shift=6", "-chardev",
                                 "socket,path=gdb,server=on,wait=off,id=gdb", "-gdb", "chardev:gdb"],
                                stderr=subprocess.DEVNULL)
        try:
            server = connect(qemu)
            listener = open_socket(options.listen, True)
            print("Listening", flush=True)
            client, _ = listener.accept()
            if client.family == socket.AF_INET:
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            Stub(options, client, server).serve()
        except (EOFError, ConnectionError):
            pass  # the client is done
        finally:
            qemu.kill()
            qemu.wait()
            os.chdir("/")


if __name__ == "__main__":
    main()
