# SPDX-License-Identifier: Apache-2.0
"""Used by every end-to-end test: registering tests, running the tool in a folder of its own, comparing.
In: environment, see run.py. A test is a function that takes a Case and raises Failure, or Skip if
something that it needs is not installed.
"""
import fcntl
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import zlib

import schemas
import sums

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
FIXTURES = ROOT / "tests" / "fixtures"
MODELS = FIXTURES / "models"
SCHEMA = ROOT / "docs" / "report.schema.json"
CROSS = "arm-none-eabi-"
QEMU = "qemu-system-arm"
BUSY = 1800  # seconds; even on a busy machine, a run that takes longer hangs
# Variables of the caller that would change what is tested.
UNWANTED = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "CROSS_COMPILE", "STEDGEAI_CORE_DIR", "STEDGEAI_CORE_EXE",
            "RELOCPACK_DATADIR", "SOURCE_DATE_EPOCH", "NO_COLOR", "CCACHE_DISABLE", "CCACHE_PREFIX",
            "LANG", "LANGUAGE")


def kept_cache():
    """A folder for ccache that the next run finds again, not the user's own; None where none can be made."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = pathlib.Path(home, "relocpack-tests")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


CACHE = kept_cache()


class Failure(Exception):
    """A check that did not hold."""


class Skip(Exception):
    """Something that the test needs is not installed."""


TESTS = []


def one_line(label):
    """With control characters as Python writes them, so that a name is one line of a list."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in label)


def function_of(test):
    return test["name"].partition("[")[0]


def test(function=None, *, slow=False, needs=(), always=False):
    """Registers a test. slow: left out by --quick. needs: programs. always: in every `make check`."""
    def register(body):
        TESTS.append({"name": f"{body.__module__.removeprefix('test_')}.{body.__name__}",
                      "body": body, "slow": slow, "spread": True, "row": 0, "rows": 1, "needs": tuple(needs),
                      "always": always})
        return body
    return register(function) if function is not None else register


def each(values, *, slow=False, spread=None, needs=(), always=()):
    """Registers one test for each value: body(case, value). spread: the values for everyday runs; the rest
    is left to --whole. always: those that are in every `make check`."""
    def register(body):
        values_in_turn = [value for value in values if spread is None or value in spread]
        for value in values:
            label = one_line(value if isinstance(value, str) else "_".join(map(str, value)))
            TESTS.append({"name": f"{body.__module__.removeprefix('test_')}.{body.__name__}[{label}]",
                          "body": lambda case, value=value: body(case, value),
                          "slow": slow(value) if callable(slow) else slow,
                          "spread": value in values_in_turn,
                          "row": values_in_turn.index(value) if value in values_in_turn else 0,
                          "rows": len(values_in_turn), "needs": tuple(needs), "always": value in always})
        return body
    return register


def in_turn(rows, columns, times=1):
    """Each row `times` times, with the columns in turn."""
    columns = list(columns)
    step = len(columns) // times
    return [(row, columns[(i + k * step) % len(columns)]) for i, row in enumerate(rows) for k in range(times)]


def labels_in_turn(rows, columns, times=1):
    """The same as "row-column"."""
    return ["-".join(pair) for pair in in_turn(rows, columns, times)]


def need(*programs):
    for program in programs:
        if shutil.which(program) is None:
            raise Skip(f"{program} is not installed")


# ---- checks ----

def short(value, limit=700):
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= limit else text[:limit // 2] + "\n[...]\n" + text[-limit // 2:]


def check(condition, what):
    if not condition:
        raise Failure(what)


def equal(got, want, what):
    if got != want:
        raise Failure(f"{what}: got {short(got)}, want {short(want)}")


def has(text, *parts):
    for part in parts:
        if part not in text:
            raise Failure(f"not said: {part!r} in:\n{short(text)}")


def has_not(text, *parts):
    for part in parts:
        if part in text:
            raise Failure(f"should not be said: {part!r} in:\n{short(text)}")


def matches(text, pattern):
    found = re.search(pattern, text, re.M | re.S)
    if found is None:
        raise Failure(f"no match for {pattern!r} in:\n{short(text)}")
    return found


# ---- running ----

class Result:
    def __init__(self, argv, status, out, err):
        self.argv, self.status, self.raw_out, self.raw_err = argv, status, out, err
        self.out = out.decode(errors="surrogateescape")
        self.err = err.decode(errors="surrogateescape")

    def show(self):
        return (f"$ {' '.join(map(repr, map(str, self.argv)))}\nstatus {self.status}\n"
                f"{short(self.out)}\n{short(self.err)}")


def snapshot(folder):
    """Relative path → bytes (None: a folder) of all that is below."""
    folder = pathlib.Path(folder)
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
            for path in sorted(folder.rglob("*"))}


def visible(folder):
    """Names in a folder, without hidden ones."""
    return sorted(name for name in os.listdir(folder) if not name.startswith("."))


def sums_add_up(folder):
    """Checks that the numbers of the reports in a folder match the files beside them."""
    try:
        sums.check_sums(folder)
    except ValueError as error:
        raise Failure(f"the report does not add up: {error}") from None


