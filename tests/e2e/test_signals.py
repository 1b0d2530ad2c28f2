# SPDX-License-Identifier: Apache-2.0
"""Signals: programs that do not end, second signals, how the tool itself ends, and what remains."""
import os
import pathlib
import signal
import subprocess
import time

import kit
from kit import EXAMPLES, check, each, equal, has, test

TINY = EXAMPLES / "tiny/tiny.c"
STUBBORN = """#!/bin/sh
trap '' TERM INT HUP
echo $$ >> {pids}
touch {mark}
while :; do sleep 60; done
"""


def start(case, script=STUBBORN, *words, **more):
    """generate with a launcher that tells when it runs: (process, files with the pids)."""
    mark, pids = case.dir / "mark", case.dir / "pids"
    launcher = case.write("launcher", script.format(mark=mark, pids=pids))
    launcher.chmod(0o755)
    process = subprocess.Popen([case.tool, "generate", "-q", "-i", TINY, "--target", "f4", "-o", case.dir / "out",
                                "--launcher", launcher, *words], env=case.env, cwd=case.dir, stderr=subprocess.PIPE,
                               start_new_session=True, **more)
    while not mark.exists():
        check(process.poll() is None, "it has ended")
        time.sleep(0.01)
    return process, pids


def nothing_left(case, pids):
    for pid in pids.read_text().split():
        stat = pathlib.Path(f"/proc/{pid}/stat")
        check(not stat.exists() or stat.read_text().split(") ")[1][0] in "ZX", f"process {pid} still runs")
    equal([name for name in os.listdir(case.tmp) if name.startswith("relocpack")], [], "workspaces")
    check(not (case.dir / "out").exists(), "an output folder")


@each(["SIGINT", "SIGTERM", "SIGHUP"])
def stubborn_compiler(case, name):
    """It ignores the signal and SIGTERM, so it is killed after two seconds, with everything that it started."""
    process, pids = start(case)
    begin = time.monotonic()
    process.send_signal(getattr(signal, name))
    err = process.communicate(timeout=60)[1].decode()
    check(time.monotonic() - begin >= 2, "SIGTERM was not waited for")
    equal(process.returncode, -getattr(signal, name), f"how it ended: {err}")
    has(err, "error RP2103")
    nothing_left(case, pids)


@test
def killed_while_an_emulator_runs(case):
    """A model may never end. Nobody is left to stop the emulator at its time limit, so it ends at once."""
    case.generate(TINY)
    pids = case.dir / "pids"
    emulator = case.write("emulator", f"#!/bin/sh\necho $$ >> {pids}\nwhile :; do sleep 60; done\n")
    emulator.chmod(0o755)
    process = subprocess.Popen([case.tool, "verify", case.dir / "out/tiny_rel.bin", "-q", "--emulator", emulator],
                               env=case.env, cwd=case.dir, start_new_session=True)
    while not pids.exists() or len(pids.read_text().split()) < 3:
        check(process.poll() is None, "it has ended")
        time.sleep(0.01)
    process.kill()
    process.wait()
    all_end(pids.read_text().split(), "emulators")


def all_end(left, what):
    limit = time.monotonic() + 60
    while left and time.monotonic() < limit:
        left = [pid for pid in left if state(pid) not in b"ZX"]
        time.sleep(0.01)
    for pid in left:
        try:
            os.kill(int(pid), signal.SIGKILL)
        except ProcessLookupError:  # it ended with those before
            pass
    equal(left, [], f"{what} that still run")


def descendants(pid):
    """Numbers of all that a process started, and what these started."""
    found = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return found + [deeper for child in found for deeper in descendants(child)]


@each(["stubborn", "willing"])
def killed_while_it_compiles(case, how):
    """make, compilers and what these started end with it, even if they do not want to."""
    process, pids = start(case, STUBBORN if how == "stubborn" else STUBBORN.replace("trap", ": "))
    left = descendants(process.pid)
    check(set(pids.read_text().split()) < set(left), f"{left} were started")
    process.kill()
    process.communicate()
    all_end(left, "programs")
    check(not (case.dir / "out").exists(), "an output folder")


@test
def killed_while_a_generator_runs(case):
    model, mark = case.write("m.tflite", "x"), case.dir / "mark"
    generator = case.write("generator", f"#!/bin/sh\ntouch {mark}\nwhile :; do sleep 60; done\n")
    generator.chmod(0o755)
    process = subprocess.Popen([case.tool, "generate", "-q", "-i", model, "--target", "f4", "--generator", f"{generator} {{input}} {{output}}"],
                               env=case.env, cwd=case.dir, start_new_session=True)
    while not mark.exists():
        check(process.poll() is None, "it has ended")
        time.sleep(0.01)
    left = descendants(process.pid)
    process.kill()
    process.wait()
    all_end(left, "programs")


