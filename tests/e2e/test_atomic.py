# SPDX-License-Identifier: Apache-2.0
"""Output files appear all together or not at all, whatever fails and whenever the process dies."""
import os
import pathlib
import shutil
import signal
import subprocess

import kit
import reader
from kit import EXAMPLES, MODELS, check, each, equal, has, has_not, test

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = MODELS / "state.c"
WORDS = ["-r", "split,gen-c-file", "-q", "--target", "f4", "--reproducible"]
MOST_CALLS = 400
STEPS = {"each": 1, "third": 3}  # of the calls that could fail


def shim(case):
    def make(folder):
        case.run("cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", folder / "fault.so",
                 HERE / "fault.c", "-ldl")
    return kit.cached(case, "fault", make) / "fault.so"


def contents(folder):
    """Name → bytes of the files that can be seen."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


class Setting:
    """An output folder with the files of an older build, and what a newer one makes."""

    def __init__(self, case, out):
        self.case, self.out = case, case.dir / out
        self.shim = shim(case)
        case.generate(EXAMPLES / "tiny" / "tiny.c", *WORDS, "--name", "state", out=out, target=None)
        older = case.write("older.c", SOURCE.read_text().replace("int step = 5", "int step = 4"))
        case.relocpack("generate", "-i", older, "-o", self.out, "--name", "state", "--entry", "state", *WORDS)
        self.old = kit.snapshot(self.out)
        case.generate(SOURCE, *WORDS, out=out, target=None)
        self.new = kit.snapshot(self.out)
        self.restore()
        check(self.old["state_rel.bin"] != self.new["state_rel.bin"], "old and new are the same")

    def restore(self):
        for name in os.listdir(self.out):
            path = self.out / name
            if name not in self.old:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        for name, data in self.old.items():
            if (self.out / name).read_bytes() != data if (self.out / name).exists() else True:
                (self.out / name).write_bytes(data)

    def run(self, number, mode, *more):
        """One faulty run: (result, name of the call that failed or '')."""
        mark = self.case.dir / "mark"
        mark.unlink(missing_ok=True)
        env = {"LD_PRELOAD": self.shim, "FAULT_AT": number, "FAULT_MODE": mode, "FAULT_MARK": mark}
        result = self.case.run(self.case.tool, "generate", "-i", SOURCE, "-o", self.out, *WORDS, *more,
                               status=None, env=env)
        return result, mark.read_text() if mark.exists() else ""

    def state(self, call, result):
        """"old" or "new", or a failure that says which files are of which."""
        now = contents(self.out)
        for label, want in (("old", self.old), ("new", self.new)):
            if now == want:
                return label
        kinds = {name: "old" if data == self.old.get(name) else "new" if data == self.new.get(name) else
                 f"{len(data)} other bytes" for name, data in now.items()}
        gone = sorted(set(self.old) - set(now))
        same = {name for name in self.old if self.old[name] == self.new[name]}
        raise kit.Failure(f"after a fault in {call}: gone {gone}, "
                          f"{ {name: kind for name, kind in kinds.items() if name not in same} }\n{result.show()}")


def hidden(folder):
    return [name for name in os.listdir(folder) if name.startswith(".")]


@each(["ENOSPC", "EIO"], slow=lambda mode: mode == "EIO", spread=["ENOSPC"])
def failing_call(case, mode):
    """Each call that changes files fails once: there is an error, a clean folder, and all files are old or all new."""
    setting = Setting(case, "out")
    seen = []
    for number in range(1, MOST_CALLS):
        result, call = setting.run(number, mode)
        if not call:
            equal(result.status, 0, "a run without a fault")
            break
        seen.append(call)
        where = f"{call} (call {number})"
        state = setting.state(where, result)
        equal(hidden(setting.out), [], f"hidden files after a fault in {where}")
        if result.status == 0:  # clean-up may fail silently, making the files may not
            equal(state, "new", f"success after a fault in {where}")
        else:
            equal(result.status, 1, f"exit status after a fault in {where}\n{result.show()}")
            has(result.err, "relocpack: error RP210")
            if mode == "ENOSPC" and "write" in call:
                has(result.err, "RP2101")
        left = [name for name in os.listdir(case.tmp) if name.startswith("relocpack")]
        equal(left, [], f"workspaces after a fault in {where}")
        setting.restore()
    else:
        raise kit.Failure("the calls do not end")
    check(len(seen) > 40 and {"write", "renameat2", "close"} <= set(seen), f"calls: {sorted(set(seen))}")


def names(pid, folder):
    """Whether a process has the folder in its command line; one that has ended has none."""
    try:
        return str(folder).encode() in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def wait_for_child(folder):
    """The process that places the files goes on when its parent is killed."""
    kit.wait_for(lambda: not any(names(pid, folder) for pid in os.listdir("/proc") if pid.isdigit()),
                 "the process that places the files")


@test
def killed(case):
    """SIGKILL at each such call: all files are old or all new, and the next run succeeds."""
    setting = Setting(case, "out")
    states, first = set(), 0
    for number in range(1, MOST_CALLS):
        result, call = setting.run(number, "KILL")
        if not call:
            break
        equal(result.status, -signal.SIGKILL, f"killed in {call}")
        wait_for_child(setting.out)
        states.add(setting.state(f"{call} (call {number})", result))
        check(all(name.startswith(".relocpack-") for name in hidden(setting.out)), "hidden files of another name")
        if list(setting.out.glob(".relocpack-*/.relocpack-lock")):
            first = first or number  # later ones differ from run to run: two processes work at a time
        setting.restore()
    else:
        raise kit.Failure("the calls do not end")
    check(number > 40 and "old" in states, f"{number} calls, states {states}")
    setting.run(first, "KILL")
    wait_for_child(setting.out)
    check(hidden(setting.out), "what the killed runs left")
    case.relocpack("generate", "-i", SOURCE, "-o", setting.out, *WORDS)  # no workspace is left, not even by those
    equal(setting.state("nothing", None), "new", "a run after a killed one")
    equal(hidden(setting.out), [], "hidden folders of killed runs")


@test
def placing_process_killed(case):
    """The process that places the files dies: its parent rolls back, or completes."""
    setting = Setting(case, "out")
    states = []
    for number in range(1, MOST_CALLS):
        result, call = setting.run(number, "KILLCHILD")
        if not call:
            break
        states.append(setting.state(f"{call} (call {number})", result))
        equal(result.status, 0 if states[-1] == "new" else 1, f"exit status when {states[-1]}\n{result.show()}")
        equal(hidden(setting.out), [], "hidden files")
        setting.restore()
    check(len(states) > 10 and "old" in states, f"states {states}")


@each(list(STEPS), slow=True, spread=["third"])
def named_files_belong_to_the_set(case, which):
    """--json and --depfile: a fault leaves both as they were, and nothing beside them."""
    setting = Setting(case, "out")
    extra = case.dir / "named"
    extra.mkdir()
    for name in ("r.json", "d.mk"):
        (extra / name).write_text("old\n")
    words = ["--json", extra / "r.json", "--depfile", extra / "d.mk"]
    mixed = []
    for number in range(1, MOST_CALLS, STEPS[which]):
        result, call = setting.run(number, "EIO", *words)
        if not call:
            break
        state = setting.state(f"{call} (call {number})", result)
        equal(sorted(os.listdir(extra)), ["d.mk", "r.json"], f"beside the named files after {call} ({number})")
        for name in ("r.json", "d.mk"):
            text = (extra / name).read_text()
            check(text == "old\n" or "state" in text, f"{name} is cut: {text!r}")
            if result.status != 0 and (text == "old\n") != (state == "old"):
                mixed.append(f"{call} ({number}): {name}")
            (extra / name).write_text("old\n")
        setting.restore()
    check(len(mixed) <= 3, f"named files and output folder differ after: {mixed}")  # three renames cannot be one


@each(list(STEPS), slow=True, spread=["third"])
def no_output_folder_before(case, which):
    """A folder that the failed run made is removed with it."""
    folder = case.dir / "deep" / "er"
    for number in range(1, MOST_CALLS, STEPS[which]):
        mark = case.dir / "mark"
        mark.unlink(missing_ok=True)
        result = case.run(case.tool, "generate", "-i", SOURCE, "-o", folder, *WORDS, status=None,
                          env={"LD_PRELOAD": shim(case), "FAULT_AT": number, "FAULT_MODE": "EIO", "FAULT_MARK": mark})
        if not mark.exists():
            break
        if result.status != 0:
            left = os.listdir(folder) if folder.exists() else []
            check(left == [] or "state_rel.bin" in left, f"after call {number}: {left}")
            if left:
                reader.read(folder / "state_rel.bin", folder / "state_data.bin")
        shutil.rmtree(case.dir / "deep", ignore_errors=True)
    reader.read(folder / "state_rel.bin", folder / "state_data.bin")


@test
def real_limit_on_file_size(case):
    """Without a shim: the system's own limit is hit in the middle of an image."""
    setting = Setting(case, "out")
    result = case.run("bash", "-c", 'trap "" XFSZ; ulimit -f 3; exec "$@"', "bash", case.tool, "generate", "-i",
                      SOURCE, "-o", setting.out, *WORDS, "--launcher", "none", status=None)
    check(result.status not in (0, -signal.SIGXFSZ), result.show())
    has(result.err, "relocpack: error")
    equal(setting.state("ulimit", result), "old", "files")
    equal(hidden(setting.out), [], "hidden files")


