#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Talks to the device: shows what it prints, and sends it an image.

usage: device.py (--qemu MACHINE FIRMWARE | --serial DEVICE) [--update IMAGE]... [--cut N]

  --qemu    a device that QEMU emulates; its flash is empty again when the program ends
  --serial  a board, such as /dev/ttyACM0, at 115200 baud
  --update  send this image and wait until the device has started again; more than once: one after the other
  --cut     emulated device: during the first update, the power goes at the Nth operation of the flash

Without --update it shows the status and ends. Exit status 1: the device did not answer, took no image, or went back to
the one before; with several images, the last of them counts, and with --cut, going back is right, too.
"""
import argparse
import ctypes
import os
import re
import select
import signal
import subprocess
import sys
import termios
import tty

ACK, NAK, CAN, EOT, STX = b"\x06", b"\x15", b"\x18", b"\x04", b"\x02"
STARTED = ("model ", "no model", " is refused: ")  # lines that end a status
REFUSED = ("not received", "larger than a slot", "this is no image for this device", "the flash cannot be erased")


def die_with_parent():
    """QEMU ends when this program is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Lost(Exception):
    """The device does not do what was expected."""


class Device:
    def __init__(self, args):
        self.process = None
        if args.serial:
            self.out = self.into = os.open(args.serial, os.O_RDWR | os.O_NOCTTY)
            tty.setraw(self.out)
            settings = termios.tcgetattr(self.out)
            settings[4] = settings[5] = termios.B115200
            termios.tcsetattr(self.out, termios.TCSANOW, settings)
        else:
            self.process = subprocess.Popen(
                ["qemu-system-arm", "-M", args.qemu[0], "-kernel", args.qemu[1], "-display", "none", "-monitor", "none",
                 "-serial", "stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=die_with_parent)
            self.out, self.into = self.process.stdout.fileno(), self.process.stdin.fileno()
        self.rest = b""

    def byte(self, seconds):
        if not self.rest:
            if not select.select([self.out], [], [], seconds)[0]:
                raise Lost(f"nothing came for {seconds} seconds")
            self.rest = os.read(self.out, 4096)
            if not self.rest:
                raise Lost("the device is gone")
        first, self.rest = self.rest[:1], self.rest[1:]
        return first

    def begin(self):
        """Cancels what was sent to a board before this program began, and asks for the status."""
        for seconds in (1.5, 0.5):
            self.send(2 * CAN)
            while select.select([self.out], [], [], seconds)[0]:
                if not os.read(self.out, 4096):
                    raise Lost("the device is gone")
        self.send(b"s")

    def send(self, data):
        while data:
            data = data[os.write(self.into, data):]

    def line(self, seconds=30):
        text = b""
        while not text.endswith(b"\n"):
            text += self.byte(seconds)
        text = text.strip(ACK + NAK + CAN + b" \r\n").decode("ascii", "replace")
        if text:
            print(text, flush=True)
        return text

    def status(self):
        """Shows lines up to the end of a status; returns the last."""
        while True:
            line = self.line()
            if any(words in line for words in STARTED):
                return line

    def update(self, image):
        self.send(b"u")
        line = self.line()
        while line not in ("send the image by XMODEM", "start"):
            if line.endswith(REFUSED):
                raise Lost(line)
            line = self.line()
        if line == "start" or self.xmodem(image):
            return  # the power was cut
        while True:
            line = self.line()
            if line in ("installed", "start"):
                return
            if line.endswith(REFUSED):
                raise Lost(line)

    def xmodem(self, data):
        """True: the device has started again instead."""
        while self.byte(10) != b"C":
            pass
        for number in range(0, len(data), 1024):
            block = data[number:number + 1024].ljust(1024, b"\x1a")
            count = (number // 1024 + 1) & 0xFF
            packet = STX + bytes([count, 255 - count]) + block + crc(block).to_bytes(2, "big")
            answer = self.ask(packet)
            if answer != ACK:
                return answer == b"\n"
            if sys.stdout.isatty():
                print(f"\r{min(number + 1024, len(data))} of {len(data)} bytes", end="\n" if number + 1024 >= len(data) else "")
        return self.ask(EOT) == b"\n"

    def ask(self, packet):
        """The answer to a packet, which is sent again as long as it does not arrive. CAN: the device says why."""
        for _ in range(10):
            self.send(packet)
            answer = self.byte(10)
            while answer not in (ACK, NAK, CAN, b"\n"):
                answer = self.byte(10)
            if answer != NAK:
                return answer
        raise Lost("the image does not arrive")


def crc(data):
    value = 0
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return value


def image_of(status):
    """The number of the image that runs. None: none does."""
    found = re.search(r"^model .*, image (\d+):", status)
    return found and found[1]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--qemu", nargs=2)
    parser.add_argument("--serial")
    parser.add_argument("--update", action="append", default=[])
    parser.add_argument("--cut", type=int)
    args = parser.parse_args()
    if (args.qemu is None) == (args.serial is None):
        parser.error("one of --qemu and --serial")
    device, cut = None, args.cut
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        device = Device(args)
        if args.serial:
            device.begin()
        before = now = image_of(device.status())
        for path in args.update:
            with open(path, "rb") as file:
                image = file.read()
            if args.cut:
                device.send(f"{args.cut}c".encode())
                args.cut = None
            device.update(image)
            before, now = now, image_of(device.status())
        if args.update and now == before and not cut:
            raise Lost("the new image failed, and the device went back" if now else "the new image failed")
    except (Lost, OSError, termios.error) as why:
        print(f"device.py: {why}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        if device and device.process:
            device.process.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