class Case:
    """One running test: a folder of its own, an environment, and the tool."""

    def __init__(self, base, name, tool):
        self.base = pathlib.Path(base)
        plain = re.sub(r"[^A-Za-z0-9_.-]", "_", name)[:80]
        if plain != name:  # others may have the same plain name
            plain += f"-{zlib.crc32(name.encode()):08x}"
        self.dir = self.base / "cases" / plain
        self.tmp = self.base / "tmp" / plain
        for folder in (self.dir, self.tmp):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        self.tool = str(tool)
        self.env = {key: value for key, value in os.environ.items()
                    if key not in UNWANTED and not key.startswith("LC_")}
        self.env.update(TMPDIR=str(self.tmp), CCACHE_DIR=str(CACHE or self.base / "ccache"), LC_ALL="C.UTF-8",
                        PYTHONDONTWRITEBYTECODE="1")

    def running(self):
        """Numbers of the processes in the folder of this test."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if entry.name != str(os.getpid()) and (entry / "cwd").readlink().is_relative_to(self.dir):
                    found.append(int(entry.name))
            except OSError:  # it has ended, or is another user's
                pass
        return found

    def end(self):
        """Ends what still runs after a while, as an emulator behind GDB may: it would take a processor from all tests that follow."""
        for _ in range(100):
            if not self.running():
                break
            time.sleep(0.1)
        for number in self.running():
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:  # it has just ended
                pass

    def path(self, *parts):
        path = self.dir.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def write(self, name, content):
        path = self.path(name)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def run(self, *argv, status=0, cwd=None, env=None, timeout=None, **more):
        """Runs a program; status None: any. env: changes, None values are removed. timeout: seconds of CPU time
        for each process, because wall-clock time would fail on a busy machine."""
        full = dict(self.env)
        for key, value in (env or {}).items():
            full.pop(key, None)
            if value is not None:
                full[key] = str(value)
        argv = [os.fspath(word) if not isinstance(word, bytes) else word for word in argv]
        if timeout is not None:
            more["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_CPU, (timeout, timeout))
        done = subprocess.run(argv, cwd=cwd or self.dir, env=full, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=BUSY,
                              check=False, **more)
        result = Result(argv, done.returncode, done.stdout, done.stderr)
        if status is not None and done.returncode != status:
            raise Failure(f"exit status {done.returncode}, want {status}\n{result.show()}")
        return result

    def relocpack(self, *argv, workspace_left=False, **more):
        """Runs the tool and checks that it leaves no temporary workspace, and that its JSON is as docs/ says."""
        result = self.run(self.tool, *argv, **more)
        left = [name for name in os.listdir(self.tmp) if name.startswith("relocpack")]
        if bool(left) != workspace_left:
            raise Failure(f"workspaces left: {left}\n{result.show()}")
        check(result.status >= 0, f"killed by signal {-result.status}\n{result.show()}")
        if (result.status in (0, 8) or result.out) and any(str(word) in ("--json", "--profile-file") for word in argv):
            equal(schemas.of_run(argv, result.out, more.get("cwd") or self.dir), [], "what the schema does not accept")
        return result

    def generate(self, source, *argv, out="out", target="stm32f4", env=None, **more):
        """Runs generate."""
        words = ["-i", source, "-o", self.dir / out]
        if target is not None:
            words += ["--target", target]
        result = self.relocpack("generate", *words, *argv, env=env, **more)
        if result.status == 0:
            sums_add_up(self.dir / out)
        return result

    def refuse(self, status, error_id, source, *argv, hint=None, out="out", **more):
        """Runs generate, which has to fail: code, id, one error line, no output. Returns the message."""
        before = snapshot(self.dir / out) if (self.dir / out).exists() else None
        result = self.generate(source, *argv, out=out, status=status, **more)
        has(result.err, f"error {error_id}: ")
        equal(result.err.count("relocpack: error"), 1, f"number of errors\n{result.err}")
        equal(result.out, "", "standard output of a failure")
        if hint is not None:
            has(result.err, "relocpack: hint: ", hint)
        after = snapshot(self.dir / out) if (self.dir / out).exists() else None
        equal(after, before, "output folder after a failure")
        return result.err

    def verify(self, image, *argv, **more):
        return self.relocpack("verify", image, *argv, **more)

    def report(self, name, out="out"):
        return json.loads((self.dir / out / f"{name}_generate_rel.json").read_text())


def default_signals(ignored=()):
    """For preexec_fn: a test that sends signals must not depend on signals that its caller ignores (nohup, a
    background job). ignored: names of signals that the program is to find ignored."""
    for name in ("SIGHUP", "SIGINT", "SIGTERM", "SIGCHLD", "SIGPIPE"):
        signal.signal(getattr(signal, name), signal.SIG_IGN if name in ignored else signal.SIG_DFL)


def wait_for(condition, what):
    for _ in range(100 * BUSY):
        if condition():
            return
        time.sleep(0.01)
    raise Failure(f"{what} was waited for in vain")


# ---- things that several tests need, made once ----

def cached(case, name, make):
    """A folder made once for all tests by make(folder); safe with two processes."""
    folder = case.base / "shared" / name
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".done").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            (folder / ".done").touch()
    return folder


def sha256(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def target_flags(case, target):
    """Compiler flags of a series, as `relocpack targets` prints them."""
    for line in case.relocpack("targets").out.splitlines():
        words = line.split()
        if len(words) > 3 and words[0] == target:
            return [word for word in words if word.startswith("-m")]
    raise Failure(f"targets does not list {target}")


PIC = ["-fpic", "-msingle-pic-base", "-mpic-register=r9", "-mno-pic-data-is-text-relative"]


def compile_object(case, source, out, target="stm32f4", pic=True, more=()):
    flags = target_flags(case, target) + ["-O2", "-ffunction-sections", "-fdata-sections"]
    case.run(f"{CROSS}gcc", *flags, *(PIC if pic else []), *more, "-c", source, "-o", out)
    return out


def say(text):
    print(text, file=sys.stderr, flush=True)
