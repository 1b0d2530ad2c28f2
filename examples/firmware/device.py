#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Talks to the device: shows what it prints, and sends it an image.

usage: device.py (--qemu MACHINE FIRMWARE | --serial DEVICE) [--update IMAGE]... [--cut N]

  --qemu    a device that QEMU emulates; its flash is empty again when the program ends
  --serial  a board, such as /dev/ttyACM0, at 115200 baud
  --update  send this image and wait until the device has started again; more than once: one after the other
  --cut     emulated device: during the first update, the power goes at the Nth operation of the flash

Without --update it shows the status and ends. Exit status 1: the device did not answer, or took no image.
"""
import argparse
import os
import select
import subprocess
import sys
import termios
import tty

ACK, NAK, CAN, EOT, STX = b"\x06", b"\x15", b"\x18", b"\x04", b"\x02"
STARTED = ("model ", "no model", " is refused: ")  # lines that end a status


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
                 "-serial", "stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
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

    def send(self, data):
        while data:
            data = data[os.write(self.into, data):]

    def line(self, seconds=30):
        text = b""
        while not text.endswith(b"\n"):
            text += self.byte(seconds)
        text = text.decode("ascii", "replace").strip()
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
            line = self.line()
        if line == "start" or self.xmodem(image):
            return  # the power was cut
        while True:
            line = self.line()
            if line in ("installed", "start"):
                return
            if line in ("not received", "this is no image for this device"):
                raise Lost(line)

    def xmodem(self, data):
        """True: the device has started again instead."""
        while self.byte(10) != b"C":
            pass
        for number in range(0, len(data), 1024):
            block = data[number:number + 1024].ljust(1024, b"\x1a")
            count = (number // 1024 + 1) & 0xFF
            packet = STX + bytes([count, 255 - count]) + block + crc(block).to_bytes(2, "big")
            for _ in range(10):
                self.send(packet)
                answer = self.answer()
                if answer != NAK:
                    break
            if answer == b"\n":
                return True
            if answer != ACK:
                raise Lost("the device refuses the image")
            if sys.stdout.isatty():
                print(f"\r{min(number + 1024, len(data))} of {len(data)} bytes", end="\n" if number + 1024 >= len(data) else "")
        self.send(EOT)
        return self.answer() == b"\n"

    def answer(self):
        while True:
            byte = self.byte(10)
            if byte in (ACK, NAK, CAN, b"\n"):
                return byte


def crc(data):
    value = 0
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return value


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--qemu", nargs=2)
    parser.add_argument("--serial")
    parser.add_argument("--update", action="append", default=[])
    parser.add_argument("--cut", type=int)
    args = parser.parse_args()
    if (args.qemu is None) == (args.serial is None):
        parser.error("one of --qemu and --serial")
    device = Device(args)
    try:
        if args.serial:
            device.send(b"s")
        device.status()
        for path in args.update:
            with open(path, "rb") as file:
                image = file.read()
            if args.cut:
                device.send(f"{args.cut}c".encode())
                args.cut = None
            device.update(image)
            device.status()
    except (Lost, OSError) as why:
        print(f"device.py: {why}", file=sys.stderr)
        return 1
    finally:
        if device.process:
            device.process.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