@test
def killed_under_an_outer_make(case):
    """Its make returns what it took from the jobserver, so that the outer make goes on with all of its jobs."""
    gate = case.dir / "gate"
    launcher = case.write("launcher", f"#!/bin/sh\necho $$ >> {case.dir}/pids\nsleep 60\n")
    launcher.chmod(0o755)
    case.write("two.c", "int two(int a) { return a; }\n")
    words = f"{case.tool} generate -q -i {TINY} --source two.c --target f4 -o out --launcher {launcher}"
    case.write("Makefile", f"all: killed\n\t+@$(MAKE) -f {case.dir}/Makefile a b c\n"
               f"killed:\n\t+-@{words} & echo $$! > pid; wait $$!\n"
               f"a b c:\n\t@echo $@ >> {gate}; while [ $$(wc -l < {gate}) -lt 3 ]; do sleep 0.02; done\n")
    process = subprocess.Popen(["make", "-j3", "all"], env=case.env, cwd=case.dir, start_new_session=True, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    kit.wait_for(lambda: (case.dir / "pids").exists() and len((case.dir / "pids").read_text().split()) >= 2, "two compilers")
    os.kill(int((case.dir / "pid").read_text()), signal.SIGKILL)
    err = process.communicate(timeout=120)[1].decode()
    equal((process.returncode, "Exiting with" in err), (0, False), f"the outer make: {err}")


@test
def second_signal(case):
    """The second signal kills at once, and still nothing is left."""
    process, pids = start(case)
    process.send_signal(signal.SIGINT)
    while b"S" not in state(process.pid) and process.poll() is None:
        pass
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    equal(process.returncode, -signal.SIGINT, "how it ended")
    nothing_left(case, pids)


def state(pid):
    """Z or X: it has ended."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_bytes().rsplit(b") ", 1)[1][:1]
    except (FileNotFoundError, ProcessLookupError):
        return b"X"


@test
def status_for_a_shell(case):
    """130 and 143, and a script stops with it."""
    for name, status in (("INT", 130), ("TERM", 143), ("HUP", 129)):
        launcher = case.write("launcher", f"#!/bin/sh\nkill -{name} $(cat {case.dir}/pid)\nsleep 60\n")
        launcher.chmod(0o755)
        done = case.run("bash", "-c", 'trap - INT TERM HUP; "$@" & echo $! > pid; wait $!; echo $?' if name != "INT" else
                        'python3 -c "import os,signal,sys; signal.signal(signal.SIGINT, signal.SIG_DFL); '
                        'open(\'pid\', \'w\').write(str(os.getpid())); os.execv(sys.argv[1], sys.argv[1:])" "$@"; echo $?', "bash",
                        case.tool, "generate", "-q", "-i", TINY, "--target", "f4", "-o", "out", "--launcher", launcher)
        equal(done.out.strip(), str(status), f"status after SIG{name}\n{done.err}")


@test
def waiting_for_a_reader(case):
    """A FIFO that nobody reads: a signal ends the wait, and the outputs are as before."""
    os.mkfifo(case.dir / "fifo")
    process = subprocess.Popen([case.tool, "generate", "-q", "-i", TINY, "--target", "f4", "-o", case.dir / "out",
                                "--json", case.dir / "fifo"], env=case.env, stderr=subprocess.PIPE)
    def is_waiting():
        try:
            return "fifo" in pathlib.Path(f"/proc/{process.pid}/wchan").read_text() or (case.dir / "out").exists()
        except OSError:
            return False
    while not is_waiting():
        check(process.poll() is None, "it has ended")
    time.sleep(0.5)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    equal(process.returncode, -signal.SIGTERM, "how it ended")
    check(not (case.dir / "out").exists(), "an output folder")
    equal([name for name in os.listdir(case.tmp) if name.startswith("relocpack")], [], "workspaces")


# ---- terminals ----

@test
def verbose_escapes(case):
    """Control bytes of a warning, a file name and a flag do not reach the terminal."""
    evil = "\x1b]0;pwned\x07\x1b[31m"
    source = case.write(f"a{evil}.c", TINY.read_text() + f'\n#warning "{evil}"\n')
    for words in (["-v"], ["--dry-run"], ["-v", "--log", "-"], ["-v", "--workspace", case.dir / f"w{evil}"],
                  ["-v", "--no-clean"]):
        done = case.generate(source, *words, "-D", f"X={evil}", "--name", "m", "--entry", "tiny", workspace_left="--no-clean" in words)
        for text in (done.out, done.err):
            check("\x1b" not in text and "\x07" not in text, f"control bytes with {words}: {text!r}")
        if words[0] == "-v":
            has(done.err, "\\x1B]0;pwned")


@each(["-E", "-S", "-c", "-o x", "-fsyntax-only", "-M", "-MD", "--help", "-###", "@file", "-x c", "model.c", "-save-temps"])
def options_that_change_what_is_written(case, flags):
    has(case.refuse(2, "RP2200", TINY, "--cflags", flags), "--cflags", flags.split(maxsplit=1)[0], str(TINY))