@each(["SIGTERM", "SIGINT", "SIGHUP"])
def signals_while_compiling(case, name):
    setting = Setting(case, "out")
    marker, alive = case.dir / "started", case.dir / "alive"
    launcher = case.write("slow", f"#!/bin/sh\necho $$ >> {alive}\ntouch {marker}\nsleep 5000\nexec \"$@\"\n")
    launcher.chmod(0o755)
    with subprocess.Popen([case.tool, "generate", "-i", SOURCE, "-o", setting.out, *WORDS, "--launcher", launcher],
                          env=case.env, cwd=case.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          start_new_session=True, preexec_fn=kit.default_signals) as process:
        kit.wait_for(marker.exists, "the start of the compilation")
        process.send_signal(getattr(signal, name))
        out, err = process.communicate(timeout=kit.BUSY)
    equal(process.returncode, -getattr(signal, name), f"exit status: {err.decode()}")
    has(err.decode(), "error RP2103", "interrupted")
    equal(out, b"", "standard output")
    equal(setting.state(name, kit.Result([], 1, out, err)), "old", "files")
    equal(hidden(setting.out), [], "hidden files")
    equal([entry for entry in os.listdir(case.tmp) if entry.startswith("relocpack")], [], "workspaces")
    for pid in alive.read_text().split():
        kit.wait_for(lambda pid=pid: not running(pid), f"the end of process {pid} of the compilation")


