#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""End-to-end tests of relocpack: the program as users run it, on real models.

usage: run.py [--quick | --whole] [--part some|rest|all] [--rows one|third|all] [--turn N] [--shard I/N] [--jobs N]
              [--tool PROGRAM] [--keep] [--list] [--times] [PATTERN...]

PATTERN selects tests by a part of their name, or by a wildcard. --quick leaves out the slow ones
(most of those on the emulator). --whole runs the rest of matrices; without it every row and every
column is tried. --part some takes one in sixteen of the test functions of each file, at least one, and rest the
others. --rows one takes one row of each table of tests, third every third one, at least one. Which functions and
rows, --turn says: the number of a commit, so that all have their turn. --shard I/N takes the I-th of N equal
shares, for N machines. --keep keeps the files of the tests and says where they are.
Needs python3-jsonschema besides the standard library, and the tools that relocpack itself needs; a
test that lacks one is skipped, or fails when CI=true.

Prints one line for each test to stderr when that is a terminal, otherwise only what did not pass;
the last line, on stdout, is "N passed, N failed, N skipped". Exit status 0: none failed.
"""
import argparse
import concurrent.futures
import fcntl
import fnmatch
import importlib
import multiprocessing
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import jobs  # noqa: E402
import kit  # noqa: E402

for module in sorted(HERE.glob("test_*.py")):
    importlib.import_module(module.stem)


STEP = 16  # --part some: one in so many functions of a file


def in_part(options):
    """Names of the functions that --part selects."""
    functions = {}
    for test in kit.TESTS:
        functions.setdefault(test["name"].partition(".")[0], {})[kit.function_of(test)] = None
    some = {name for names in functions.values() for i, name in enumerate(names)
            if i % min(STEP, len(names)) == options.turn % min(STEP, len(names))}
    return {name for names in functions.values() for name in names
            if options.part == "all" or (name in some) == (options.part == "some")}


def selected(options):
    part = in_part(options)

    def wanted(name):
        return not options.patterns or any(
            pattern in name or fnmatch.fnmatch(name, pattern) for pattern in options.patterns)

    def in_turn(test):
        if options.patterns:
            return True
        if test["always"]:
            return options.part != "rest" and test["spread"] != options.whole
        step = {"one": test["rows"], "third": min(3, test["rows"]), "all": 1}[options.rows]
        return (kit.function_of(test) in part and test["spread"] != options.whole
                and test["row"] % step == options.turn % step)
    chosen = [i for i, test in enumerate(kit.TESTS)
              if wanted(test["name"]) and in_turn(test) and not (options.quick and test["slow"])]
    share, shares = options.shard
    return chosen[share - 1::shares]


def base_folder():
    """A new folder, and what holds it: with the same name as the last time, which ccache's keys contain, unless another run has it."""
    path = pathlib.Path(tempfile.gettempdir(), f"relocpack-e2e-{os.getuid()}")
    try:
        path.mkdir(0o700, exist_ok=True)
        held = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        if os.fstat(held).st_uid != os.getuid():
            raise PermissionError(path)
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return tempfile.mkdtemp(prefix="relocpack-e2e-"), None
    for left in path.iterdir():  # by a run that was killed
        shutil.rmtree(left, ignore_errors=True)
    return str(path), held


def copy_tool(program, base):
    """Copies the program and its files as they are now, because somebody may build while the tests run."""
    if pathlib.Path(program).resolve() != kit.ROOT / "build" / "relocpack":
        return os.path.abspath(program)
    share = pathlib.Path(base, "tool", "share", "relocpack")
    for name in ("templates", "runtime"):
        shutil.copytree(kit.ROOT / name, share / name)
    (share / "../../bin").resolve().mkdir()
    return shutil.copy(program, (share / "../../bin/relocpack").resolve())


def cpu_seconds():
    """CPU time of this process and its children: unlike wall-clock time, much the same on a busy machine."""
    return sum(os.times()[:4])


def run_one(index, base, tool):
    test = kit.TESTS[index]
    start = cpu_seconds()
    try:
        kit.need(*test["needs"])
        case = kit.Case(base, test["name"], tool)
        try:
            test["body"](case)
        finally:
            case.end()
        outcome, text = "ok", ""
    except kit.Skip as why:
        outcome, text = "skipped", str(why)
    except kit.Failure as why:
        place = traceback.extract_tb(why.__traceback__)
        mine = [frame for frame in place if pathlib.Path(frame.filename).name.startswith("test_")]
        at = f"{pathlib.Path(mine[-1].filename).name}:{mine[-1].lineno}: " if mine else ""
        outcome, text = "FAILED", at + str(why)
    except Exception:  # a test that crashes is a failure, and the others go on
        outcome, text = "FAILED", traceback.format_exc()
    return index, outcome, text, cpu_seconds() - start


