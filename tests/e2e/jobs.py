# SPDX-License-Identifier: Apache-2.0
"""How many tests may run at a time: a given number, or the jobs that make can spare, as a client of its jobserver
(GNU make manual, "Sharing Job Slots with GNU make").

Make's own recipe is one job. Each further job is a byte read from make's pipe, which has to be written back.
"""
import concurrent.futures
import os
import re


class Fixed:
    """A fixed number of jobs."""

    def __init__(self, number):
        self.number = number

    def more(self, running):
        """Whether one more test may start besides those that run."""
        return running < self.number

    def less(self, running):
        """Gives back the jobs that the running tests do not need."""


class Shared:
    """One job, and those that other steps of make leave."""

    def __init__(self, reader, writer):
        self.reader, self.writer, self.tokens = reader, writer, []

    def more(self, running):
        if running <= len(self.tokens):
            return True
        try:
            token = os.read(self.reader, 1)
        except BlockingIOError:
            return False
        self.tokens += [token] if token else []
        return bool(token)

    def less(self, running):
        while self.tokens and running <= len(self.tokens):
            os.write(self.writer, self.tokens.pop())


def of_make(flags):
    """The jobs of the make whose MAKEFLAGS these are, or None if it has none to share."""
    found = re.search(r"--jobserver-(?:auth|fds)=(?:fifo:(\S+)|(\d+),(\d+))", flags)
    if found is None:
        return None
    fifo, reader, writer = found.groups()
    try:  # opened again, because O_NONBLOCK is a property that all users of an open pipe share
        return Shared(os.open(fifo or f"/proc/self/fd/{reader}", os.O_RDONLY | os.O_NONBLOCK),
                      os.open(fifo, os.O_WRONLY) if fifo else os.dup(int(writer)))
    except OSError:
        return None


def results(executor, calls, number=None):
    """Results of calls, (function, arguments...), as they end. executor: of which class. number: of jobs, None: what
    make has, or one for each processor."""
    workers = number or os.cpu_count() or 1
    flags = os.environ.pop("MAKEFLAGS", "")  # not inherited by programs that the tests run
    slots = Fixed(number) if number else of_make(flags) or Fixed(workers)
    waiting, running = list(calls)[::-1], set()
    with executor(workers) as pool:
        while waiting or running:
            while waiting and len(running) < workers and slots.more(len(running)):
                running.add(pool.submit(*waiting.pop()))
            ended, running = concurrent.futures.wait(running, timeout=0.2 if waiting else None,
                                                     return_when=concurrent.futures.FIRST_COMPLETED)
            slots.less(len(running))
            yield from (future.result() for future in ended)