def running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] not in "ZX"
    except FileNotFoundError:
        return False


@each(["SIGHUP", "SIGINT"])
def ignored_signals_stay_ignored(case, name):
    """nohup, or a background job: the signal stops neither the work nor its child processes."""
    marker = case.dir / "started"
    launcher = case.write("slow", f"#!/bin/sh\ntouch {marker}\nsleep 1\nexec \"$@\"\n")
    launcher.chmod(0o755)
    with subprocess.Popen([case.tool, "generate", "-i", EXAMPLES / "tiny/tiny.c", "-o", case.dir / "out", *WORDS,
                           "--launcher", launcher, "-j8"], env=case.env, cwd=case.dir,
                          preexec_fn=lambda: kit.default_signals(ignored=[name])) as process:
        kit.wait_for(lambda: marker.exists() or process.poll() is not None, "the start of the compilation")
        process.send_signal(getattr(signal, name))
        equal(process.wait(timeout=kit.BUSY), 0, "exit status")
    has_not(" ".join(os.listdir(case.dir / "out")), "relocpack-")
    reader.read(case.dir / "out/tiny_rel.bin")


@test
def children_of_a_parent_that_ignores_them(case):
    """SIGCHLD is ignored: the system would not report how the compiler ended."""
    broken = case.write("broken.c", "void model(const float in[4], float out[4]) { no; }\n")
    for source, status in ((EXAMPLES / "tiny/tiny.c", 0), (broken, 4)):
        with subprocess.Popen([case.tool, "generate", "-i", source, "-o", case.dir / "out", *WORDS],
                              env=case.env, cwd=case.dir, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              preexec_fn=lambda: kit.default_signals(ignored=["SIGCHLD"])) as process:
            equal(process.wait(timeout=kit.BUSY), status, f"exit status of {source}")
    reader.read(case.dir / "out/tiny_rel.bin")


@test
def two_at_a_time(case):
    """Two builds into one folder: one of them wins as a whole."""
    other = case.write("state.c", SOURCE.read_text().replace("int step = 5", "int step = 4"))
    case.generate(SOURCE, *WORDS, out="a", target=None)
    case.generate(other, *WORDS, out="b", target=None)
    wants = [contents(case.dir / "a"), contents(case.dir / "b")]
    for _ in range(6):
        processes = [subprocess.Popen([case.tool, "generate", "-i", source, "-o", case.dir / "out", *WORDS],
                                      env=case.env, cwd=case.dir) for source in (SOURCE, other)]
        equal([process.wait(timeout=kit.BUSY) for process in processes], [0, 0], "exit status")
        now = contents(case.dir / "out")
        image = reader.Image(now["state_rel.bin"], now["state_data.bin"])
        check(image.trailer is not None and sorted(now) == sorted(wants[0]), "the set of files")