def tell(name, outcome, text, seconds, number, total):
    if sys.stderr.isatty() or os.environ.get("RUN_VERBOSE"):
        kit.say(f"[{number}/{total}] {name} {outcome} {seconds:.1f} s")
    elif outcome == "skipped":
        kit.say(f"SKIPPED {name}: {text}")
    if outcome == "FAILED" or (outcome == "skipped" and sys.stderr.isatty()):
        kit.say(f"{outcome} {name}: {text}\n")


def in_order(chosen):
    """Slow ones first, so that the processes end together."""
    return sorted(chosen, key=lambda i: not kit.TESTS[i]["slow"])


def processes(number):
    return concurrent.futures.ProcessPoolExecutor(number, mp_context=multiprocessing.get_context("fork"))


def run_all(chosen, options, base):
    counts = {"ok": 0, "FAILED": 0, "skipped": 0}
    times = []
    calls = [(run_one, i, base, options.tool) for i in in_order(chosen)]
    for number, (index, outcome, text, seconds) in enumerate(jobs.results(processes, calls, options.jobs), 1):
        name = kit.TESTS[index]["name"]
        if outcome == "skipped" and os.environ.get("CI") == "true":
            outcome, text = "FAILED", f"{text} (nothing may be skipped in CI)"
        counts[outcome] += 1
        times.append((seconds, name))
        tell(name, outcome, text, seconds, number, len(chosen))
    if options.times:
        for seconds, name in sorted(times, reverse=True)[:40]:
            kit.say(f"{seconds:6.1f} s  {name}")
    return counts


def pattern(text):
    """A pattern without a letter or digit, such as the ] of a shell's mistake, would select nearly all tests."""
    if not any(char.isalnum() for char in text):
        raise argparse.ArgumentTypeError(f"'{text}' selects by nothing: use a part of a name")
    return text


def shard(text):
    share, _, shares = text.partition("/")
    if not (share.isdecimal() and shares.isdecimal() and 1 <= int(share) <= int(shares)):
        raise argparse.ArgumentTypeError(f"'{text}' should be I/N, with I from 1 to N")
    return int(share), int(shares)


def parse():
    parser = argparse.ArgumentParser(description="End-to-end tests of relocpack")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", type=pattern)
    parser.add_argument("--quick", action="store_true", help="leave out slow tests")
    parser.add_argument("--whole", action="store_true", help="the rest of matrices")
    parser.add_argument("--part", choices=("some", "rest", "all"), default="all", help="of the functions of each file")
    parser.add_argument("--rows", choices=("one", "third", "all"), default="all", help="of each table of tests")
    parser.add_argument("--turn", type=int, default=0, metavar="N", help="which functions and rows")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the I-th of N equal shares")
    parser.add_argument("--jobs", "-j", type=int,
                        help="tests at a time (default: what an outer make has, or one for each processor)")
    parser.add_argument("--tool", default=str(kit.ROOT / "build" / "relocpack"))
    parser.add_argument("--keep", action="store_true", help="keep the files")
    parser.add_argument("--list", action="store_true", help="list the tests and stop")
    parser.add_argument("--times", action="store_true", help="list the tests that cost most, in seconds of CPU time")
    return parser.parse_args()


def main():
    options = parse()
    for number, action in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        signal.signal(number, action)  # a background job ignores them, and so would the programs that are tested
    chosen = selected(options)
    if not chosen:
        kit.say(f"run.py: no test of that name: {' '.join(options.patterns)}")
        return 2
    if options.list:
        for i in chosen:
            print(kit.TESTS[i]["name"] + (" (slow)" if kit.TESTS[i]["slow"] else ""))
        return 0
    if not os.access(options.tool, os.X_OK):
        kit.say(f"run.py: '{options.tool}' is not built: run make")
        return 2
    base, held = base_folder()
    try:
        options.tool = str(copy_tool(options.tool, base))
        counts = run_all(chosen, options, base)
    finally:
        if options.keep:
            kit.say(f"files: {base}")
        else:
            shutil.rmtree(base, ignore_errors=True)
        if held is not None:
            os.close(held)
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    print(f"{counts['ok']} passed, {counts['FAILED']} failed{skipped}")
    return 1 if counts["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
